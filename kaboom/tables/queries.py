"""SQL statements about tables, matches, moves and players. SQLAlchemy compiles each only once."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, func, insert, select, update

from kaboom.accounts.models import keys, players
from kaboom.db.encryption import Cipher, Unreadable, cipher_of_store
from kaboom.db.fast_path import change, rows
from kaboom.db.ids import new_id
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import Origin, begun
from kaboom.engine.engine import Step
from kaboom.engine.fairness.commitment import match_key
from kaboom.engine.game import Game
from kaboom.tables.models import heartbeats, match_players, matches, moves, sittings, tables


class Pulse(NamedTuple):
    """The last heartbeat of any worker, and the total duration of outages until then.

    kaboom.tables.clock.table_time derives table time from it.
    """

    beat_at: float  # seconds since 1970
    given_back: float  # seconds
    outages: int  # number of outages


class TableRow(NamedTuple):
    """A stored table, decrypted, with the seed, cuts and version of its match (None before the
    first) and the pulse (None before the first heartbeat). The body and the seed are empty if they
    cannot be decrypted.
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
    days: int  # days for each decision; 0: live play
    pulse: Pulse | None


class TableHead(NamedTuple):
    """The version of a table and the rights of a viewer, from one small query."""

    version: int
    player: int | None  # id of the key's owner
    name: str | None  # of the player
    let_in: bool  # always True without a password
    chat: int  # lines of chat written and deleted
    pulse: Pulse | None


class MatchRow(NamedTuple):
    """A stored match, decrypted; lists and objects are JSON strings.

    `levels` is an empty list without bots, and in matches from before there were levels; `drawn` is
    empty unless the seats were drawn by lot. Spectators see all hands after `hands` minutes; 0:
    never. `board` is the label of a shared deal, otherwise empty. `origin` is the step from which
    the match continues, None for a match that was dealt.
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
    origin: Origin | None = None

    @property
    def key(self) -> bytes:
        """Return the key from which all random draws of the match are derived."""
        return match_key(self.seed, from_json(self.cuts, list))

    def begun(self, game: Game[Any]) -> Step[Any]:
        """Return the first state of the match (kaboom.engine.continued_match.begun)."""
        seats, options = len(from_json(self.names, list)), from_json(self.options, game.options)
        return begun(game, seats, options, self.key, bool(self.board), self.origin)


class MoveRow(NamedTuple):
    """One line of the move log."""

    seq: int
    cmd: str
    text: str
    at: float
    chain: str


_code: Any = bindparam("code")

AT_ONCE = 8  # maximum number of keys in one statement

THE_PULSE = 1
_the_pulse = heartbeats.c.id == THE_PULSE
_beats = [heartbeats.c[name] for name in Pulse._fields]
_pulse = select(*_beats).where(_the_pulse)
_pulse_for_update = _pulse.with_for_update()
_first_beat = insert(heartbeats)
_beat = update(heartbeats).where(_the_pulse)
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
        tables.outerjoin(matches, matches.c.id == tables.c.match_id).outerjoin(
            heartbeats, _the_pulse
        )
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
_put_off = (
    update(tables)
    .where(tables.c.code == bindparam("at"), tables.c.due_at <= bindparam("now"))
    .values(due_at=bindparam("later"))
)
_next_due = select(func.min(tables.c.due_at))
_club_id = select(tables.c.club_id).where(tables.c.id == bindparam("at_table"))
_table_id = select(tables.c.id).where(tables.c.code == bindparam("code"))
_add_match = insert(matches)
_matches = select(*(matches.c[name] for name in MatchRow._fields))
_match = _matches.where(matches.c.id == bindparam("match_id"))
_add_part = insert(match_players)
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
_note_sitting = update(sittings).where(
    sittings.c.player_id == bindparam("who"), sittings.c.table_id == bindparam("where")
)
_hand_part = update(match_players).where(
    match_players.c.match_id == bindparam("match"), match_players.c.seat == bindparam("chair")
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
_known_at = (
    select(tables.c.code)
    .join(sittings, sittings.c.table_id == tables.c.id)
    .where(sittings.c.player_id == bindparam("player_id"))
)
_sits = select(sittings.c.table_id).where(
    sittings.c.player_id == bindparam("player_id"), sittings.c.sat
)


def table(connection: Connection, code: str, lock: bool = False) -> TableRow | None:
    """Return a table, or None. With `lock`, its row stays locked until the transaction ends."""
    found = rows(connection, _table_for_update if lock else _table, {"code": code})
    if not found:
        return None
    (row,) = found
    cipher = cipher_of_store(connection)
    encrypted = TableRow._make([*row[: -len(_beats)], _beaten(row)])
    return encrypted._replace(
        listed=bool(encrypted.listed),
        body=opened(cipher, encrypted.body, "table"),
        seed=None if encrypted.seed is None else opened(cipher, encrypted.seed, "seed"),
    )


def opened(cipher: Cipher, encrypted: bytes, kind: str) -> bytes:
    """Return the decrypted bytes, or b"" if they are damaged and must be rebuilt from the log."""
    try:
        return cipher.decrypt(encrypted, kind)
    except Unreadable:
        return b""


def fetch_heads(
    connection: Connection, code: str, key_hashes: Sequence[str]
) -> Sequence[TableHead] | None:
    """Return a TableHead for the player of each key, or None if there is no such table."""
    found: list[TableHead] = []
    for start in range(0, len(key_hashes), AT_ONCE):
        asked = key_hashes[start : start + AT_ONCE]
        count = 1 if len(asked) == 1 else AT_ONCE
        values = {f"key_{n}": key for n, key in enumerate([*asked, *[""] * (count - len(asked))])}
        read = rows(connection, _heads(count), {"code": code, **values})
        if not read:
            return None
        known = {row[0]: row for row in read}
        if any(key and key not in known for key in asked):
            of_old = rows(connection, _heads(count, of_old=True), {"code": code, **values})
            known = {row[0]: row for row in of_old} | known
        version, chat, is_open = read[0][1:4]
        pulse = _beaten(read[0])
        for key in asked:
            player, name, has_sat = known[key][4:7] if key in known else (None, None, False)
            let_in = bool(is_open or has_sat)
            found.append(TableHead(version, player, name, let_in, chat, pulse))
    return found


@cache
def _heads(count: int, of_old: bool = False) -> Select[Any]:
    """Return the statement that reads TableHead rows for `count` keys; unknown keys have no row.

    With `of_old`, keys are looked up as the previous version stored them, in `players`.
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
            ).outerjoin(heartbeats, _the_pulse)
        )
        .where(tables.c.code == _code)
    )


def _beaten(row: Any) -> Pulse | None:
    """Return the pulse at the end of a row, or None."""
    beat_at, given_back, outages = row[-len(_beats) :]
    return None if beat_at is None else Pulse(beat_at, given_back, outages)


def pulse_now(connection: Connection, lock: bool = False) -> Pulse | None:
    """Return the pulse, or None if there is none yet. With `lock`, its row stays locked until the
    transaction ends.
    """
    row = connection.execute(_pulse_for_update if lock else _pulse).first()
    return None if row is None else Pulse(*row)


def save_pulse(connection: Connection, beaten: Pulse, first: bool) -> None:
    """Write the pulse. Raises IntegrityError if `first` is set and there already is one."""
    if first:
        connection.execute(_first_beat, {"id": THE_PULSE, **beaten._asdict()})
    else:
        connection.execute(_beat, beaten._asdict())


def add_table(connection: Connection, values: dict[str, Any]) -> int:
    """Store a new table; return its id."""
    encrypted = {**values, "body": cipher_of_store(connection).encrypt(values["body"], "table")}
    return new_id(connection.execute(_add_table, encrypted))


def save_table(connection: Connection, table_id: int, values: dict[str, Any]) -> None:
    """Write the changed columns of a table."""
    if "body" in values:
        values = {**values, "body": cipher_of_store(connection).encrypt(values["body"], "table")}
    change(connection, _save_table, {"table_id": table_id, **values})


def due(connection: Connection, now: float, most: int) -> list[str]:
    """Return the codes of tables that are due at `now` (table time), longest overdue first."""
    return [row[0] for row in connection.execute(_due, {"now": now, "most": most})]


def put_off(connection: Connection, code: str, now: float, later: float) -> None:
    """Postpone until `later` what is due at a table `now`, both in table time."""
    connection.execute(_put_off, {"at": code, "now": now, "later": later})


def club_of(connection: Connection, table_id: int) -> int | None:
    """Return the id of the club that a table belongs to, or None."""
    found: int | None = connection.execute(_club_id, {"at_table": table_id}).scalar()
    return found


def table_id(connection: Connection, code: str) -> int | None:
    """Return the id of the table with that code, or None."""
    found: int | None = connection.execute(_table_id, {"code": code}).scalar()
    return found


def next_due(connection: Connection) -> float | None:
    """Return the table time at which the next table is due, or None."""
    soonest: float | None = connection.execute(_next_due).scalar()
    return soonest


def add_match(connection: Connection, values: dict[str, Any]) -> int:
    """Store a new match; return its id."""
    cipher, origin = cipher_of_store(connection), values.get("origin")
    encrypted = {
        **values,
        "seed": cipher.encrypt(values["seed"], "seed"),
        "origin": None if origin is None else cipher.encrypt(to_json(origin), "origin"),
    }
    return new_id(connection.execute(_add_match, encrypted))


def add_match_player(connection: Connection, match_id: int, seat: int, player_id: int) -> None:
    """Record that a player plays a seat of a match."""
    connection.execute(_add_part, {"match_id": match_id, "seat": seat, "player_id": player_id})


def match(connection: Connection, match_id: int) -> MatchRow | None:
    """Return a match, or None."""
    row = connection.execute(_match, {"match_id": match_id}).first()
    return None if row is None else opened_match(connection, row)


def opened_match(connection: Connection, row: Any) -> MatchRow:
    """Return a row of matches with its seed and its origin decrypted."""
    encrypted: Any = MatchRow(*row)
    cipher, origin = cipher_of_store(connection), encrypted.origin
    opened: MatchRow = encrypted._replace(
        seed=cipher.decrypt(encrypted.seed, "seed"),
        origin=None if origin is None else from_json(cipher.decrypt(origin, "origin"), Origin),
    )
    return opened


def add_move(connection: Connection, values: dict[str, Any]) -> None:
    """Append a move; raises IntegrityError if its number or command id is taken."""
    encrypted = cipher_of_store(connection).encrypt(values["text"].encode(), "move")
    change(connection, _add_move, {**values, "text": encrypted})


def move_by_cmd(connection: Connection, match_id: int, cmd: str) -> tuple[int, str] | None:
    """Return the number and text of the move made with a command id, or None."""
    for number, encrypted in rows(connection, _move_by_cmd, {"match_id": match_id, "cmd": cmd}):
        return number, cipher_of_store(connection).decrypt(encrypted, "move").decode()
    return None


def log(connection: Connection, match_id: int) -> Sequence[MoveRow]:
    """Return the complete move log of a match, in order."""
    cipher = cipher_of_store(connection)
    rows = [MoveRow(*row) for row in connection.execute(_log, {"match_id": match_id})]
    return [row._replace(text=cipher.decrypt(row.text, "move").decode()) for row in rows]  # type: ignore[arg-type]


def sit(connection: Connection, player_id: int, table_id: int) -> None:
    """Record that a player sits at a table, so that the table is among the player's tables."""
    if let_in(connection, player_id, table_id, sat=True) is False:
        connection.execute(_note_sitting, {"who": player_id, "where": table_id, "sat": True})


def let_in(connection: Connection, player_id: int, table_id: int, sat: bool = False) -> bool | None:
    """Admit a player to a table; return True if they have sat there, False if they could already
    watch, None if they are new to it.
    """
    keys = {"player_id": player_id, "table_id": table_id}
    known = connection.execute(_sitting, keys).first()
    if known is None:
        connection.execute(_add_sitting, {**keys, "sat": sat})
        return None
    had_sat: bool = known[0]
    return had_sat


def let_look(connection: Connection, player_id: int, table_id: int) -> None:
    """Record that a player has left their seat at a table but may still watch."""
    connection.execute(_note_sitting, {"who": player_id, "where": table_id, "sat": False})


def move_part(connection: Connection, match_id: int, seat: int, player_id: int) -> None:
    """Give a seat of a match to another player."""
    values = {"match": match_id, "chair": seat, "player_id": player_id}
    connection.execute(_hand_part, values)


def tables_of(connection: Connection, player_id: int, most: int) -> list[str]:
    """Return the codes of tables at which a player sits or has sat, most recently changed first."""
    return [r[0] for r in rows(connection, _tables_of, {"player_id": player_id, "most": most})]


def tables_by_days_of(connection: Connection, player_id: int) -> list[str]:
    """Return the codes of correspondence tables at which a player sits or has sat."""
    return list(connection.execute(_tables_by_days_of, {"player_id": player_id}).scalars())


def known_at(connection: Connection, player_id: int) -> list[str]:
    """Return the codes of all tables at which a player sat or to which they were admitted."""
    return list(connection.execute(_known_at, {"player_id": player_id}).scalars())


def sits_anywhere(connection: Connection, player_id: int) -> bool:
    """Return True if a player is recorded as sitting at any table."""
    return connection.execute(_sits, {"player_id": player_id}).first() is not None
