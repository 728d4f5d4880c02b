"""Moving a seat to another device: a one-use link, valid for some minutes.

Its address and the stored lines that tell of it say `carry`, as they always have.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal, Seat
from kaboom.errors import InvalidState, TableNotFound
from kaboom.lobby import seat_transfer_queries as store
from kaboom.lobby.service import require_not_banned
from kaboom.ratings import service as ratings
from kaboom.social.clubs import queries as clubs
from kaboom.tables import queries
from kaboom.tables.access import queries as access_queries
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import Tables
from kaboom.tables.sittings import hand_over
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Chair, Table
from kaboom.tables.transaction import TableTransaction
from kaboom.tournaments import queries as tournaments
from kaboom.web.idempotency.service import Command, answered, only_once

PASS_MINUTES = 10


class TransferLinkExpired(Refusal):
    """The one-use link has been used, is too old, or was never one of this table's."""

    status = 410


@dataclass(frozen=True, slots=True)
class SeatTransfer:
    """What a one-use link is for: whose seat at which table."""

    snapshot: TableSnapshot
    seat: Seat
    name: str


def new_pass(tables: Tables, code: str, player: int, once: Command | None = None) -> str:
    """Return the secret of a fresh one-use link that gives a player's seat away.

    Raises TableNotFound, NotPermitted, or InvalidState in a match that counts for ratings.
    """

    def made(connection: Connection) -> str:
        secret = secrets.token_urlsafe(24)
        known = access_queries.password(connection, code)
        if known is None:
            raise TableNotFound(code)
        fresh = store.PassRow(known[0], player, tables.now() + PASS_MINUTES * 60)
        store.add_pass(connection, hash_of(secret), tables.now(), fresh)
        return secret

    def work(connection: Connection) -> str:
        return only_once(connection, once, tables.now(), lambda: made(connection))

    if answered(tables.database, once, tables.now()) is None:
        table = tables.look(code).table
        require_seat(table, player)
        require_unrated(table)
    return tables.database.write(work)


def require_unrated(table: Table) -> None:
    """Raise InvalidState in a match that counts for ratings: else one could hand on a loss, or rate
    somebody who has not asked for it.
    """
    if table.playing and table.rated:
        raise InvalidState(
            say(
                "This match counts for ratings, so it stays with whoever was dealt the cards. "
                "Another device of yours is brought along under “Devices”."
            )
        )


def look_at_pass(tables: Tables, code: str, secret: str) -> SeatTransfer:
    """Return what a one-use link is for, without using it. Raises TableNotFound or
    TransferLinkExpired.
    """
    known = tables.database.read(lambda connection: store.find_pass(connection, hash_of(secret)))
    table = tables.database.read(lambda connection: access_queries.password(connection, code))
    if table is None:
        raise TableNotFound(code)
    snapshot = tables.look(code)
    seat, chair = _given(known, table[0], snapshot.table, tables.now())
    return SeatTransfer(snapshot, seat, chair.name)


def use_pass(
    tables: Tables, code: str, secret: str, key_hash: str, once: Command | None = None
) -> TableSnapshot:
    """Move a seat to the browser with that key; its previous owner watches from now on.

    If it is the host's, the role moves too. Raises TableNotFound, TransferLinkExpired, or
    InvalidState for a browser that already has a seat at the table, and in a match that counts for
    ratings.
    """

    def work(transaction: TableTransaction) -> None:
        table, connection = transaction.table, transaction.connection
        known = store.find_pass(connection, hash_of(secret))
        seat, chair = _given(known, transaction.row.id, table, transaction.now)
        require_unrated(table)
        old = chair.player
        assert old is not None
        new = _new_owner(transaction, key_hash, chair.name)
        if table.phrases and clubs.called(connection, table.club, new) is None:
            raise InvalidState(
                say(
                    "Only members of the club sit at this table. Another device of a member is "
                    "brought along under “Devices”."
                )
            )
        if old != table.host:
            require_not_banned(transaction, new)
        if not store.use_pass(connection, hash_of(secret)):
            raise _gone()
        chair.player = new
        ratings.introduce(connection, chair)
        if table.host == old:
            table.host = new
        queries.sit(connection, new, transaction.row.id)
        hand_over(connection, old, new, transaction.row.id)
        if table.pod:
            tournaments.carry(connection, table.pod, chair.entrant, new)
        if table.playing:
            queries.move_part(connection, table.match_id, seat, new)
        transaction.tell("table.carried", who=chair.name)

    tables.change(code, work, once)
    return tables.look(code, key_hash)


def _new_owner(transaction: TableTransaction, key_hash: str, name: str) -> int:
    """Return the player of a browser that takes over a seat; one that has none yet gets this name.

    Raises InvalidState if that browser already has a seat at the table.
    """
    connection, now = transaction.connection, transaction.now
    found = player_queries.acting(connection, key_hash, now)
    if found is None:
        return player_queries.add_player(connection, key_hash, name, now)
    player, called = found
    if transaction.table.seat_of(player) is not None:
        raise InvalidState(say("This browser already has a seat at the table."))
    if not called:  # so far it has only given a password
        player_queries.rename(connection, player, name)
    return player


def _given(
    known: store.PassRow | None, table_id: int, table: Table, now: float
) -> tuple[Seat, Chair]:
    """Return the seat a one-use link gives away, and its chair; raises TransferLinkExpired."""
    if known is None or known.table_id != table_id or known.expires_at < now:
        raise _gone()
    seat = table.seat_of(known.player_id)
    if seat is None:
        raise _gone()
    return seat, table.chair(seat)


def _gone() -> TransferLinkExpired:
    return TransferLinkExpired(
        say("This link has been used or is too old. Make a new one on the other device.")
    )
