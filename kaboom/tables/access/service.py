"""Access to tables: the lobby's list, passwords, and admission without a password."""

from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.passwords import matches
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted, RateLimited, TableNotFound
from kaboom.tables import queries
from kaboom.tables.access import queries as access_queries
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot, read_snapshot
from kaboom.tables.table import Table
from kaboom.web import attempt_queries
from kaboom.web.attempt_queries import Limit

LISTED_FOR = 12 * 3600.0  # seconds after the last change; by then all players have left

# Limits on wrong passwords: per IP address and table, and per table. The latter is generous,
# because once it is reached no player can enter until the hour is over or the host sets a new
# password.
MINUTE, HOUR = 60.0, 3600.0  # seconds
IN_A_MINUTE, IN_AN_HOUR, IN_ALL = 5, 30, 200


class WrongPassword(Refusal):
    """The password is not the table's password."""

    status = 403
    slug = "locked"


def number_listed(tables: TableService) -> int:
    """Return the number of the lobby's tables, at most 20."""
    since = tables.now() - LISTED_FOR
    return len(tables.database.read(lambda c: access_queries.listed(c, since, 20, 0)))


def listed(tables: TableService, page: int, size: int = 20) -> tuple[list[TableSnapshot], bool]:
    """Return one page of the lobby's tables (0 is the first), and whether more follow."""
    since = tables.now() - LISTED_FOR
    codes = tables.database.read(lambda c: access_queries.listed(c, since, size + 1, page * size))
    found = []
    for code in codes[:size]:
        with suppress(TableNotFound):  # damaged, or deleted since the query
            found.append(tables.get(code))
    return found, len(codes) > size


def enter(
    tables: TableService, code: str, key_hash: Callable[[], str], password: str, address: str = ""
) -> None:
    """Admit a browser that gives the right password. For a table without a password, nothing is
    stored.

    `key_hash()` is called once the password is right; attempts are counted per IP address
    (`address`). Raises TableNotFound, WrongPassword or RateLimited.
    """
    known = tables.database.read(lambda connection: access_queries.password(connection, code))
    if known is None:
        raise TableNotFound(code)
    table_id, stored = known
    if not stored:
        return
    limits = _limits(table_id, stored, address)
    _count(tables, limits)  # counted first, so that simultaneous attempts cannot pass the limit
    wrong = False
    try:
        wrong = not tables.hash_in_thread(matches, stored, password)
    finally:
        if not wrong:  # also if the check could not take place
            tables.database.write(lambda connection: attempt_queries.give_back(connection, limits))
    if wrong:
        raise WrongPassword(_("Wrong password."))
    let_in(tables, code, key_hash())


def let_in(tables: TableService, code: str, key_hash: str) -> None:
    """Admit a browser to a table permanently, without its password. Raises TableNotFound."""

    def work(connection: Connection) -> None:
        known = access_queries.password(connection, code)
        if known is None:
            raise TableNotFound(code)
        now = tables.now()
        found = player_queries.acting(connection, key_hash, now)
        # A spectator may have no name yet.
        player = found[0] if found else player_queries.add_player(connection, key_hash, "", now)
        queries.let_in(connection, player, known[0])

    tables.database.write(work)


def let_in_where(
    tables: TableService,
    code: str,
    key_hash: str,
    is_open: Callable[[Connection, Table, int], bool],
    otherwise: str,
) -> None:
    """Admit a player without a password, for as long as the table exists.

    Raises NotPermitted with the sentence `otherwise` unless `is_open(connection, table, player)`
    returns True. Also raises TableNotFound.
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
    """Return the limits on an attempt. A new password (`stored` is salted) starts new counts."""
    mine, all_of_them = hash_of(f"{stored} {table_id} {address}"), hash_of(f"{stored} {table_id}")
    return [
        Limit(hash_of(f"minute {mine}"), IN_A_MINUTE, MINUTE),
        Limit(hash_of(f"hour {mine}"), IN_AN_HOUR, HOUR),
        Limit(hash_of(f"hour {all_of_them}"), IN_ALL, HOUR),
    ]


def _count(tables: TableService, limits: list[Limit]) -> None:
    """Count an attempt. Raises RateLimited without counting it if a limit has been reached."""
    now = tables.now()

    def counted(connection: Connection) -> None:
        _require_none(attempt_queries.count(connection, limits, now))

    _require_none(tables.database.read(lambda c: attempt_queries.reached(c, limits, now)))
    tables.database.write(counted)


def _require_none(reached: Limit | None) -> None:
    if reached is None:
        return
    if reached.seconds == MINUTE:
        raise RateLimited(_("Too many wrong passwords. Please wait a minute, then try again."))
    raise RateLimited(
        _("Too many wrong passwords. Try again in an hour, or ask the host for a new password.")
    )
