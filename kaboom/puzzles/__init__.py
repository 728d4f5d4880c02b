"""Puzzles: positions from matches between bots in which the best moves are clearly better."""
