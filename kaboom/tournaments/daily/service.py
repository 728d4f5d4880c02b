"""The deal of the day: one board a day, the same for all, against the same bots.

A day is one of UTC. Its board is promised a week ahead; the cut comes at its first deal, so that
nobody knows any cards before the day. It is closed three hours after the day, for those who have
begun late. The first table somebody opens on it is for the result, any other for fun.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.names import told_apart
from kaboom.db.times import DAY
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.names import named
from kaboom.engine.codec import from_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import say
from kaboom.engine.options import limits
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.tables import match_queries
from kaboom.tables.service import Tables
from kaboom.tables.shared_deals import queries as boards
from kaboom.tables.shared_deals.queries import BoardRow
from kaboom.tables.shared_deals.service import add_table, one_deal, promised
from kaboom.tables.table import Chair, Table
from kaboom.tables.transaction import TableTransaction
from kaboom.web.idempotency.service import Command, only_once

GRACE = 3 * 3600.0  # after the day, until everything about it may be seen
AHEAD = 7  # days
SHOWN = 30  # past days in the calendar
ENOUGH = 20  # finished tries from which on a share of a hundred says something
MOST_SEATS = 4  # of games in which fewer than their most can play
LABEL = "day "


@dataclass(frozen=True, slots=True)
class Day:
    """A day's board as a player finds it. `at` is the table of the player's own try, or empty."""

    date: date
    board: BoardRow
    open: bool  # it has begun
    closed: bool  # all about it may be seen
    at: str = ""
    result: int | None = None  # of their own try, once that is over
    record: str = ""  # of their own try, once that is over
    outcome: Outcome | None = None
    names: Sequence[str] = ()  # who played it, by seat, and the levels of the bots
    levels: Sequence[str] = ()
    tries: int = 0  # finished ones, told to whoever has finished
    worse: int = 0  # … and how many of the others did worse

    @property
    def game(self) -> Game[Any]:
        """Return what is played."""
        return GAMES[self.board.game]

    @property
    def beaten(self) -> int | None:
        """Return how many of a hundred others did worse; None while they are too few."""
        if self.result is None or self.tries < ENOUGH:
            return None
        return 100 * self.worse // (self.tries - 1)


def day_of(seconds: float) -> date:
    """Return the day of a time in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date()


def label_of(day: date) -> str:
    """Return the label of a day's board."""
    return f"{LABEL}{day.isoformat()}"


def begins(day: date) -> float:
    """Return when a day begins, in seconds since 1970."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


# 1. What is played


def game_of(day: date) -> Game[Any] | None:
    """Return the game of a day: those that have boards and bots, one after the other."""
    games = [game for _, game in sorted(GAMES.items()) if game.board is not None and game.bot]
    return games[day.toordinal() % len(games)] if games else None


def options_of(game: Game[Any]) -> Any:
    """Return the options of a day: one deal, as usual, and nobody is hurried."""
    options = one_deal(game, game.options())
    return replace(options, **dict.fromkeys(limits(options), 0))


def seats_of(board: BoardRow) -> int:
    """Return how many play: one person, the others are bots."""
    game = GAMES[board.game]
    possible = game.seats(from_json(board.options, game.options))
    return max(possible[0], min(MOST_SEATS, possible[-1]))


# 2. Promising


def promise_ahead(tables: Tables) -> None:
    """Make and keep the boards of the days to come that are missing. Any worker may do it."""
    today = day_of(tables.now())
    for day in (today + timedelta(days=n) for n in range(AHEAD + 1)):
        if _board(tables, day) is None:
            _promise(tables, day)


def _board(tables: Tables, day: date) -> BoardRow | None:
    return tables.database.read(lambda connection: boards.board(connection, label_of(day)))


def _promise(tables: Tables, day: date) -> None:
    game = game_of(day)
    if game is None:
        return
    secret, opens_at = tables.lots.seed(), begins(day)
    row = promised(label_of(day), game, options_of(game), secret, opens_at)
    row = row._replace(closed_at=opens_at + DAY + GRACE)

    def kept(connection: Connection) -> None:
        if boards.board(connection, row.label) is None:  # else another worker was faster
            boards.add(connection, row)

    tables.database.write(kept)


# 3. Looking


def look(tables: Tables, day: date, key_hash: str) -> Day | None:
    """Return a day's board as the player with that key may find it; None if there is none."""
    now = tables.now()

    def work(connection: Connection) -> Day | None:
        board = boards.board(connection, label_of(day))
        if board is None or board.game not in GAMES:
            return None
        found = Day(day, board, board.opens_at <= now, board.is_closed(now))
        player = player_queries.player(connection, key_hash)
        tried = player and boards.try_of(connection, board.label, player[0])
        if not tried:
            return found
        found = replace(found, at=tried.code, result=tried.result)
        if tried.result is None:
            return found
        results = boards.results(connection, board.label)
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


def calendar(tables: Tables) -> Sequence[Day]:
    """Return the days that are promised and the last past ones, the last first."""
    now = tables.now()
    today = day_of(now)
    first, last = today - timedelta(days=SHOWN), today + timedelta(days=AHEAD)
    rows = tables.database.read(lambda c: boards.between(c, label_of(first), label_of(last)))
    return [
        Day(
            date.fromisoformat(row.label.removeprefix(LABEL)),
            row,
            row.opens_at <= now,
            row.is_closed(now),
        )
        for row in rows
        if row.game in GAMES
    ]


# 4. Playing


def require_existing(tables: Tables, day: date) -> BoardRow:
    """Return a day's board; raises InvalidState where there is none, or nobody knows its cards
    yet.
    """
    board = _board(tables, day)
    if board is None or board.game not in GAMES:
        raise InvalidState(say("There is no deal for that day."))
    if board.opens_at > tables.now():
        raise InvalidState(say("That deal is not there yet: nobody knows its cards."))
    return board


def play(
    tables: Tables,
    day: date,
    player: int,
    name: str,
    again: bool = False,
    once: Command | None = None,
) -> str:
    """Return the code of a player's table at a day's board, opened if need be, its cards dealt.

    The first one on the day itself counts. `again`: open another, for fun. Raises InvalidState.
    """
    label, now, board = label_of(day), tables.now(), require_existing(tables, day)
    counts = day == day_of(now)
    code, cut = tables.lots.code(), tables.lots.seed().hex()

    def opened(connection: Connection) -> str:
        tried = boards.try_of(connection, label, player) if counts else None
        if tried is not None and not again:
            return tried.code
        boards.draw_cut(connection, label, cut)
        chairs = _chairs(board, player, name, Level.NORMAL)
        add_table(connection, board, chairs, code, now, _pace)
        if counts and tried is None:
            boards.add_try(connection, label, player, code)
        return code

    def _pace(table: Table) -> None:
        table.pace = tables.pace

    at = tables.database.write(
        lambda connection: only_once(connection, once, now, lambda: opened(connection))
    )
    tables.change(at, _begin)  # whoever presses again after a crash begins it now
    return at


def _begin(transaction: TableTransaction) -> None:
    if not transaction.table.match:
        transaction.begin()


def _chairs(board: BoardRow, player: int, name: str, level: Level) -> Sequence[Chair]:
    """Return who plays: the person first, then always the same bots."""
    bots: list[str] = []
    for _ in range(seats_of(board) - 1):
        bots.append(told_apart(named(level, bots), bots))
    others = [Chair(bot, ready=True, level=level) for bot in bots]
    return [Chair(told_apart(name, bots), player), *others]
