"""A table in the middle of a change, as far as every feature may see and change it."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection

from kaboom.db.ids import Lots
from kaboom.engine.game import Game
from kaboom.engine.play import Event
from kaboom.tables import queries
from kaboom.tables.position import Position
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.texts import AROUND


@dataclass
class TableChange:
    """A change of a table: nothing of it is kept unless the store's transaction commits.

    `snapshot` is the table as read at first, and then as it has become so far.
    """

    connection: Connection
    row: queries.TableRow
    snapshot: TableSnapshot
    now: float
    lots: Lots
    moves: int = 0  # made in this change
    columns: dict[str, Any] = field(default_factory=dict)  # of the table's row, to be written too

    @property
    def table(self) -> Table:
        """Return the table, which may be changed as it stands."""
        return self.snapshot.table

    @property
    def game(self) -> Game[Any]:
        """Return the game that is played here."""
        return self.snapshot.game

    @property
    def position(self) -> Position:
        """Return where the match is."""
        return self.snapshot.position

    @property
    def state(self) -> Any:
        """Return the state of the match. Do not change it: a new one is taken over instead."""
        return self.snapshot.state

    @property
    def seed(self) -> bytes | None:
        """Return the secret seed of the match, if there was one and it can be read."""
        return self.snapshot.seed

    @property
    def key(self) -> bytes | None:
        """Return the key of all random draws of the match."""
        return self.snapshot.key

    @property
    def frozen(self) -> str:
        """Return why the match cannot go on, in English, for say(); nothing when it can."""
        return self.snapshot.frozen

    @property
    def table_time(self) -> float:
        """Return the time in which deadlines are counted (kaboom.tables.clock.table_time)."""
        return self.snapshot.table_time(self.now)

    def become(self, **changes: Any) -> None:
        """Replace fields of the snapshot."""
        self.snapshot = replace(self.snapshot, **changes)

    def tell(self, kind: str, **facts: Any) -> None:
        """Put a line about the table, rather than the game, into everybody's log."""
        self.table.hear([Event(kind, facts)], AROUND)
