"""Puzzles: positions of matches between bots in which one move is clearly the best."""
