"""Lessons on fixed deals, which a game may have in its folder."""
