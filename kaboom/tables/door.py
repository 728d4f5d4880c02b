"""Getting in: the lobby's list, a table's password, and links that carry a seat elsewhere."""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.core.language import say
from kaboom.core.moves import Refusal, Seat
from kaboom.store import arrivals, queries
from kaboom.tables.conditions import must_sit
from kaboom.tables.draft import Draft
from kaboom.tables.errors import NoTable, NotNow
from kaboom.tables.loaded import Loaded
from kaboom.tables.passwords import fits
from kaboom.tables.service import Tables
from kaboom.tables.table import Chair, Table

LISTED_FOR = 12 * 3600.0  # seconds after the last change; then nobody is there any more
PASS_MINUTES = 10


class WrongPassword(Refusal):
    """That is not the table's password."""


class PassGone(Refusal):
    """The one-use link has been used, is too old, or never was one of this table."""


def listed(tables: Tables, page: int, size: int = 20) -> tuple[list[Loaded], bool]:
    """Return a page (0 is the first) of the tables shown in the lobby, and whether more follow."""
    since = tables.now() - LISTED_FOR
    codes = tables.database.read(lambda c: arrivals.listed(c, since, size + 1, page * size))
    found = []
    for code in codes[:size]:
        try:
            found.append(tables.look(code))
        except NoTable:  # taken away in this very moment
            continue
    return found, len(codes) > size


def enter(tables: Tables, code: str, key_hash: str, password: str) -> None:
    """Let a browser in that knows the password; it then may look until the table is gone.

    Raises NoTable or WrongPassword.
    """
    known = tables.database.read(lambda connection: arrivals.password(connection, code))
    if known is None:
        raise NoTable(code)
    table_id, stored = known
    if stored and not tables.aside(fits, stored, password):
        raise WrongPassword(say("That is not the password."))

    def work(connection: Connection) -> None:
        found = queries.player(connection, key_hash)
        # Whoever only looks has no name yet.
        player = found[0] if found else queries.add_player(connection, key_hash, "", tables.now())
        queries.let_in(connection, player, table_id)

    tables.database.write(work)


@dataclass(frozen=True, slots=True)
class Carried:
    """What a one-use link is for: whose seat at which table."""

    loaded: Loaded
    seat: Seat
    name: str


def new_pass(tables: Tables, code: str, player: int) -> str:
    """Return the secret of a fresh one-use link that gives a player's seat away.

    Raises NoTable or NotYours.
    """
    secret = secrets.token_urlsafe(24)
    must_sit(tables.look(code).table, player)

    def work(connection: Connection) -> None:
        known = arrivals.password(connection, code)
        if known is None:
            raise NoTable(code)
        fresh = arrivals.PassRow(known[0], player, tables.now() + PASS_MINUTES * 60)
        arrivals.add_pass(connection, _hashed(secret), tables.now(), fresh)

    tables.database.write(work)
    return secret


def look_at_pass(tables: Tables, code: str, secret: str) -> Carried:
    """Return what a one-use link is for, without using it. Raises NoTable or PassGone."""
    known = tables.database.read(lambda connection: arrivals.find_pass(connection, _hashed(secret)))
    table = tables.database.read(lambda connection: arrivals.password(connection, code))
    if table is None:
        raise NoTable(code)
    loaded = tables.look(code)
    seat, chair = _given(known, table[0], loaded.table, tables.now())
    return Carried(loaded, seat, chair.name)


def use_pass(tables: Tables, code: str, secret: str, key_hash: str) -> Loaded:
    """Move a seat to the browser with that key; whoever had it watches from now on.

    The host's chair moves along. Raises NoTable, PassGone, or NotNow for a browser that has a seat
    at the table already.
    """

    def work(draft: Draft) -> None:
        table, connection = draft.table, draft.connection
        known = arrivals.find_pass(connection, _hashed(secret))
        seat, chair = _given(known, draft.row.id, table, draft.now)
        old = chair.player
        assert old is not None
        found = queries.player(connection, key_hash)
        if found is not None and table.seat_of(found[0]) is not None:
            raise NotNow(say("This browser has a seat at the table already."))
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

    tables.change(code, work)
    return tables.look(code, key_hash)


def _given(
    known: arrivals.PassRow | None, table_id: int, table: Table, now: float
) -> tuple[Seat, Chair]:
    """Return the seat that a one-use link gives away, and its chair; raises PassGone."""
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
