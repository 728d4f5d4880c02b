"""SQL statements for friends, friend requests, blocks and reports."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    union,
    update,
)

from kaboom.accounts.models import accounts, players
from kaboom.db.encryption import cipher_of_store
from kaboom.social.friends.models import blocks, friend_requests, friends, reports
from kaboom.tables.models import match_players


class FriendRow(NamedTuple):
    """A friend; `present` is True if their friends may see when they are here."""

    id: int
    name: str
    present: bool


class Relation(NamedTuple):
    """Whether a player is a friend of another, has asked to be one, and has blocked them."""

    friend: bool
    asked: bool
    blocked: bool


class ReportRow(NamedTuple):
    """A decrypted report; `evidence` is JSON, `words` are the reporter's own ("" if none), and the
    name of an erased player is empty.
    """

    id: int
    by: str
    about: str
    code: str
    reason: str
    evidence: str
    at: float
    closed: bool
    by_id: int | None  # None if the account was erased
    about_id: int | None
    words: str = ""


def block_between(one: ColumnElement[int], other: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that one of two players has blocked the other."""
    return exists(select(1).select_from(blocks)).where(
        or_(
            and_(blocks.c.from_id == one, blocks.c.to_id == other),
            and_(blocks.c.from_id == other, blocks.c.to_id == one),
        )
    )


_me: Any = bindparam("me")
_other: Any = bindparam("other")
_friends = (
    select(players.c.id, players.c.name, func.coalesce(accounts.c.present, False))
    .select_from(
        friends.join(players, players.c.id == friends.c.friend_id).outerjoin(
            accounts, accounts.c.player_id == players.c.id
        )
    )
    .where(friends.c.player_id == _me)
    .order_by(players.c.name, players.c.id)
    .limit(bindparam("most"))
)
_are_friends = select(friends.c.since).where(
    friends.c.player_id == _me, friends.c.friend_id == _other
)
_befriend = insert(friends)
_unfriend = delete(friends).where(
    or_(
        and_(friends.c.player_id == _me, friends.c.friend_id == _other),
        and_(friends.c.player_id == _other, friends.c.friend_id == _me),
    )
)
_across = exists().where(
    blocks.c.from_id == friend_requests.c.to_id, blocks.c.to_id == friend_requests.c.from_id
)
_asked_by = (
    select(players.c.id, players.c.name)
    .join(friend_requests, friend_requests.c.from_id == players.c.id)
    .where(friend_requests.c.to_id == _me, ~_across)
    .order_by(friend_requests.c.at)
    .limit(bindparam("most"))
)
_asked = select(friend_requests.c.at).where(
    friend_requests.c.from_id == _me, friend_requests.c.to_id == _other
)
_open_asks = (
    select(func.count()).select_from(friend_requests).where(friend_requests.c.from_id == _me)
)
_ask = insert(friend_requests)
_drop_ask = delete(friend_requests).where(
    friend_requests.c.from_id == _me, friend_requests.c.to_id == _other
)
_blocked = (
    select(players.c.id, players.c.name)
    .join(blocks, blocks.c.to_id == players.c.id)
    .where(blocks.c.from_id == _me)
    .order_by(blocks.c.at.desc())
    .limit(bindparam("most"))
)
_blocks = select(blocks.c.at).where(blocks.c.from_id == _me, blocks.c.to_id == _other)
_blocked_either_way = union(
    select(blocks.c.to_id).where(blocks.c.from_id == _me),
    select(blocks.c.from_id).where(blocks.c.to_id == _me),
)
_block = insert(blocks)
_unblock = delete(blocks).where(blocks.c.from_id == _me, blocks.c.to_id == _other)
_relations = select(
    players.c.id,
    exists().where(friends.c.player_id == _me, friends.c.friend_id == players.c.id),
    exists().where(friend_requests.c.from_id == _me, friend_requests.c.to_id == players.c.id),
    exists().where(blocks.c.from_id == _me, blocks.c.to_id == players.c.id),
).where(players.c.id.in_(bindparam("ids")))
_names = select(players.c.id, players.c.name).where(players.c.id.in_(bindparam("ids")))
_played = select(match_players.c.seat, match_players.c.player_id).where(
    match_players.c.match_id == bindparam("match_id")
)
_add_report = insert(reports)
_made = (
    select(func.count())
    .select_from(reports)
    .where(reports.c.by_id == _me, reports.c.at > bindparam("since"))
)
_by, _about = players.alias("by"), players.alias("about")
_reports = (
    select(
        reports.c.id,
        func.coalesce(_by.c.name, ""),
        func.coalesce(_about.c.name, ""),
        reports.c.code,
        reports.c.reason,
        reports.c.evidence,
        reports.c.at,
        reports.c.closed,
        reports.c.by_id,
        reports.c.about_id,
        reports.c.words,
    )
    .select_from(
        reports.outerjoin(_by, _by.c.id == reports.c.by_id).outerjoin(
            _about, _about.c.id == reports.c.about_id
        )
    )
    .order_by(reports.c.at.desc(), reports.c.id.desc())
)
_closed = _reports.where(reports.c.closed).limit(bindparam("most"))
_open = (
    _reports.where(~reports.c.closed)
    .order_by(None)
    .order_by(reports.c.at, reports.c.id)
    .limit(bindparam("most"))
)
_report = _reports.where(reports.c.id == bindparam("number"))
_reports_at = _reports.where(reports.c.code.in_(bindparam("codes", expanding=True)))
_next_open = (
    select(reports.c.id)
    .where(~reports.c.closed, reports.c.id != bindparam("number"))
    .order_by(reports.c.at, reports.c.id)
    .limit(1)
)
_close = update(reports).where(reports.c.id == bindparam("number")).values(closed=bindparam("so"))
# The columns of an erased account are null by then.
_drop_words = (
    update(reports)
    .where(or_(reports.c.by_id.is_(None), reports.c.about_id.is_(None)))
    .values(words=None)
)
_old_reports = delete(reports).where(reports.c.at <= bindparam("until"))
_part_from_blocked = delete(friends).where(
    or_(friends.c.player_id == bindparam("other"), friends.c.friend_id == bindparam("other")),
    block_between(friends.c.player_id, friends.c.friend_id),
)


def friends_of(connection: Connection, me: int, most: int) -> Sequence[FriendRow]:
    """Return a player's friends by name."""
    rows = connection.execute(_friends, {"me": me, "most": most})
    return [FriendRow(row[0], row[1], bool(row[2])) for row in rows]


def are_friends(connection: Connection, me: int, other: int) -> bool:
    """Return True if two players are friends."""
    return _there(connection, _are_friends, me, other)


def befriend(connection: Connection, me: int, other: int, now: float) -> None:
    """Make two players friends, and delete their requests to each other."""
    if not are_friends(connection, me, other):
        for one, two in ((me, other), (other, me)):
            connection.execute(_befriend, {"player_id": one, "friend_id": two, "since": now})
    for one, two in ((me, other), (other, me)):
        drop_ask(connection, one, two)


def unfriend(connection: Connection, me: int, other: int) -> None:
    """End a friendship."""
    connection.execute(_unfriend, {"me": me, "other": other})


def asked_by(connection: Connection, me: int, most: int) -> Sequence[tuple[int, str]]:
    """Return the players who have sent this player a friend request and are not blocked, oldest
    first.
    """
    return [(row[0], row[1]) for row in connection.execute(_asked_by, {"me": me, "most": most})]


def asked(connection: Connection, me: int, other: int) -> bool:
    """Return True if a player has sent another a friend request."""
    return _there(connection, _asked, me, other)


def open_asks(connection: Connection, me: int) -> int:
    """Return the number of a player's unanswered friend requests."""
    return connection.execute(_open_asks, {"me": me}).scalar() or 0


def ask(connection: Connection, me: int, other: int, now: float) -> None:
    """Store a friend request."""
    connection.execute(_ask, {"from_id": me, "to_id": other, "at": now})


def drop_ask(connection: Connection, me: int, other: int) -> None:
    """Delete a friend request."""
    connection.execute(_drop_ask, {"me": me, "other": other})


def blocked_by(connection: Connection, me: int, most: int) -> Sequence[tuple[int, str]]:
    """Return the players whom a player has blocked, latest first."""
    return [(row[0], row[1]) for row in connection.execute(_blocked, {"me": me, "most": most})]


def blocks_player(connection: Connection, me: int, other: int) -> bool:
    """Return True if a player has blocked another."""
    return _there(connection, _blocks, me, other)


def blocked_either_way(connection: Connection, me: int) -> set[int]:
    """Return the ids of the players whom a player has blocked, and of those who have blocked
    them.
    """
    return set(connection.execute(_blocked_either_way, {"me": me}).scalars())


def relations(connection: Connection, me: int, others: Collection[int]) -> dict[int, Relation]:
    """Return a player's relation to each of these players, by their ids."""
    rows = connection.execute(_relations, {"me": me, "ids": list(others)})
    return {row[0]: Relation(*map(bool, row[1:])) for row in rows}


def block(connection: Connection, me: int, other: int, now: float) -> None:
    """Store a block; the two players' friendship and the blocker's request are deleted. The other's
    request is only hidden, so that it does not reveal the block.
    """
    unfriend(connection, me, other)
    drop_ask(connection, me, other)
    if not blocks_player(connection, me, other):
        connection.execute(_block, {"from_id": me, "to_id": other, "at": now})


def unblock(connection: Connection, me: int, other: int) -> None:
    """Delete a block."""
    connection.execute(_unblock, {"me": me, "other": other})


def names(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the names of players by id."""
    return {row[0]: row[1] for row in connection.execute(_names, {"ids": list(ids)})}


def played(connection: Connection, match_id: int) -> Sequence[tuple[int, int]]:
    """Return the seats that people played in a match, with their players' ids."""
    return [(row[0], row[1]) for row in connection.execute(_played, {"match_id": match_id})]


def add_report(connection: Connection, values: dict[str, Any]) -> None:
    """Store a report; its evidence and the reporter's words are encrypted."""
    cipher = cipher_of_store(connection)
    words = values.get("words", "")
    sealed = {
        "evidence": cipher.encrypt(values["evidence"].encode(), "report"),
        "words": cipher.encrypt(words.encode(), "words of report") if words else None,
    }
    connection.execute(_add_report, {**values, **sealed, "closed": False})


def reports_made(connection: Connection, me: int, since: float) -> int:
    """Return the number of reports a player has made after `since`."""
    return connection.execute(_made, {"me": me, "since": since}).scalar() or 0


def all_reports(connection: Connection) -> Sequence[ReportRow]:
    """Return all reports, latest first, without their evidence."""
    return [_in_list(connection, row) for row in connection.execute(_reports)]


def closed_reports(connection: Connection, most: int) -> Sequence[ReportRow]:
    """Return the closed reports, latest first, without their evidence."""
    return [_in_list(connection, row) for row in connection.execute(_closed, {"most": most})]


def open_reports(connection: Connection, most: int) -> Sequence[ReportRow]:
    """Return the open reports, the one that has waited longest first, with their evidence."""
    return [_whole(connection, row) for row in connection.execute(_open, {"most": most})]


def reports_at(connection: Connection, codes: Collection[str]) -> Sequence[ReportRow]:
    """Return the reports made at these tables or in these reviews, with their evidence."""
    rows = connection.execute(_reports_at, {"codes": list(codes)}) if codes else ()
    return [_whole(connection, row) for row in rows]


def next_open_report(connection: Connection, number: int) -> int:
    """Return the number of the oldest open report besides this one; 0 if there is none."""
    return connection.execute(_next_open, {"number": number}).scalar() or 0


def _in_list(connection: Connection, row: Any) -> ReportRow:
    return ReportRow(*row)._replace(evidence="", words=_words(connection, row))


def _words(connection: Connection, row: Any) -> str:
    if row.words is None:
        return ""
    return cipher_of_store(connection).decrypt(row.words, "words of report").decode()


def report(connection: Connection, number: int) -> ReportRow | None:
    """Return one report with its evidence, or None."""
    row = connection.execute(_report, {"number": number}).first()
    return None if row is None else _whole(connection, row)


def _whole(connection: Connection, row: Any) -> ReportRow:
    opened = cipher_of_store(connection).decrypt(row.evidence, "report").decode()
    return ReportRow(*row)._replace(evidence=opened, words=_words(connection, row))


def close_report(connection: Connection, number: int, closed: bool = True) -> bool:
    """Mark a report as closed or open; return False if there is none."""
    return bool(connection.execute(_close, {"number": number, "so": closed}).rowcount)


def drop_words(connection: Connection, _player: int) -> None:
    """Delete the reporters' words in reports by or about erased accounts."""
    connection.execute(_drop_words)


def drop_old_reports(connection: Connection, until: float) -> None:
    """Delete reports made at or before `until`."""
    connection.execute(_old_reports, {"until": until})


def _there(connection: Connection, statement: Any, me: int, other: int) -> bool:
    return connection.execute(statement, {"me": me, "other": other}).first() is not None


def part_from_blocked(connection: Connection, guest: int, other: int) -> None:
    """End friendships of a merged guest with players whom either account had blocked, or who had
    blocked either.
    """
    connection.execute(_part_from_blocked, {"other": other})
