"""The coach: rates a player's decisions in a finished match by what the player could know."""
