"""The table service: the only way to change a game."""
