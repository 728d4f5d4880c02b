"""A table that belongs to a tournament: it begins once, nobody is its host, and its result is kept.

The director (kaboom.tournaments.scheduler) opens it, and reads what it came to. Where all tables
have the same cards it deals them, too, when all are ready.
"""

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Connection

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.i18n import say
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.tables.change import TableChange
from kaboom.tables.shared_deals.service import score_of
from kaboom.tables.table import Chair, Table
from kaboom.tournaments import queries as store
from kaboom.tournaments.rules.events import How, SeatResult


class PodResult(Struct, frozen=True):
    """What a pod came to, by seat, and the code of its record."""

    seats: tuple[SeatResult, ...]
    record: str = ""


def begin(change: TableChange) -> None:
    """Note that the match of a pod begins; raises InvalidState if it began before, or was paired
    anew.
    """
    pod = change.table.pod
    if pod and not store.begin_pod(change.connection, pod):
        raise InvalidState(
            say("Each table of a tournament plays one match. See there for the next.")
        )


def end(change: TableChange, outcome: Outcome) -> None:
    """Keep what a pod came to, in the transaction in which its match ends."""
    connection, table = change.connection, change.table
    if table.pod:
        seats = enumerate(zip(table.chairs, outcome.places, strict=False))
        found = tuple(
            _seat(chair, place, score_of(outcome, seat) if table.board else None)
            for seat, (chair, place) in seats
        )
        store.end_pod(connection, table.pod, to_json(PodResult(found, table.record)).decode())


def too_few_came(connection: Connection, pod: int, entrants: Sequence[int]) -> None:
    """Keep that fewer than two came to a pod: whoever did goes through, and no match is played."""
    found = tuple(SeatResult(it, How.THROUGH, 1) for it in entrants)
    store.end_pod(connection, pod, to_json(PodResult(found)).decode())


def all_equal(connection: Connection, pod: int, entrants: Sequence[int]) -> None:
    """Keep that a match ended of which nobody can say who was ahead."""
    found = tuple(SeatResult(it, How.PLAYED, 1) for it in entrants)
    store.end_pod(connection, pod, to_json(PodResult(found)).decode())


def result_of(row: store.PodRow) -> PodResult:
    """Return what a pod came to."""
    return from_json(row.result or "{}", PodResult)


def note_ready(connection: Connection, table: Table) -> None:
    """Note whether all who sit at a pod are ready: its cards are dealt when all tables are."""
    people = [chair for _, chair in table.sitting() if not chair.bot]
    store.note_ready(connection, table.pod, all(chair.ready for chair in people))


def _seat(chair: Chair | None, place: int, score: int | None) -> SeatResult:
    if chair is None or not chair.entrant:
        return SeatResult(0, How.PLAYED, place)
    away = not chair.bot and (not chair.present or chair.played_by_house)
    if away:
        return SeatResult(chair.entrant, How.LEFT, place)
    return SeatResult(chair.entrant, How.PLAYED, place, score)
