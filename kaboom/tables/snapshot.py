"""A table as read from the database, with its game and state."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from msgspec import DecodeError
from sqlalchemy import Connection

from kaboom.engine.codec import from_json
from kaboom.engine.fairness.commitment import match_key
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat
from kaboom.engine.views import Prompt
from kaboom.errors import AccessRequired, CorruptedTable
from kaboom.games import GAMES
from kaboom.tables import queries
from kaboom.tables.clock.table_time import notice, table_time
from kaboom.tables.maintenance.recovery import DAMAGED, GONE, Lost, rebuilt
from kaboom.tables.position import Position
from kaboom.tables.table import Table

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TableSnapshot:
    """A table as read; do not change it. `player` is the id of the viewer, if known."""

    code: str
    version: int
    table: Table
    position: Position  # of the current match, or of the last one
    seed: bytes | None
    key: bytes | None  # the key of all random draws, from the seed and the players' cuts
    touched_at: float  # when it last changed, in seconds since 1970
    listed: bool  # listed in the lobby
    locked: bool  # has a password
    frozen: str  # why the match cannot continue, in English, for gettext()
    mended: bool  # rebuilt from the log, and not yet stored
    pulse: queries.Pulse | None = None  # the last heartbeat, from which table time is derived
    player: int | None = None
    player_name: str = ""
    chat: int = 0  # lines of chat written and deleted when the table was read
    until: float = inf  # for a delayed spectator: the time up to which the match is shown
    closed: bool = False  # the viewer may only know that a match is running

    @property
    def game(self) -> Game[Any]:
        """Return the game that is played here."""
        return self.position.game

    @property
    def state(self) -> Any:
        """Return the state of the match, or None if there was none or it cannot be read."""
        return self.position.state

    @property
    def prompts(self) -> Sequence[Prompt]:
        """Return the prompts of all seats in the running match, or an empty sequence."""
        return self.position.prompts

    @cached_property
    def me(self) -> Seat | None:
        """Return the seat of the viewer, or None for a spectator."""
        return self.table.seat_of(self.player)

    def prompt(self) -> Prompt | None:
        """Return the viewer's prompt, or None if they have none."""
        me = self.me
        return self.prompts[me] if me is not None and me < len(self.prompts) else None

    def waiting_for(self) -> list[Seat]:
        """Return the seats for which the game openly waits, in seat order."""
        return [prompt.seat for prompt in self.prompts if prompt.openly_waited_for]

    def table_time(self, now: float) -> float:
        """Return the table time, in which deadlines are given, at `now` (seconds since 1970)."""
        return table_time(self.pulse, now)

    def asked_by(self, player: int | None, name: str) -> "TableSnapshot":
        """Return the same table with this player as its viewer."""
        if (player, name) == (self.player, self.player_name):
            return self
        return replace(self, player=player, player_name=name)


class PasswordRequired(AccessRequired):
    """The table has a password, which the viewer has not given.

    Of `snapshot` only the game and the host's name may be shown.
    """

    def __init__(self, snapshot: TableSnapshot) -> None:
        super().__init__(snapshot.code)
        self.snapshot = snapshot


def read_snapshot(
    connection: Connection, row: queries.TableRow, known: TableSnapshot | None = None
) -> TableSnapshot:
    """Return the table in a stored row; raises CorruptedTable if it can neither be read nor
    rebuilt.

    An unreadable body is rebuilt from the match's log. A match that cannot continue is frozen: its
    table is shown without cards and accepts no moves. `known` is the table as cached by this
    process; its state and position are reused if no move has been made since.
    """
    game, stored = GAMES.get(row.game), _stored(row)
    if game is None or (stored is None and row.match_id is None):
        log.error("table %s: cannot be read", row.code)
        raise CorruptedTable(row.code)
    # 1. The table, from its row or else from the log.
    read = _read(connection, row, game, stored, known)
    table = read.table
    if table is None:
        raise CorruptedTable(row.code)
    table.days = row.days  # the column decides: older servers do not write this field
    notice(table, row.pulse)
    # 2. The position of its match.
    seats = len(table.seats) if table.playing and not read.frozen else 0
    return TableSnapshot(
        row.code,
        row.version,
        table,
        _position(game, read.state, seats, known),
        row.seed,
        match_key(row.seed, from_json(row.cuts or "[]", list)) if row.seed else None,
        row.touched_at,
        listed=row.listed,
        locked=bool(row.password),
        frozen=read.frozen,
        mended=read.mended,
        pulse=row.pulse,
    )


class _Read(NamedTuple):
    """A table, None if it can neither be read nor rebuilt; the state of its match, None if there is
    none or it cannot be read; and `frozen` and `mended` of TableSnapshot.
    """

    table: Table | None
    state: Any = None
    frozen: str = ""
    mended: bool = False


def _read(
    connection: Connection,
    row: queries.TableRow,
    game: Game[Any],
    stored: Table | None,
    known: TableSnapshot | None,
) -> _Read:
    """Return the stored table with the state of its match, rebuilt from the log if it is
    unreadable.
    """
    if stored is not None:
        frozen = stored.frozen or (_why_frozen(row, game) if stored.playing else "")
        if frozen or not stored.match:
            return _Read(stored, frozen=frozen)
        state = _state(stored, game, known)
        if state is not None or not stored.playing:
            return _Read(stored, state)
    log.error("table %s: cannot read its snapshot; rebuilding it from the log", row.code)
    try:
        table, state = rebuilt(connection, row, game, stored)
    except Lost as lost:
        log.error("table %s: cannot be rebuilt: %s", row.code, lost)
        return _Read(stored, frozen=str(lost))
    return _Read(table, state, mended=True)


def _position(game: Game[Any], state: Any, seats: int, known: TableSnapshot | None) -> Position:
    """Return the position of a state: the cached one if no move has been made since."""
    if known and state is not None and state is known.state and seats == known.position.seats:
        return known.position
    return Position(game, state, seats)


def _stored(row: queries.TableRow) -> Table | None:
    try:
        return from_json(row.body, Table) if row.body else None
    except DecodeError:
        return None


def _state(table: Table, game: Game[Any], known: TableSnapshot | None) -> Any:
    if known is not None and known.table.state == table.state:
        return known.state
    try:
        return from_json(bytes(table.state), game.state)
    except DecodeError:
        return None


def _why_frozen(row: queries.TableRow, game: Game[Any]) -> str:
    """Return the reason why the match of a readable table cannot continue, or ""."""
    if row.game_version != game.version:
        return GONE
    return "" if row.seed else DAMAGED
