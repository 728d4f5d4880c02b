"""What follows at a table when cards are dealt, when something has happened, when a match ends.

A feature that wants to know of one of these adds a step of its own module to a list: a function
that is given the table in the middle of its change. Steps are taken in this order, and one that
raises undoes the whole change.
"""

from collections.abc import Callable, Sequence

from kaboom.core.play import Event
from kaboom.core.views import Outcome
from kaboom.tables import banter, boards, pods, ratings, spectators
from kaboom.tables.change import TableChange

# The players are in their seats, and nothing has been dealt. What was wished before it still is.
AT_A_DEAL: Sequence[Callable[[TableChange], None]] = (
    pods.begin,
    ratings.agree,
    spectators.agree_on_hands,
)

# The events of a deal or of a move were told; with an outcome the match is over.
AFTER_EVENTS: Sequence[Callable[[TableChange, Sequence[Event], Outcome | None], None]] = (
    banter.speak,
)

# The record is closed, and all who played are still in their chairs.
AFTER_THE_END: Sequence[Callable[[TableChange, Outcome], None]] = (
    ratings.note_who_left,
    boards.note_results,
    ratings.rate_if_it_counts,
    pods.end,
)
