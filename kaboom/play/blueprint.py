"""A table: its page, and everything that can be done there.

One blueprint (answers.py), whose routes are in looking.py, playing.py, ahead.py, notes.py and
seating.py.
"""

from kaboom.web.table import ahead, looking, notes, playing, seating
from kaboom.web.table.answers import bp

opening = seating.opening

__all__ = ["ahead", "bp", "looking", "notes", "opening", "playing", "seating"]
