"""Hooks for other rooms: a deal, an event at a table, the end of a match, a deleted table.

A room registers its functions in its own hooks.py. They are called in the order of
kaboom.features.FEATURES. A function that raises rolls the whole change back. Periodic jobs are
registered in kaboom.tables.jobs.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from kaboom.engine.play import Event
from kaboom.engine.views import Outcome
from kaboom.tables.change import TableChange
from kaboom.tables.table import Occupant

# A player opens a table. The hook may raise InvalidState with a sentence.
before_open: list[Callable[[Connection], None]] = []
# A player is about to sit down; the hook may set public facts about them on the chair.
before_sitting: list[Callable[[Connection, Occupant], None]] = []
# The players are seated, and nothing has been dealt yet.
before_deal: list[Callable[[TableChange], None]] = []
# The events of a deal or of a move were logged; with an outcome the match is over.
after_events: list[Callable[[TableChange, Sequence[Event], Outcome | None], None]] = []
# The record is closed, and all players still have their chairs.
after_match: list[Callable[[TableChange, Outcome], None]] = []
# A table is being deleted; argument: the table's id.
on_delete: list[Callable[[Connection, int], None]] = []
# A seat is given to another player; arguments: the old player, the new one, the table's id.
on_hand_over: list[Callable[[Connection, int, int, int], None]] = []
