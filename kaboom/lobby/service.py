"""Before a match: a table is opened, and people and bots sit down."""

from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.accounts.names import cleaned, told_apart
from kaboom.accounts.passwords import slow_hash_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.ratings.service import introduce
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.service import name_of_member
from kaboom.social.friends import queries as friends
from kaboom.tables import create, queries
from kaboom.tables.access.reliability import require_reliable
from kaboom.tables.permissions import (
    require_free_seat,
    require_no_match,
    require_not_removed,
    require_offered_bank,
    require_offered_days,
    require_players_table,
    require_seat,
    require_seat_number,
)
from kaboom.tables.position import Position
from kaboom.tables.seats.bots import seat_bot
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.start_match import begin_if_full
from kaboom.tables.table import Occupant, Table
from kaboom.tables.transaction import TableTransaction, promise
from kaboom.web.idempotency.service import IdempotencyKey, write_once


def open(
    tables: TableService,
    key: str,
    options: Any,
    player: int,
    name: str,
    bots: int = 0,
    listed: bool = False,
    password: str = "",
    idempotency_key: IdempotencyKey | None = None,
    level: Level = Level.NORMAL,
    program: bool = False,
    days: int = 0,
    bank: int = 0,
    club: str = "",
    begins_full: bool = False,
) -> str:
    """Open a table for a game, with its host in the first seat; return its code.

    `level` is the level of the `bots`. With `listed`, the lobby shows the table. With `program`,
    the host is a player's own bot, and is labelled as one. `days` is the number of days for each
    decision in correspondence play (kaboom.tables.clock.correspondence), or 0 for live play; `bank`
    is each player's time bank in days. `club` is the code of the club that the table belongs to;
    the host then has the name they use in that club. With `begins_full`, the first match begins as
    soon as all seats are taken. Raises InvalidState for more bots than free seats or a password
    that is too long, NotPermitted if the host is not a member of the club, and RateLimited.
    """
    if club:
        name = tables.database.read(lambda c: name_of_member(c, club, player))
    game, host = GAMES[key], Occupant(_called(name, program), player, program=program)
    table = _set_up(game, options, host, require_offered_days(days), tables.pace)
    table.club, table.begins_full = club, begins_full
    table.bank = require_offered_bank(bank, days)
    _require_room(bots, len(table.chairs))
    for _unused in range(bots):
        seat_bot(table, table.free()[0], level)
    promise(table, tables.ids)
    code, now = tables.ids.code(), tables.now()
    hashed = tables.hash_in_thread(slow_hash_of, password) if password else ""

    def opened(connection: Connection) -> str:
        belongs = _club(connection, club, player) if club else None
        table.phrases = belongs is not None and belongs.phrases
        introduce(connection, host)
        table.note_views(Position(game, None))
        create.add(
            connection,
            table,
            code,
            key,
            now,
            listed=listed,
            password=hashed,
            club_id=belongs.id if belongs else None,
        )
        return code

    return write_once(tables.database, idempotency_key, now, opened)


def _set_up(game: Game[Any], options: Any, host: Occupant, days: int, pace: Pace) -> Table:
    """Return a table with as many seats as these options allow, and its host in the first one."""
    options = game.by_days(options) if days else options
    free = game.seats(options)[-1] - 1
    return Table(
        chairs=[host, *([None] * free)],
        options=Raw(to_json(options)),
        host=host.player or 0,
        pace=pace,
        days=days,
    )


def _require_room(bots: int, most: int) -> None:
    """Raise InvalidState unless this many bots and one person fit in `most` seats."""
    if not 0 <= bots < most:
        raise InvalidState(
            ngettext(
                "There is room for at most {count} bot.",
                "There is room for at most {count} bots.",
                most - 1,
            )
        )


def sit(
    tables: TableService,
    code: str,
    player: int,
    name: str,
    seat: Seat | None = None,
    program: bool = False,
) -> TableSnapshot:
    """Seat a player: in the free seat they chose, or else in the first free one.

    Before the first match a seated player may move to another free seat. A player who left in the
    middle of a match returns to the same seat. With `program`, a player's own bot plays there. The
    other players must know that, so such a bot cannot take over a seat in the middle of a match,
    nor sit at a table where it is not welcome. Raises InvalidState or NotPermitted.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        mine = table.seat_of(player)
        if program:
            _require_bots_allowed(transaction, mine)
        if mine is not None and (table.match or seat in (None, mine)):
            transaction.come_back(mine)
            return
        require_players_table(table)
        require_free_seat(table, seat)
        free = table.free()
        if mine is not None:
            assert seat is not None  # and it is another seat
            table.chairs[seat], table.chairs[mine] = table.chairs[mine], None
            return
        require_not_removed(table, player)
        require_not_blocked(transaction, player)
        others = [occupant.name for _unused, occupant in table.sitting()]
        named = _named(transaction, player, name)
        unique = told_apart(_called(named, program), others)
        if all(occupant.player != table.host for _unused, occupant in table.sitting()):
            table.host = player  # every player had left
        cut = tables.ids.cut()
        occupant = Occupant(unique, player, cut=cut, after=table.match, program=program)
        introduce(transaction.connection, occupant)
        require_reliable(table, occupant)
        table.chairs[free[0] if seat is None else seat] = occupant
        queries.sit(transaction.connection, player, transaction.row.id)
        transaction.tell("table.sat", who=unique)
        begin_if_full(transaction)

    return tables.change(code, work)


def _club(connection: Connection, code: str, player: int) -> clubs.ClubRow:
    """Return a club, locked until the transaction ends. Raises NotPermitted unless the player is
    a member.
    """
    name_of_member(connection, code, player)
    found = clubs.by_code(connection, code, lock=True)
    assert found is not None
    return found


def _named(transaction: TableTransaction, player: int, name: str) -> str:
    """Return the name of a player who sits down: at a club's table, their club name.

    Raises InvalidState for guests where only quick phrases are allowed, because a name would be a
    way to write freely.
    """
    table = transaction.table
    called = clubs.called(transaction.connection, table.club, player) if table.club else None
    if called is None and table.phrases:
        raise InvalidState(_("Only club members can sit at this table."))
    return called or name


def _require_bots_allowed(transaction: TableTransaction, mine: Seat | None) -> None:
    """Raise NotPermitted or InvalidState if a player's bot may not sit here; mark the seat of a bot
    that already sits here.
    """
    table = transaction.table
    occupant = None if mine is None else table.occupant(mine)
    if occupant is not None and occupant.program:
        return
    if not table.welcomes_programs(transaction.row.listed):
        raise NotPermitted(_("Players’ bots are not welcome at this table."))
    if occupant is not None:
        if table.playing:
            raise InvalidState(
                _(
                    "A bot can take your seat only before a match, so that everyone knows it is "
                    "a bot."
                )
            )
        others = [other.name for seat, other in table.sitting() if seat != mine]
        occupant.name, occupant.program = told_apart(_called(occupant.name, True), others), True


def _called(name: str, program: bool) -> str:
    """Return the name that a player has at a table. A program's name says whose bot it is, so that
    it is shown in every format of the table.
    """
    return cleaned(_("bot of {name}", name=name)) if program else name


def require_not_blocked(transaction: TableTransaction, player: int) -> None:
    """Raise InvalidState for a player whom the host has blocked, as long as the host is seated."""
    table = transaction.table
    if table.seat_of(table.host) is None or player == table.host:
        return
    if friends.blocks_player(transaction.connection, table.host, player):
        raise InvalidState(_("You cannot join this table, but you can watch."))


def add_bot(
    tables: TableService,
    code: str,
    player: int,
    seat: Seat | None = None,
    idempotency_key: IdempotencyKey | None = None,
    level: Level = Level.NORMAL,
) -> TableSnapshot:
    """Seat a bot in a free seat; any player at the table may ask. Raises InvalidState."""

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_seat(table, player)
        require_players_table(table)
        require_no_match(table)
        require_seat_number(table, seat)
        free = table.free()
        if not free or (seat is not None and seat not in free):
            raise InvalidState(_("That seat is taken." if free else "All seats are taken."))
        name = seat_bot(table, free[0] if seat is None else seat, level)
        transaction.tell("table.bot_of", who=name, level=level)
        begin_if_full(transaction)

    return tables.change(code, work, idempotency_key)
