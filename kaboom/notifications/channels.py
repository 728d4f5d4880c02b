"""Notification channels (how they are stored, confirmed and suspended), and players'
preferences.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sqlalchemy import Connection

from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState
from kaboom.notifications import channel_queries as store
from kaboom.notifications.channel_queries import ChannelRow, PreferenceRow
from kaboom.notifications.quiet_hours import zones
from kaboom.notifications.webhook_payloads import SHAPES, shape_of
from kaboom.notifications.webpush_protocol import Subscription
from kaboom.tables import queries
from kaboom.tables.service import TableService

MAIL, PUSH = "mail", "push"
MOST = 8  # channels of one player that serve all tables
FAILURES = 5  # consecutive undelivered notifications after which a channel is suspended
DIGESTS = (0, 60, 24 * 60)  # minimum minutes between two notifications on a channel
ADDRESS = re.compile(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9.-]{1,180}\.[a-zA-Z0-9-]{2,60}"
)
UNCONFIRMED = DAY  # seconds within which an e-mail address must be confirmed
UNUSED = 366 * DAY  # seconds without a notification or a visit after which a channel is deleted
SNOOZES = (DAY, 7 * DAY, 28 * DAY)  # seconds


@dataclass(frozen=True, slots=True)
class Channel:
    """A notification channel as its player sees it; `to` is its displayed address."""

    id: int
    kind: str
    to: str
    confirmed: bool
    failures: int

    @property
    def rests(self) -> bool:
        """Return True if the channel is suspended after too many failures."""
        return self.failures >= FAILURES


@dataclass(frozen=True, slots=True)
class Kept:
    """A player's channels, preferences, muted tables, and the secret of their feed."""

    channels: tuple[Channel, ...] = ()
    wishes: PreferenceRow = field(default_factory=PreferenceRow)
    snoozed: Mapping[str, float] = field(default_factory=dict)
    feed: str = ""


def kept(tables: TableService, player: int) -> Kept:
    """Return a player's channels and preferences."""

    def work(connection: Connection) -> Kept:
        found = [row for row in store.of_player(connection, player) if row.table_id is None]
        return Kept(
            tuple(map(shown, found)),
            store.wishes(connection, player),
            store.snoozed(connection, player, tables.now()),
            store.feed(connection, player),
        )

    return tables.database.read(work)


def shown(row: ChannelRow) -> Channel:
    """Return a stored channel as its player sees it."""
    to = row.address
    if row.kind == MAIL:
        to = mailbox(row.address)[1]
    elif row.kind == PUSH and row.address:
        to = urlsplit(_identity(PUSH, row.address)).hostname or ""
    return Channel(row.id, row.kind, to, row.checked_at is not None, row.failures)


def mailbox(address: str) -> tuple[str, str]:
    """Return the secret of the link in a channel's e-mails, and the address to which they are sent,
    from its stored address.
    """
    secret, _space, to = address.partition(" ")
    return secret, to


def add(
    tables: TableService, player: int, kind: str, address: str, language: str, base: str
) -> ChannelRow | None:
    """Store a channel for all of a player's tables; return it if it must be confirmed first. Raises
    InvalidState.
    """
    if kind not in (*SHAPES, MAIL, PUSH):
        raise InvalidState(_("That service is not available."))
    if kind == MAIL and not ADDRESS.fullmatch(address):
        raise InvalidState(_("That is not a valid e-mail address."))
    now, secret = tables.now(), new_secret() if kind == MAIL else ""
    about = f"{kind} {_identity(kind, address)}"

    def work(connection: Connection) -> ChannelRow | None:
        known = store.known(connection, about)
        for channel in known:
            if channel.player_id == player and channel.table_id is None:
                store.change(connection, channel.id, failures=0)
                store.wish(connection, player, language=language, base=base)
                return None
        if kind == MAIL and any(channel.checked_at is None for channel in known):
            return None  # an e-mail is already on its way: do not send a second one
        rows = store.of_player(connection, player)
        if sum(channel.table_id is None for channel in rows) >= MOST:
            raise InvalidState(_("You cannot add more addresses. Remove one first."))
        store.wish(connection, player, language=language, base=base)
        number = store.add(
            connection,
            player=player,
            kind=kind,
            address=f"{secret} {address}" if kind == MAIL else address,
            at=now,
            checked_at=None if kind == MAIL else now,
            secret=secret,
            about=about,
        )
        return store.some(connection, [number])[number] if kind == MAIL else None

    return tables.database.write(work)


def _identity(kind: str, address: str) -> str:
    """Return the part of an address by which it is recognised: a browser's keys may change."""
    if kind == PUSH:
        return from_json(address, Subscription).endpoint
    return address.casefold() if kind == MAIL else address


def remove(tables: TableService, player: int, channel: int) -> None:
    """Delete one of a player's own channels."""

    def work(connection: Connection) -> None:
        row = _own(connection, player, channel)
        store.drop(connection, [row.id] if row else [])

    tables.database.write(work)


def own(tables: TableService, player: int, channel: int) -> ChannelRow:
    """Return one of a player's own channels; raises InvalidState if there is none with that id."""
    found = tables.database.read(lambda connection: _own(connection, player, channel))
    if found is None:
        raise InvalidState(_("That address has already been removed."))
    return found


def wake(tables: TableService, player: int, channel: int) -> None:
    """Resume a suspended channel."""

    def work(connection: Connection) -> None:
        if _own(connection, player, channel) is not None:
            store.change(connection, channel, failures=0)

    tables.database.write(work)


def _own(connection: Connection, player: int, channel: int) -> ChannelRow | None:
    rows = store.of_player(connection, player)
    return next((row for row in rows if row.id == channel and row.table_id is None), None)


# By the link in an e-mail, in any browser


def of_letter(tables: TableService, secret: str) -> Channel | None:
    """Return the channel whose e-mails carry a link with this secret, or None."""
    row = tables.database.read(lambda connection: store.by_secret(connection, secret))
    return None if row is None else shown(row)


def confirm(tables: TableService, secret: str) -> bool:
    """Confirm an e-mail address; return True if its channel exists."""

    def work(connection: Connection) -> bool:
        row = store.by_secret(connection, secret)
        if row is not None and row.checked_at is None:
            store.change(connection, row.id, checked_at=tables.now())
        return row is not None

    return tables.database.write(work)


def stop_letters(tables: TableService, secret: str) -> None:
    """Delete the channel whose e-mails carry this link."""

    def work(connection: Connection) -> None:
        row = store.by_secret(connection, secret)
        store.drop(connection, [row.id] if row else [])

    tables.database.write(work)


# For one table only


@dataclass(frozen=True, slots=True)
class Hook:
    """A player's webhook for one table: its URL (empty: none), the chosen format (empty: the one
    its host expects), and the number of consecutive undelivered notifications.
    """

    address: str = ""
    shape: str = ""
    failures: int = 0

    @property
    def spoken(self) -> str:
        """Return the channel's format."""
        return self.shape or shape_of(self.address)


def keep_hook(
    tables: TableService,
    code: str,
    player: int,
    address: str,
    language: str,
    base: str,
    shape: str = "",
) -> None:
    """Store a player's webhook for one table; an empty URL deletes it.

    Raises InvalidState for an unknown format.
    """
    if shape and shape not in SHAPES:
        raise InvalidState(_("That service is not available."))
    kind = shape or shape_of(address)

    def work(connection: Connection) -> None:
        table_id = queries.table_id(connection, code)
        if table_id is None:
            return
        old = store.at_table(connection, player, table_id)
        store.drop(connection, [old.id] if old else [])
        if address:
            store.wish(connection, player, language=language, base=base)
            store.add(
                connection,
                player=player,
                kind=kind,
                address=address,
                at=tables.now(),
                checked_at=tables.now(),
                table_id=table_id,
            )

    tables.database.write(work)


def hook(tables: TableService, code: str, player: int | None) -> Hook:
    """Return a player's webhook for one table."""

    def work(connection: Connection) -> Hook:
        table_id = queries.table_id(connection, code)
        row = None if table_id is None else store.at_table(connection, player, table_id)
        if row is None:
            return Hook()
        chosen = "" if row.kind == shape_of(row.address) else row.kind
        return Hook(row.address, chosen, row.failures)

    return tables.database.read(work)


# Preferences


def wish(tables: TableService, player: int, begin: str, end: str, zone: str, digest: int) -> None:
    """Store a player's quiet hours ("22:30" to "07:00"; empty: none) and `digest`, the minimum
    minutes between two notifications. Raises InvalidState.
    """
    require_time_zone(zone)
    if digest not in DIGESTS:
        raise InvalidState(_("That choice is not available."))
    if bool(begin) != bool(end):
        raise InvalidState(_("Enter both a start and an end time, such as 22:30, for quiet hours."))
    quiet = (minutes_of(begin), minutes_of(end)) if begin else (None, None)
    tables.database.write(
        lambda connection: store.wish(
            connection, player, quiet_from=quiet[0], quiet_to=quiet[1], zone=zone, digest=digest
        )
    )


def require_time_zone(zone: str) -> None:
    """Raise InvalidState unless this is the name of a time zone."""
    if zone not in zones():
        raise InvalidState(_("Unknown time zone. Enter a name such as Africa/Nairobi."))


def minutes_of(text: str) -> int:
    """Return the minutes since midnight of a time such as "22:30"; raises InvalidState."""
    found = re.fullmatch(r"([0-9]{1,2})[:.]([0-9]{2})(?::00)?", text.strip())
    hour, minute = (int(found[1]), int(found[2])) if found else (24, 0)
    if hour >= 24 or minute >= 60:
        raise InvalidState(_("Enter a time such as 22:30."))
    return hour * 60 + minute


def snooze(tables: TableService, player: int, code: str, seconds: float) -> None:
    """Mute one table's notifications for this many seconds; 0 unmutes it. Raises InvalidState."""
    if seconds and seconds not in SNOOZES:
        raise InvalidState(_("That choice is not available."))
    until = tables.now() + seconds if seconds else None
    tables.database.write(lambda connection: store.snooze(connection, player, code, until))


def new_feed(tables: TableService, player: int, wanted: bool) -> None:
    """Give a player's list of turns a new secret URL, or remove it."""
    secret = new_secret() if wanted else ""
    tables.database.write(lambda connection: store.keep_feed(connection, player, secret))


def forget_old(connection: Connection, now: float) -> None:
    """Delete channels that were not confirmed within a day, and those unused for a year."""
    store.drop_old(connection, now - UNCONFIRMED, now - UNUSED)
