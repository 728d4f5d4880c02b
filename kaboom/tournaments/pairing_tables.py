"""The tables of a tournament's pods: each is opened, begun, ended when its time is up, taken away.

The director decides when. Every function here is done at one table, finds out itself whether that
is still to be done, and returns whether it has done anything.
"""

from collections.abc import Sequence, Set

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.accounts.names import told_apart
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.rng import SEED_BYTES
from kaboom.social.clubs import queries as clubs
from kaboom.tables import create as new_tables
from kaboom.tables import queries
from kaboom.tables.clock.turns import to_be_ready
from kaboom.tables.maintenance.cleanup import take_away
from kaboom.tables.position import Position
from kaboom.tables.service import Tables, turns_begun
from kaboom.tables.table import NOBODY, WATCHED_BY_NOBODY, Chair, Hints, Table, Welcome
from kaboom.tables.transaction import TableTransaction, promise, seat_bot
from kaboom.tournaments import queries as store
from kaboom.tournaments import results as pods
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.queries import OPEN, PodRow
from kaboom.tournaments.rules.events import Number
from kaboom.tournaments.rules.state import Round

CLOSED = "!"  # no password has this hash: a club's table lets only members in, without one


def open_table(tables: Tables, seen: TournamentSnapshot, round: Round, number: int) -> bool:
    """Open the table of a pod, its entrants seated, unless that was done, or something has happened
    in the tournament meanwhile: the round may have been paired anew.
    """
    table, code = _table(tables, seen, round, number), tables.lots.code()
    now, pairing = tables.now(), round.pairing

    def work(connection: Connection) -> bool:
        row = store.tournament(connection, seen.code, lock=True)
        if row is None or row.version != seen.of.seq:
            return False
        if store.has_pod(connection, seen.row.id, pairing, number):
            return False
        of_club = seen.of.settings.club
        club = clubs.by_code(connection, of_club) if of_club else None
        if club is not None:
            table.club, table.phrases = club.code, club.phrases
        table_id = new_tables.add(
            connection,
            table,
            code,
            seen.of.settings.game,
            now,
            password=CLOSED if of_club else "",
            club_id=club and club.id,
        )
        key = {"tournament_id": seen.row.id, "pairing": pairing, "number": number}
        table.pod = store.add_pod(
            connection, {**key, "table_id": table_id, "state": OPEN, "result": None}
        )
        table.turns = to_be_ready({}, table.awaited(), number=1, now=now)
        queries.save_table(connection, table_id, {"body": to_json(table)})
        return True

    made = tables.database.write(work)
    if made and (begun := turns_begun(table, {})):
        tables.signals.turns(code, begun)
    return made


def _table(tables: Tables, seen: TournamentSnapshot, round: Round, number: int) -> Table:
    """Return the table of a pod as it is opened: nobody is its host."""
    game, options, settings = seen.game, seen.options, seen.of.settings
    label = seen.label(round.number, round.wave_of(number))
    table = Table(
        chairs=[],
        options=Raw(to_json(options)),
        host=NOBODY,
        pace=tables.pace,
        banter=False,
        hints=Hints.NONE,
        programs=Welcome.NEVER,
        tournament=seen.code,
        board=label,
        watch=WATCHED_BY_NOBODY if label else 0,
        audience=not label,
    )
    promise(table, tables.lots)
    for it in round.pods[number].entrants:
        table.chairs.append(_chair(tables, seen, it, table))
    _fill(table, [settings.size] if label else settings.playable)
    if not label:
        table.next_seed = seen.draw()(f"pod|{round.number}|{number}")[:SEED_BYTES]
    table.note_views(Position(game, None))
    return table


def _chair(tables: Tables, seen: TournamentSnapshot, number: Number, table: Table) -> Chair:
    entrant, level = seen.entrants[number], seen.of.entrants[number].bot
    others = [chair.name for _, chair in table.sitting()]
    name = told_apart(entrant.name or f"#{number}", others)
    if level:
        return Chair(name, ready=True, level=Level(level), entrant=number)
    cut = "" if table.board else tables.lots.cut()  # one of a board is fixed elsewhere
    return Chair(name, entrant.player_id, cut=cut, entrant=number)


def _fill(table: Table, playable: Sequence[int]) -> None:
    """Seat bots of the house until the game can be played."""
    count = len(table.chairs)
    for _ in range(count, min((it for it in playable if it >= count), default=count)):
        table.chairs.append(None)
    for seat in table.free():
        seat_bot(table, seat)


def begin(tables: Tables, code: str, removed: Set[Number], late: bool = False) -> bool:
    """Begin the match of a pod with those who have come and were not removed.

    If fewer than two have, there is no match; nor if it is too `late`, since other tables have
    played the same cards already.
    """
    did = False

    def work(transaction: TableTransaction) -> None:
        nonlocal did
        did = False
        table = transaction.table
        if table.match:
            return
        did = True
        # Bots of the house come again, as many as are needed now: on a board each where somebody
        # is missing, so that all others keep their cards.
        came = [
            it if it and it.entrant and it.ready and it.entrant not in removed else None
            for it in table.chairs
        ]
        size = len(came)
        table.chairs = came if table.board else [chair for chair in came if chair]
        there = [chair.entrant for _, chair in table.sitting()]
        if len(there) < 2 or late:
            pods.too_few_came(transaction.connection, table.pod, there)
            return
        options = from_json(bytes(table.options), transaction.game.options)
        _fill(table, [size] if table.board else transaction.game.playable(options))
        transaction.begin()

    tables.change(code, work)
    return did


def adjudicate(tables: Tables, round: Round, row: PodRow) -> bool:
    """End a match whose time is up, with the places so far. All are equal if the game has none, or
    if the table was deleted.
    """
    if row.code is None:
        there = round.pods[row.number].entrants
        tables.database.write(lambda connection: pods.all_equal(connection, row.id, there))
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
        if transaction.state is not None:  # there is none where it cannot go on
            places = transaction.game.so_far(transaction.state)
        transaction.stop(places)

    tables.change(row.code, work)
    return did


def say_ruled(tables: Tables, code: str, ruled: bool) -> bool:
    """Say at a table that the organiser has set its result, or does so no longer."""
    if tables.look(code).table.ruled == ruled:
        return False

    def work(transaction: TableTransaction) -> None:
        if transaction.table.ruled != ruled:
            transaction.table.ruled = ruled
            transaction.tell("table.ruled" if ruled else "table.not_ruled")

    tables.change(code, work)
    return True


def clear(tables: Tables, code: str) -> bool:
    """Take away the table of a pod at which nobody has played, and nobody need."""
    return take_away(tables, code, tables.now() + 1)
