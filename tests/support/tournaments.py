"""Tournaments whose matches end as a test determines, without playing them."""

from sqlalchemy import select

from kaboom.accounts import player_queries
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.tables import start_match
from kaboom.tournaments import models, organizer
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format, Settings, Spare
from kaboom.tournaments.scheduler import direct

FOUR = ("Ann", "Ben", "Cat", "Dan")
OPTIONS = {
    "gops": {"bid_seconds": 30},
    "kaboom": {"turn_seconds": 30},
    "koth": {},
    "taken": {},
    "karata": {},
}


def settings(game="gops", format=Format.KNOCKOUT, **more):
    options = GAMES[game].options(**OPTIONS.get(game, {}))
    values = {
        "size": GAMES[game].pod,
        "between": 0,
        "spare": Spare.HOUSE if game == "koth" else Spare.BYE,
    } | more
    return Settings(
        "Cup",
        game,
        to_json(options).decode(),
        format,
        playable=GAMES[game].playable(options),
        **values,
    )


def players(tables, *names):
    def work(connection):
        known = [player_queries.player(connection, f"key of {name}") for name in names]
        return [
            found[0]
            if found
            else player_queries.add_player(connection, f"key of {name}", name, tables.now())
            for found, name in zip(known, names, strict=True)
        ]

    return tables.database.write(work)


def opened(tables, *names, bots=0, **more):
    """Open a tournament organised by the first of these, and enter all; return its code."""
    ids = players(tables, *names)
    code = tournaments.open(tables, ids[0], settings(**more))
    for name, player in zip(names, ids, strict=True):
        tournaments.enter(tables, code, player, name, f"cut of {name}")
    if bots:
        tournaments.add_bots(tables, code, ids[0], bots, Level.EASY)
    return code, ids


def begun(tables, *names, **more):
    """Open a tournament that begins at once with these, or with FOUR: its first tables are open;
    return its code and its players.
    """
    code, ids = opened(tables, *(names or FOUR), **more)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    return code, ids


def round_played(tables, code):
    """Play this round to its end; return the state of the tournament."""
    all_ready(tables, code)
    ended(tables, code)
    return settled(tables, code)


def settled(tables, code):
    """Run everything due in tournaments."""
    for _ in range(400):
        if not direct(tables, code):
            return get_tournament(tables, code)
    raise AssertionError("the scheduler never finishes")


def pods(tables, code):
    """Return the tables of the round: (number, code of the table, state)."""
    seen = get_tournament(tables, code)
    rows = tables.database.read(lambda c: store.pods_of(c, seen.row.id, seen.of.rounds[-1].pairing))
    return [(it.number, it.code, it.state) for it in rows]


def all_pods(tables, tournament_id):
    """Return (pairing, number, state) of every pod of a tournament that has had a table."""
    query = select(models.pods).where(models.pods.c.tournament_id == tournament_id)
    rows = tables.database.read(lambda c: c.execute(query).all())
    return sorted((it.pairing, it.number, it.state) for it in rows)


def all_ready(tables, code, missing=()):
    """Make all players at the tables of the round ready except these."""
    for _, table, state in pods(tables, code):
        if state == "open":
            for _, occupant in tables.get(table).table.sitting():
                if occupant.player is not None and occupant.player not in missing:
                    start_match.ready(tables, table, occupant.player)


def ended(tables, code, strength=lambda entrant: entrant):
    """End the running matches of the round; the lowest strength wins."""
    for _, table, state in pods(tables, code):
        if state == "playing":
            end(tables, table, strength)


def end(tables, table, strength=lambda entrant: entrant):
    def work(transaction):
        chairs = [occupant for occupant in transaction.table.chairs if occupant is not None]
        worth = [strength(occupant.entrant) if occupant.entrant else 1000 for occupant in chairs]
        places = tuple(1 + sum(other < mine for other in worth) for mine in worth)
        transaction.end(Outcome((0,) * len(worth), places, "won"))

    tables.change(table, work)


def played(tables, code, strength=lambda entrant: entrant):
    """Play a running tournament to its end; return it."""
    for _ in range(60):
        seen = settled(tables, code)
        if seen.of.ended:
            return seen
        all_ready(tables, code)
        ended(tables, code, strength)
    raise AssertionError("the tournament never ends")
