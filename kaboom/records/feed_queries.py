"""SQL statements about results: a player's own, and those of friends and clubs.

They read the matches themselves, so that anything hidden, blocked or erased disappears from all
feeds immediately.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, exists, func, or_, select

from kaboom.accounts.models import accounts, players
from kaboom.notifications.models import call_settings
from kaboom.social.clubs.models import INSIDE, members
from kaboom.social.friends.models import blocks, friends
from kaboom.social.friends.queries import blocked_either_way
from kaboom.tables.models import boards, match_players, matches


class ResultRow(NamedTuple):
    """A finished match that a player may see in their feed; `names`, `levels` and
    `outcome` are JSON.
    """

    id: int
    code: str
    game: str
    names: str
    levels: str
    outcome: str
    club_id: int | None
    ended_at: float


class SeatRow(NamedTuple):
    """The player of a seat, and whether the reader may see their name."""

    match_id: int
    seat: int
    place: int | None
    me: bool
    named: bool


EACH = 60  # at most this many matches of one friend: those begun last

_me: Any = bindparam("me")
_result = [matches.c[name] for name in ResultRow._fields]
# Matches of a board are secret until it is closed, because others may still play it.
_told = or_(
    matches.c.board == "",
    exists().where(boards.c.label == matches.c.board, boards.c.closed_at <= bindparam("now")),
)
_dealt = matches.c.origin.is_(None)  # matches that continue another one are in no feed
_over = and_(~matches.c.hidden, _dealt, matches.c.ended_at > bindparam("since"), _told)
_last = (matches.c.ended_at.desc(), matches.c.id.desc())


def _not_across(column: Any) -> Any:
    """Return the condition that neither the reader nor that player blocks the other."""
    return ~exists().where(
        or_(
            and_(blocks.c.from_id == _me, blocks.c.to_id == column),
            and_(blocks.c.from_id == column, blocks.c.to_id == _me),
        )
    )


_own = (
    select(*_result)
    .join(match_players, match_players.c.match_id == matches.c.id)
    .where(match_players.c.player_id == _me, _over)
    .order_by(*_last)
    .limit(bindparam("most"))
)
_recent = match_players.alias("recent")
_oldest = (
    select(_recent.c.match_id)
    .where(_recent.c.player_id == friends.c.friend_id)
    .order_by(_recent.c.match_id.desc())
    .limit(1)
    .offset(EACH)
    .correlate(friends)
    .scalar_subquery()
)
_of_friends = (
    select(match_players.c.match_id)
    .select_from(
        friends.join(accounts, accounts.c.player_id == friends.c.friend_id).join(
            match_players,
            and_(
                match_players.c.player_id == friends.c.friend_id,
                match_players.c.match_id > func.coalesce(_oldest, 0),
            ),
        )
    )
    .where(friends.c.player_id == _me, accounts.c.shares, _not_across(friends.c.friend_id))
)
_friends = (
    select(*_result)
    .where(matches.c.id.in_(_of_friends), _over)
    .order_by(*_last)
    .limit(bindparam("most"))
)
_mine, _theirs = members.alias("mine"), members.alias("theirs")
_some_member = exists().where(
    match_players.c.match_id == matches.c.id,
    _theirs.c.club_id == matches.c.club_id,
    _theirs.c.player_id == match_players.c.player_id,
    _theirs.c.standing.in_(INSIDE),
    accounts.c.player_id == match_players.c.player_id,
    accounts.c.shares,
    _not_across(match_players.c.player_id),
)
_clubs = (
    select(*_result)
    .join(_mine, _mine.c.club_id == matches.c.club_id)
    .where(_mine.c.player_id == _me, _mine.c.standing.in_(INSIDE), _over, _some_member)
    .order_by(*_last)
    .limit(bindparam("most"))
)


def _one(column: Any, *where: Any) -> Any:
    """Return a subquery for one value, looked up by key for each row. With a join, PostgreSQL
    misjudges the number of seats and reads all accounts.
    """
    return select(column).where(*where).correlate(match_players, matches).scalar_subquery()


_in_club = members.c.club_id == matches.c.club_id
_seats = (
    select(
        match_players.c.match_id,
        match_players.c.seat,
        match_players.c.place,
        match_players.c.player_id,
        _one(accounts.c.shares, accounts.c.player_id == match_players.c.player_id),
        _one(
            friends.c.since,
            friends.c.player_id == _me,
            friends.c.friend_id == match_players.c.player_id,
        ),
        _one(members.c.standing, _in_club, members.c.player_id == match_players.c.player_id),
        _one(members.c.standing, _in_club, members.c.player_id == _me),
    )
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(match_players.c.match_id.in_(bindparam("ids")))
    .order_by(match_players.c.match_id, match_players.c.seat)
)
_owner = (
    select(players.c.id, call_settings.c.language)
    .join(call_settings, call_settings.c.player_id == players.c.id)
    .where(call_settings.c.results_hash == bindparam("secret"))
)
_has_address = select(call_settings.c.results_hash).where(call_settings.c.player_id == _me)
_shares = select(accounts.c.shares).where(accounts.c.player_id == _me)


def results(
    connection: Connection, me: int, since: float, now: float, most: int
) -> Sequence[ResultRow]:
    """Return the matches that ended since then and that a player may see now, latest first.

    These are their own, those of friends who share results, and those at club tables with a member
    who shares. Hidden ones are left out.
    """
    values = {"me": me, "since": since, "now": now, "most": most}
    rows = {
        row[0]: row
        for statement in (_own, _friends, _clubs)
        for row in connection.execute(statement, values).all()
    }
    last = sorted(rows.values(), key=lambda it: (it[-1], it[0]), reverse=True)[:most]
    return [ResultRow(*row) for row in last]


def seats(connection: Connection, me: int, ids: Sequence[int]) -> Sequence[SeatRow]:
    """Return the people who played these matches, and whether a player may see each name.

    `me` may see their own name and those of players who share results and are friends of theirs or,
    in a match of a club, members of the club.
    """
    if not ids:
        return []
    blocked = blocked_either_way(connection, me)
    found = []
    rows = connection.execute(_seats, {"me": me, "ids": list(ids)}).all()
    for match_id, seat, place, who, shares, friend, theirs, mine in rows:
        near = friend is not None or (theirs in INSIDE and mine in INSIDE)
        named = who == me or bool(shares and near and who not in blocked)
        found.append(SeatRow(match_id, seat, place, who == me, named))
    return found


def owner(connection: Connection, secret_hash: str) -> tuple[int, str] | None:
    """Return the id and language of the player whose feed has this secret, or None."""
    row = connection.execute(_owner, {"secret": secret_hash}).first()
    return None if row is None else (row[0], row[1])


def has_address(connection: Connection, me: int) -> bool:
    """Return True if a player's feed of results has a secret URL."""
    return connection.execute(_has_address, {"me": me}).scalar() is not None


def shares(connection: Connection, me: int) -> bool:
    """Return True if friends and clubs may see a player's results."""
    return bool(connection.execute(_shares, {"me": me}).scalar())
