"""Puzzles: positions of matches between bots whose best moves are clearly better."""
