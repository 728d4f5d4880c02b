"""`kaboom demo`: a server with sample data, for developers, hosts and screenshots."""

import time
from collections.abc import Sequence
from contextlib import suppress

import click
from flask import current_app
from flask.cli import with_appcontext
from msgspec import to_builtins
from sqlalchemy import func, select

from kaboom.accounts import login, players
from kaboom.accounts.models import players as player_table
from kaboom.cli.maintenance import service
from kaboom.daily import service as daily
from kaboom.db.encryption import hash_of
from kaboom.db.ids import new_secret
from kaboom.db.migrate import upgrade
from kaboom.db.times import DAY, day_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.moves import CLOCK, Refusal
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records import notes
from kaboom.social.chat import service as chat
from kaboom.social.clubs import events, invitations
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import reports
from kaboom.social.friends import service as friends
from kaboom.table_page import service as match
from kaboom.tables import start_match
from kaboom.tables.service import TableService
from kaboom.tournaments import organizer, scheduler
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.rules.events import Format, Settings

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Femi")
FINISHED = (("gops", 2), ("taken", 5), ("taken", 3), ("gops", 2))  # games and their players
MOST_MOVES = 400


@click.command()
@with_appcontext
def demo() -> None:
    """Fill a new database with players, tables and a club."""
    settings = current_app.config["SERVER"]
    upgrade(settings.database_url, settings.secret_key)
    tables = service()
    if tables.database.read(lambda c: c.execute(select(func.count(player_table.c.id))).scalar()):
        raise click.ClickException(
            "The database already has players. Set DATABASE_URL to a new file for the demo."
        )
    secrets = [new_secret() for _unused in PEOPLE]
    fill(tables, [hash_of(secret) for secret in secrets])
    link = login.new_link(tables, hash_of(secrets[0]))
    click.echo(f"{len(PEOPLE)} players, their tables, a club, a tournament and finished matches.")
    minutes = login.LINK_MINUTES
    click.echo(f"To sign in as {PEOPLE[0]}, open this within {minutes} minutes: /login/{link}")
    click.echo("To see the host's pages, run `kaboom host link`.")


def fill(tables: TableService, keys: Sequence[str]) -> None:
    """Add the demo's players, identified by the hashes of their keys, and everything they have
    done.
    """
    ids = [players.player(tables, *pair)[0] for pair in zip(keys, PEOPLE, strict=True)]
    # 1. Finished matches, one of them with a note
    for number, (key, seats) in enumerate(FINISHED):
        code = seated(tables, key, ids[:seats])
        play_on(tables, code, ids, MOST_MOVES, number)
    mine = tables.get(code, keys[0])
    notes.write(tables, mine, mine.table.match, "Next time, keep the king for the end.")
    # 2. A running match, a waiting table, and one with bots
    running = seated(tables, "kaboom", ids[:3])
    play_on(tables, running, ids, 30, len(FINISHED))
    chat.speak(tables, running, ids[1], PEOPLE[1], "Who has seen a king?")
    chat.speak(tables, running, ids[0], PEOPLE[0], "I have forgotten all of mine.")
    chat.speak(tables, running, ids[2], PEOPLE[2], "You always play like a beginner, Ann!")
    seen = tables.get(running, keys[0])
    cleo = next(it for it in friends.people_at(tables, seen) if it.player == ids[2])
    reason = reports.Reason("insults", "Says this at each of our tables.")
    reports.report(tables, seen, cleo, reason, chat.read(tables, seen).others)
    lobby.open(tables, "taken", GAMES["taken"].options(), ids[3], PEOPLE[3], listed=True)
    koth = lobby.open(tables, "koth", GAMES["koth"].options(), ids[0], PEOPLE[0], bots=4)
    start_match.ready(tables, koth, ids[0])
    # 3. Friends, and a club with a table and an event
    for player in ids[1:4]:
        friends.take_link(tables, friends.new_link(tables, keys[0]), player)
    club = clubs.found(tables, ids[0], "Thursday Night Cards", PEOPLE[0])
    for player, name in zip(ids[1:5], PEOPLE[1:5], strict=True):
        invitation = invitations.new_link(tables, club, keys[0])
        invitations.join(tables, invitation, player, name)
    lobby.open(tables, "gops", GAMES["gops"].options(), ids[1], PEOPLE[1], club=club)
    day = time.strftime("%Y-%m-%d", time.gmtime(tables.now() + 2 * DAY))
    events.plan(tables, club, keys[0], "karata", (day, "19:30", "Africa/Nairobi"), "Bring jokes.")
    # 4. A tournament in its first round
    cup = tournaments.open(tables, ids[0], cup_settings(), listed=True)
    for player, name in zip(ids, PEOPLE, strict=True):
        tournaments.enter(tables, cup, player, name)
    tournaments.add_bots(tables, cup, ids[0], 2, Level.NORMAL)
    organizer.begin(tables, cup, ids[0])
    scheduler.direct_all(tables)
    # 5. The daily deal, played once
    daily.promise_ahead(tables)
    pace, tables.pace = tables.pace, Pace.INSTANT
    with suppress(Refusal):  # a game without a daily deal today
        code = daily.play(tables, day_of(tables.now()), ids[0], PEOPLE[0])
        play_on(tables, code, ids[:1], MOST_MOVES, len(FINISHED) + 1)
    tables.pace = pace


def seated(tables: TableService, key: str, ids: Sequence[int]) -> str:
    """Return the code of a new table at which these players have begun a match."""
    code = lobby.open(tables, key, GAMES[key].options(), ids[0], PEOPLE[0])
    for player, name in zip(ids[1:], PEOPLE[1:], strict=False):
        lobby.sit(tables, code, player, name)
    for player in ids:
        start_match.ready(tables, code, player)
    return code


def play_on(tables: TableService, code: str, ids: Sequence[int], most: int, number: int) -> None:
    """Play random moves for the players of a match until it ends or waits for its clock."""
    rng = Rng(number.to_bytes(32, "big"), number, "demo")
    for count in range(most):
        snapshot = tables.get(code)
        table = snapshot.table
        if table.outcome is not None:
            return
        move = random_turn(snapshot.game, snapshot.state, len(table.chairs), rng)
        player = None if move.seat == CLOCK else table.occupant(move.seat).player
        if player is None or player not in ids:
            tables.run_due(code)
            if tables.get(code).table.seq == table.seq:
                return
            continue
        token = next(
            it.token
            for it in snapshot.game.listeners(snapshot.state)
            if (it.seat, it.verb) == (move.seat, move.verb)
        )
        text = " ".join((move.verb, *move.choices))
        revision = table.revision(move.seat)
        match.submit(tables, code, player, text, token, f"demo {count}", table.match, revision)


def cup_settings() -> Settings:
    """Return the settings of a Swiss GOPS tournament for eight players."""
    game = GAMES["gops"]
    options = game.options(bid_seconds=30)
    return Settings(
        "Friday Cup",
        game.key,
        to_json(to_builtins(options)).decode(),
        Format.SWISS,
        size=game.pod,
        playable=tuple(game.playable(options)),
        most=16,
    )
