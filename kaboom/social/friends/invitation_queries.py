"""SQL statements for invitations to tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, select

from kaboom.accounts.models import players
from kaboom.social.friends.models import friends, table_invitations
from kaboom.social.friends.queries import block_between
from kaboom.tables.models import tables


class InvitationRow(NamedTuple):
    """An invitation: the code of its table, and the name of the player who invites."""

    code: str
    name: str


_me: Any = bindparam("me")
_to, _from = table_invitations.c.to_id, table_invitations.c.from_id
_friends = exists().where(friends.c.player_id == _to, friends.c.friend_id == _from)
_by_friends = (
    select(tables.c.code, players.c.name)
    .select_from(
        table_invitations.join(tables, tables.c.id == table_invitations.c.table_id).join(
            players, players.c.id == _from
        )
    )
    .where(_to == _me, _friends, ~block_between(_to, _from))
)
_of_player = (
    _by_friends.where(table_invitations.c.at > bindparam("since"))
    .order_by(table_invitations.c.at.desc())
    .limit(bindparam("most"))
)
_to_table = _by_friends.where(tables.c.code == bindparam("code"))
_invited = select(_to).where(table_invitations.c.table_id == bindparam("at_table"))
_add = insert(table_invitations)
_drop = delete(table_invitations).where(
    _to == _me,
    table_invitations.c.table_id.in_(select(tables.c.id).where(tables.c.code == bindparam("code"))),
)
_drop_of_table = delete(table_invitations).where(table_invitations.c.table_id == bindparam("gone"))


def of_player(connection: Connection, me: int, since: float, most: int) -> list[InvitationRow]:
    """Return a player's invitations by friends, newest first."""
    found = connection.execute(_of_player, {"me": me, "since": since, "most": most})
    return [InvitationRow(*row) for row in found]


def to_table(connection: Connection, me: int, code: str) -> InvitationRow | None:
    """Return a player's invitation by a friend to a table, or None."""
    row = connection.execute(_to_table, {"me": me, "code": code}).first()
    return None if row is None else InvitationRow(*row)


def invited(connection: Connection, table_id: int) -> Sequence[int]:
    """Return the players who are invited to a table."""
    return list(connection.execute(_invited, {"at_table": table_id}).scalars())


def add(connection: Connection, table_id: int, me: int, to: int, now: float) -> None:
    """Store an invitation."""
    connection.execute(_add, {"table_id": table_id, "to_id": to, "from_id": me, "at": now})


def drop(connection: Connection, me: int, code: str) -> None:
    """Delete a player's invitation to a table."""
    connection.execute(_drop, {"me": me, "code": code})


def drop_of_table(connection: Connection, table_id: int) -> None:
    """Delete the invitations to a table that is being deleted."""
    connection.execute(_drop_of_table, {"gone": table_id})
