"""The daily deal: one board a day, the same for all players, against the same bots.

Days are in UTC. The commitment to a board is published a week ahead. Its cut is drawn with the
first deal of the day, so the cards cannot be known before then. The board is closed three hours
after the day, so that late players can finish. A player's first table counts; any other is for
practice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.db.times import DAY, begins, day_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import limits
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.tables import match_queries
from kaboom.tables.seats.bots import against_bots
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals import queries as shared_deals
from kaboom.tables.shared_deals.queries import BoardRow
from kaboom.tables.shared_deals.service import DAY as LABEL
from kaboom.tables.shared_deals.service import add_table, one_deal, promised
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction
from kaboom.web.idempotency.service import IdempotencyKey, write_once

GRACE = 3 * 3600.0  # seconds from the end of the day until the board is closed
AHEAD = 7  # days
SHOWN = 30  # past days in the calendar
ENOUGH = 20  # finished attempts from which a percentage is meaningful
MOST_SEATS = 4  # seats in games with a choice, at most


@dataclass(frozen=True, slots=True)
class Day:
    """A day's board as a player sees it. `at` is the code of the player's table, or empty."""

    date: date
    board: BoardRow
    open: bool  # the day has begun
    closed: bool  # everything about it is public
    at: str = ""
    result: int | None = None  # of the player's own attempt, once that is over
    record: str = ""  # of the player's own attempt, once that is over
    outcome: Outcome | None = None
    names: Sequence[str] = ()  # the players' names by seat, and the levels of the bots
    levels: Sequence[str] = ()
    tries: int = 0  # finished attempts, shown to players who have finished
    worse: int = 0  # … and the number of others who did worse

    @property
    def game(self) -> Game[Any]:
        """Return the day's game."""
        return GAMES[self.board.game]

    @property
    def seat(self) -> int | None:
        """Return the player's own seat in a finished attempt: the one without a bot."""
        return next((seat for seat, level in enumerate(self.levels) if not level), None)

    @property
    def beaten(self) -> int | None:
        """Return the percentage of other players who did worse, or None if there are too few."""
        if self.result is None or self.tries < ENOUGH:
            return None
        return 100 * self.worse // (self.tries - 1)


def label_of(day: date) -> str:
    """Return the label of a day's board."""
    return f"{LABEL}{day.isoformat()}"


# 1. Games and options


def game_of(day: date) -> Game[Any] | None:
    """Return the game of a day, or None. The games that have boards and bots take turns."""
    games = [game for _unused, game in sorted(GAMES.items()) if game.board is not None and game.bot]
    return games[day.toordinal() % len(games)] if games else None


def options_of(game: Game[Any]) -> Any:
    """Return the options of a daily deal: the defaults, one deal, no time limits."""
    options = one_deal(game, game.options())
    return replace(options, **dict.fromkeys(limits(options), 0))


def seats_of(board: BoardRow) -> int:
    """Return the number of seats of a board: one for a person, the others for bots."""
    game = GAMES[board.game]
    possible = game.seats(from_json(board.options, game.options))
    return max(possible[0], min(MOST_SEATS, possible[-1]))


# 2. Commitments


def promise_ahead(tables: TableService) -> None:
    """Store the missing boards of today and the coming days. Any worker may call this."""
    today = day_of(tables.now())
    for day in (today + timedelta(days=n) for n in range(AHEAD + 1)):
        if _board(tables, day) is None:
            _promise(tables, day)


def _board(tables: TableService, day: date) -> BoardRow | None:
    return tables.database.read(lambda connection: shared_deals.board(connection, label_of(day)))


def _promise(tables: TableService, day: date) -> None:
    game = game_of(day)
    if game is None:
        return
    secret, opens_at = tables.ids.seed(), begins(day)
    row = promised(label_of(day), game, options_of(game), secret, opens_at)
    row = row._replace(closed_at=opens_at + DAY + GRACE)

    def kept(connection: Connection) -> None:
        if shared_deals.board(connection, row.label) is None:  # unless another worker was faster
            shared_deals.add(connection, row)

    tables.database.write(kept)


# 3. Reading


def get(tables: TableService, day: date, key_hash: str) -> Day | None:
    """Return a day's board as the player with that key may see it, or None."""
    now = tables.now()

    def work(connection: Connection) -> Day | None:
        board = shared_deals.board(connection, label_of(day))
        if board is None or board.game not in GAMES:
            return None
        found = Day(day, board, board.opens_at <= now, board.is_closed(now))
        player = player_queries.player(connection, key_hash)
        tried = player and shared_deals.attempt_of(connection, board.label, player[0])
        if not tried:
            return found
        found = replace(found, at=tried.code, result=tried.result)
        if tried.result is None:
            return found
        results = shared_deals.results(connection, board.label)
        worse = sum(count for result, count in results.items() if result < tried.result)
        found = replace(found, tries=sum(results.values()), worse=worse)
        return _with_record(connection, found)

    return tables.database.read(work)


def _with_record(connection: Connection, found: Day) -> Day:
    match = match_queries.of_table(connection, found.at)
    if match is None or match.outcome is None:
        return found
    return replace(
        found,
        record=match.code,
        outcome=from_json(match.outcome, Outcome),
        names=from_json(match.names, list),
        levels=from_json(match.levels, list),
    )


def calendar(tables: TableService, key_hash: str = "") -> Sequence[Day]:
    """Return, latest first, the future days whose commitments are published, today, and recent
    days, with the results of the player with that key.
    """
    now = tables.now()
    today = day_of(now)
    first = label_of(today - timedelta(days=SHOWN))
    last = label_of(today + timedelta(days=AHEAD))

    def work(connection: Connection) -> tuple[Sequence[BoardRow], Mapping[str, int]]:
        player = player_queries.player(connection, key_hash) if key_hash else None
        results = shared_deals.results_of(connection, player[0], first, last) if player else {}
        return shared_deals.between(connection, first, last), results

    rows, results = tables.database.read(work)
    return [
        Day(
            date.fromisoformat(row.label.removeprefix(LABEL)),
            row,
            row.opens_at <= now,
            row.is_closed(now),
            result=results.get(row.label),
        )
        for row in rows
        if row.game in GAMES
    ]


# 4. Playing


def require_existing(tables: TableService, day: date) -> BoardRow:
    """Return a day's board; raises InvalidState if there is none or its day has not begun."""
    board = _board(tables, day)
    if board is None or board.game not in GAMES:
        raise InvalidState(_("There is no deal for that day."))
    if board.opens_at > tables.now():
        raise InvalidState(_("That deal does not exist yet."))
    return board


def play(
    tables: TableService,
    day: date,
    player: int,
    name: str,
    again: bool = False,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Return the code of a player's table for a day's board, opened and dealt if needed.

    The first one on the day itself counts. With `again`, another one is opened for practice. Raises
    InvalidState.
    """
    label, now, board = label_of(day), tables.now(), require_existing(tables, day)
    counts = day == day_of(now)
    code, cut = tables.ids.code(), tables.ids.seed().hex()

    def set_up(table: Table) -> None:
        table.pace = tables.pace

    def opened(connection: Connection) -> str:
        tried = shared_deals.attempt_of(connection, label, player) if counts else None
        if tried is not None and not again:
            return tried.code
        shared_deals.draw_cut(connection, label, cut)
        chairs = against_bots(seats_of(board), 0, Level.NORMAL, player, name)
        add_table(connection, board, chairs, code, now, set_up)
        if counts and tried is None:
            shared_deals.add_try(connection, label, player, code)
        return code

    def begin(transaction: TableTransaction) -> None:
        if not transaction.table.match:
            transaction.begin()

    at = write_once(tables.database, idempotency_key, now, opened)
    tables.change(at, begin)  # after a crash, the second attempt begins it
    return at
