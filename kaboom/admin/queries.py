"""SQL statements for hosts, their acts and sanctions. Acts are only added and read."""

import re
from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    update,
)

from kaboom.accounts import session_queries
from kaboom.accounts.models import keys, players
from kaboom.accounts.player_queries import NO_KEY
from kaboom.admin.models import (
    host_acts,
    keys_set_aside,
    sanctions,
    server_hosts,
    server_notices,
)
from kaboom.db.times import DAY
from kaboom.notifications.models import notifications
from kaboom.review.models import remarks, reviews
from kaboom.social.chat.models import chat_messages
from kaboom.social.friends.models import reports
from kaboom.tables.models import match_players, matches, tables

# How an act names a player: after a message by them, before a new name, or alone. Only the kind of
# act tells which, because a name may look like any of these.
MESSAGE = re.compile(r"(?P<code>[A-Z0-9]+) \d+ by (?P<name>.*) \((?P<player>\d+)\)")
RENAMED = re.compile(r"(?P<name>.*) \((?P<player>\d+)\) → (?P<new>.*)")
NAMED = re.compile(r"(?P<name>.*) \((?P<player>\d+)\)")
# How the acts begin that give a sanction or change its end.
CHANGING = ("mute", "out", "longer", "shorter", "change")
SAME = 5.0  # seconds at most between an act and what it has changed


class Act(NamedTuple):
    """An act of a host: when (seconds since 1970), on what, and why."""

    at: float
    host: str
    act: str
    about: str
    why: str

    @property
    def named(self) -> re.Match[str] | None:
        """Return how the act names a player: the `name`, their number (`player`) and, depending on
        the act, the `code` of the table or the `new` name; None if it names none.
        """
        pattern = {"delete line": MESSAGE, "rename": RENAMED}.get(self.act, NAMED)
        return pattern.fullmatch(self.about)

    @property
    def player(self) -> int:
        """Return the player whom the act names; 0 if it names none."""
        return int(self.named["player"]) if self.named else 0


class Sanction(NamedTuple):
    """A sanction against a player; `until` is 0 if it is only a message."""

    id: int
    player: int
    kind: str
    why: str
    at: float
    until: float
    read: bool
    address: str


def is_host(connection: Connection, player: int) -> bool:
    """Return True if a player hosts this server."""
    found = select(server_hosts.c.player_id).where(server_hosts.c.player_id == player)
    return connection.execute(found).first() is not None


def hosts(connection: Connection) -> Sequence[tuple[int, str]]:
    """Return the id and name of every host."""
    joined = server_hosts.join(players, players.c.id == server_hosts.c.player_id)
    found = select(players.c.id, players.c.name).select_from(joined).order_by(server_hosts.c.since)
    return [(row[0], row[1]) for row in connection.execute(found)]


def times_of_hosts(connection: Connection) -> dict[int, tuple[float, float]]:
    """Return since when each host has been one, and when they were last active, by player id."""
    joined = server_hosts.join(players, players.c.id == server_hosts.c.player_id)
    found = select(players.c.id, server_hosts.c.since, players.c.acted_at).select_from(joined)
    return {row[0]: (row[1], row[2]) for row in connection.execute(found)}


def numbered(player: int, name: str) -> str:
    """Return a player's name with their number."""
    return f"{name} ({player})"


def signature(connection: Connection, player: int, name: str) -> str:
    """Return the name under which the acts of a host are listed: with their number if another host
    has the same name.
    """
    others = {it.lower() for who, it in hosts(connection) if who != player}
    return numbered(player, name) if name.lower() in others else name


_ids_of_hosts = select(server_hosts.c.player_id)


def ids_of_hosts(connection: Connection) -> set[int]:
    """Return the ids of all hosts."""
    return set(connection.execute(_ids_of_hosts).scalars())


def lock_hosts(connection: Connection) -> list[int]:
    """Return the ids of all hosts; none of them can be removed before the transaction ends."""
    return list(connection.execute(_ids_of_hosts.with_for_update()).scalars())


def add_host(connection: Connection, player: int, now: float) -> None:
    """Make a player a host of this server."""
    if not is_host(connection, player):
        connection.execute(insert(server_hosts), {"player_id": player, "since": now})


def remove_host(connection: Connection, player: int) -> bool:
    """Remove a host; return False if the player was not one."""
    gone = connection.execute(delete(server_hosts).where(server_hosts.c.player_id == player))
    return bool(gone.rowcount)


def add_act(connection: Connection, act: Act) -> None:
    """Append an act to the list."""
    connection.execute(insert(host_acts), act._asdict())


_acts = select(*(host_acts.c[name] for name in Act._fields)).order_by(host_acts.c.id.desc())


def acts(
    connection: Connection,
    most: int | None,
    by: Collection[str] = (),
    kinds: Collection[str] = (),
    first: int = 0,
    since: float = 0.0,
    until: float = inf,
) -> Sequence[Act]:
    """Return the latest acts after the `first` ones, newest first, or all if `most` is None; if
    given, only those from `since` on and before `until`, by hosts with these names, and of these
    kinds.
    """
    found = _acts.where(host_acts.c.at >= since) if since else _acts
    found = found.where(host_acts.c.at < until) if until < inf else found
    found = found.where(host_acts.c.host.in_(by)) if by else found
    if kinds:
        whole = host_acts.c.act + literal(" ")
        found = found.where(or_(*(whole.startswith(f"{it} ", autoescape=True) for it in kinds)))
    return [Act(*row) for row in connection.execute(found.limit(most).offset(first))]


def acts_of_notice(connection: Connection, kind: str, most: int) -> Sequence[Act]:
    """Return the latest acts that have set or removed a notice of this kind, newest first."""
    these = host_acts.c.act.in_(["say", "unsay"]) & (host_acts.c.about == kind)
    return [Act(*row) for row in connection.execute(_acts.where(these).limit(most))]


def acts_on(connection: Connection, player: int, reports: Collection[int]) -> Sequence[Act]:
    """Return the acts about a player and about these reports, newest first."""
    exactly = [f"player {player}", *(f"report {it}" for it in reports)]
    named = host_acts.c.about.contains(f" ({player})", autoescape=True)
    rows = connection.execute(_acts.where(named | host_acts.c.about.in_(exactly)))
    return [it for it in (Act(*row) for row in rows) if it.about in exactly or it.player == player]


def sanctioning(connection: Connection, since: float) -> Sequence[Act]:
    """Return the acts since then that gave a sanction or changed when one ends, newest first."""
    return acts(connection, None, kinds=CHANGING, since=since - SAME)


def acting(connection: Connection) -> Sequence[str]:
    """Return the names of all hosts in the list of acts."""
    return list(connection.execute(select(host_acts.c.host).distinct()).scalars())


def _renamings(connection: Connection, part: str) -> list[tuple[float, int, str]]:
    """Return the time, player and former name of each renaming by a host, oldest first. Giving back
    a name undoes the renamings since it was taken, which are left out.
    """
    wanted = func.lower(host_acts.c.about).contains(part.lower(), autoescape=True)
    found = select(host_acts.c.at, host_acts.c.about).where(host_acts.c.act == "rename", wanted)
    parted = (
        (at, RENAMED.match(about))
        for at, about in connection.execute(found.order_by(host_acts.c.id))
    )
    left: list[tuple[float, int, str]] = []
    for at, it in parted:
        if it is None:
            continue
        player = int(it["player"])
        own = [old for _at, who, old in left if who == player]
        if it["new"] in own:
            since = own[own.index(it["new"]) :]
            left = [its for its in left if its[1] != player or its[2] not in since]
        else:
            left.append((at, player, it["name"]))
    return left


def former_names(connection: Connection, player: int) -> list[tuple[float, str]]:
    """Return the names that hosts have taken from a player, each after its time, oldest first."""
    found = _renamings(connection, f" ({player}) ")
    return [(at, old) for at, who, old in found if who == player]


def all_former_names(connection: Connection) -> dict[int, list[str]]:
    """Return the names that hosts have taken from players, oldest first, by player id."""
    found: dict[int, list[str]] = {}
    for _at, player, old in _renamings(connection, ""):
        found.setdefault(player, []).append(old)
    return found


def taken_names(connection: Connection, search: str) -> dict[int, str]:
    """Return the last name containing `search` that hosts have taken from each player, by player
    id.
    """
    found = _renamings(connection, search) if search else []
    return {who: old for _at, who, old in found if search.lower() in old.lower()}


def place_of(connection: Connection, code: str) -> tuple[str, str]:
    """Return the place where a report was made: "table" and its code, "review" and the code of its
    match, or two empty strings if it was deleted.
    """
    if connection.execute(select(tables.c.id).where(tables.c.code == code)).first():
        return "table", code
    found = select(matches.c.code).join(reviews, reviews.c.match_id == matches.c.id)
    match = connection.execute(found.where(reviews.c.code == code)).scalar()
    return ("review", match) if match else ("", "")


def size_of_backup(connection: Connection) -> int:
    """Return the size of the last backup in bytes; 0 if it is unknown."""
    found = select(host_acts.c.about).where(host_acts.c.act == "backup")
    about = connection.execute(found.order_by(host_acts.c.id.desc()).limit(1)).scalar() or ""
    size = about.partition(" ")[0]
    return int(size) if size.isdecimal() else 0


def last_backup(connection: Connection) -> float | None:
    """Return when the last backup was made (seconds since 1970), or None."""
    found = select(func.max(host_acts.c.at)).where(host_acts.c.act == "backup")
    at: float | None = connection.execute(found).scalar()
    return at


class Message(NamedTuple):
    """A stored message: a line of a chat, or a remark in a review, which is about a step of a
    match, seen by a seat.
    """

    id: int
    author: int | None
    text: str
    at: float
    name: str
    step: int | None
    eyes: str


def messages_at(connection: Connection, code: str, texts: Collection[str]) -> Sequence[Message]:
    """Return the messages at a table or in a review that have one of these texts: those in a report
    that have not been deleted.
    """
    said = (
        select(
            chat_messages.c.id,
            chat_messages.c.player_id,
            chat_messages.c.text,
            chat_messages.c.at,
            chat_messages.c.name,
            null().label("step"),
            literal("").label("eyes"),
        )
        .join(tables, tables.c.id == chat_messages.c.table_id)
        .where(tables.c.code == code)
    )
    remarked = (
        select(
            remarks.c.id,
            remarks.c.player_id,
            remarks.c.text,
            remarks.c.at,
            remarks.c.name,
            remarks.c.step,
            remarks.c.eyes,
        )
        .join(reviews, reviews.c.id == remarks.c.review_id)
        .where(reviews.c.code == code)
    )
    found = connection.execute(said.union_all(remarked))
    return [it for it in (Message(*row) for row in found) if it.text and it.text in texts]


def reviews_of(connection: Connection, code: str) -> Sequence[str]:
    """Return the codes of the reviews of a match."""
    found = select(reviews.c.code).join(matches, matches.c.id == reviews.c.match_id)
    return list(connection.execute(found.where(matches.c.code == code)).scalars())


def name_of(connection: Connection, player: int) -> str | None:
    """Return the name of the player with this id, or None."""
    name: str | None = connection.execute(
        select(players.c.name).where(players.c.id == player)
    ).scalar()
    return name


def namesake(connection: Connection, name: str, player: int) -> int | None:
    """Return the id of another player with this name, or None."""
    named = func.lower(players.c.name) == name.lower()
    found = select(players.c.id).where(named, players.c.id != player).limit(1)
    number: int | None = connection.execute(found).scalar()
    return number


def acted(connection: Connection, player: int) -> float:
    """Return when a player was last active (seconds since 1970); 0 if there is no such player."""
    found = connection.execute(select(players.c.acted_at).where(players.c.id == player)).scalar()
    return float(found or 0)


class Person(NamedTuple):
    """A player as hosts see them, with the times they joined and last acted."""

    id: int
    name: str
    since: float
    acted: float


_person = select(players.c.id, players.c.name, players.c.created_at, players.c.acted_at)


def people(
    connection: Connection, search: str, most: int, among: Collection[int] | None = None
) -> Sequence[Person]:
    """Return the players whose number is `search`, or whose name, present or taken by a host,
    contains it, most recently active first; only those `among` these, if given.
    """
    found = _person.where(players.c.name != "").order_by(players.c.acted_at.desc(), players.c.id)
    if among is not None:
        found = found.where(players.c.id.in_(among))
    if search:
        # LIKE ignores case only in ASCII letters, so this does, too.
        named = func.lower(players.c.name).contains(search.lower(), autoescape=True)
        by_number = search.isascii() and search.isdigit() and len(search) < 16
        formerly = taken_names(connection, search)
        wanted = named | players.c.id.in_(formerly) if formerly else named
        found = found.where(wanted | (players.c.id == int(search)) if by_number else wanted)
    return [Person(*row) for row in connection.execute(found.limit(most))]


def person(connection: Connection, player: int) -> Person | None:
    """Return the player with that id, or None if they do not exist or have no name."""
    row = connection.execute(_person.where(players.c.id == player, players.c.name != "")).first()
    return None if row is None else Person(*row)


_sanctions = select(*(sanctions.c["player_id" if n == "player" else n] for n in Sanction._fields))


def sanctions_of(connection: Connection, player: int) -> Sequence[Sanction]:
    """Return all sanctions against a player, and the messages to them, newest first."""
    found = _sanctions.where(sanctions.c.player_id == player).order_by(sanctions.c.id.desc())
    return [Sanction(*row) for row in connection.execute(found)]


class ReportLine(NamedTuple):
    """A report about a player, as listed."""

    id: int
    reason: str
    at: float
    closed: bool


_report_lines = select(*(reports.c[name] for name in ReportLine._fields)).order_by(
    reports.c.id.desc()
)


def reports_about(connection: Connection, player: int) -> Sequence[ReportLine]:
    """Return the reports about a player, newest first."""
    these = _report_lines.where(reports.c.about_id == player)
    return [ReportLine(*row) for row in connection.execute(these)]


def closed_reports(connection: Connection, numbers: Collection[int]) -> set[int]:
    """Return those of these reports that are closed."""
    found = select(reports.c.id).where(reports.c.id.in_(numbers), reports.c.closed)
    return set(connection.execute(found).scalars())


def reports_by(connection: Connection, player: int) -> Sequence[ReportLine]:
    """Return the reports that a player has made, newest first."""
    these = _report_lines.where(reports.c.by_id == player)
    return [ReportLine(*row) for row in connection.execute(these)]


def open_reports(connection: Connection) -> int:
    """Return the number of open reports."""
    found = select(func.count()).select_from(reports).where(reports.c.closed.is_(False))
    return int(connection.execute(found).scalar() or 0)


class Mark(NamedTuple):
    """A mark that hosts see beside a player: host, muted, banned or reported, and the sanction
    that is the reason for it.
    """

    word: str
    sanction: Sanction | None = None


def marks(connection: Connection, now: float) -> dict[int, list[Mark]]:
    """Return the marks that hosts see beside players."""
    found: dict[int, list[Mark]] = {}
    for player in ids_of_hosts(connection):
        found.setdefault(player, []).append(Mark("host"))
    words = {"mute": "muted", "out": "banned"}
    for it in all_in_force(connection, now):
        found.setdefault(it.player, []).append(Mark(words[it.kind], it))
    reported = select(reports.c.about_id).where(
        reports.c.closed.is_(False), reports.c.about_id.is_not(None)
    )
    for player in connection.execute(reported.distinct()).scalars():
        found.setdefault(player, []).append(Mark("reported"))
    return found


def by_day(connection: Connection, now: float, days: int) -> tuple[list[int], list[int]]:
    """Return the numbers of matches ended and backups made on each of the last days, oldest
    first."""
    return (
        _counted(connection, matches.c.ended_at, now, days),
        _counted(connection, host_acts.c.at, now, days, host_acts.c.act == "backup"),
    )


def _counted(
    connection: Connection,
    column: Column[float],
    now: float,
    days: int,
    *where: ColumnElement[bool],
) -> list[int]:
    """Return how many of a column's times fall on each of the last days, oldest first."""
    since = now - days * DAY
    day = func.round((column - since) / DAY + 0.5).label("day")  # from 1
    found = select(day, func.count()).where(column > since, *where).group_by(day)
    counts = [0] * days
    for number, count in connection.execute(found):
        counts[min(days, int(number)) - 1] += count
    return counts


def add_sanction(connection: Connection, values: Mapping[str, Any]) -> None:
    """Store a sanction."""
    connection.execute(insert(sanctions), {"read": False, "address": "", **values})


# Built once, because every request in a test, and one request a second on a server, executes them.
_holding = _sanctions.where(
    (sanctions.c.until > bindparam("now")) | sanctions.c.read.is_(False)
).order_by(sanctions.c.id)
_in_force = _sanctions.where(sanctions.c.until > bindparam("now")).order_by(sanctions.c.id)
_notices = select(server_notices.c.kind, server_notices.c.text)


def holding(connection: Connection, now: float) -> Sequence[Sanction]:
    """Return the sanctions in force and those the player has not read yet."""
    return [Sanction(*row) for row in connection.execute(_holding, {"now": now})]


def all_in_force(connection: Connection, now: float) -> Sequence[Sanction]:
    """Return the sanctions in force, oldest first."""
    return [Sanction(*row) for row in connection.execute(_in_force, {"now": now})]


def in_force(connection: Connection, number: int, now: float) -> Sanction | None:
    """Return the sanction with this number if it is in force, else None. Its row stays locked until
    the transaction ends.
    """
    found = _sanctions.where(sanctions.c.id == number, sanctions.c.until > now)
    row = connection.execute(found.with_for_update()).first()
    return None if row is None else Sanction(*row)


def set_address(connection: Connection, number: int, address: str) -> None:
    """Set the IP address that a sanction blocks: "?" for that of the player's next request, "" for
    none.
    """
    these = update(sanctions).where(sanctions.c.id == number)
    connection.execute(these.values(address=address))


class MatchOf(NamedTuple):
    """The match that a message to a player is about: its game, its code or that of its table, and
    its players' names as JSON.
    """

    game: str
    code: str
    names: str


def _matches_of(act: str, code: Column[str]) -> Select[Any]:
    """Return a query for the matches of messages about acts of this kind, which name the code."""
    same = (host_acts.c.why == sanctions.c.why) & (func.abs(host_acts.c.at - sanctions.c.at) < SAME)
    return (
        select(sanctions.c.id, matches.c.game, code, matches.c.names)
        .select_from(sanctions.join(host_acts, same & (host_acts.c.act == act)))
        .join(match_players, match_players.c.player_id == sanctions.c.player_id)
        .join(matches, matches.c.id == match_players.c.match_id)
        .outerjoin(tables, tables.c.id == matches.c.table_id)
        .where(code == host_acts.c.about)
    )


_ended = _matches_of("end table", tables.c.code).where(
    func.abs(matches.c.ended_at - host_acts.c.at) < SAME
)
_voided = _matches_of("void", matches.c.code)


def matches_of(connection: Connection, its: Sequence[Sanction]) -> dict[int, MatchOf]:
    """Return the matches that messages to players are about, by the ids of the messages: those that
    a host has ended at a table that still exists, or has taken out of the ratings.
    """
    rows = [
        row
        for kind, statement in (("ended", _ended), ("void", _voided))
        if (ids := [it.id for it in its if it.kind == kind])
        for row in connection.execute(statement.where(sanctions.c.id.in_(ids)))
    ]
    return {row[0]: MatchOf(*row[1:]) for row in rows}


def set_end(connection: Connection, number: int, until: float) -> None:
    """Let a sanction end at another time."""
    connection.execute(update(sanctions).where(sanctions.c.id == number).values(until=until))


def is_sanctioned(connection: Connection, player: int, kind: str, now: float) -> bool:
    """Return True if a sanction of this kind is in force against a player."""
    own = (sanctions.c.player_id == player) & (sanctions.c.kind == kind)
    found = select(sanctions.c.id).where(own & (sanctions.c.until > now))
    return connection.execute(found).first() is not None


def over(connection: Connection, now: float) -> Sequence[int]:
    """Return the ids of the players whose keys are disabled although they are no longer banned."""
    out = select(sanctions.c.player_id).where(sanctions.c.kind == "out", sanctions.c.until > now)
    found = select(keys_set_aside.c.player_id).where(keys_set_aside.c.player_id.not_in(out))
    return [row[0] for row in connection.execute(found.distinct())]


def set_read(connection: Connection, player: int, kinds: Collection[str] = ()) -> int:
    """Mark a player's unread messages from the host as read, and return their number; only those of
    these kinds, if given.
    """
    unread = (sanctions.c.player_id == player) & sanctions.c.read.is_(False)
    own = update(sanctions).where(unread).values(read=True)
    return connection.execute(own.where(sanctions.c.kind.in_(kinds)) if kinds else own).rowcount


def keep_address(connection: Connection, sanction: int, address: str) -> None:
    """Store the hash of the IP address that a sanction blocks."""
    these = (sanctions.c.id == sanction) & (sanctions.c.address == "?")
    connection.execute(update(sanctions).where(these).values(address=address))


def set_keys_aside(connection: Connection, player: int) -> None:
    """Disable the keys of a player's browsers until `give_keys_back`."""
    old = connection.execute(select(players.c.key_hash).where(players.c.id == player)).scalar()
    rows = [
        {"key_hash": it.key_hash, "device": it.device, "made_day": it.made_day}
        for it in session_queries.of_player(connection, player)
    ]
    if old and not old.startswith(NO_KEY) and old not in (it["key_hash"] for it in rows):
        rows.append({"key_hash": old, "device": "", "made_day": 0})
    for row in rows:
        connection.execute(insert(keys_set_aside), row | {"player_id": player})
    session_queries.sign_all_out(connection, player)


def give_keys_back(connection: Connection, player: int, now: float) -> None:
    """Enable the keys of a player's browsers again."""
    these = keys_set_aside.c.player_id == player
    found = connection.execute(select(keys_set_aside).where(these)).all()
    for row in found:
        values = {"key_hash": row.key_hash, "player_id": player, "device": row.device}
        connection.execute(
            insert(keys), values | {"made_day": row.made_day, "seen_day": int(now // DAY)}
        )
    connection.execute(delete(keys_set_aside).where(these))


def set_aside(connection: Connection) -> dict[str, int]:
    """Return the ids of the players whose keys are disabled, by the hash of each key."""
    found = select(keys_set_aside.c.key_hash, keys_set_aside.c.player_id)
    return {row[0]: row[1] for row in connection.execute(found)}


def notices(connection: Connection) -> dict[str, str]:
    """Return the host's notices by kind."""
    return {row[0]: row[1] for row in connection.execute(_notices)}


def set_notice(connection: Connection, kind: str, text: str) -> None:
    """Set a notice; an empty string removes it."""
    connection.execute(delete(server_notices).where(server_notices.c.kind == kind))
    if text:
        connection.execute(insert(server_notices), {"kind": kind, "text": text})


def figures(connection: Connection, now: float) -> dict[str, int]:
    """Return the numbers of tables, people and notifications, and the size of the data in bytes."""
    with_match = tables.outerjoin(matches, matches.c.id == tables.c.match_id)
    counted = select(func.count(), func.count(matches.c.id), func.count(matches.c.ended_at))
    every, matched, over = connection.execute(counted.select_from(with_match)).one()
    in_last_hour = func.count().filter(players.c.acted_at > now - 3600)
    acted = select(in_last_hour, func.count()).where(players.c.acted_at > now - DAY)
    hour, day = connection.execute(acted).one()
    queue = connection.execute(select(func.count()).select_from(notifications)).scalar_one()
    if connection.dialect.name == "sqlite":
        used = _pragma(connection, "page_count") * _pragma(connection, "page_size")
    else:
        size = select(func.pg_database_size(func.current_database()))
        used = connection.execute(size).scalar_one()
    return {
        "tables": every,
        "playing": matched - over,
        "over": over,
        "hour": hour,
        "day": day,
        "queue": queue,
        "bytes": used,
    }


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
