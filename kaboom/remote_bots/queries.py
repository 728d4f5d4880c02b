"""SQL statements for remote bots, their seats and their calls."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, or_, select, update

from kaboom.accounts.models import players
from kaboom.db.encryption import Unreadable, cipher_of_store
from kaboom.db.ids import new_id
from kaboom.remote_bots.models import remote_bot_calls, remote_bot_seats, remote_bots
from kaboom.tables.models import tables

KEPT_CALLS = 100  # per bot
ADDRESS, SECRET, DETAIL = "bot address", "bot secret", "bot call"


class BotRow(NamedTuple):
    """A bot with its author's settings."""

    id: int
    owner_id: int
    player_id: int
    name: str
    address: str
    secret: bytes
    shared: bool
    paused: bool
    checked_at: float | None
    owner: str


class SeatRow(NamedTuple):
    """A bot's seat at a table, with the last state that was handled."""

    bot_id: int
    code: str
    seen: int
    asked: str
    failures: int


class CallRow(NamedTuple):
    """A call to a bot and its result."""

    at: float
    game: str
    what: str
    seconds: float
    detail: str


_id: Any = bindparam("bot")
_code: Any = bindparam("of_table")
_bots = select(
    *(remote_bots.c[name] for name in BotRow._fields if name != "owner"),
    players.c.name.label("owner"),
).join(players, players.c.id == remote_bots.c.owner_id)
_bot = _bots.where(remote_bots.c.id == _id)
_of_owner = _bots.where(remote_bots.c.owner_id == bindparam("owner")).order_by(remote_bots.c.id)
_count = select(func.count()).where(remote_bots.c.owner_id == bindparam("owner"))
_any = select(exists().where(remote_bots.c.checked_at.is_not(None), ~remote_bots.c.paused))
_shared = (
    _bots.where(
        or_(remote_bots.c.shared, remote_bots.c.owner_id == bindparam("owner")),
        remote_bots.c.checked_at.is_not(None),
        ~remote_bots.c.paused,
    )
    .order_by(remote_bots.c.id)
    .limit(bindparam("most"))
)
_change = update(remote_bots).where(remote_bots.c.id == _id)
_drop = delete(remote_bots).where(remote_bots.c.id == _id)
_seat: Any = (remote_bot_seats.c.bot_id == _id, remote_bot_seats.c.code == _code)
_fields = [remote_bot_seats.c[name] for name in SeatRow._fields]
_due = (
    select(*_fields)
    .join(remote_bots, remote_bots.c.id == remote_bot_seats.c.bot_id)
    .join(tables, tables.c.code == remote_bot_seats.c.code)
    .where(
        ~remote_bots.c.paused,
        remote_bots.c.checked_at.is_not(None),
        tables.c.version != remote_bot_seats.c.seen,
        remote_bot_seats.c.leased_until <= bindparam("now"),
    )
    .limit(bindparam("most"))
)
_claim = (
    update(remote_bot_seats)
    .where(*_seat, remote_bot_seats.c.leased_until <= bindparam("now"))
    .values(leased_until=bindparam("until"))
    .returning(*_fields)
)
_release = update(remote_bot_seats).where(*_seat)
_leave = delete(remote_bot_seats).where(*_seat)
_seats_of_bot = delete(remote_bot_seats).where(remote_bot_seats.c.bot_id == _id)
_calls_of_bot = delete(remote_bot_calls).where(remote_bot_calls.c.bot_id == _id)
_ids_of_owner = select(remote_bots.c.id).where(remote_bots.c.owner_id == bindparam("owner"))
_seats_at_table = delete(remote_bot_seats).where(
    remote_bot_seats.c.code
    == select(tables.c.code).where(tables.c.id == bindparam("gone")).scalar_subquery()
)
_calls = (
    select(*(remote_bot_calls.c[name] for name in CallRow._fields))
    .where(remote_bot_calls.c.bot_id == _id)
    .order_by(remote_bot_calls.c.id.desc())
    .limit(KEPT_CALLS)
)
_oldest_kept = (
    select(remote_bot_calls.c.id)
    .where(remote_bot_calls.c.bot_id == _id)
    .order_by(remote_bot_calls.c.id.desc())
    .offset(KEPT_CALLS - 1)
    .limit(1)
)
_drop_calls = delete(remote_bot_calls).where(
    remote_bot_calls.c.bot_id == _id, remote_bot_calls.c.id < bindparam("before")
)


def add(connection: Connection, values: dict[str, Any]) -> int:
    """Store a bot and return its id."""
    cipher = cipher_of_store(connection)
    values = {
        **values,
        "address": cipher.encrypt(values["address"].encode(), ADDRESS),
        "secret": cipher.encrypt(values["secret"], SECRET),
    }
    return new_id(connection.execute(insert(remote_bots), values))


def _read(connection: Connection, row: Any) -> BotRow | None:
    cipher = cipher_of_store(connection)
    try:
        address = cipher.decrypt(row.address, ADDRESS).decode()
        secret = cipher.decrypt(row.secret, SECRET)
    except Unreadable:
        return None
    return BotRow(**{**row._mapping, "address": address, "secret": secret})


def bot(connection: Connection, number: int, lock: bool = False) -> BotRow | None:
    """Return a bot, locked until the end of the transaction if requested; None if unknown."""
    found = _bot.with_for_update(of=remote_bots) if lock else _bot
    row = connection.execute(found, {"bot": number}).first()
    return None if row is None else _read(connection, row)


def of_owner(connection: Connection, owner: int) -> list[BotRow]:
    """Return an author's bots, oldest first."""
    rows = connection.execute(_of_owner, {"owner": owner})
    return [found for row in rows if (found := _read(connection, row))]


def count(connection: Connection, owner: int) -> int:
    """Return the number of an author's bots."""
    return connection.execute(_count, {"owner": owner}).scalar_one()


def are_there_any(connection: Connection) -> bool:
    """Return True if any bot may be called."""
    return bool(connection.execute(_any).scalar_one())


def invitable(connection: Connection, player: int, most: int) -> list[BotRow]:
    """Return the bots that a player may invite, up to a maximum."""
    rows = connection.execute(_shared, {"owner": player, "most": most})
    return [found for row in rows if (found := _read(connection, row))]


def change(connection: Connection, number: int, values: dict[str, Any]) -> None:
    """Change columns of a bot."""
    connection.execute(_change, {"bot": number, **values})


def drop(connection: Connection, number: int) -> None:
    """Delete a bot, its seats and its calls."""
    for statement in (_seats_of_bot, _calls_of_bot, _drop):
        connection.execute(statement, {"bot": number})


def drop_of_owner(connection: Connection, owner: int) -> None:
    """Delete the bots of an erased author."""
    for number in connection.execute(_ids_of_owner, {"owner": owner}).scalars().all():
        drop(connection, number)


def part_from_table(connection: Connection, table_id: int) -> None:
    """Delete the bots' seats at a deleted table."""
    connection.execute(_seats_at_table, {"gone": table_id})


def note_seat(connection: Connection, number: int, code: str) -> None:
    """Store that a bot sits at a table; a seat that is already stored is handled anew."""
    known = {"bot": number, "of_table": code}
    fresh = {"seen": -1, "asked": "", "failures": 0}
    if connection.execute(_release, {**known, **fresh}).rowcount == 0:
        new = {"bot_id": number, "code": code, **fresh, "leased_until": 0.0}
        connection.execute(insert(remote_bot_seats), new)


def due(connection: Connection, now: float, most: int) -> Sequence[SeatRow]:
    """Return the seats at tables that have changed since the bot was last handled there."""
    return [SeatRow(*row) for row in connection.execute(_due, {"now": now, "most": most})]


def claim(
    connection: Connection, number: int, code: str, now: float, until: float
) -> SeatRow | None:
    """Lease a seat until the given time; return None if another worker has it."""
    values = {"bot": number, "of_table": code, "now": now, "until": until}
    row = connection.execute(_claim, values).first()
    return None if row is None else SeatRow(*row)


def release(connection: Connection, seat: SeatRow) -> None:
    """Store what was handled, and release the lease."""
    values = {"seen": seat.seen, "asked": seat.asked, "failures": seat.failures}
    connection.execute(
        _release, {"bot": seat.bot_id, "of_table": seat.code, **values, "leased_until": 0.0}
    )


def leave(connection: Connection, number: int, code: str) -> None:
    """Delete a bot's seat at a table."""
    connection.execute(_leave, {"bot": number, "of_table": code})


def note_call(connection: Connection, number: int, row: CallRow) -> None:
    """Log a call, and delete those before the last KEPT_CALLS."""
    detail = cipher_of_store(connection).encrypt(row.detail.encode(), DETAIL)
    connection.execute(
        insert(remote_bot_calls), {**row._asdict(), "bot_id": number, "detail": detail}
    )
    before = connection.execute(_oldest_kept, {"bot": number}).scalar()
    if before is not None:
        connection.execute(_drop_calls, {"bot": number, "before": before})


def calls(connection: Connection, number: int) -> list[CallRow]:
    """Return a bot's last calls, newest first."""
    cipher, found = cipher_of_store(connection), []
    for row in connection.execute(_calls, {"bot": number}):
        try:
            detail = cipher.decrypt(row.detail, DETAIL).decode()
        except Unreadable:
            detail = ""
        found.append(CallRow(row.at, row.game, row.what, row.seconds, detail))
    return found
