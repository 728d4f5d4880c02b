"""Getting in: the lobby's list, a table's password, and who needs none."""

from collections.abc import Callable

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.passwords import fits
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted, RateLimited, TableNotFound
from kaboom.tables import queries
from kaboom.tables.access import queries as access_queries
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot, read_snapshot
from kaboom.tables.table import Table
from kaboom.web import attempt_queries as tries
from kaboom.web.attempt_queries import Limit

LISTED_FOR = 12 * 3600.0  # seconds after the last change; by then everybody has gone

# Wrong passwords: from one address at a table, and from all addresses together. The last is
# generous: once it is reached nobody gets in until the hour is over or the host sets a new
# password.
MINUTE, HOUR = 60.0, 3600.0  # seconds
IN_A_MINUTE, IN_AN_HOUR, IN_ALL = 5, 30, 200


class WrongPassword(Refusal):
    """That is not the table's password."""

    status = 403
    slug = "locked"


def listed(tables: Tables, page: int, size: int = 20) -> tuple[list[TableSnapshot], bool]:
    """Return a page (0 is the first) of the tables in the lobby, and whether more follow."""
    since = tables.now() - LISTED_FOR
    codes = tables.database.read(lambda c: access_queries.listed(c, since, size + 1, page * size))
    found = []
    for code in codes[:size]:
        try:
            found.append(tables.look(code))
        except TableNotFound:  # damaged, or removed at this very moment
            continue
    return found, len(codes) > size


def enter(
    tables: Tables, code: str, key_hash: Callable[[], str], password: str, address: str = ""
) -> None:
    """Let in a browser that knows the password. If there is none, nothing is kept.

    `key_hash()` is called once the password is right; `address` is the one whose tries are counted.
    Raises TableNotFound, WrongPassword or RateLimited.
    """
    known = tables.database.read(lambda connection: access_queries.password(connection, code))
    if known is None:
        raise TableNotFound(code)
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
    """Let a browser look for as long as the table exists, password or not. Raises TableNotFound."""

    def work(connection: Connection) -> None:
        known = access_queries.password(connection, code)
        if known is None:
            raise TableNotFound(code)
        now = tables.now()
        found = player_queries.acting(connection, key_hash, now)
        # Somebody who only looks has no name yet.
        player = found[0] if found else player_queries.add_player(connection, key_hash, "", now)
        queries.let_in(connection, player, known[0])

    tables.database.write(work)


def let_in_where(
    tables: Tables,
    code: str,
    key_hash: str,
    is_open: Callable[[Connection, Table, int], bool],
    otherwise: str,
) -> None:
    """Let in a player to whom a table is open without a password, for as long as it exists.

    `is_open(connection, table, player)` says so; else NotPermitted is raised with the sentence
    `otherwise`. Raises TableNotFound, too.
    """

    def work(connection: Connection) -> None:
        row = queries.table(connection, code)
        if row is None:
            raise TableNotFound(code)
        table = read_snapshot(connection, row).table
        player = player_queries.player(connection, key_hash)
        if player is None or not is_open(connection, table, player[0]):
            raise NotPermitted(otherwise)
        queries.let_in(connection, player[0], row.id)

    tables.database.write(work)


def _limits(table_id: int, stored: str, address: str) -> list[Limit]:
    """Return what a try is counted by. A new password (`stored` is salted) starts new counts."""
    mine, all_of_them = hash_of(f"{stored} {table_id} {address}"), hash_of(f"{stored} {table_id}")
    return [
        Limit(hash_of(f"minute {mine}"), IN_A_MINUTE, MINUTE),
        Limit(hash_of(f"hour {mine}"), IN_AN_HOUR, HOUR),
        Limit(hash_of(f"hour {all_of_them}"), IN_ALL, HOUR),
    ]


def _count(tables: Tables, limits: list[Limit]) -> None:
    """Count a try; raises RateLimited, and then nothing is counted."""
    now = tables.now()

    def counted(connection: Connection) -> None:
        _require_none(tries.count(connection, limits, now))

    _require_none(tables.database.read(lambda c: tries.reached(c, limits, now)))
    tables.database.write(counted)


def _require_none(reached: Limit | None) -> None:
    if reached is None:
        return
    if reached.seconds == MINUTE:
        raise RateLimited(say("Too many wrong passwords. Please wait a minute, then try again."))
    raise RateLimited(
        say("Too many wrong passwords. Try again in an hour, or ask the host for a new password.")
    )
