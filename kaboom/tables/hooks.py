"""What follows at a table when cards are dealt, when something has happened, when a match ends.

A feature that wants to know of one of these adds a step of its own module to a list: a function
that is given the table in the middle of its change. Steps are taken in this order, and one that
raises undoes the whole change.
"""

from collections.abc import Callable, Sequence

from kaboom.engine.play import Event
from kaboom.engine.views import Outcome
from kaboom.ratings import service as ratings
from kaboom.social.chat import bot_chat
from kaboom.tables import shared_deals, spectators
from kaboom.tables.change import TableChange
from kaboom.tournaments import results as pods

# The players are in their seats, and nothing has been dealt. What was wished before it still is.
AT_A_DEAL: Sequence[Callable[[TableChange], None]] = (
    pods.begin,
    ratings.agree,
    spectators.agree_on_hands,
)

# The events of a deal or of a move were told; with an outcome the match is over.
AFTER_EVENTS: Sequence[Callable[[TableChange, Sequence[Event], Outcome | None], None]] = (
    bot_chat.speak,
)

# The record is closed, and all who played are still in their chairs.
AFTER_THE_END: Sequence[Callable[[TableChange, Outcome], None]] = (
    ratings.note_who_left,
    shared_deals.note_results,
    ratings.rate_if_it_counts,
    pods.end,
)
