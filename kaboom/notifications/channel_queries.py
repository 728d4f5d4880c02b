"""Statements for the ways players are called at their turn, and how they want it."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from kaboom.db.encryption import Unreadable, hash_of, seal_of_store
from kaboom.db.ids import new_id
from kaboom.db.models import (
    call_settings,
    calls,
    notices,
    players,
    sittings,
    tables,
    ways,
)

# When and how a guest is called goes along where the other has not settled it.
TOGETHER = (
    ("quiet_from", "quiet_to", "zone"),
    ("feed_hash", "feed"),
    ("results_hash",),
)


class WayRow(NamedTuple):
    """A way as stored, its address opened (empty where that cannot be)."""

    id: int
    player_id: int
    kind: str
    address: str
    print: str
    table_id: int | None
    made_at: float
    checked_at: float | None
    failures: int
    sent_at: float


class WishRow(NamedTuple):
    """When and how a player wants to be called; times of the day are minutes in the zone."""

    quiet_from: int | None = None
    quiet_to: int | None = None
    zone: str = "UTC"
    digest: int = 0  # minutes
    language: str = "en"
    base: str = ""


_way = select(*(ways.c[name] for name in WayRow._fields))
_of_player = _way.where(ways.c.player_id == bindparam("player")).order_by(ways.c.id)
_at_table = _way.where(
    ways.c.player_id == bindparam("player"), ways.c.table_id == bindparam("at_table")
)
_by_secret = _way.where(ways.c.secret_hash == bindparam("secret"))
_some = _way.where(ways.c.id.in_(bindparam("ids")))
_known = _way.where(ways.c.print == bindparam("mark"))
_add_way = insert(ways)
_change_way = update(ways).where(ways.c.id == bindparam("way"))
_wishes = select(*(call_settings.c[name] for name in WishRow._fields)).where(
    call_settings.c.player_id == bindparam("player")
)
_add_wishes = insert(call_settings)
_change_wishes = update(call_settings).where(call_settings.c.player_id == bindparam("player"))
_snooze = (
    update(sittings)
    .where(
        sittings.c.player_id == bindparam("player"),
        sittings.c.table_id
        == select(tables.c.id).where(tables.c.code == bindparam("code")).scalar_subquery(),
    )
    .values(snoozed_until=bindparam("until"))
)
_snoozed = (
    select(tables.c.code, sittings.c.snoozed_until)
    .join(tables, tables.c.id == sittings.c.table_id)
    .where(sittings.c.player_id == bindparam("player"), sittings.c.snoozed_until > bindparam("now"))
)
_feed_owner = (
    select(players.c.id, players.c.name, call_settings.c.language)
    .join(call_settings, call_settings.c.player_id == players.c.id)
    .where(call_settings.c.feed_hash == bindparam("secret"))
)
_feed = select(call_settings.c.feed).where(call_settings.c.player_id == bindparam("player"))
_unconfirmed = select(ways.c.id).where(
    ways.c.checked_at.is_(None), ways.c.made_at < bindparam("since")
)
_unused = (
    select(ways.c.id)
    .join(players, players.c.id == ways.c.player_id)
    .where(
        players.c.acted_at < bindparam("since"),
        ways.c.made_at < bindparam("since"),
        ways.c.sent_at < bindparam("since"),
    )
)


# Ways


def of_player(connection: Connection, player: int) -> list[WayRow]:
    """Return the ways of a player, the oldest first."""
    return [_opened(connection, row) for row in connection.execute(_of_player, {"player": player})]


def at_table(connection: Connection, player: int | None, table_id: int) -> WayRow | None:
    """Return the way of a player that is for one table only."""
    row = connection.execute(_at_table, {"player": player, "at_table": table_id}).first()
    return None if row is None else _opened(connection, row)


def some(connection: Connection, ids: Collection[int]) -> dict[int, WayRow]:
    """Return ways by their numbers; those that are gone are missing."""
    found = connection.execute(_some, {"ids": list(ids)})
    return {row[0]: _opened(connection, row) for row in found}


def known(connection: Connection, address: str) -> list[WayRow]:
    """Return all ways, of whomever, with this address (with its kind in front)."""
    found = connection.execute(_known, {"mark": mark(connection, address)})
    return [_opened(connection, row) for row in found]


def by_secret(connection: Connection, secret: str) -> WayRow | None:
    """Return the way whose letters carry a link with this secret."""
    row = connection.execute(_by_secret, {"secret": hash_of(secret)}).first()
    return None if row is None else _opened(connection, row)


def add(
    connection: Connection,
    *,
    player: int,
    kind: str,
    address: str,
    at: float,
    checked_at: float | None,
    table_id: int | None = None,
    secret: str = "",
    about: str = "",
) -> int:
    """Store a way; return its number. `about` is what makes its address the same as another's."""
    values = {
        "player_id": player,
        "kind": kind,
        "address": seal_of_store(connection).close(address.encode(), "way"),
        "print": mark(connection, about or f"{kind} {address}"),
        "table_id": table_id,
        "made_at": at,
        "checked_at": checked_at,
        "failures": 0,
        "sent_at": 0.0,
        "secret_hash": hash_of(secret) if secret else None,
    }
    return new_id(connection.execute(_add_way, values))


def change(connection: Connection, way: int, **values: Any) -> None:
    """Write columns of a way."""
    connection.execute(_change_way, {"way": way, **values})


def one_more_failure(connection: Connection, way: int) -> None:
    """Count a call that was given up."""
    connection.execute(_change_way.values(failures=ways.c.failures + 1), {"way": way})


def drop(connection: Connection, ids: Collection[int]) -> None:
    """Delete ways with their calls."""
    if ids:
        connection.execute(delete(calls).where(calls.c.way_id.in_(ids)))
        connection.execute(delete(notices).where(notices.c.way_id.in_(ids)))
        connection.execute(delete(ways).where(ways.c.id.in_(ids)))


def drop_old(connection: Connection, unconfirmed: float, unused: float) -> None:
    """Delete ways nobody confirmed since a time, and those of players who did nothing and
    were not called since another.
    """
    found = [
        *connection.execute(_unconfirmed, {"since": unconfirmed}).scalars(),
        *connection.execute(_unused, {"since": unused}).scalars(),
    ]
    drop(connection, found)


def of_table_gone(connection: Connection, table_id: int) -> None:
    """Delete what belongs to a table that is being deleted."""
    connection.execute(delete(calls).where(calls.c.table_id == table_id))
    its = select(ways.c.id).where(ways.c.table_id == table_id)
    connection.execute(delete(notices).where(notices.c.way_id.in_(its)))
    connection.execute(delete(ways).where(ways.c.table_id == table_id))


def hand_on(connection: Connection, old: int, new: int, table_id: int) -> None:
    """Give the way for one table from one player to another, with what is to be called by it."""
    connection.execute(
        update(ways)
        .where(ways.c.player_id == old, ways.c.table_id == table_id)
        .values(player_id=new)
    )


# Wishes


def wishes(connection: Connection, player: int) -> WishRow:
    """Return when and how a player wants to be called."""
    row = connection.execute(_wishes, {"player": player}).first()
    return WishRow() if row is None else WishRow(*row)


def wish(connection: Connection, player: int, **values: Any) -> None:
    """Write columns of a player's settings, which begin as usual."""
    if connection.execute(_wishes, {"player": player}).first() is None:
        usual = {**WishRow()._asdict(), "player_id": player, "feed_hash": None, "feed": None}
        connection.execute(_add_wishes, {**usual, **values})
    elif values:
        connection.execute(_change_wishes, {"player": player, **values})


def snooze(connection: Connection, player: int, code: str, until: float | None) -> None:
    """Hold a table's calls to a player back until then."""
    connection.execute(_snooze, {"player": player, "code": code, "until": until})


def snoozed(connection: Connection, player: int, now: float) -> dict[str, float]:
    """Return until when a player's tables are held back, by their codes."""
    found = connection.execute(_snoozed, {"player": player, "now": now})
    return {row[0]: row[1] for row in found}


def keep_feed(connection: Connection, player: int, secret: str) -> None:
    """Keep the secret of the address under which a player's turns are found; empty: none."""
    sealed = seal_of_store(connection).close(secret.encode(), "feed") if secret else None
    wish(connection, player, feed_hash=hash_of(secret) if secret else None, feed=sealed)


def feed(connection: Connection, player: int) -> str:
    """Return that secret, or nothing."""
    sealed = connection.execute(_feed, {"player": player}).scalar()
    return "" if sealed is None else _read(connection, sealed, "feed")


def feed_owner(connection: Connection, secret: str) -> tuple[int, str, str] | None:
    """Return id, name and language of the player whose turns are found under a secret."""
    row = connection.execute(_feed_owner, {"secret": hash_of(secret)}).first()
    return None if row is None else (row[0], row[1], row[2])


def forget(connection: Connection, player: int) -> None:
    """Forget all that is kept of how a player is called."""
    drop(connection, [way.id for way in of_player(connection, player)])
    connection.execute(delete(call_settings).where(call_settings.c.player_id == player))


def carry(connection: Connection, guest: int, other: int) -> None:
    """Let quiet hours and feeds of a guest be another player's who has none."""
    whole = select(call_settings)
    mine = connection.execute(whole.where(call_settings.c.player_id == guest)).mappings().first()
    if mine is None:
        return
    theirs = connection.execute(whole.where(call_settings.c.player_id == other)).mappings().first()
    # First, for a secret leads to one player only:
    connection.execute(delete(call_settings).where(call_settings.c.player_id == guest))
    if theirs is None:
        connection.execute(_add_wishes, {**mine, "player_id": other})
        return
    missing = [names for names in TOGETHER if theirs[names[0]] is None]
    if kept := {
        name: mine[name] for names in missing for name in names if mine[names[0]] is not None
    }:
        connection.execute(_change_wishes, {"player": other, **kept})


def mark(connection: Connection, address: str) -> str:
    """Return what is the same for the same address, and tells nobody without our secret which."""
    return seal_of_store(connection).mark(address, "way")


def _opened(connection: Connection, row: Sequence[Any]) -> WayRow:
    way = WayRow(*row)
    return way._replace(address=_read(connection, way.address, "way"))  # type: ignore[arg-type]


def _read(connection: Connection, sealed: bytes, kind: str) -> str:
    try:
        return seal_of_store(connection).open(sealed, kind).decode()
    except Unreadable:
        return ""
