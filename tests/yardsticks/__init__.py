"""Plain ways to play each game, to measure its bot against."""
