"""Challenges: the same deal for all players with the link, from one seat against the same bots."""
