"""Statements about friends, who would be one, blocks, and reports."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from kaboom.db.encryption import seal_of_store
from kaboom.db.models import accounts, asks, blocks, friends, parts, players, reports


class FriendRow(NamedTuple):
    """A friend; `present`: friends may see when they are here."""

    id: int
    name: str
    present: bool


class ReportRow(NamedTuple):
    """A report, opened: `evidence` is JSON; names are empty where somebody was forgotten."""

    id: int
    by: str
    about: str
    code: str
    reason: str
    evidence: str
    at: float
    closed: bool


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
_across = exists().where(blocks.c.from_id == asks.c.to_id, blocks.c.to_id == asks.c.from_id)
_asked_by = (
    select(players.c.id, players.c.name)
    .join(asks, asks.c.from_id == players.c.id)
    .where(asks.c.to_id == _me, ~_across)
    .order_by(asks.c.at)
    .limit(bindparam("most"))
)
_asked = select(asks.c.at).where(asks.c.from_id == _me, asks.c.to_id == _other)
_open_asks = select(func.count()).select_from(asks).where(asks.c.from_id == _me)
_ask = insert(asks)
_drop_ask = delete(asks).where(asks.c.from_id == _me, asks.c.to_id == _other)
_blocked = (
    select(players.c.id, players.c.name)
    .join(blocks, blocks.c.to_id == players.c.id)
    .where(blocks.c.from_id == _me)
    .order_by(blocks.c.at.desc())
    .limit(bindparam("most"))
)
_blocks = select(blocks.c.at).where(blocks.c.from_id == _me, blocks.c.to_id == _other)
_block = insert(blocks)
_unblock = delete(blocks).where(blocks.c.from_id == _me, blocks.c.to_id == _other)
_names = select(players.c.id, players.c.name).where(players.c.id.in_(bindparam("ids")))
_played = select(parts.c.seat, parts.c.player_id).where(parts.c.match_id == bindparam("match_id"))
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
    )
    .select_from(
        reports.outerjoin(_by, _by.c.id == reports.c.by_id).outerjoin(
            _about, _about.c.id == reports.c.about_id
        )
    )
    .order_by(reports.c.at.desc(), reports.c.id.desc())
)
_report = _reports.where(reports.c.id == bindparam("number"))
_close = update(reports).where(reports.c.id == bindparam("number")).values(closed=True)
_old_reports = delete(reports).where(reports.c.at <= bindparam("until"))


def friends_of(connection: Connection, me: int, most: int) -> Sequence[FriendRow]:
    """Return a player's friends by name."""
    rows = connection.execute(_friends, {"me": me, "most": most})
    return [FriendRow(row[0], row[1], bool(row[2])) for row in rows]


def are_friends(connection: Connection, me: int, other: int) -> bool:
    """Say whether two players are friends."""
    return _there(connection, _are_friends, me, other)


def befriend(connection: Connection, me: int, other: int, now: float) -> None:
    """Make two players friends; their requests to each other are gone."""
    if not are_friends(connection, me, other):
        for one, two in ((me, other), (other, me)):
            connection.execute(_befriend, {"player_id": one, "friend_id": two, "since": now})
    for one, two in ((me, other), (other, me)):
        drop_ask(connection, one, two)


def unfriend(connection: Connection, me: int, other: int) -> None:
    """Let two players be friends no longer."""
    connection.execute(_unfriend, {"me": me, "other": other})


def asked_by(connection: Connection, me: int, most: int) -> Sequence[tuple[int, str]]:
    """Return who would be a player's friend and is not blocked, the first who asked first."""
    return [(row[0], row[1]) for row in connection.execute(_asked_by, {"me": me, "most": most})]


def asked(connection: Connection, me: int, other: int) -> bool:
    """Say whether a player has asked another."""
    return _there(connection, _asked, me, other)


def open_asks(connection: Connection, me: int) -> int:
    """Return how many a player has asked who have not answered."""
    return connection.execute(_open_asks, {"me": me}).scalar() or 0


def ask(connection: Connection, me: int, other: int, now: float) -> None:
    """Note that a player would be another's friend."""
    connection.execute(_ask, {"from_id": me, "to_id": other, "at": now})


def drop_ask(connection: Connection, me: int, other: int) -> None:
    """Forget that a player asked another."""
    connection.execute(_drop_ask, {"me": me, "other": other})


def blocked_by(connection: Connection, me: int, most: int) -> Sequence[tuple[int, str]]:
    """Return the players somebody has blocked, the latest first."""
    return [(row[0], row[1]) for row in connection.execute(_blocked, {"me": me, "most": most})]


def blocks_player(connection: Connection, me: int, other: int) -> bool:
    """Say whether a player has blocked another."""
    return _there(connection, _blocks, me, other)


def block(connection: Connection, me: int, other: int, now: float) -> None:
    """Let a player block another: friendship ends, and so does what this one asked."""
    unfriend(connection, me, other)
    drop_ask(connection, me, other)
    if not blocks_player(connection, me, other):
        connection.execute(_block, {"from_id": me, "to_id": other, "at": now})


def unblock(connection: Connection, me: int, other: int) -> None:
    """Let a player block another no longer."""
    connection.execute(_unblock, {"me": me, "other": other})


def names(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return what players are called."""
    return {row[0]: row[1] for row in connection.execute(_names, {"ids": list(ids)})}


def played(connection: Connection, match_id: int) -> Sequence[tuple[int, int]]:
    """Return the seats of a match that people played, each with its player."""
    return [(row[0], row[1]) for row in connection.execute(_played, {"match_id": match_id})]


def add_report(connection: Connection, values: dict[str, Any]) -> None:
    """Store a report; its evidence is sealed."""
    sealed = seal_of_store(connection).close(values["evidence"].encode(), "report")
    connection.execute(_add_report, {**values, "evidence": sealed, "closed": False})


def reports_made(connection: Connection, me: int, since: float) -> int:
    """Return how many reports a player has made since then."""
    return connection.execute(_made, {"me": me, "since": since}).scalar() or 0


def all_reports(connection: Connection) -> Sequence[ReportRow]:
    """Return every report, the latest first, without its evidence."""
    return [ReportRow(*row)._replace(evidence="") for row in connection.execute(_reports)]


def report(connection: Connection, number: int) -> ReportRow | None:
    """Return one report with its evidence."""
    row = connection.execute(_report, {"number": number}).first()
    if row is None:
        return None
    found = ReportRow(*row)
    opened = seal_of_store(connection).open(row.evidence, "report").decode()
    return found._replace(evidence=opened)


def close_report(connection: Connection, number: int) -> bool:
    """Note that a report was dealt with; return whether there is one."""
    return bool(connection.execute(_close, {"number": number}).rowcount)


def drop_old_reports(connection: Connection, until: float) -> None:
    """Delete reports made before then."""
    connection.execute(_old_reports, {"until": until})


def _there(connection: Connection, statement: Any, me: int, other: int) -> bool:
    return connection.execute(statement, {"me": me, "other": other}).first() is not None
