"""A change to a table in progress: the part that every feature may read and write."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection

from kaboom.db.ids import Ids
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.tables import queries
from kaboom.tables.position import Position
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.texts import AROUND


@dataclass
class TableChange:
    """A change to a table. It is stored only if the database transaction commits.

    `snapshot` is the table as it was read, with the changes made so far.
    """

    connection: Connection
    row: queries.TableRow
    snapshot: TableSnapshot
    now: float
    ids: Ids
    moves: int = 0  # made in this change
    ended_without: Collection[Seat] = ()  # people absent when a vote ended the match
    columns: dict[str, Any] = field(default_factory=dict)  # also written to the row

    @property
    def table(self) -> Table:
        """Return the table, which may be changed in place."""
        return self.snapshot.table

    @property
    def game(self) -> Game[Any]:
        """Return the game that is played at this table."""
        return self.snapshot.game

    @property
    def position(self) -> Position:
        """Return the current position of the match."""
        return self.snapshot.position

    @property
    def state(self) -> Any:
        """Return the state of the match. Do not change it in place: take() replaces it."""
        return self.snapshot.state

    @property
    def key(self) -> bytes | None:
        """Return the key from which all random draws of the match are derived, or None."""
        return self.snapshot.key

    @property
    def frozen(self) -> str:
        """Return the reason why the match cannot continue, in English, for gettext(); empty if it
        can.
        """
        return self.snapshot.frozen

    @property
    def table_time(self) -> float:
        """Return the current table time, in which deadlines are given
        (kaboom.tables.clock.table_time).
        """
        return self.snapshot.table_time(self.now)

    def become(self, **changes: Any) -> None:
        """Replace fields of the snapshot."""
        self.snapshot = replace(self.snapshot, **changes)

    def tell(self, kind: str, **facts: Any) -> None:
        """Add a line about the table, rather than about the game, to every viewer's log."""
        self.table.hear([Event(kind, facts)], AROUND)
