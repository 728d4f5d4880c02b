"""SQL statements about clubs, their members and tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, case, delete, func, insert, select, update

from kaboom.db.ids import new_id
from kaboom.social.clubs import event_queries
from kaboom.social.clubs.models import INSIDE, Standing, clubs, members
from kaboom.tables.models import matches, sittings, tables


class ClubRow(NamedTuple):
    """A club; `links` is the number of its current invitation link."""

    id: int
    code: str
    name: str
    asking: bool
    phrases: bool
    links: int


class MemberRow(NamedTuple):
    """A player listed in a club, with the name they have there."""

    player_id: int
    standing: Standing
    name: str
    since: float


class OwnClubRow(NamedTuple):
    """A club that a player belongs to, and their role in it."""

    code: str
    name: str
    standing: Standing
    called: str


class ClubLine(NamedTuple):
    """A club in a host's list."""

    code: str
    name: str
    officers: int
    members: int


_code: Any = bindparam("wanted")
_club: Any = bindparam("club")
_who: Any = bindparam("who")
_this = members.c.club_id == _club
_them = (_this, members.c.player_id == _who)
_inside = members.c.standing.in_(INSIDE)
_by_code = select(*(clubs.c[name] for name in ClubRow._fields)).where(clubs.c.code == _code)
_by_code_for_update = _by_code.with_for_update()
_add = insert(clubs)
_change = update(clubs).where(clubs.c.id == _club)
_standing = select(members.c.standing).where(*_them)
_members = (
    select(*(members.c[name] for name in MemberRow._fields))
    .where(_this)
    .order_by(members.c.since, members.c.player_id)
)
_own = (
    select(clubs.c.code, clubs.c.name, members.c.standing, members.c.name)
    .join(members, members.c.club_id == clubs.c.id)
    .where(members.c.player_id == _who, members.c.standing != Standing.REMOVED)
    .order_by(clubs.c.name, clubs.c.id)
)
_add_member = insert(members)
_change_member = update(members).where(*_them)
_drop_member = delete(members).where(*_them)
_seen_by_member = (
    select(clubs.c.name, members.c.name.label("called"))
    .join(members, members.c.club_id == clubs.c.id)
    .where(clubs.c.code == _code, members.c.player_id == _who, _inside)
)
_tables = (
    select(tables.c.code)
    .where(tables.c.club_id == _club, tables.c.touched_at > bindparam("since"))
    .order_by(tables.c.touched_at.desc())
    .limit(bindparam("most"))
)
_let_out = delete(sittings).where(
    sittings.c.player_id == _who,
    ~sittings.c.sat,
    sittings.c.table_id.in_(select(tables.c.id).where(tables.c.club_id == _club)),
)
_lock = select(clubs.c.id).where(clubs.c.id == _club).with_for_update()
_mine = select(members.c.club_id, members.c.standing).where(members.c.player_id == _who)
_no_member = delete(members).where(members.c.player_id == _who)
_first = (
    select(members.c.player_id, members.c.standing)
    .where(_this, _inside)
    .order_by(case((members.c.standing == Standing.OFFICER, 0), else_=1), members.c.since)
)
_dissolve = (
    update(tables).where(tables.c.club_id == _club).values(club_id=None),
    update(matches).where(matches.c.club_id == _club).values(club_id=None),
    delete(members).where(_this),
    delete(clubs).where(clubs.c.id == _club),
)
_listing = (
    select(
        clubs.c.code,
        clubs.c.name,
        func.coalesce(func.sum(case((members.c.standing == Standing.OFFICER, 1), else_=0)), 0),
        func.coalesce(func.sum(case((_inside, 1), else_=0)), 0),
    )
    .select_from(clubs.outerjoin(members, members.c.club_id == clubs.c.id))
    .group_by(clubs.c.id, clubs.c.code, clubs.c.name)
    .order_by(clubs.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("first"))
)


def by_code(connection: Connection, code: str, lock: bool = False) -> ClubRow | None:
    """Return the club with that code, or None. With `lock`, its row stays locked until the
    transaction ends.
    """
    row = connection.execute(_by_code_for_update if lock else _by_code, {"wanted": code}).first()
    return None if row is None else ClubRow(*row)


def add(connection: Connection, values: dict[str, Any]) -> int:
    """Store a club; return its id."""
    return new_id(connection.execute(_add, values))


def change(connection: Connection, club: int, **values: Any) -> None:
    """Update columns of a club."""
    connection.execute(_change, {"club": club, **values})


def standing(connection: Connection, club: int, player: int | None) -> Standing | None:
    """Return a player's role in a club; None if they have none."""
    if player is None:
        return None
    found = connection.execute(_standing, {"club": club, "who": player}).scalar()
    return None if found is None else Standing(found)


def members_of(connection: Connection, club: int) -> Sequence[MemberRow]:
    """Return all membership rows of a club, oldest first."""
    rows = connection.execute(_members, {"club": club})
    return [MemberRow(row[0], Standing(row[1]), row[2], row[3]) for row in rows]


def clubs_of(connection: Connection, player: int) -> Sequence[OwnClubRow]:
    """Return the clubs that a player is in or has asked to join, by name."""
    rows = connection.execute(_own, {"who": player})
    return [OwnClubRow(row[0], row[1], Standing(row[2]), row[3]) for row in rows]


def put(
    connection: Connection, club: int, player: int, standing: Standing, name: str, now: float
) -> None:
    """Insert or update a player's membership, with the name in the club; `now` is its start."""
    values = {"standing": standing, "name": name, "since": now}
    keys = {"club": club, "who": player}
    if not connection.execute(_change_member, {**keys, **values}).rowcount:
        connection.execute(_add_member, {"club_id": club, "player_id": player, **values})


def change_member(connection: Connection, club: int, player: int, **values: Any) -> None:
    """Set the role or name of a player listed in a club."""
    connection.execute(_change_member, {"club": club, "who": player, **values})


def drop(connection: Connection, club: int, player: int) -> None:
    """Remove a player's membership row."""
    connection.execute(_drop_member, {"club": club, "who": player})


def called(connection: Connection, code: str, player: int) -> str | None:
    """Return the name of a member in the club with that code; None for anyone else."""
    row = connection.execute(_seen_by_member, {"wanted": code, "who": player}).first()
    return None if row is None else row.called


def name_to(connection: Connection, code: str, player: int) -> str:
    """Return the name of the club with that code for a member; "" for other players."""
    return connection.execute(_seen_by_member, {"wanted": code, "who": player}).scalar() or ""


def tables_of(connection: Connection, club: int, since: float, most: int) -> Sequence[str]:
    """Return the codes of a club's tables changed after `since`, latest change first."""
    found = connection.execute(_tables, {"club": club, "since": since, "most": most})
    return list(found.scalars())


def let_out(connection: Connection, club: int, player: int) -> None:
    """Revoke a player's access to those of the club's tables at which they never sat."""
    connection.execute(_let_out, {"club": club, "who": player})


def keep_led(connection: Connection, club: int) -> None:
    """Make the longest-standing member an officer of a club without one; delete a club without
    members.
    """
    first = connection.execute(_first, {"club": club}).first()
    if first is None:
        dissolve(connection, club)
    elif first[1] != Standing.OFFICER:
        change_member(connection, club, first[0], standing=Standing.OFFICER)


def dissolve(connection: Connection, club: int) -> None:
    """Delete a club and its events; its tables and matches stay, without a club."""
    event_queries.drop_of_club(connection, club)
    for statement in _dissolve:
        connection.execute(statement, {"club": club})


def forget(connection: Connection, player: int) -> None:
    """Remove a player from all clubs."""
    found = _locked(connection, player)
    connection.execute(_no_member, {"who": player})
    for club in found:
        keep_led(connection, club)


def carry(connection: Connection, guest: int, other: int) -> None:
    """Move a guest's memberships to another player. The higher role prevails, but if the other
    player was removed, they stay removed.
    """
    known = _locked(connection, guest, other)
    theirs = {row[0]: row[1] for row in connection.execute(_mine, {"who": other})}
    for club, mine in connection.execute(_mine, {"who": guest}).all():
        if club not in theirs:
            change_member(connection, club, guest, player_id=other)
            continue
        if theirs[club] != Standing.REMOVED:
            change_member(connection, club, other, standing=_higher(mine, theirs[club]))
        drop(connection, club, guest)
    for club in known:
        keep_led(connection, club)


ORDER = (Standing.REMOVED, Standing.ASKED, Standing.MEMBER, Standing.OFFICER)


def _higher(one: str, two: str) -> Standing:
    return max(Standing(one), Standing(two), key=ORDER.index)


def _locked(connection: Connection, *them: int) -> Sequence[int]:
    """Lock the clubs in which these players have a row, and return the clubs' ids."""
    found = sorted({row.club_id for who in them for row in connection.execute(_mine, {"who": who})})
    for club in found:  # in a fixed order, which prevents deadlocks
        connection.execute(_lock, {"club": club})
    return found


def listing(connection: Connection, most: int, first: int) -> Sequence[ClubLine]:
    """Return the clubs of this server, newest first, from number `first` on (0 is the newest)."""
    rows = connection.execute(_listing, {"most": most, "first": first})
    return [ClubLine(*row) for row in rows]
