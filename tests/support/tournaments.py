"""Tournaments whose matches end as a test says, not as they are played."""

from sqlalchemy import select

from kaboom.accounts import player_queries
from kaboom.db import models
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.tournaments import organizer
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import look
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
    """Open a tournament that the first of these runs and all of them enter; return its code."""
    ids = players(tables, *names)
    code = commands.open(tables, ids[0], settings(**more))
    for name, player in zip(names, ids, strict=True):
        commands.enter(tables, code, player, name, f"cut of {name}")
    if bots:
        commands.add_bots(tables, code, ids[0], bots, Level.EASY)
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
    """Let everybody play this round to its end; return what the tournament has come to."""
    all_ready(tables, code)
    ended(tables, code)
    return settled(tables, code)


def settled(tables, code):
    """Let the director do all that is due."""
    for _ in range(400):
        if not direct(tables, code):
            return look(tables, code)
    raise AssertionError("the director finds no end")


def pods(tables, code):
    """Return the tables of the round: (number, code of the table, state)."""
    seen = look(tables, code)
    rows = tables.database.read(lambda c: store.pods_of(c, seen.row.id, seen.of.rounds[-1].pairing))
    return [(it.number, it.code, it.state) for it in rows]


def all_pods(tables, tournament_id):
    """Return (pairing, number, state) of every pod of a tournament for which a table was opened."""
    query = select(models.pods).where(models.pods.c.tournament_id == tournament_id)
    rows = tables.database.read(lambda c: c.execute(query).all())
    return sorted((it.pairing, it.number, it.state) for it in rows)


def all_ready(tables, code, missing=()):
    """Let everybody at the tables of the round be ready but those players."""
    for _, table, state in pods(tables, code):
        if state == "open":
            for _, chair in tables.look(table).table.sitting():
                if chair.player is not None and chair.player not in missing:
                    seating.ready(tables, table, chair.player)


def ended(tables, code, strength=lambda entrant: entrant):
    """End the matches of the round that are on; the lowest strength is the best."""
    for _, table, state in pods(tables, code):
        if state == "playing":
            end(tables, table, strength)


def end(tables, table, strength=lambda entrant: entrant):
    def work(transaction):
        chairs = [chair for chair in transaction.table.chairs if chair is not None]
        worth = [strength(chair.entrant) if chair.entrant else 1000 for chair in chairs]
        places = tuple(1 + sum(other < mine for other in worth) for mine in worth)
        transaction.end(Outcome((0,) * len(worth), places, "won"))

    tables.change(table, work)


def played(tables, code, strength=lambda entrant: entrant):
    """Play a tournament that has begun to its end; return it."""
    for _ in range(60):
        seen = settled(tables, code)
        if seen.of.ended:
            return seen
        all_ready(tables, code)
        ended(tables, code, strength)
    raise AssertionError("the tournament finds no end")
