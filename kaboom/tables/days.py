"""Matches over days: nobody need be there at the same moment, and time is counted in days.

Whoever lets the time run out keeps the seat: a bot decides that one turn. After two turns in a row
it plays on until they return. Who is on vacation is known to the store; tables are told of it with
their next change at the latest, so nothing is lost by a kill between the two.
"""

from kaboom.core.moves import Move, Seat
from kaboom.store import vacations
from kaboom.tables.due import DayClock
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import LOG_LINES, Table, Timer, Vacation
from kaboom.tables.thinking import done_of
from kaboom.tables.timers import stand_still
from kaboom.tables.transaction import TableTransaction

LAPSES = 2  # turns in a row after which a bot plays on


def note_vacations(transaction: TableTransaction) -> None:
    """Let a table know which of its players are on vacation, and until when."""
    table, now = transaction.table, transaction.now
    people = [chair.player for _, chair in table.sitting() if chair.player is not None]
    running = vacations.running(transaction.connection, people, now) if people else {}
    for seat, chair in table.sitting():
        known = chair.vacation
        began_at, ends_at = running.get(chair.player or 0, (now, None))
        if ends_at is None:
            chair.vacation = None
            if known is not None:
                transaction.tell("table.vacation_over", who=chair.name)
        elif known is None or known.ends_at != ends_at:
            chair.vacation = Vacation(ends_at, transaction.table_time + (ends_at - now))
            stand_still(table, seat, transaction.table_time - (now - began_at))
            transaction.tell("table.vacation", who=chair.name)


def lapse(
    transaction: TableTransaction, seen: TableSnapshot, what: DayClock, move: Move | None
) -> None:
    """Let a bot's move stand for somebody whose days are over; the rest of the turn follows.

    Nobody else is told of it where what is asked is answered in secret.
    """
    table, seat = transaction.table, what.seat
    chair, turn = table.chairs[seat], table.turns[seat]
    assert chair is not None
    table.timers[str(what)] = Timer(0.0)  # spent
    if table.covered.get(seat) != turn.number:
        table.covered[seat] = turn.number
        chair.lapsed += 1
        if not turn.sealed:
            transaction.tell("table.lapsed", who=chair.name)
    if move is not None:
        del table.timers[str(what)]
        chair.done = [*chair.done, done_of(seen.prompts[seat], move)][-LOG_LINES:]
        transaction.play(move, f"bot {table.seq + 1}")


def keep_in_order(transaction: TableTransaction) -> None:
    """Forget what was kept of turns that are over, and let a bot play on for whoever let the time
    run out again and again.
    """
    table = transaction.table
    if table.covered or table.nudged:
        table.covered = _of_these_turns(table, table.covered)
        table.nudged = _of_these_turns(table, table.nudged)
    for seat in table.people():
        chair = table.chairs[seat]
        if chair is not None and chair.lapsed >= LAPSES and seat not in table.covered:
            chair.stand_in, chair.lapsed = True, 0
            transaction.tell("table.lapsed_again", who=chair.name)


def _of_these_turns(table: Table, kept: dict[Seat, int]) -> dict[Seat, int]:
    return {
        seat: number
        for seat, number in kept.items()
        if seat in table.turns and table.turns[seat].number == number
    }


def can_be_nudged(table: Table, seat: Seat, now: float) -> bool:
    """Say whether somebody may be reminded of their turn: once, when half their time is over.

    `now` is in table time. Where who is waited for is a secret, nobody is.
    """
    turn, timer = table.turns.get(seat), table.day_clock(seat)
    if turn is None or turn.sealed or timer is None or timer.due is None or not timer.given:
        return False
    return table.nudged.get(seat) != turn.number and now >= timer.due - timer.given / 2
"""The deal of the day: one board a day, the same for all, against the same bots.

A day is one of UTC. Its board is promised a week ahead; the cut comes at its first deal, so that
nobody knows any cards before the day. It is closed three hours after the day, for those who have
begun late. The first table somebody opens on it is for the result, any other for fun.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from kaboom.bots.characters import named
from kaboom.core.bot import Level
from kaboom.core.codec import from_json
from kaboom.core.game import Game
from kaboom.core.language import say
from kaboom.core.options import limits
from kaboom.games import GAMES
from kaboom.store import boards, queries
from kaboom.store.boards import BoardRow
from kaboom.tables.boards import add_table, one_deal, promised
from kaboom.tables.errors import NotNow
from kaboom.tables.names import told_apart
from kaboom.tables.service import Tables
from kaboom.tables.table import Chair, Table
from kaboom.tables.transaction import TableTransaction

DAY = 24 * 3600.0
GRACE = 3 * 3600.0  # after the day, until everything about it may be seen
AHEAD = 7  # days
SHOWN = 30  # past days in the calendar
ENOUGH = 20  # finished tries from which on one is told how many did worse
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
    result: int | None = None  # of the own try, once that is over
    tries: int = 0  # finished ones, told to whoever has finished
    worse: int = 0  # … and how many of the others did worse

    @property
    def game(self) -> Game[Any]:
        """Return what is played."""
        return GAMES[self.board.game]

    @property
    def beaten(self) -> int | None:
        """Return how many of a hundred others did worse; None while there are too few."""
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
    with suppress(IntegrityError):  # another worker was faster
        tables.database.write(lambda c: boards.add(c, row))


# 3. Looking


def look(tables: Tables, day: date, key_hash: str) -> Day | None:
    """Return a day's board as the player with that key may find it; None if there is none."""
    now = tables.now()

    def work(connection: Connection) -> Day | None:
        board = boards.board(connection, label_of(day))
        if board is None or board.game not in GAMES:
            return None
        found = Day(day, board, board.opens_at <= now, board.is_closed(now))
        player = queries.player(connection, key_hash) if key_hash else None
        tried = player and boards.try_of(connection, board.label, player[0])
        if not tried:
            return found
        found = replace(found, at=tried.code, result=tried.result)
        if tried.result is None:
            return found
        results = boards.results(connection, board.label)
        worse = sum(count for result, count in results.items() if result < tried.result)
        return replace(found, tries=sum(results.values()), worse=worse)

    return tables.database.read(work)


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


def play(tables: Tables, day: date, player: int, name: str, again: bool = False) -> str:
    """Return the code of a player's table at a day's board, opened if need be, its cards dealt.

    The first one on the day itself counts. `again`: open another, for fun. Raises NotNow.
    """
    label, now, board = label_of(day), tables.now(), _board(tables, day)
    if board is None or board.game not in GAMES:
        raise NotNow(say("There is no deal for that day."))
    if board.opens_at > now:
        raise NotNow(say("That deal is not there yet: nobody knows its cards."))
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

    at = tables.database.write(opened)
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
