"""Moving a seat to another device: a one-use link, valid for ten minutes.

Its URL and the stored log lines about it still use the word `carry`, as in earlier versions.
"""

import secrets

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal, Seat
from kaboom.errors import InvalidState, TableNotFound
from kaboom.lobby.seat_transfer import queries as store
from kaboom.lobby.service import require_not_blocked
from kaboom.ratings import service as ratings
from kaboom.social.clubs import queries as clubs
from kaboom.tables import queries
from kaboom.tables.access import queries as access_queries
from kaboom.tables.permissions import require_not_removed, require_seat
from kaboom.tables.seats.transfer import transfer_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Occupant, Table
from kaboom.tables.transaction import TableTransaction
from kaboom.tournaments import queries as tournaments
from kaboom.web.idempotency.service import IdempotencyKey, answered, write_once

MINUTES = 10


class TransferLinkExpired(Refusal):
    """The one-use link has been used, has expired, or does not belong to this table."""

    status = 410


def new_transfer(
    tables: TableService, code: str, player: int, idempotency_key: IdempotencyKey | None = None
) -> str:
    """Return the secret of a new one-use link that hands over a player's seat.

    Raises TableNotFound, NotPermitted, or InvalidState in a match that counts for ratings.
    """

    def made(connection: Connection) -> str:
        secret = secrets.token_urlsafe(24)
        known = access_queries.password(connection, code)
        if known is None:
            raise TableNotFound(code)
        fresh = store.TransferRow(known[0], player, tables.now() + MINUTES * 60)
        store.add_transfer(connection, hash_of(secret), tables.now(), fresh)
        return secret

    if answered(tables.database, idempotency_key, tables.now()) is None:
        table = tables.get(code).table
        require_seat(table, player)
        require_unrated(table)
    return write_once(tables.database, idempotency_key, tables.now(), made)


def require_unrated(table: Table) -> None:
    """Raise InvalidState in a rated match, because otherwise a player could hand a loss to another,
    or have another player rated without their agreement.
    """
    if table.playing and table.rated:
        raise InvalidState(
            _(
                "This match is rated, so its seats cannot change hands. To play on another "
                "device of yours, add it under “Devices”."
            )
        )


def find_transfer(tables: TableService, code: str, secret: str) -> tuple[TableSnapshot, str]:
    """Return the table of a one-use link and the name of the player whose seat it hands over,
    without using up the link. Raises TableNotFound or TransferLinkExpired.
    """
    known = tables.database.read(
        lambda connection: store.find_transfer(connection, hash_of(secret))
    )
    table = tables.database.read(lambda connection: access_queries.password(connection, code))
    if table is None:
        raise TableNotFound(code)
    snapshot = tables.get(code)
    _seat, occupant = _given(known, table[0], snapshot.table, tables.now())
    return snapshot, occupant.name


def use_transfer(
    tables: TableService,
    code: str,
    secret: str,
    key_hash: str,
    idempotency_key: IdempotencyKey | None = None,
) -> TableSnapshot:
    """Move a seat to the browser with that key; its previous owner watches from now on.

    If the seat is the host's, that role moves too. Raises TableNotFound, TransferLinkExpired, or
    InvalidState for a browser that already has a seat at the table, and in a match that counts for
    ratings.
    """

    def work(transaction: TableTransaction) -> None:
        table, connection = transaction.table, transaction.connection
        known = store.find_transfer(connection, hash_of(secret))
        seat, occupant = _given(known, transaction.row.id, table, transaction.now)
        require_unrated(table)
        old = occupant.player
        assert old is not None
        new = _new_owner(transaction, key_hash, occupant.name)
        if table.phrases and clubs.called(connection, table.club, new) is None:
            raise InvalidState(
                _(
                    "Only club members can sit at this table. A member can add another device "
                    "under “Devices”."
                )
            )
        if old != table.host:
            require_not_removed(transaction.table, new)
            require_not_blocked(transaction, new)
        if not store.use_transfer(connection, hash_of(secret)):
            raise _gone()
        occupant.player = new
        ratings.introduce(connection, occupant)
        if table.host == old:
            table.host = new
        queries.sit(connection, new, transaction.row.id)
        transfer_seat(connection, old, new, transaction.row.id)
        if table.pod:
            tournaments.carry(connection, table.pod, occupant.entrant, new)
        if table.playing:
            queries.move_part(connection, table.match_id, seat, new)
        transaction.tell("table.carried", who=occupant.name)

    tables.change(code, work, idempotency_key)
    return tables.get(code, key_hash)


def _new_owner(transaction: TableTransaction, key_hash: str, name: str) -> int:
    """Return the id of the player whose browser takes over a seat; a new player gets this name.

    Raises InvalidState if that browser already has a seat at the table.
    """
    connection, now = transaction.connection, transaction.now
    found = player_queries.acting(connection, key_hash, now)
    if found is None:
        return player_queries.add_player(connection, key_hash, name, now)
    player, called = found
    if transaction.table.seat_of(player) is not None:
        raise InvalidState(_("This browser already has a seat at the table."))
    if not called:  # so far this browser has only given a password
        player_queries.rename(connection, player, name)
    return player


def _given(
    known: store.TransferRow | None, table_id: int, table: Table, now: float
) -> tuple[Seat, Occupant]:
    """Return the seat a one-use link hands over, and its occupant; raises TransferLinkExpired."""
    if known is None or known.table_id != table_id or known.expires_at < now:
        raise _gone()
    seat = table.seat_of(known.player_id)
    if seat is None:
        raise _gone()
    return seat, table.occupant(seat)


def _gone() -> TransferLinkExpired:
    return TransferLinkExpired(
        _("This link has been used or has expired. Create a new one on the other device.")
    )
