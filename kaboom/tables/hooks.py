"""What other rooms do at a table: when cards are dealt, something happens, a match ends, it goes.

A room registers its functions in its own hooks.py, of the rooms that kaboom.config.FEATURES
names, in the order in which they are called. A function that raises undoes the whole change.
What a room does from time to time it registers in kaboom.tables.jobs.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from kaboom.engine.play import Event
from kaboom.engine.views import Outcome
from kaboom.tables.change import TableChange

# The players are in their seats, and nothing has been dealt.
before_deal: list[Callable[[TableChange], None]] = []
# The events of a deal or of a move were told; with an outcome the match is over.
after_events: list[Callable[[TableChange, Sequence[Event], Outcome | None], None]] = []
# The record is closed, and all who played are still in their chairs.
after_match: list[Callable[[TableChange, Outcome], None]] = []
# A table is being deleted; its id.
on_delete: list[Callable[[Connection, int], None]] = []
# A seat goes to another player: the one who had it, the new one, the table's id.
on_hand_over: list[Callable[[Connection, int, int, int], None]] = []
