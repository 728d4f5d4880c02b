"""Tournament tables: each plays one match, has no host, and stores its result.

The scheduler (kaboom.tournaments.scheduler) opens them and collects their results. If all tables
have the same cards, it also deals them when all players are ready.
"""

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Connection

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.tables.change import TableChange
from kaboom.tables.shared_deals.service import score_of
from kaboom.tables.table import Occupant
from kaboom.tournaments import queries as store
from kaboom.tournaments.rules.events import How, SeatResult


class PodResult(Struct, frozen=True):
    """The result of a pod, by seat, and the code of its record."""

    seats: tuple[SeatResult, ...]
    record: str = ""


def begin(change: TableChange) -> None:
    """Record that the match of a pod begins; raises InvalidState if it has begun before or the pod
    was cancelled.
    """
    pod = change.table.pod
    if pod and not store.begin_pod(change.connection, pod):
        raise InvalidState(
            _(
                "Each tournament table plays one match. Go to the tournament page for your next "
                "match."
            )
        )


def end(change: TableChange, outcome: Outcome) -> None:
    """Store the result of a pod in the transaction that ends its match."""
    connection, table = change.connection, change.table
    if table.pod:
        seats = enumerate(zip(table.chairs, outcome.places, strict=False))
        found = tuple(
            _seat(occupant, place, score_of(outcome, seat) if table.board else None)
            for seat, (occupant, place) in seats
        )
        store.end_pod(connection, table.pod, to_json(PodResult(found, table.record)).decode())


def all_first(connection: Connection, pod: int, entrants: Sequence[int], how: How) -> None:
    """Store the result of a pod in which all these entrants share first place."""
    found = tuple(SeatResult(it, how, 1) for it in entrants)
    store.end_pod(connection, pod, to_json(PodResult(found)).decode())


def result_of(row: store.PodRow) -> PodResult:
    """Return the stored result of a pod; empty if it has none."""
    return from_json(row.result or "{}", PodResult)


def _seat(occupant: Occupant | None, place: int, score: int | None) -> SeatResult:
    if occupant is None or not occupant.entrant:
        return SeatResult(0, How.PLAYED, place)
    if not occupant.bot and (not occupant.present or occupant.played_by_house):
        return SeatResult(occupant.entrant, How.LEFT, place)
    return SeatResult(occupant.entrant, How.PLAYED, place, score)
