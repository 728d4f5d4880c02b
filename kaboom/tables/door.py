"""Getting in: the lobby's list, a table's password, and links that carry a seat elsewhere."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.core.language import say
from kaboom.core.moves import Refusal, Seat
from kaboom.store import arrivals, queries, tries
from kaboom.store.tries import Limit
from kaboom.tables.commands import Command, answered, only_once
from kaboom.tables.conditions import must_sit
from kaboom.tables.draft import Draft
from kaboom.tables.errors import NoTable, NotNow, TooOften
from kaboom.tables.loaded import Loaded
from kaboom.tables.passwords import fits
from kaboom.tables.service import Tables
from kaboom.tables.table import Chair, Table

LISTED_FOR = 12 * 3600.0  # seconds after the last change; by then everybody has gone
PASS_MINUTES = 10

# Wrong passwords: from one address at a table, and from all addresses together. The last is
# generous: once it is reached nobody gets in until the hour is over or the host sets a new
# password.
MINUTE, HOUR = 60.0, 3600.0  # seconds
IN_A_MINUTE, IN_AN_HOUR, IN_ALL = 5, 30, 200


class WrongPassword(Refusal):
    """That is not the table's password."""


class PassGone(Refusal):
    """The one-use link has been used, is too old, or was never one of this table's."""


def listed(tables: Tables, page: int, size: int = 20) -> tuple[list[Loaded], bool]:
    """Return a page (0 is the first) of the tables in the lobby, and whether more follow."""
    since = tables.now() - LISTED_FOR
    codes = tables.database.read(lambda c: arrivals.listed(c, since, size + 1, page * size))
    found = []
    for code in codes[:size]:
        try:
            found.append(tables.look(code))
        except NoTable:  # removed at this very moment
            continue
    return found, len(codes) > size


def enter(
    tables: Tables, code: str, key_hash: Callable[[], str], password: str, address: str = ""
) -> None:
    """Let in a browser that knows the password. If there is none, nothing is kept.

    `key_hash()` is called once the password is right; `address` is the one whose tries are counted.
    Raises NoTable, WrongPassword or TooOften.
    """
    known = tables.database.read(lambda connection: arrivals.password(connection, code))
    if known is None:
        raise NoTable(code)
    table_id, stored = known
    if not stored:
        return
    limits = _limits(table_id, stored, address)
    _count(tables, limits)  # first: when many try at once they must not all be judged
    wrong = False
    try:
        wrong = not tables.hash_aside(fits, stored, password)
    finally:
        if not wrong:  # or not judged at all
            tables.database.write(lambda connection: tries.give_back(connection, limits))
    if wrong:
        raise WrongPassword(say("That is not the password."))
    let_in(tables, code, key_hash())


def let_in(tables: Tables, code: str, key_hash: str) -> None:
    """Let a browser look for as long as the table exists, password or not. Raises NoTable."""

    def work(connection: Connection) -> None:
        known = arrivals.password(connection, code)
        if known is None:
            raise NoTable(code)
        now = tables.now()
        found = queries.acting(connection, key_hash, now)
        # Somebody who only looks has no name yet.
        player = found[0] if found else queries.add_player(connection, key_hash, "", now)
        queries.let_in(connection, player, known[0])

    tables.database.write(work)


def _limits(table_id: int, stored: str, address: str) -> list[Limit]:
    """Return what a try is counted by. A new password (`stored` is salted) starts new counts."""
    mine, all_of_them = _hashed(f"{stored} {table_id} {address}"), _hashed(f"{stored} {table_id}")
    return [
        Limit(_hashed(f"minute {mine}"), IN_A_MINUTE, MINUTE),
        Limit(_hashed(f"hour {mine}"), IN_AN_HOUR, HOUR),
        Limit(_hashed(f"hour {all_of_them}"), IN_ALL, HOUR),
    ]


def _count(tables: Tables, limits: list[Limit]) -> None:
    """Count a try; raises TooOften, and then nothing is counted."""
    now = tables.now()

    def counted(connection: Connection) -> None:
        _must_be_none(tries.count(connection, limits, now))

    _must_be_none(tables.database.read(lambda c: tries.reached(c, limits, now)))
    tables.database.write(counted)


def _must_be_none(reached: Limit | None) -> None:
    if reached is None:
        return
    if reached.seconds == MINUTE:
        raise TooOften(say("Too many wrong passwords. Please wait a minute, then try again."))
    raise TooOften(
        say("Too many wrong passwords. Try again in an hour, or ask the host for a new password.")
    )


@dataclass(frozen=True, slots=True)
class Carried:
    """What a one-use link is for: whose seat at which table."""

    loaded: Loaded
    seat: Seat
    name: str


def new_pass(tables: Tables, code: str, player: int, once: Command | None = None) -> str:
    """Return the secret of a fresh one-use link that gives a player's seat away.

    Raises NoTable or NotYours.
    """

    def made(connection: Connection) -> str:
        secret = secrets.token_urlsafe(24)
        known = arrivals.password(connection, code)
        if known is None:
            raise NoTable(code)
        fresh = arrivals.PassRow(known[0], player, tables.now() + PASS_MINUTES * 60)
        arrivals.add_pass(connection, _hashed(secret), tables.now(), fresh)
        return secret

    def work(connection: Connection) -> str:
        return only_once(connection, once, tables.now(), lambda: made(connection))

    if answered(tables, once) is None:
        must_sit(tables.look(code).table, player)
    return tables.database.write(work)


def look_at_pass(tables: Tables, code: str, secret: str) -> Carried:
    """Return what a one-use link is for, without using it. Raises NoTable or PassGone."""
    known = tables.database.read(lambda connection: arrivals.find_pass(connection, _hashed(secret)))
    table = tables.database.read(lambda connection: arrivals.password(connection, code))
    if table is None:
        raise NoTable(code)
    loaded = tables.look(code)
    seat, chair = _given(known, table[0], loaded.table, tables.now())
    return Carried(loaded, seat, chair.name)


def use_pass(
    tables: Tables, code: str, secret: str, key_hash: str, once: Command | None = None
) -> Loaded:
    """Move a seat to the browser with that key; its previous owner watches from now on.

    If it is the host's, the role moves too. Raises NoTable, PassGone, or NotNow for a browser that
    already has a seat at the table.
    """

    def work(draft: Draft) -> None:
        table, connection = draft.table, draft.connection
        known = arrivals.find_pass(connection, _hashed(secret))
        seat, chair = _given(known, draft.row.id, table, draft.now)
        old = chair.player
        assert old is not None
        found = queries.acting(connection, key_hash, draft.now)
        if found is not None and table.seat_of(found[0]) is not None:
            raise NotNow(say("This browser already has a seat at the table."))
        new = found[0] if found else queries.add_player(connection, key_hash, chair.name, draft.now)
        if found is not None and not found[1]:  # this browser has only given a password so far
            queries.rename(connection, new, chair.name)
        if not arrivals.use_pass(connection, _hashed(secret)):
            raise _gone()
        chair.player = new
        if table.host == old:
            table.host = new
        queries.sit(connection, new, draft.row.id)
        arrivals.move_sitting(connection, old, new, draft.row.id)
        if table.playing:
            arrivals.move_part(connection, table.match_id, seat, new)
        draft.tell("table.carried", who=chair.name)

    tables.change(code, work, once)
    return tables.look(code, key_hash)


def _given(
    known: arrivals.PassRow | None, table_id: int, table: Table, now: float
) -> tuple[Seat, Chair]:
    """Return the seat a one-use link gives away, and its chair; raises PassGone."""
    if known is None or known.table_id != table_id or known.expires_at < now:
        raise _gone()
    seat = table.seat_of(known.player_id)
    chair = None if seat is None else table.chairs[seat]
    if seat is None or chair is None:
        raise _gone()
    return seat, chair


def _gone() -> PassGone:
    return PassGone(
        say("This link has been used or is too old. Make a new one on the other device.")
    )


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
