"""Challenges: everyone with the link plays the same deal, from the same seat, against the same
bots.

A challenge continues a finished match from one of its steps, with a random key of its own. Its deal
is a board, so identical play gives identical results. Only a player's first attempt counts. Players
who have finished see the other results and where decisions differed. Until the challenge is closed,
others see only how many have finished and how many are playing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.challenges import queries
from kaboom.challenges.queries import ChallengeRow, LineRow
from kaboom.db.times import DAY
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.records.access import RecordNotFound
from kaboom.records.first_difference import Parting, parting
from kaboom.records.play_on_service import Wish, origin_at, require_possible
from kaboom.records.replay import Replay
from kaboom.records.service import Around, MatchArchive
from kaboom.tables.match_record import options_of
from kaboom.tables.seats.bots import against_bots
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals import queries as shared_deals
from kaboom.tables.shared_deals.service import CHALLENGE, GONE, add_table, promised
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction
from kaboom.web.idempotency.service import IdempotencyKey, write_once

DAYS = 30  # after which the deal is public and attempts no longer count
MOST = 100  # lines shown
COMPARED = 8  # lines whose decisions are compared


class ChallengeNotFound(LookupError):
    """There is no such challenge; str() is a sentence for the player."""


@dataclass(frozen=True, slots=True)
class Line:
    """An attempt at a challenge; `parted` is the first decision that differs from the reader's, if
    the two were `compared`.
    """

    name: str
    mine: bool
    record: str  # the code of its record; empty if its player has hidden it
    place: int
    points: int | float
    left: bool  # ended early
    compared: bool = False
    parted: Parting | None = None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as a player may see it; `at` is the code of their own table, or empty.

    `lines` are the finished attempts, shown once the reader has finished or the challenge is
    closed; `finished` and `playing` are the numbers of attempts.
    """

    code: str
    game: Game[Any]
    names: Sequence[str]  # of the original match
    seat: Seat
    level: str
    step: int
    origin: str  # the code of the original match
    as_it_was: bool
    closes_at: float
    closed: bool
    commitment: str
    cut: str
    secret: str  # hexadecimal, once the challenge is closed
    at: str = ""
    done: bool = False
    own: bool = False  # made by the reader
    lines: Sequence[Line] = ()
    finished: int = 0
    playing: int = 0


def make(
    tables: TableService,
    replay: Replay,
    around: Around,
    wish: Wish,
    player: int,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Create a challenge from a step of a match, and return its code.

    Raises InvalidState if the match is hidden or cannot be continued from that step, or if its game
    has no shared deals; InvalidFields for an unknown seat.
    """
    require_possible(replay, around, wish)
    if around.hidden:
        raise InvalidState(_("This match is hidden. Show it again before you challenge others."))
    record, game, now = replay.record, replay.game, tables.now()
    if game.board is None:
        raise InvalidState(_("This game cannot be played on shared deals."))
    code, secret, cut = tables.ids.code(), tables.ids.seed(), tables.ids.seed().hex()
    board = promised(f"{CHALLENGE}{code}", game, options_of(record, game), secret, now)
    row = ChallengeRow(
        code,
        board.label,
        wish.seat,
        wish.level,
        origin_at(replay, wish.step, wish.seat, wish.as_it_was),
        to_json(record.names).decode(),
        player,
        now,
    )

    def made(connection: Connection) -> str:
        shared_deals.add(connection, board._replace(cut=cut, closed_at=now + DAYS * DAY))
        queries.add(connection, row)
        return code

    return write_once(tables.database, idempotency_key, now, made)


def find(tables: TableService, code: str, key_hash: str) -> Challenge:
    """Return a challenge as the player with that key may see it; raises ChallengeNotFound."""

    def work(connection: Connection) -> Challenge:
        row, board = _stored(connection, code)
        now = tables.now()
        closed = board.is_closed(now)
        player = player_queries.player(connection, key_hash)
        me = player[0] if player else None
        lines = queries.lines(connection, board.label, MOST)
        over = [line for line in lines if line.result is not None]
        mine = next((line for line in lines if line.player == me), None)
        done = mine is not None and mine.result is not None
        return Challenge(
            code,
            GAMES[board.game],
            from_json(row.names, list),
            row.seat,
            row.level,
            row.origin.step,
            row.origin.code,
            row.origin.as_it_was,
            board.closed_at or now,
            closed,
            board.commitment,
            board.cut,
            board.secret.hex() if closed else "",
            at=mine.table if mine else "",
            done=done,
            own=me is not None and row.by_id == me,
            lines=[line_of(line, row.seat, me) for line in over] if done or closed else (),
            finished=len(over),
            playing=len(lines) - len(over),
        )

    return tables.database.read(work)


def line_of(row: LineRow, seat: Seat, me: int | None) -> Line:
    """Return a finished attempt as its reader sees it; `me` is the reader's player id."""
    outcome = from_json(row.outcome or "", Outcome)
    names: list[str] = from_json(row.names or "[]", list)
    shown = row.record if row.record and (not row.hidden or row.player == me) else ""
    left = row.result == GONE
    place, points = outcome.places[seat], outcome.scores[seat]
    return Line(names[seat], row.player == me, shown or "", place, points, left)


def _stored(connection: Connection, code: str) -> tuple[ChallengeRow, shared_deals.BoardRow]:
    row = queries.challenge(connection, code)
    board = row and shared_deals.board(connection, row.board)
    if row is None or board is None or board.game not in GAMES:
        raise ChallengeNotFound(_("There is no challenge with that code."))
    return row, board


def compared(
    archive: MatchArchive, lines: Sequence[Line], seat: Seat, key_hash: str
) -> Sequence[Line]:
    """Return the attempts from a seat with the first decision of each that differs from the
    reader's.
    """
    mine = next((line for line in lines if line.mine and line.record), None)
    if mine is None:
        return lines
    try:
        replay, _unused = archive.find(mine.record, key_hash)
    except RecordNotFound:  # hidden, and the reader's link to it was deleted
        return lines
    found, left = [], COMPARED
    for line in lines:
        if left and not line.mine and line.record:
            left -= 1
            line = _compared(archive, replay, line, seat, key_hash)
        found.append(line)
    return found


def _compared(archive: MatchArchive, mine: Replay, line: Line, seat: Seat, key_hash: str) -> Line:
    try:
        other, _unused = archive.find(line.record, key_hash)
    except RecordNotFound:  # hidden in the meantime
        return replace(line, record="")
    return replace(line, compared=True, parted=parting(mine, other, seat))


def play(
    tables: TableService,
    code: str,
    player: int,
    name: str,
    again: bool = False,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Return the code of the player's table at a challenge, opened if needed.

    The first attempt counts. With `again`, open another table, which does not count. Raises
    ChallengeNotFound.
    """
    now, at = tables.now(), tables.ids.code()
    row, board = tables.database.read(lambda connection: _stored(connection, code))
    counts = not board.is_closed(now)

    def set_up(table: Table) -> None:
        table.pace = tables.pace

    def opened(connection: Connection) -> str:
        tried = shared_deals.attempt_of(connection, board.label, player)
        if tried is not None and not again:
            return tried.code
        seats, level = len(from_json(row.names, list)), Level(row.level)
        sitting = against_bots(seats, row.seat, level, player, name)
        add_table(connection, board, sitting, at, now, set_up)
        if counts and tried is None:
            shared_deals.add_try(connection, board.label, player, at)
        return at

    def begin(transaction: TableTransaction) -> None:
        if not transaction.table.match:
            transaction.begin(row.origin)

    where = write_once(tables.database, idempotency_key, now, opened)
    tables.change(where, begin)  # also if the form is submitted again after a crash
    return where
