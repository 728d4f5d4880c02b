"""A cache of tables per process, validated by one small query at each read."""

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
    """The log of a running match was altered."""


class TableCache:
    """The most recently read tables, by code. A cached table is never replaced by an older one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, TableSnapshot] = OrderedDict()
        self._whole: dict[str, int] = {}  # matches whose log was checked, by table

    def __len__(self) -> int:
        return len(self._kept)

    def fetch(
        self, connection: Connection, code: str, key_hashes: Sequence[str | None]
    ) -> list[TableSnapshot | PasswordRequired]:
        """Return the table as seen by each key's player; it is read again if it has changed. The
        entry is PasswordRequired for a player who has not given the table's password.

        The key None stands for the server itself, which needs none. Raises TableNotFound or Broken.
        """
        heads = queries.fetch_heads(connection, code, [key or "" for key in key_hashes])
        if heads is None:
            raise TableNotFound(code)
        return [
            self._seen(connection, code, key_hash, head)
            for key_hash, head in zip(key_hashes, heads, strict=True)
        ]

    def _seen(
        self, connection: Connection, code: str, key_hash: str | None, head: queries.TableHead
    ) -> TableSnapshot | PasswordRequired:
        now = self._kept.get(code)
        outages = head.pulse.outages if head.pulse else 0
        if now is None or (now.version, now.table.outages) != (head.version, outages):
            row = queries.table(connection, code)
            if row is None:
                raise TableNotFound(code)
            now = self.keep(read_snapshot(connection, row, now))
        if key_hash is not None and self._is_damaged(connection, now):
            raise Broken
        if key_hash is not None and not head.let_in:
            return PasswordRequired(now)
        return replace(
            now,
            player=head.player,
            player_name=head.name or "",
            chat=head.chat,
            pulse=head.pulse,
        )

    def last(self, code: str) -> TableSnapshot | None:
        """Return the cached table, which may be outdated, or None."""
        return self._kept.get(code)

    def keep(self, snapshot: TableSnapshot) -> TableSnapshot:
        """Cache a table unless a newer version is cached; return the table that was passed."""
        known = self._kept.get(snapshot.code)
        if known is None or _age(known) < _age(snapshot):
            self._kept[snapshot.code] = snapshot
        self._kept.move_to_end(snapshot.code)
        while len(self._kept) > MOST:
            self._whole.pop(self._kept.popitem(last=False)[0], None)
        return snapshot

    def unchecked(self, code: str) -> None:
        """Forget that the log of a table's match was checked, so that it is checked again."""
        self._whole.pop(code, None)

    def clear(self) -> None:
        """Empty the cache, as at startup."""
        self._kept.clear()
        self._whole.clear()

    def _is_damaged(self, connection: Connection, now: TableSnapshot) -> bool:
        """Return True if the log of a running match was altered. Each process checks a match
        once.
        """
        table = now.table
        if not table.playing or now.frozen or now.mended:
            return False
        if self._whole.get(now.code) == table.match_id:
            return False
        self._whole[now.code] = table.match_id
        return not is_whole(connection, table, now.seed, now.key)


def _age(snapshot: TableSnapshot) -> tuple[int, int]:
    """Return a value that increases with every change to what a table shows."""
    return snapshot.version, snapshot.table.outages
