"""The table service: the only door through which a game changes."""
