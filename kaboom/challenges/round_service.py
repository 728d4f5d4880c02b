"""The comparison of a tournament round: the results and first different decisions of all players
who had the reader's cards, once all tables have finished.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.challenges import queries
from kaboom.challenges.queries import TableRow
from kaboom.challenges.service import Line
from kaboom.engine.codec import from_json
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals.service import result_of
from kaboom.tournaments.cache import TournamentSnapshot

MOST = 200  # lines shown


@dataclass(frozen=True, slots=True)
class RoundBoard:
    """The comparison of a round for one reader.

    `lines` is empty for a reader who has not yet played the deal, or while other tables are still
    playing.
    """

    round: int
    open: bool  # at least one table is still playing
    lines: Sequence[Line] = ()
    seat: Seat = 0


def find(
    tables: TableService, seen: TournamentSnapshot, round: int, player: int | None
) -> RoundBoard:
    """Return the comparison of a round from the player's seat."""
    waves = seen.of.rounds[round - 1].waves
    closed = [seen.label(round, number) for number, wave in enumerate(waves) if wave.closed]
    found = RoundBoard(round, open=len(closed) < len(waves))

    def work(connection: Connection) -> RoundBoard:
        for label in closed:
            mine = None if player is None else queries.seat_at(connection, label, player)
            if mine is not None:
                seat, record = mine
                rows = queries.tables_of(connection, label, MOST)
                return RoundBoard(round, found.open, _lines(rows, seat, record), seat)
        return found

    return tables.database.read(work)


def _lines(rows: Sequence[TableRow], seat: Seat, mine: str) -> list[Line]:
    """Return the results of all who played a seat, best first."""
    told = [(row, from_json(row.outcome, Outcome)) for row in rows]
    told = [(row, outcome) for row, outcome in told if seat < len(outcome.places)]
    told.sort(key=lambda it: -result_of(it[1], seat))
    return [
        Line(
            from_json(row.names, list)[seat],
            row.record == mine,
            "" if row.hidden and row.record != mine else row.record,
            outcome.places[seat],
            outcome.scores[seat],
            left=False,
        )
        for row, outcome in told
    ]
