"""Invitations of friends to a table that has not begun."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.credentials import known
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.notifications import reminder_queries
from kaboom.notifications.notification import INVITED, Waiting
from kaboom.social.friends import invitation_queries as store
from kaboom.social.friends import queries as friends
from kaboom.social.friends.service import MOST_FRIENDS, Person, is_friend_of, word_of
from kaboom.tables import queries
from kaboom.tables.access.service import let_in_where
from kaboom.tables.permissions import require_host
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot, read_snapshot
from kaboom.tables.table import Table

VALID_FOR = 3 * DAY
SHOWN = 5  # invitations on the home page
MOST_INVITED = 12  # unanswered invitations to a table


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation for display: the table's code, its game, and who invites."""

    code: str
    game: str
    name: str


def friend(tables: TableService, key_hash: str, word: str) -> Person:
    """Return the friend whom a word identifies. Raises NotPermitted."""
    return tables.database.read(lambda c: _friend(c, known(c, key_hash), word))


def _friend(connection: Connection, me: int, word: str) -> Person:
    for row in friends.friends_of(connection, me, MOST_FRIENDS):
        if word_of(me, row.id) == word:
            return Person(word, row.name, row.id, friend=True)
    raise NotPermitted(_("There is no such player here."))


def to_invite(tables: TableService, snapshot: TableSnapshot) -> Sequence[Person]:
    """Return the host's friends who are not at the table; `asked` are those already invited.

    Raises NotPermitted for other players, and InvalidState if no one can sit down there.
    """

    def work(connection: Connection) -> Sequence[Person]:
        me = _host_of(snapshot.table, snapshot.player)
        table_id = queries.table_id(connection, snapshot.code)
        asked = set(store.invited(connection, table_id)) if table_id is not None else set()
        return [
            Person(
                word_of(me, row.id),
                row.name,
                row.id,
                friend=True,
                asked=row.id in asked,
                present=row.present,
            )
            for row in friends.friends_of(connection, me, MOST_FRIENDS)
            if snapshot.table.seat_of(row.id) is None
        ]

    return tables.database.read(work)


def _host_of(table: Table, player: int | None) -> int:
    if player is None or table.by_house:
        raise NotPermitted(_("Only the host of the table can do that."))
    require_host(table, player)
    if not _has_room(table):
        raise InvalidState(_("All seats are taken."))
    return player


def _has_room(table: Table) -> bool:
    return not (table.playing or table.by_house) and bool(table.free())


def _is_open_to(table: Table, player: int) -> bool:
    at_it = table.seat_of(player) is not None
    return _has_room(table) and not at_it and player not in table.shown_out


def invite(tables: TableService, code: str, player: int, word: str) -> None:
    """Invite a friend to a table, for its host; the friend is notified. A second invitation changes
    nothing.

    Raises TableNotFound, NotPermitted, or InvalidState if the table is full or too many are
    invited.
    """

    def work(connection: Connection) -> None:
        row = queries.table(connection, code, lock=True)
        if row is None:
            raise TableNotFound(code)
        table = read_snapshot(connection, row).table
        me = _host_of(table, player)
        other = _friend(connection, me, word).player
        invited = store.invited(connection, row.id)
        if other in invited or table.seat_of(other) is not None:
            return
        if not is_friend_of(connection, other, me) or other in table.shown_out:
            raise NotPermitted(_("There is no such player here."))
        if len(invited) >= MOST_INVITED:
            raise InvalidState(_("You have already invited {most} friends.", most=MOST_INVITED))
        now = tables.now()
        store.add(connection, row.id, me, other, now)
        reminder_queries.put(connection, f"{INVITED} {code}", now, [other])

    tables.database.write(work)


def invitations(tables: TableService, key_hash: str) -> list[Invitation]:
    """Return the invitations of the player with that key to tables with free seats, newest
    first.

    Without a key there is no query.
    """
    if not key_hash:
        return []

    def work(connection: Connection) -> tuple[int, list[store.InvitationRow]]:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return 0, []
        since = tables.now() - VALID_FOR
        return player[0], store.of_player(connection, player[0], since, SHOWN)

    player, rows = tables.database.read(work)
    found = []
    for row in rows:
        with suppress(TableNotFound):  # deleted since the query
            snapshot = tables.get(row.code)
            if _is_open_to(snapshot.table, player):
                found.append(Invitation(row.code, snapshot.game.name, row.name))
    return found


def accept(tables: TableService, code: str, key_hash: str) -> None:
    """Delete an invitation and admit its player to the table, even if it has a password. Raises
    TableNotFound, or NotPermitted without an invitation.
    """

    def is_open(connection: Connection, _table: Table, player: int) -> bool:
        found = store.to_table(connection, player, code) is not None
        store.drop(connection, player, code)
        return found

    let_in_where(tables, code, key_hash, is_open, _("This invitation has been withdrawn."))


def decline(tables: TableService, code: str, key_hash: str) -> None:
    """Delete an invitation; the host is not told. Raises NotPermitted for an unknown player."""
    tables.database.write(lambda c: store.drop(c, known(c, key_hash), code))


def told(tables: TableService, code: str, player: int) -> Waiting | None:
    """Return the notification about an invitation, or None if it is obsolete."""

    def work(connection: Connection) -> tuple[store.InvitationRow | None, str]:
        name = friends.names(connection, [player]).get(player, "")
        return store.to_table(connection, player, code), name

    row, name = tables.database.read(work)
    snapshot = tables.get(code)
    if row is None or not _is_open_to(snapshot.table, player):
        return None
    return Waiting("", snapshot.game.name, (name,), INVITED, title=row.name)
