"""SQL statements for notification channels and preferences."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from kaboom.accounts.models import players
from kaboom.db.encryption import Unreadable, cipher_of_store, hash_of
from kaboom.db.ids import new_id
from kaboom.notifications.models import call_settings, channels, notifications, reminders
from kaboom.tables.models import sittings, tables

# Groups of a merged guest's preferences; each is moved unless the other player has set that group.
TOGETHER = (
    ("quiet_from", "quiet_to", "zone"),
    ("feed_hash", "feed"),
    ("results_hash",),
)


class ChannelRow(NamedTuple):
    """A stored channel, with its address decrypted (empty if that failed)."""

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


class PreferenceRow(NamedTuple):
    """A player's notification preferences; times are in minutes since midnight in their
    time zone.
    """

    quiet_from: int | None = None
    quiet_to: int | None = None
    zone: str = "UTC"
    digest: int = 0  # minutes
    language: str = "en"
    base: str = ""


_channel = select(*(channels.c[name] for name in ChannelRow._fields))
_of_player = _channel.where(channels.c.player_id == bindparam("player")).order_by(channels.c.id)
_at_table = _channel.where(
    channels.c.player_id == bindparam("player"), channels.c.table_id == bindparam("at_table")
)
_by_secret = _channel.where(channels.c.secret_hash == bindparam("secret"))
_some = _channel.where(channels.c.id.in_(bindparam("ids")))
_known = _channel.where(channels.c.print == bindparam("mark"))
_add_channel = insert(channels)
_change_channel = update(channels).where(channels.c.id == bindparam("way"))
_wishes = select(*(call_settings.c[name] for name in PreferenceRow._fields)).where(
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
_unconfirmed = select(channels.c.id).where(
    channels.c.checked_at.is_(None), channels.c.made_at < bindparam("since")
)
_unused = (
    select(channels.c.id)
    .join(players, players.c.id == channels.c.player_id)
    .where(
        players.c.acted_at < bindparam("since"),
        channels.c.made_at < bindparam("since"),
        channels.c.sent_at < bindparam("since"),
    )
)


# Channels


def of_player(connection: Connection, player: int) -> list[ChannelRow]:
    """Return a player's channels, oldest first."""
    return [_opened(connection, row) for row in connection.execute(_of_player, {"player": player})]


def at_table(connection: Connection, player: int | None, table_id: int) -> ChannelRow | None:
    """Return a player's channel for one table only, or None."""
    row = connection.execute(_at_table, {"player": player, "at_table": table_id}).first()
    return None if row is None else _opened(connection, row)


def some(connection: Connection, ids: Collection[int]) -> dict[int, ChannelRow]:
    """Return channels by id; deleted ones are missing."""
    found = connection.execute(_some, {"ids": list(ids)})
    return {row[0]: _opened(connection, row) for row in found}


def known(connection: Connection, address: str) -> list[ChannelRow]:
    """Return all channels of any player that have this address (prefixed with its kind)."""
    found = connection.execute(_known, {"mark": mark(connection, address)})
    return [_opened(connection, row) for row in found]


def by_secret(connection: Connection, secret: str) -> ChannelRow | None:
    """Return the channel whose e-mails carry a link with this secret, or None."""
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
    """Store a channel; return its id. `about` identifies its address among others."""
    values = {
        "player_id": player,
        "kind": kind,
        "address": cipher_of_store(connection).encrypt(address.encode(), "way"),
        "print": mark(connection, about or f"{kind} {address}"),
        "table_id": table_id,
        "made_at": at,
        "checked_at": checked_at,
        "failures": 0,
        "sent_at": 0.0,
        "secret_hash": hash_of(secret) if secret else None,
    }
    return new_id(connection.execute(_add_channel, values))


def change(connection: Connection, channel: int, **values: Any) -> None:
    """Update columns of a channel."""
    connection.execute(_change_channel, {"way": channel, **values})


def one_more_failure(connection: Connection, channel: int) -> None:
    """Count a notification that was given up."""
    connection.execute(_change_channel.values(failures=channels.c.failures + 1), {"way": channel})


def drop(connection: Connection, ids: Collection[int]) -> None:
    """Delete channels with their notifications."""
    if ids:
        connection.execute(delete(notifications).where(notifications.c.way_id.in_(ids)))
        connection.execute(delete(reminders).where(reminders.c.way_id.in_(ids)))
        connection.execute(delete(channels).where(channels.c.id.in_(ids)))


def drop_old(connection: Connection, unconfirmed: float, unused: float) -> None:
    """Delete channels that have been unconfirmed since the time `unconfirmed`, and those that have
    delivered nothing since the time `unused` and whose players have been inactive since then.
    """
    found = [
        *connection.execute(_unconfirmed, {"since": unconfirmed}).scalars(),
        *connection.execute(_unused, {"since": unused}).scalars(),
    ]
    drop(connection, found)


def of_table_gone(connection: Connection, table_id: int) -> None:
    """Delete the notifications of a table that is being deleted, its channels, and their
    reminders.
    """
    connection.execute(delete(notifications).where(notifications.c.table_id == table_id))
    its = select(channels.c.id).where(channels.c.table_id == table_id)
    connection.execute(delete(reminders).where(reminders.c.way_id.in_(its)))
    connection.execute(delete(channels).where(channels.c.table_id == table_id))


def hand_on(connection: Connection, old: int, new: int, table_id: int) -> None:
    """Move a table's channel from one player to another, with its pending notifications."""
    connection.execute(
        update(channels)
        .where(channels.c.player_id == old, channels.c.table_id == table_id)
        .values(player_id=new)
    )


# Preferences


def wishes(connection: Connection, player: int) -> PreferenceRow:
    """Return a player's notification preferences."""
    row = connection.execute(_wishes, {"player": player}).first()
    return PreferenceRow() if row is None else PreferenceRow(*row)


def wish(connection: Connection, player: int, **values: Any) -> None:
    """Update columns of a player's preferences; a new row has the defaults."""
    if connection.execute(_wishes, {"player": player}).first() is None:
        usual = {**PreferenceRow()._asdict(), "player_id": player, "feed_hash": None, "feed": None}
        connection.execute(_add_wishes, {**usual, **values})
    elif values:
        connection.execute(_change_wishes, {"player": player, **values})


def snooze(connection: Connection, player: int, code: str, until: float | None) -> None:
    """Mute a table's notifications for a player until a time; None unmutes them."""
    connection.execute(_snooze, {"player": player, "code": code, "until": until})


def snoozed(connection: Connection, player: int, now: float) -> dict[str, float]:
    """Return when the muting of each of a player's muted tables ends (seconds since 1970),
    by code.
    """
    found = connection.execute(_snoozed, {"player": player, "now": now})
    return {row[0]: row[1] for row in found}


def keep_feed(connection: Connection, player: int, secret: str) -> None:
    """Store the secret in the URL of a player's list of turns; an empty one removes it."""
    encrypted = cipher_of_store(connection).encrypt(secret.encode(), "feed") if secret else None
    wish(connection, player, feed_hash=hash_of(secret) if secret else None, feed=encrypted)


def feed(connection: Connection, player: int) -> str:
    """Return the secret in the URL of a player's list of turns; "" if there is none."""
    encrypted = connection.execute(_feed, {"player": player}).scalar()
    return "" if encrypted is None else _read(connection, encrypted, "feed")


def feed_owner(connection: Connection, secret: str) -> tuple[int, str, str] | None:
    """Return the id, name and language of the player whose list of turns has that secret."""
    row = connection.execute(_feed_owner, {"secret": hash_of(secret)}).first()
    return None if row is None else (row[0], row[1], row[2])


def forget(connection: Connection, player: int) -> None:
    """Delete a player's channels and preferences."""
    drop(connection, [channel.id for channel in of_player(connection, player)])
    connection.execute(delete(call_settings).where(call_settings.c.player_id == player))


def carry(connection: Connection, guest: int, other: int) -> None:
    """Move a guest's preferences to another player. If that player already has some, only the quiet
    hours and feeds that they lack are moved.
    """
    whole = select(call_settings)
    mine = connection.execute(whole.where(call_settings.c.player_id == guest)).mappings().first()
    if mine is None:
        return
    theirs = connection.execute(whole.where(call_settings.c.player_id == other)).mappings().first()
    # The guest's row is deleted first, because each secret may be stored only once.
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
    """Return a keyed hash of an address."""
    return cipher_of_store(connection).fingerprint(address, "way")


def _opened(connection: Connection, row: Sequence[Any]) -> ChannelRow:
    channel = ChannelRow(*row)
    return channel._replace(address=_read(connection, channel.address, "way"))  # type: ignore[arg-type]


def _read(connection: Connection, encrypted: bytes, kind: str) -> str:
    try:
        return cipher_of_store(connection).decrypt(encrypted, kind).decode()
    except Unreadable:
        return ""
