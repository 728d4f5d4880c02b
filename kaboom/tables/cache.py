"""The tables of a store as this process last saw them: a small read says whether they still are."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from kaboom.errors import TableNotFound
from kaboom.tables import queries
from kaboom.tables.maintenance.recovery import is_whole
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot, read_snapshot

MOST = 2000  # tables kept by a process


class Broken(Exception):
    """The log of a running match is not what it was."""


class SeenTables:
    """The tables last looked at, by code. A kept table is never replaced by an older one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, TableSnapshot] = OrderedDict()
        self._whole: dict[str, int] = {}  # matches whose log was checked, by table

    def __len__(self) -> int:
        return len(self._kept)

    def glances(
        self, connection: Connection, code: str, key_hashes: Sequence[str | None]
    ) -> list[TableSnapshot | PasswordRequired]:
        """Return the table as the players with these keys may find it, read anew if it has changed.

        None is the house itself, which no password keeps out. Raises TableNotFound or Broken.
        """
        glanced = queries.glances(connection, code, [key or "" for key in key_hashes])
        if glanced is None:
            raise TableNotFound(code)
        return [
            self._found(connection, code, key_hash, glance)
            for key_hash, glance in zip(key_hashes, glanced, strict=True)
        ]

    def _found(
        self, connection: Connection, code: str, key_hash: str | None, glance: queries.Glance
    ) -> TableSnapshot | PasswordRequired:
        now = self._kept.get(code)
        outages = glance.pulse.outages if glance.pulse else 0
        if now is None or (now.version, now.table.outages) != (glance.version, outages):
            row = queries.table(connection, code)
            if row is None:
                raise TableNotFound(code)
            now = self.keep(read_snapshot(connection, row, now))
        if key_hash is not None and self._is_damaged(connection, now):
            raise Broken
        if key_hash is not None and not glance.let_in:
            return PasswordRequired(now)
        return replace(
            now,
            player=glance.player,
            player_name=glance.name or "",
            chat=glance.chat,
            pulse=glance.pulse,
        )

    def last(self, code: str) -> TableSnapshot | None:
        """Return a table as it was last seen, which may be long ago; None if it was not."""
        return self._kept.get(code)

    def keep(self, snapshot: TableSnapshot) -> TableSnapshot:
        """Keep a table, unless it was seen later than that, and return it."""
        known = self._kept.get(snapshot.code)
        if known is None or _age(known) < _age(snapshot):
            self._kept[snapshot.code] = snapshot
        self._kept.move_to_end(snapshot.code)
        while len(self._kept) > MOST:
            self._whole.pop(self._kept.popitem(last=False)[0], None)
        return snapshot

    def unchecked(self, code: str) -> None:
        """Have the log of a table's match checked again the next time."""
        self._whole.pop(code, None)

    def clear(self) -> None:
        """Forget all tables, as after a start."""
        self._kept.clear()
        self._whole.clear()

    def _is_damaged(self, connection: Connection, now: TableSnapshot) -> bool:
        """Say whether the log of a running match is not what it was; a process checks once."""
        table = now.table
        if not table.playing or now.frozen or now.mended:
            return False
        if self._whole.get(now.code) == table.match_id:
            return False
        self._whole[now.code] = table.match_id
        return not is_whole(connection, table, now.seed, now.key)


def _age(snapshot: TableSnapshot) -> tuple[int, int]:
    """Return a number that rises with every change to what is shown of a table."""
    return snapshot.version, snapshot.table.outages
