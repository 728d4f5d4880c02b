"""SQL statements for hosts about tables and matches."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, or_, select

from kaboom.accounts.models import players
from kaboom.admin.models import host_acts
from kaboom.admin.queries import SAME
from kaboom.engine.codec import from_json, to_json
from kaboom.tables.models import match_players, matches, sittings, tables
from kaboom.tables.shared_deals import queries as shared_deals


class Wanted(NamedTuple):
    """What a host searches for: the code of a table or record, or part of a player's name. Players
    who used to have such a name (`former`, ids) match, too. Without a name, everything matches.
    """

    name: str = ""
    code: str = ""
    former: Collection[int] = ()


ALL = Wanted()


class MatchLine(NamedTuple):
    """A match in a list: its code or that of its table, and its players' names as JSON; `since` is
    when it began.
    """

    code: str
    game: str
    names: str
    at: float
    board: str = ""
    since: float = 0.0


def named(found: Sequence[MatchLine]) -> list[tuple[MatchLine, list[str]]]:
    """Return matches, each with the names of its players."""
    return [(it, from_json(it.names, list[str])) for it in found]


class OpenTable(NamedTuple):
    """A table without a running match, and the names of the players who sit or have sat at it."""

    code: str
    game: str
    at: float
    names: list[str]


def is_match(connection: Connection, code: str) -> bool:
    """Return True if a match has this code."""
    found = select(matches.c.id).where(matches.c.code == code)
    return connection.execute(found).first() is not None


def players_of_record(connection: Connection, code: str) -> Sequence[int]:
    """Return the ids of the players of the match whose record has this code."""
    of_match = match_players.join(matches, matches.c.id == match_players.c.match_id)
    found = select(match_players.c.player_id).select_from(of_match).where(matches.c.code == code)
    return list(connection.execute(found.distinct()).scalars())


def taken_out(connection: Connection, codes: Collection[str]) -> set[str]:
    """Return those of these matches that a host has taken out of the ratings."""
    found = select(host_acts.c.about).where(host_acts.c.act == "void")
    return set(connection.execute(found.where(host_acts.c.about.in_(codes))).scalars())


def still_played(connection: Connection, found: Sequence[MatchLine], now: float) -> set[str]:
    """Return the codes of those of these matches whose deals are still being played at other
    tables: they cannot be viewed yet.
    """
    labels = shared_deals.still_played(connection, {it.board for it in found if it.board}, now)
    return {it.code for it in found if it.board in labels}


def is_playing(connection: Connection, code: str) -> bool:
    """Return True if a match is running at the table with this code."""
    found = _running.where(tables.c.code == code).limit(1)
    return connection.execute(found).first() is not None


_running = (
    select(
        tables.c.code,
        tables.c.game,
        matches.c.names,
        tables.c.touched_at,
        matches.c.board,
        matches.c.started_at,
    )
    .join(matches, matches.c.id == tables.c.match_id)
    .where(matches.c.ended_at.is_(None))
    .order_by(tables.c.touched_at.desc(), tables.c.id)
)
_finished = (
    select(matches.c.code, matches.c.game, matches.c.names, matches.c.ended_at, matches.c.board)
    .where(matches.c.ended_at.is_not(None), ~matches.c.hidden)
    .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
)
_waiting = (
    select(tables.c.id, tables.c.code, tables.c.game, tables.c.touched_at)
    .outerjoin(matches, matches.c.id == tables.c.match_id)
    .where(matches.c.id.is_(None) | matches.c.ended_at.is_not(None))
    .order_by(tables.c.touched_at.desc(), tables.c.id)
)


def running(
    connection: Connection, most: int, wanted: Wanted = ALL, first: int = 0
) -> tuple[Sequence[MatchLine], int]:
    """Return the matches being played, with the codes of their tables and the times of last use,
    the last used first, and how many there are in all.
    """
    rows, count = _part(connection, _running, _of_matches(wanted, tables.c.code), most, first)
    return [MatchLine(*row) for row in rows], count


def finished(
    connection: Connection, most: int, wanted: Wanted = ALL, first: int = 0
) -> tuple[Sequence[MatchLine], int]:
    """Return the finished matches, except hidden ones, with the times they ended, the latest first,
    and how many there are in all.
    """
    rows, count = _part(connection, _finished, _of_matches(wanted), most, first)
    return [MatchLine(*row) for row in rows], count


def waiting(
    connection: Connection, most: int, wanted: Wanted = ALL, first: int = 0
) -> tuple[Sequence[OpenTable], int]:
    """Return the tables in the lobby at which no match is running, the last used first, and how
    many there are in all. A table outside the lobby is found by its code only.
    """
    listed: Any = tables.c.listed
    if wanted.name:
        sat = select(sittings.c.table_id).where(
            sittings.c.player_id.in_(_named(wanted)), sittings.c.sat
        )
        listed = (listed & tables.c.id.in_(sat)) | (tables.c.code == wanted.code)
    rows, count = _part(connection, _waiting, listed, most, first)
    return _with_names(connection, rows), count


def _with_names(connection: Connection, rows: Sequence[Any]) -> list[OpenTable]:
    """Return tables with the names of the players who sit or have sat there."""
    seated = (
        select(sittings.c.table_id, players.c.name)
        .join(players, players.c.id == sittings.c.player_id)
        .where(sittings.c.table_id.in_([row.id for row in rows]), sittings.c.sat)
        .order_by(players.c.id)
    )
    names: dict[int, list[str]] = {}
    for table, name in connection.execute(seated):
        names.setdefault(table, []).append(name)
    return [OpenTable(row.code, row.game, row.touched_at, names.get(row.id, [])) for row in rows]


def _part(
    connection: Connection, found: Select[Any], where: Any, most: int, first: int
) -> tuple[Sequence[Any], int]:
    """Return up to `most` rows of a list, from number `first` on, and how many it has in all."""
    these = found if where is None else found.where(where)
    rows = connection.execute(these.limit(most).offset(first)).all()
    if not first and len(rows) < most:
        return rows, len(rows)
    whole = select(func.count()).select_from(these.order_by(None).subquery())
    return rows, int(connection.execute(whole).scalar() or 0)


def _named(wanted: Wanted) -> Select[Any]:
    """Return a query for the players with a name."""
    # LIKE ignores case only in English letters, so this does, too.
    named = func.lower(players.c.name).contains(wanted.name.lower(), autoescape=True)
    return select(players.c.id).where(named | players.c.id.in_(wanted.former))


def _of_matches(wanted: Wanted, *codes: Any) -> Any:
    """Return the condition that a match is wanted; None if all are."""
    if not wanted.name:
        return None
    played = select(match_players.c.match_id).where(match_players.c.player_id.in_(_named(wanted)))
    within = to_json(wanted.name.lower()).decode()[1:-1]
    seated = func.lower(matches.c.names).contains(within, autoescape=True)
    by_code = [it == wanted.code for it in (matches.c.code, *codes)]
    return or_(seated, matches.c.id.in_(played), *by_code)


def ended_by(connection: Connection, codes: Collection[str]) -> dict[str, str]:
    """Return the hosts who ended these matches, by the codes of the matches; only those whose
    tables still exist.
    """
    found = (
        select(matches.c.code, host_acts.c.host)
        .join(tables, tables.c.id == matches.c.table_id)
        .join(host_acts, host_acts.c.about == tables.c.code)
        .where(matches.c.code.in_(codes), host_acts.c.act == "end table")
        .where(func.abs(host_acts.c.at - matches.c.ended_at) < SAME)
    )
    return {row[0]: row[1] for row in connection.execute(found)}


def last_matches(connection: Connection, player: int, most: int) -> Sequence[MatchLine]:
    """Return a player's last finished matches, except hidden ones, with the times they ended."""
    found = _finished.join(match_players, match_players.c.match_id == matches.c.id)
    theirs = found.where(match_players.c.player_id == player)
    return [MatchLine(*row) for row in connection.execute(theirs.limit(most))]


def playing(connection: Connection, player: int, most: int) -> Sequence[MatchLine]:
    """Return the running matches at the tables where a player sits or has sat, the last used
    first.
    """
    found = _running.join(sittings, sittings.c.table_id == tables.c.id)
    theirs = found.where(sittings.c.player_id == player, sittings.c.sat)
    return [MatchLine(*row) for row in connection.execute(theirs.limit(most))]


def last_tables(connection: Connection, player: int, most: int) -> Sequence[OpenTable]:
    """Return the tables without a running match at which a player sits or has sat, the last used
    first.
    """
    sat = select(sittings.c.table_id).where(sittings.c.player_id == player, sittings.c.sat)
    rows = connection.execute(_waiting.where(tables.c.id.in_(sat)).limit(most)).all()
    return _with_names(connection, rows)
