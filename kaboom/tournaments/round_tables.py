"""Tables of a tournament's pods: opening and deleting them, beginning their matches, and ending
these when time is up.

The scheduler decides when. Each function changes one table, first checks that the step is still to
be done, and returns True if it has changed anything.
"""

from collections.abc import Sequence, Set

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.accounts.names import told_apart
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.engine.rng import SEED_BYTES
from kaboom.social.clubs import queries as clubs
from kaboom.tables import create, queries
from kaboom.tables.clock.whose_turn import to_be_ready
from kaboom.tables.maintenance.interventions import take_away
from kaboom.tables.position import Position
from kaboom.tables.seats.bots import seat_bot
from kaboom.tables.service import TableService, turns_begun
from kaboom.tables.table import NO_HOST, WATCHED_BY_NOBODY, Hints, Occupant, Table, Welcome
from kaboom.tables.transaction import TableTransaction, promise
from kaboom.tournaments import queries as store
from kaboom.tournaments import results
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.queries import PodRow
from kaboom.tournaments.rules.events import How, Number
from kaboom.tournaments.rules.state import Round

CLOSED = "!"  # a hash that matches no password, so that only members enter a club's table


def open_table(tables: TableService, seen: TournamentSnapshot, round: Round, number: int) -> bool:
    """Open the table of a pod with its entrants seated; return True if it was opened.

    It is not opened twice, nor if the tournament has changed since `seen`, because the round may
    have been paired again.
    """
    table, code = _table(tables, seen, round, number), tables.ids.code()
    now, pairing = tables.now(), round.pairing

    def work(connection: Connection) -> bool:
        row = store.tournament(connection, seen.code, lock=True)
        if row is None or row.version != seen.of.seq:
            return False
        if store.pod(connection, seen.row.id, pairing, number) is not None:
            return False
        of_club = seen.of.settings.club
        club = clubs.by_code(connection, of_club) if of_club else None
        if club is not None:
            table.club, table.phrases = club.code, club.phrases
        table_id = create.add(
            connection,
            table,
            code,
            seen.of.settings.game,
            now,
            password=CLOSED if of_club else "",
            club_id=club and club.id,
        )
        table.pod = store.add_pod(connection, seen.row.id, pairing, number, table_id)
        table.turns = to_be_ready({}, table.awaited(), number=1, now=now)
        queries.save_table(connection, table_id, {"body": to_json(table)})
        return True

    made = tables.database.write(work)
    if made and (begun := turns_begun(table, {})):
        tables.signals.turns(code, begun)
    return made


def _table(tables: TableService, seen: TournamentSnapshot, round: Round, number: int) -> Table:
    """Return the new table of a pod, which has no host."""
    game, options, settings = seen.game, seen.options, seen.of.settings
    label = seen.label(round.number, round.wave_of(number))
    table = Table(
        chairs=[],
        options=Raw(to_json(options)),
        host=NO_HOST,
        pace=tables.pace,
        banter=False,
        hints=Hints.NONE,
        programs=Welcome.NEVER,
        tournament=seen.code,
        board=label,
        watch=WATCHED_BY_NOBODY if label else 0,
        audience=not label,
    )
    promise(table, tables.ids)
    for it in round.pods[number].entrants:
        table.chairs.append(_chair(tables, seen, it, table))
    _fill(table, [settings.size] if label else settings.playable)
    if not label:
        table.next_seed = seen.draw()(f"pod|{round.number}|{number}")[:SEED_BYTES]
    table.note_views(Position(game, None))
    return table


def _chair(
    tables: TableService, seen: TournamentSnapshot, number: Number, table: Table
) -> Occupant:
    entrant, level = seen.entrants[number], seen.of.entrants[number].bot
    others = [occupant.name for _, occupant in table.sitting()]
    name = told_apart(entrant.name or f"#{number}", others)
    if level:
        return Occupant(name, ready=True, level=Level(level), entrant=number)
    cut = "" if table.board else tables.ids.cut()  # the cut of a board comes from the tournament
    return Occupant(name, entrant.player_id, cut=cut, entrant=number)


def _fill(table: Table, playable: Sequence[int]) -> None:
    """Seat built-in bots until the game can be played."""
    count = len(table.chairs)
    for _ in range(count, min((it for it in playable if it >= count), default=count)):
        table.chairs.append(None)
    for seat in table.free():
        seat_bot(table, seat)


def begin(tables: TableService, code: str, removed: Set[Number], late: bool = False) -> bool:
    """Begin the match of a pod with the players who have arrived and were not removed.

    No match is played with fewer than two, or if it is too `late`, because other tables have
    already played the same cards. Return True unless it had already begun.
    """
    did = False

    def work(transaction: TableTransaction) -> None:
        nonlocal did
        did = False
        table = transaction.table
        if table.match:
            return
        did = True
        # Seat built-in bots again as needed: on a board, one for each missing player.
        came = [
            it if it and it.entrant and it.ready and it.entrant not in removed else None
            for it in table.chairs
        ]
        size = len(came)
        table.absent = [
            it.player for it in table.chairs if it and it.player and it.entrant and it not in came
        ]
        table.chairs = came if table.board else [occupant for occupant in came if occupant]
        there = [occupant.entrant for _, occupant in table.sitting()]
        if len(there) < 2 or late:
            # A player who came alone advances.
            results.all_first(transaction.connection, table.pod, there, How.THROUGH)
            return
        options = table.options_of(transaction.game)
        _fill(table, [size] if table.board else transaction.game.playable(options))
        transaction.begin()

    tables.change(code, work)
    return did


def adjudicate(tables: TableService, round: Round, row: PodRow) -> bool:
    """End a match whose time is up, with the places so far; return True if it was ended.

    All share first place if the game has no places so far, or if the table was deleted.
    """
    if row.code is None:
        there = round.pods[row.number].entrants
        tables.database.write(lambda c: results.all_first(c, row.id, there, How.PLAYED))
        return True
    did = False

    def work(transaction: TableTransaction) -> None:
        nonlocal did
        did = False
        table = transaction.table
        if not table.playing:
            return
        did = True
        places: Sequence[int] = ()
        if transaction.state is not None:  # a frozen match may have none
            places = transaction.game.so_far(transaction.state)
        transaction.stop(places)

    tables.change(row.code, work)
    return did


def say_ruled(tables: TableService, code: str, ruled: bool) -> bool:
    """Log at a table that the organiser has set its result, or withdrawn it; return True if it was
    logged.
    """
    if tables.get(code).table.ruled == ruled:
        return False

    def work(transaction: TableTransaction) -> None:
        if transaction.table.ruled != ruled:
            transaction.table.ruled = ruled
            transaction.tell("table.ruled" if ruled else "table.not_ruled")

    tables.change(code, work)
    return True


def clear(tables: TableService, code: str) -> bool:
    """Delete the table of a cancelled pod; return True if it was deleted."""
    return take_away(tables, code, tables.now() + 1)
