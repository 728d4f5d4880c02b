"""Playing on from a step of a finished match: a table for one person, with bots in the other seats.

Such a match is not rated and not counted in statistics. Cards that the seat had not seen are dealt
again, unless the player chooses to keep them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, Raw
from sqlalchemy import Connection

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.engine.continued_match import Origin
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, invalid_field
from kaboom.records.replay import Replay
from kaboom.records.service import Around
from kaboom.tables import create
from kaboom.tables.match_record import DEEPEST, options_of
from kaboom.tables.position import Position
from kaboom.tables.seats.bots import against_bots
from kaboom.tables.service import TableService
from kaboom.tables.table import NO_HOST, WATCHED_BY_NOBODY, Hints, Occupant, Table, Welcome
from kaboom.tables.transaction import TableTransaction, promise
from kaboom.web.idempotency.service import IdempotencyKey, write_once


@dataclass(frozen=True, slots=True)
class Wish:
    """A player's choices for playing on. With `as_it_was`, the hidden cards stay the same."""

    step: int
    seat: Seat
    level: Level
    as_it_was: bool


def why_not(replay: Replay, around: Around, step: int) -> str:
    """Return a sentence that says why a step cannot be played on from; empty if it can."""
    if around.own is not None:
        return _("Others are still playing this deal. You can play on when it is over.")
    if around.imported or not replay.is_genuine:
        return _("You can only play on from genuine matches of this server.")
    if replay.game.outcome(replay.state(step)) is not None or step == replay.last:
        return _("The match is over at this step. Go back a few steps, and play on from there.")
    origin = replay.record.came_from
    if origin is not None and origin.depth >= DEEPEST:
        return _(
            "This match already continues a long chain of matches. Play on from an earlier one."
        )
    return ""


def require_possible(replay: Replay, around: Around, wish: Wish) -> None:
    """Raise InvalidState if the step cannot be played on from, InvalidFields for an unknown
    seat.
    """
    if sentence := why_not(replay, around, wish.step):
        raise InvalidState(sentence)
    if not 0 <= wish.seat < len(replay.record.names):
        raise invalid_field("seat", _("There is no seat with that number."))


def origin_at(replay: Replay, step: int, seat: Seat, as_it_was: bool) -> Origin:
    """Return a step of a match as the origin of a new match, for the player of a seat."""
    record = replay.record
    return Origin(
        code=record.code,
        digest=record.digest,
        step=step,
        seat=seat,
        as_it_was=as_it_was,
        seed=record.seed,
        cuts=record.cuts,
        board=record.board is not UNSET,
        moves=[move.text for move in record.moves[:step]],
        origin=record.origin,
    )


def play_on(
    tables: TableService,
    replay: Replay,
    around: Around,
    wish: Wish,
    player: int,
    name: str,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Open a table that continues from a step of a match, and return its code.

    Raises InvalidState if the step cannot be played on from, InvalidFields for an unknown seat.
    """
    require_possible(replay, around, wish)
    return open_table_from(
        tables,
        replay.game,
        options_of(replay.record, replay.game),
        origin_at(replay, wish.step, wish.seat, wish.as_it_was),
        against_bots(len(replay.record.names), wish.seat, wish.level, player, name),
        idempotency_key,
        hidden=around.hidden,
    )


def open_table_from(
    tables: TableService,
    game: Game[Any],
    options: Any,
    origin: Origin,
    occupants: Sequence[Occupant],
    idempotency_key: IdempotencyKey | None = None,
    *,
    hidden: bool = False,
) -> str:
    """Open a table without spectators where a match continues from its origin, and return its code.

    With `hidden`, only its players find the record of the new match.
    """
    code, now = tables.ids.code(), tables.now()
    table = Table(
        chairs=[*occupants],
        options=Raw(to_json(options)),
        host=NO_HOST,
        pace=tables.pace,
        watch=WATCHED_BY_NOBODY,
        hints=Hints.ALONE,
        programs=Welcome.NEVER,
        audience=False,
    )
    promise(table, tables.ids)
    table.note_views(Position(game, None))

    def opened(connection: Connection) -> str:
        create.add(connection, table, code, game.key, now)
        return code

    def begin(transaction: TableTransaction) -> None:
        if not transaction.table.match:
            transaction.begin(origin, hidden=hidden)

    at = write_once(tables.database, idempotency_key, now, opened)
    tables.change(at, begin)  # also when the form is sent again after a crash
    return at
