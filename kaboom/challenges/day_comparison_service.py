"""The comparison of a daily deal: all results, and where other players' decisions differed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.challenges import queries
from kaboom.challenges.service import Line, line_of
from kaboom.daily import service as daily
from kaboom.daily.service import Day
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.social.friends.queries import friends_of
from kaboom.social.friends.service import MOST_FRIENDS
from kaboom.tables.service import TableService

SEAT = 0  # the seat from which every player plays the daily deal
MOST = 1000  # maximum number of lines counted
BARS = 12  # maximum number of bars in the histogram


@dataclass(frozen=True, slots=True)
class Bar:
    """The number of players who had from `least` to `most` points; `mine` is True if the reader is
    one of them.
    """

    least: int | float
    most: int | float
    count: int
    mine: bool


@dataclass(frozen=True, slots=True)
class DayBoard:
    """A daily deal, compared for a player who has finished it; for others it has no `lines` until
    it is public.
    """

    day: Day
    lines: Sequence[Line] = ()
    seat: Seat = SEAT

    @property
    def bars(self) -> Sequence[Bar]:
        """Return the histogram of points, lowest first."""
        counts = Counter(line.points for line in self.lines)
        mine = {line.points for line in self.lines if line.mine}
        values = sorted(counts)
        width = -(-len(values) // BARS) or 1
        groups = [values[at : at + width] for at in range(0, len(values), width)]
        return [
            Bar(it[0], it[-1], sum(counts[value] for value in it), bool(mine & {*it}))
            for it in groups
        ]


def find(tables: TableService, day: date, key_hash: str) -> DayBoard | None:
    """Return the comparison of a daily deal as the player with that key may see it, or None if
    there is none.
    """
    it = daily.get(tables, day, key_hash)
    if it is None:
        return None
    if it.result is None and not it.closed:
        return DayBoard(it)

    def work(connection: Connection) -> DayBoard:
        player = player_queries.player(connection, key_hash)
        me = player[0] if player else 0
        known = {me, *(friend.id for friend in friends_of(connection, me, MOST_FRIENDS))}
        lines = [
            (line_of(row, SEAT, me), row.player in known)
            for row in queries.lines(connection, it.board.label, MOST)
            if row.result is not None and row.outcome
        ]
        return DayBoard(it, [line if named else _nameless(line) for line, named in lines])

    return tables.database.read(work)


def _nameless(line: Line) -> Line:
    """Return a line without its name or replay, for readers who are not friends of its player."""
    return replace(line, name=_("Another player"), record="")
