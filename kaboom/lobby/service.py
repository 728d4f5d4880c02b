"""Before a match: a table is opened, people and bots sit down, get ready, start, and leave."""

from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.accounts.names import cleaned, told_apart
from kaboom.accounts.passwords import slow_hash_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import say, say_counted
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.ratings.service import introduce
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.service import name_of_member
from kaboom.social.friends import queries as people
from kaboom.tables import create as new_tables
from kaboom.tables import queries
from kaboom.tables.match_record import CUT_POINTS, LONGEST_CUT
from kaboom.tables.permissions import (
    require_free_seat,
    require_host,
    require_no_match,
    require_offered_days,
    require_players_table,
    require_seat,
    require_seat_number,
    require_taken_seat,
)
from kaboom.tables.position import Position
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import VIEWERS, Chair, Table
from kaboom.tables.transaction import TableTransaction, promise, seat_bot
from kaboom.tournaments import results as pods
from kaboom.tournaments.changes import tournament_of
from kaboom.tournaments.service import require_not_removed
from kaboom.web.idempotency.service import Command, only_once


def open(
    tables: Tables,
    key: str,
    options: Any,
    player: int,
    name: str,
    bots: int = 0,
    listed: bool = False,
    password: str = "",
    once: Command | None = None,
    level: Level = Level.NORMAL,
    program: bool = False,
    days: int = 0,
    club: str = "",
) -> str:
    """Open a table for a game, its host in the first chair; return its code.

    `level` is how well the `bots` play; `listed`: is it shown in the lobby? `program`: a bot of the
    player's own is the host, and is called so. `days` are those that everybody has for each
    decision, with the options for that (kaboom.tables.clock.correspondence); 0: matches are played
    in one go. `club` is the code of the club it belongs to, in which the host is called as there.
    Raises InvalidState when more bots are asked for than there are chairs or the password is too
    long, NotPermitted for a club of others, and RateLimited.
    """
    if club:
        name = tables.database.read(lambda c: name_of_member(c, club, player))
    game, host = GAMES[key], _chair(name, player, program)
    table = _set_up(game, options, host, require_offered_days(days), tables.pace)
    table.club = club
    _require_room(bots, len(table.chairs))
    for _ in range(bots):
        seat_bot(table, table.free()[0], level)
    promise(table, tables.lots)
    code, now = tables.lots.code(), tables.now()
    hashed = tables.hash_aside(slow_hash_of, password) if password else ""

    def opened(connection: Connection) -> str:
        belongs = _club(connection, club, player) if club else None
        table.phrases = belongs is not None and belongs.phrases
        introduce(connection, host)
        table.note_views(Position(game, None))
        new_tables.add(
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

    return tables.database.write(
        lambda connection: only_once(connection, once, now, lambda: opened(connection))
    )


def _set_up(game: Game[Any], options: Any, host: Chair, days: int, pace: Pace) -> Table:
    """Return a table for as many as can play by these options, its host in the first chair."""
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
    """Raise InvalidState unless so many bots and one person fit on so many chairs."""
    if not 0 <= bots < most:
        raise InvalidState(
            say_counted(
                "There is room for {count} bot at most.",
                "There is room for {count} bots at most.",
                most - 1,
            )
        )


def sit(
    tables: Tables,
    code: str,
    player: int,
    name: str,
    seat: Seat | None = None,
    program: bool = False,
) -> TableSnapshot:
    """Give a player a chair (a free one of the player's choice, else the first).

    Before the first match a seated player may move to another free chair. A player who left in
    the middle of a match comes back to the same seat. `program`: a bot of the player's own plays
    there. Everybody reads that, so it cannot begin in the middle of a match, and where such bots
    are not welcome it cannot be at all. Raises InvalidState or NotPermitted.
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
            assert seat is not None  # and another one
            table.chairs[seat], table.chairs[mine] = table.chairs[mine], None
            return
        require_not_banned(transaction, player)
        others = [chair.name for _, chair in table.sitting()]
        named = _named(transaction, player, name)
        unique = told_apart(_called(named, program), others)
        if all(chair.player != table.host for _, chair in table.sitting()):
            table.host = player  # everybody had left
        cut = tables.lots.cut()
        chair = Chair(unique, player, cut=cut, after=table.match, program=program)
        introduce(transaction.connection, chair)
        table.chairs[free[0] if seat is None else seat] = chair
        queries.sit(transaction.connection, player, transaction.row.id)
        transaction.tell("table.sat", who=unique)

    return tables.change(code, work)


def _club(connection: Connection, code: str, player: int) -> clubs.ClubRow:
    """Return a club, held as it is until the transaction ends; raises NotPermitted for no
    member.
    """
    name_of_member(connection, code, player)
    found = clubs.by_code(connection, code, lock=True)
    assert found is not None
    return found


def _named(transaction: TableTransaction, player: int, name: str) -> str:
    """Return what somebody who sits down is called: in a table of a club as there.

    Raises InvalidState for guests where only quick phrases are said: a name would be one way to
    talk.
    """
    table = transaction.table
    called = clubs.called(transaction.connection, table.club, player) if table.club else None
    if called is None and table.phrases:
        raise InvalidState(say("Only members of the club sit at this table."))
    return called or name


def _require_bots_allowed(transaction: TableTransaction, mine: Seat | None) -> None:
    """Raise NotPermitted or InvalidState where a program may not sit; mark the chair its player
    has.
    """
    table = transaction.table
    chair = None if mine is None else table.chair(mine)
    if chair is not None and chair.program:
        return
    if not table.welcomes_programs(transaction.row.listed):
        raise NotPermitted(say("Bots of players are not welcome at this table."))
    if chair is not None:
        if table.playing:
            raise InvalidState(
                say("A bot can take your seat only before a match, so that all know.")
            )
        others = [other.name for seat, other in table.sitting() if seat != mine]
        chair.name, chair.program = told_apart(_called(chair.name, True), others), True


def _chair(name: str, player: int, program: bool) -> Chair:
    return Chair(_called(name, program), player, program=program)


def _called(name: str, program: bool) -> str:
    """Return what somebody is called: a program by whose it is, in whatever voice it is read."""
    return cleaned(say("bot of {name}", name=name)) if program else name


def require_not_banned(transaction: TableTransaction, player: int) -> None:
    """Raise InvalidState for somebody the host has removed or blocked, while the host sits
    there.
    """
    table = transaction.table
    if table.seat_of(table.host) is None or player == table.host:
        return
    if player in table.shown_out:
        raise InvalidState(say("The host has removed you from the table."))
    if people.blocks_player(transaction.connection, table.host, player):
        raise InvalidState(say("This table is not open to you. You can watch."))


def add_bot(
    tables: Tables,
    code: str,
    player: int,
    seat: Seat | None = None,
    once: Command | None = None,
    level: Level = Level.NORMAL,
) -> TableSnapshot:
    """Seat a bot on a free chair; any player at the table may ask. Raises InvalidState."""

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_seat(table, player)
        require_players_table(table)
        require_no_match(table)
        require_seat_number(table, seat)
        free = table.free()
        if not free or (seat is not None and seat not in free):
            raise InvalidState(say("That chair is taken." if free else "Every chair is taken."))
        name = seat_bot(table, free[0] if seat is None else seat, level)
        transaction.tell("table.bot_of", who=name, level=level)

    return tables.change(code, work, once)


def remove(tables: Tables, code: str, player: int, seat: Seat, name: str = "") -> TableSnapshot:
    """Empty a chair before the match; the host only.

    `name` is whom the host means; without it, whoever sits there. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_no_match(table)
        require_seat_number(table, seat)
        chair = require_taken_seat(table, seat)
        if name and name != chair.name:
            raise InvalidState(say("Somebody else sits there now."))
        if chair.player not in (None, player):
            table.shown_out = [*table.shown_out, chair.player][-VIEWERS:]
        transaction.empty(seat, "table.left" if chair.player == player else "table.removed")

    return tables.change(code, work)


def ready(tables: Tables, code: str, player: int, ready: bool = True) -> TableSnapshot:
    """Mark a player as ready; when everyone seated is, and they are enough, the match starts.

    After a match this is the rematch: the same people, seats moved on by one.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        if not table.opens:
            require_players_table(table)
        require_no_match(table)
        chair = table.chair(seat)
        of = None
        if table.opens:
            of = tournament_of(tables, transaction.connection, table.tournament)
            require_not_removed(of, chair.entrant)
        if ready and not chair.ready:
            transaction.tell("table.ready", who=chair.name)
        chair.ready = ready
        if table.pod and table.board:
            pods.note_ready(transaction.connection, table)
            return
        people = [chair for _, chair in table.sitting() if not chair.bot]
        if all(chair.ready for chair in people) and _why_not(transaction.game, table) is None:
            if of is not None and of.paused:
                raise InvalidState(
                    say(
                        "The organiser has paused the tournament."
                        " Say that you are ready when it goes on."
                    )
                )
            if of is not None and of.removed() & {chair.entrant for _, chair in table.sitting()}:
                return  # it begins without them when their time is over
            transaction.begin()

    return tables.change(code, work)


def cut(tables: Tables, code: str, player: int, cut: str) -> TableSnapshot:
    """Let a player cut the next shuffle with any text (none: a random one). Raises InvalidState."""

    def work(transaction: TableTransaction) -> None:
        chair = transaction.table.chair(require_seat(transaction.table, player))
        require_no_match(transaction.table)
        text = "" if transaction.table.phrases else cleaned(cut, LONGEST_CUT, CUT_POINTS)
        chair.cut = text or tables.lots.cut()  # what is written there is read by the others

    return tables.change(code, work)


def start(tables: Tables, code: str, player: int, once: Command | None = None) -> TableSnapshot:
    """Start the match now, whoever is ready; the host only. Raises NotPermitted or InvalidState."""

    def work(transaction: TableTransaction) -> None:
        require_players_table(transaction.table)
        if transaction.table.host != player and not _host_away(tables, transaction, player):
            raise NotPermitted(say("Only the host can start without waiting for the others."))
        require_no_match(transaction.table)
        if (sentence := _why_not(transaction.game, transaction.table)) is not None:
            raise InvalidState(sentence)
        transaction.begin()

    return tables.change(code, work, once)


def _host_away(tables: Tables, transaction: TableTransaction, player: int) -> bool:
    """Say whether the host is known to be away, so that this player may start instead. Over days
    nobody need be there, so that says nothing.
    """
    if transaction.table.days:
        return False
    sits = transaction.table.seat_of(player) is not None
    here = tables.here(transaction.row.code)
    return sits and here is not None and transaction.table.host not in here


def _why_not(game: Game[Any], table: Table) -> str | None:
    """Return in a sentence why the match cannot start with those seated here, or None."""
    options = from_json(bytes(table.options), game.options)
    count, possible = len(table.sitting()), game.seats(options)
    if count < possible[0]:
        return say(
            "{game} needs {count} players. Invite friends or add bots.",
            game=game.name,
            count=possible[0],
        )
    return game.why_not(options, count)
