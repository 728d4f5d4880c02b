"""Ways by which players are called at their turn: kept, confirmed, rested; and how they want it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sqlalchemy import Connection

from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState
from kaboom.notifications import channel_queries as store
from kaboom.notifications.channel_queries import WayRow, WishRow
from kaboom.notifications.quiet_hours import zones
from kaboom.notifications.webhook_payloads import SHAPES, shape_of
from kaboom.tables import queries
from kaboom.tables.service import Tables

MAIL, PUSH = "mail", "push"
MOST = 8  # ways of one player for all tables
FAILURES = 5  # calls in a row that were given up, after which a way rests
DIGESTS = (0, 60, 24 * 60)  # minutes between two calls of a way at least
ADDRESS = re.compile(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9.-]{1,180}\.[a-zA-Z0-9-]{2,60}"
)
UNCONFIRMED = DAY  # seconds an address of mail waits to be confirmed
UNUSED = 366 * DAY  # seconds without a call or a visit after which a way is forgotten
SNOOZES = (DAY, 7 * DAY, 28 * DAY)  # seconds


@dataclass(frozen=True, slots=True)
class Way:
    """A way to be called, as its player sees it; `to` is what is shown of its address."""

    id: int
    kind: str
    to: str
    confirmed: bool
    failures: int

    @property
    def rests(self) -> bool:
        """Say whether it is no longer called, having failed too often."""
        return self.failures >= FAILURES


@dataclass(frozen=True, slots=True)
class Kept:
    """All ways of a player, their wishes, the tables held back, and the secret of their feed."""

    ways: tuple[Way, ...] = ()
    wishes: WishRow = field(default_factory=WishRow)
    snoozed: Mapping[str, float] = field(default_factory=dict)
    feed: str = ""


def kept(tables: Tables, player: int) -> Kept:
    """Return the ways in which a player is called, and their wishes."""

    def work(connection: Connection) -> Kept:
        found = [row for row in store.of_player(connection, player) if row.table_id is None]
        return Kept(
            tuple(map(shown, found)),
            store.wishes(connection, player),
            store.snoozed(connection, player, tables.now()),
            store.feed(connection, player),
        )

    return tables.database.read(work)


def shown(row: WayRow) -> Way:
    """Return a stored way as its player sees it."""
    to = row.address
    if row.kind == MAIL:
        to = mailbox(row)[1]
    elif row.kind == PUSH:
        to = urlsplit(str(json.loads(row.address or "{}").get("endpoint", ""))).hostname or ""
    return Way(row.id, row.kind, to, row.checked_at is not None, row.failures)


def mailbox(row: WayRow) -> tuple[str, str]:
    """Return the secret of the link in a way's letters, and the address they go to."""
    secret, _, to = row.address.partition(" ")
    return secret, to


def add(
    tables: Tables, player: int, kind: str, address: str, language: str, base: str
) -> WayRow | None:
    """Keep a way for all of a player's tables; return it if it must be confirmed first.

    `kind` is a shape of messages, "push" or "mail"; `base` is what links begin with. The same
    address again begins afresh. Raises InvalidState when there is no such service, it is no
    address, or there are too many.
    """
    if kind not in (*SHAPES, MAIL, PUSH):
        raise InvalidState(say("There is no such service here."))
    if kind == MAIL and not ADDRESS.fullmatch(address):
        raise InvalidState(say("That is not an e-mail address."))
    now, secret = tables.now(), new_secret() if kind == MAIL else ""
    about = f"{kind} {address.casefold() if kind == MAIL else _endpoint(kind, address)}"

    def work(connection: Connection) -> WayRow | None:
        known = store.known(connection, about)
        for way in known:
            if way.player_id == player and way.table_id is None:
                store.change(connection, way.id, failures=0)
                store.wish(connection, player, language=language, base=base)
                return None
        if kind == MAIL and any(way.checked_at is None for way in known):
            return None  # a letter is on its way already: nobody gets a second one
        rows = store.of_player(connection, player)
        if sum(way.table_id is None for way in rows) >= MOST:
            raise InvalidState(say("You cannot have more than these. Remove one first."))
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


def _endpoint(kind: str, address: str) -> str:
    return str(json.loads(address)["endpoint"]) if kind == PUSH else address


def remove(tables: Tables, player: int, way: int) -> None:
    """Forget one of a player's own ways."""

    def work(connection: Connection) -> None:
        store.drop(connection, [row.id for row in _own(connection, player) if row.id == way])

    tables.database.write(work)


def own(tables: Tables, player: int, way: int) -> WayRow:
    """Return one of a player's own ways; raises InvalidState."""
    found = [it for it in tables.database.read(lambda c: _own(c, player)) if it.id == way]
    if not found:
        raise InvalidState(say("That way is no longer here."))
    return found[0]


def wake(tables: Tables, player: int, way: int) -> None:
    """Call a way that rests again."""

    def work(connection: Connection) -> None:
        for row in _own(connection, player):
            if row.id == way:
                store.change(connection, row.id, failures=0)

    tables.database.write(work)


def _own(connection: Connection, player: int) -> list[WayRow]:
    return [row for row in store.of_player(connection, player) if row.table_id is None]


# By the link in a letter, without being known here


def of_letter(tables: Tables, secret: str) -> Way | None:
    """Return the way whose letters carry a link with this secret, or None."""
    row = tables.database.read(lambda connection: store.by_secret(connection, secret))
    return None if row is None else shown(row)


def confirm(tables: Tables, secret: str) -> bool:
    """Confirm a mail address; return whether there is such an address."""

    def work(connection: Connection) -> bool:
        row = store.by_secret(connection, secret)
        if row is not None and row.checked_at is None:
            store.change(connection, row.id, checked_at=tables.now())
        return row is not None

    return tables.database.write(work)


def stop_letters(tables: Tables, secret: str) -> None:
    """Forget the way whose letters carry this link."""

    def work(connection: Connection) -> None:
        row = store.by_secret(connection, secret)
        store.drop(connection, [row.id] if row else [])

    tables.database.write(work)


# For one table only


@dataclass(frozen=True, slots=True)
class Hook:
    """What is called for a player at one table: an address (or nothing), the shape chosen for it
    (empty: that of the address), and how many calls in a row were given up.
    """

    address: str = ""
    shape: str = ""
    failures: int = 0

    @property
    def spoken(self) -> str:
        """Return the shape in which it is called."""
        return self.shape or shape_of(self.address)


def keep_hook(
    tables: Tables, code: str, player: int, address: str, language: str, base: str, shape: str = ""
) -> None:
    """Keep what is to be called for a player at one table; an empty address stops the calls.

    Raises InvalidState when there is no such shape.
    """
    if shape and shape not in SHAPES:
        raise InvalidState(say("There is no such service here."))
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


def hook(tables: Tables, code: str, player: int | None) -> Hook:
    """Return what is called for a player at one table only."""

    def work(connection: Connection) -> Hook:
        table_id = queries.table_id(connection, code)
        row = None if table_id is None else store.at_table(connection, player, table_id)
        if row is None:
            return Hook()
        chosen = "" if row.kind == shape_of(row.address) else row.kind
        return Hook(row.address, chosen, row.failures)

    return tables.database.read(work)


# Wishes


def wish(tables: Tables, player: int, begin: str, end: str, zone: str, digest: int) -> None:
    """Keep a player's quiet hours ("22:30" to "07:00"; empty: none) and how often they want to be
    called at most. Raises InvalidState with a sentence.
    """
    require_time_zone(zone)
    if digest not in DIGESTS:
        raise InvalidState(say("That cannot be chosen."))
    if bool(begin) != bool(end):
        raise InvalidState(
            say("Write a time as 22:30, both when the quiet begins and when it ends.")
        )
    quiet = (minutes_of(begin), minutes_of(end)) if begin else (None, None)
    tables.database.write(
        lambda connection: store.wish(
            connection, player, quiet_from=quiet[0], quiet_to=quiet[1], zone=zone, digest=digest
        )
    )


def require_time_zone(zone: str) -> None:
    """Raise InvalidState unless this is the name of a time zone."""
    if zone not in zones():
        raise InvalidState(say("There is no such time zone. It is written like Africa/Nairobi."))


def minutes_of(text: str) -> int:
    """Return the minutes of a time of the day, "22:30"; raises InvalidState."""
    found = re.fullmatch(r"([0-9]{1,2})[:.]([0-9]{2})(?::00)?", text.strip())
    hour, minute = (int(found[1]), int(found[2])) if found else (24, 0)
    if hour >= 24 or minute >= 60:
        raise InvalidState(say("Write a time as 22:30."))
    return hour * 60 + minute


def snooze(tables: Tables, player: int, code: str, seconds: float) -> None:
    """Hold back the calls of one table for so many seconds; 0: no longer. Raises InvalidState."""
    if seconds and seconds not in SNOOZES:
        raise InvalidState(say("That cannot be chosen."))
    until = tables.now() + seconds if seconds else None
    tables.database.write(lambda connection: store.snooze(connection, player, code, until))


def new_feed(tables: Tables, player: int, wanted: bool) -> None:
    """Give a player's turns a new secret address, or none any more."""
    secret = new_secret() if wanted else ""
    tables.database.write(lambda connection: store.keep_feed(connection, player, secret))


def forget_old(connection: Connection, now: float) -> None:
    """Forget ways nobody confirmed, and those nobody has needed for a year."""
    store.drop_old(connection, now - UNCONFIRMED, now - UNUSED)
