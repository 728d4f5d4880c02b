"""A table: its page, and everything that can be done there.

One blueprint (answers.py), whose routes are in looking.py, playing.py and seating.py.
"""

from kaboom.web.table import looking, playing, seating
from kaboom.web.table.answers import bp

opening = seating.opening

__all__ = ["bp", "looking", "opening", "playing", "seating"]
