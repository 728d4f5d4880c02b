"""Statements about tables, matches, moves and players; SQLAlchemy compiles each only once."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, func, insert, select, update

from kaboom.db.encryption import Seal, Unreadable, seal_of_store
from kaboom.db.fast_path import change, rows
from kaboom.db.ids import new_id
from kaboom.db.models import keys, matches, moves, parts, players, pulse, sittings, tables


class Pulse(NamedTuple):
    """When a worker last said that it was serving, and how much time had been given back by then.

    For what follows from it see kaboom.tables.clock.table_time.
    """

    beat_at: float  # seconds since 1970
    given_back: float  # seconds
    outages: int  # how often time was given back


class TableRow(NamedTuple):
    """A table as stored, opened, with seed, cuts and version of its match (None before the first)
    and the pulse (None before the first beat).

    Body and seed are empty if what is stored cannot be opened.
    """

    id: int
    code: str
    game: str
    match_id: int | None
    version: int
    body: bytes
    touched_at: float
    listed: bool
    password: str
    seed: bytes | None
    cuts: str | None
    game_version: int | None
    days: int  # for each decision; 0: it is not played over days
    pulse: Pulse | None


class Glance(NamedTuple):
    """What one small read says about a table and the person asking."""

    version: int
    player: int | None  # whose key it is
    name: str | None  # of the player
    let_in: bool  # everybody is, if there is no password
    chat: int  # lines of chat written and deleted
    pulse: Pulse | None


class MatchRow(NamedTuple):
    """A match as stored, opened; what is a list or more is JSON.

    `levels` is an empty list if no bot plays, and in matches older than levels; `drawn` is one if
    the seats were not drawn by lot. Spectators see all hands after `hands` minutes; 0: never.
    `board` is the label of the deal that other tables play, too, else empty.
    """

    id: int
    code: str
    table_id: int | None
    number: int
    game: str
    game_version: int
    options: str
    names: str
    seed: bytes
    cuts: str
    started_at: float
    ended_at: float | None
    outcome: str | None
    digest: str | None
    hidden: bool
    levels: str = "[]"
    drawn: str = "[]"
    hands: int = 0
    board: str = ""


class MoveRow(NamedTuple):
    """One line of the move log."""

    seq: int
    cmd: str
    text: str
    at: float
    chain: str


_code: Any = bindparam("code")
_key_hash: Any = bindparam("key_hash")

AT_ONCE = 8  # keys looked up by one statement

THE_PULSE = 1
_the_pulse = pulse.c.id == THE_PULSE
_beats = [pulse.c[name] for name in Pulse._fields]
_pulse = select(*_beats).where(_the_pulse)
_pulse_for_update = _pulse.with_for_update()
_first_beat = insert(pulse)
_beat = update(pulse).where(_the_pulse)
_table = (
    select(
        tables.c.id,
        tables.c.code,
        tables.c.game,
        tables.c.match_id,
        tables.c.version,
        tables.c.body,
        tables.c.touched_at,
        tables.c.listed,
        tables.c.password,
        matches.c.seed,
        matches.c.cuts,
        matches.c.game_version,
        tables.c.days,
        *_beats,
    )
    .select_from(
        tables.outerjoin(matches, matches.c.id == tables.c.match_id).outerjoin(pulse, _the_pulse)
    )
    .where(tables.c.code == _code)
)
_table_for_update = _table.with_for_update(of=tables)
_add_table = insert(tables)
_save_table = update(tables).where(tables.c.id == bindparam("table_id"))
_due = (
    select(tables.c.code)
    .where(tables.c.due_at <= bindparam("now"))
    .order_by(tables.c.due_at)
    .limit(bindparam("most"))
)
_next_due = select(func.min(tables.c.due_at))
_club_id = select(tables.c.club_id).where(tables.c.id == bindparam("at_table"))
_table_id = select(tables.c.id).where(tables.c.code == bindparam("code"))
_add_match = insert(matches)
_matches = select(*(matches.c[name] for name in MatchRow._fields))
_match = _matches.where(matches.c.id == bindparam("match_id"))
_add_part = insert(parts)
_add_move = insert(moves)
_move_by_cmd = select(moves.c.seq, moves.c.text).where(
    moves.c.match_id == bindparam("match_id"), moves.c.cmd == bindparam("cmd")
)
_log = (
    select(*(moves.c[name] for name in MoveRow._fields))
    .where(moves.c.match_id == bindparam("match_id"))
    .order_by(moves.c.seq)
)
_sitting = select(sittings.c.sat).where(
    sittings.c.player_id == bindparam("player_id"), sittings.c.table_id == bindparam("table_id")
)
_add_sitting = insert(sittings)
_sat_down = (
    update(sittings)
    .where(sittings.c.player_id == bindparam("who"), sittings.c.table_id == bindparam("where"))
    .values(sat=True)
)
_let_look = update(sittings).where(
    sittings.c.player_id == bindparam("who"), sittings.c.table_id == bindparam("where")
)
_hand_part = update(parts).where(
    parts.c.match_id == bindparam("match"), parts.c.seat == bindparam("chair")
)
_tables_by_days_of = (
    select(tables.c.code)
    .select_from(tables.join(sittings, sittings.c.table_id == tables.c.id))
    .where(sittings.c.player_id == bindparam("player_id"), sittings.c.sat, tables.c.days > 0)
)
_tables_of = (
    select(tables.c.code)
    .select_from(tables.join(sittings, sittings.c.table_id == tables.c.id))
    .where(sittings.c.player_id == bindparam("player_id"), sittings.c.sat)
    .order_by(tables.c.touched_at.desc())
    .limit(bindparam("most"))
)


def table(connection: Connection, code: str, lock: bool = False) -> TableRow | None:
    """Return the table with that code; with `lock` its row is held until the transaction ends."""
    found = rows(connection, _table_for_update if lock else _table, {"code": code})
    if not found:
        return None
    (row,) = found
    seal = seal_of_store(connection)
    sealed = TableRow._make([*row[: -len(_beats)], _beaten(row)])
    return sealed._replace(
        listed=bool(sealed.listed),
        body=opened(seal, sealed.body, "table"),
        seed=None if sealed.seed is None else opened(seal, sealed.seed, "seed"),
    )


def opened(seal: Seal, sealed: bytes, kind: str) -> bytes:
    """Return what was sealed, or nothing if it was damaged: the log may still have it all."""
    try:
        return seal.open(sealed, kind)
    except Unreadable:
        return b""


def glances(
    connection: Connection, code: str, key_hashes: Sequence[str]
) -> Sequence[Glance] | None:
    """Return the table with that code at a glance, for each of the players with these keys.

    None when there is no such table.
    """
    found: list[Glance] = []
    for start in range(0, len(key_hashes), AT_ONCE):
        asked = key_hashes[start : start + AT_ONCE]
        count = 1 if len(asked) == 1 else AT_ONCE
        values = {f"key_{n}": key for n, key in enumerate([*asked, *[""] * (count - len(asked))])}
        read = rows(connection, _glances(count), {"code": code, **values})
        if not read:
            return None
        known = {row[0]: row for row in read}
        if any(key and key not in known for key in asked):
            of_old = rows(connection, _glances(count, of_old=True), {"code": code, **values})
            known = {row[0]: row for row in of_old} | known
        version, chat, is_open = read[0][1:4]
        pulse = _beaten(read[0])
        for key in asked:
            player, name, has_sat = known[key][4:7] if key in known else (None, None, False)
            let_in = bool(is_open or has_sat)
            found.append(Glance(version, player, name, let_in, chat, pulse))
    return found


@cache
def _glances(count: int, of_old: bool = False) -> Select[Any]:
    """Return the statement for a glance with this many keys; unknown keys have no row.

    `of_old`: for keys made by a server of the last version, which knows only `players`.
    """
    key_hash = (players if of_old else keys).c.key_hash
    asked = key_hash.in_([bindparam(f"key_{n}") for n in range(count)])
    people = (
        tables.outerjoin(players, asked)
        if of_old
        else tables.outerjoin(keys, asked).outerjoin(players, players.c.id == keys.c.player_id)
    )
    return (
        select(
            key_hash,
            tables.c.version,
            tables.c.talk,
            tables.c.password == "",
            players.c.id,
            players.c.name,
            sittings.c.table_id.is_not(None),
            *_beats,
        )
        .select_from(
            people.outerjoin(
                sittings,
                and_(sittings.c.player_id == players.c.id, sittings.c.table_id == tables.c.id),
            ).outerjoin(pulse, _the_pulse)
        )
        .where(tables.c.code == _code)
    )


def _beaten(row: Any) -> Pulse | None:
    """Return the pulse at the end of a row."""
    beat_at, given_back, outages = row[-len(_beats) :]
    return None if beat_at is None else Pulse(beat_at, given_back, outages)


def pulse_now(connection: Connection, lock: bool = False) -> Pulse | None:
    """Return the pulse; with `lock` nobody else beats until the transaction ends."""
    row = connection.execute(_pulse_for_update if lock else _pulse).first()
    return None if row is None else Pulse(*row)


def save_pulse(connection: Connection, beaten: Pulse, first: bool) -> None:
    """Write the pulse; raises IntegrityError when it turns out not to be the first."""
    if first:
        connection.execute(_first_beat, {"id": THE_PULSE, **beaten._asdict()})
    else:
        connection.execute(_beat, beaten._asdict())


def add_table(connection: Connection, values: dict[str, Any]) -> int:
    """Store a new table; return its id."""
    sealed = {**values, "body": seal_of_store(connection).close(values["body"], "table")}
    return new_id(connection.execute(_add_table, sealed))


def save_table(connection: Connection, table_id: int, values: dict[str, Any]) -> None:
    """Write the changed columns of a table."""
    if "body" in values:
        values = {**values, "body": seal_of_store(connection).close(values["body"], "table")}
    change(connection, _save_table, {"table_id": table_id, **values})


def due(connection: Connection, now: float, most: int) -> list[str]:
    """Return the codes of tables whose clock has run out by then (table time), oldest first."""
    return [row[0] for row in connection.execute(_due, {"now": now, "most": most})]


def club_of(connection: Connection, table_id: int) -> int | None:
    """Return the id of the club a table belongs to."""
    found: int | None = connection.execute(_club_id, {"at_table": table_id}).scalar()
    return found


def table_id(connection: Connection, code: str) -> int | None:
    """Return the number of the table with that code, or None."""
    found: int | None = connection.execute(_table_id, {"code": code}).scalar()
    return found


def next_due(connection: Connection) -> float | None:
    """Return when the next clock of any table runs out, in table time."""
    soonest: float | None = connection.execute(_next_due).scalar()
    return soonest


def add_match(connection: Connection, values: dict[str, Any]) -> int:
    """Store a new match; return its id."""
    sealed = {**values, "seed": seal_of_store(connection).close(values["seed"], "seed")}
    return new_id(connection.execute(_add_match, sealed))


def add_part(connection: Connection, match_id: int, seat: int, player_id: int) -> None:
    """Note that a player plays a seat of a match."""
    connection.execute(_add_part, {"match_id": match_id, "seat": seat, "player_id": player_id})


def match(connection: Connection, match_id: int) -> MatchRow | None:
    """Return a match."""
    row = connection.execute(_match, {"match_id": match_id}).first()
    return None if row is None else opened_match(connection, row)


def opened_match(connection: Connection, row: Any) -> MatchRow:
    """Return a row of matches with its seed opened."""
    sealed = MatchRow(*row)
    return sealed._replace(seed=seal_of_store(connection).open(sealed.seed, "seed"))


def add_move(connection: Connection, values: dict[str, Any]) -> None:
    """Append a move; raises IntegrityError when its number or command id is taken."""
    sealed = seal_of_store(connection).close(values["text"].encode(), "move")
    change(connection, _add_move, {**values, "text": sealed})


def move_by_cmd(connection: Connection, match_id: int, cmd: str) -> tuple[int, str] | None:
    """Return number and text of the move that a command id has already made."""
    for number, sealed in rows(connection, _move_by_cmd, {"match_id": match_id, "cmd": cmd}):
        return number, seal_of_store(connection).open(sealed, "move").decode()
    return None


def log(connection: Connection, match_id: int) -> Sequence[MoveRow]:
    """Return the whole move log of a match, in order."""
    seal = seal_of_store(connection)
    rows = [MoveRow(*row) for row in connection.execute(_log, {"match_id": match_id})]
    return [row._replace(text=seal.open(row.text, "move").decode()) for row in rows]  # type: ignore[arg-type]


def sit(connection: Connection, player_id: int, table_id: int) -> None:
    """Note that a player sits at a table, so that it is listed among the player's own."""
    if let_in(connection, player_id, table_id, sat=True) is False:
        connection.execute(_sat_down, {"who": player_id, "where": table_id})


def let_in(connection: Connection, player_id: int, table_id: int, sat: bool = False) -> bool | None:
    """Note that a player may see a table; return whether the player had sat there (None: new)."""
    keys = {"player_id": player_id, "table_id": table_id}
    known = connection.execute(_sitting, keys).first()
    if known is None:
        connection.execute(_add_sitting, {**keys, "sat": sat})
        return None
    had_sat: bool = known[0]
    return had_sat


def let_look(connection: Connection, player_id: int, table_id: int) -> None:
    """Note that a player does not sit at a table any more, but may look."""
    connection.execute(_let_look, {"who": player_id, "where": table_id, "sat": False})


def move_part(connection: Connection, match_id: int, seat: int, player_id: int) -> None:
    """Note that another player takes over a seat of a match."""
    values = {"match": match_id, "chair": seat, "player_id": player_id}
    connection.execute(_hand_part, values)


def tables_of(connection: Connection, player_id: int, most: int) -> list[str]:
    """Return the codes of tables a player sat at, most recent first."""
    return [r[0] for r in connection.execute(_tables_of, {"player_id": player_id, "most": most})]


def tables_by_days_of(connection: Connection, player_id: int) -> list[str]:
    """Return the codes of tables a player sat at that are played over days."""
    return list(connection.execute(_tables_by_days_of, {"player_id": player_id}).scalars())
