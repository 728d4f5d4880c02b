"""Who may do what: every route, asked by everybody who could ask, at a table with a password.

A route that is missing from this page fails. Each row is asked in a copy of the same table, and
what changes something in another one for each role.
"""

import hashlib
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from kaboom.accounts import players
from kaboom.app import serve_tables
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.lobby.seat_transfer import new_pass
from kaboom.play import service as in_match
from kaboom.play.votes import propose
from kaboom.records.service import Library
from kaboom.social.chat.service import speak
from kaboom.social.clubs import service as clubs
from kaboom.tables import sittings
from kaboom.tables.access.service import let_in
from kaboom.tables.maintenance.cleanup import stop
from kaboom.tables.match_record import text_of
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.scheduler import direct
from tests.support.app import close
from tests.support.fake_ids import ChosenLots, numbered_seeds
from tests.support.statement_cache import prepared
from tests.support.tournaments import settings
from tests.tables.test_service import all_ready, press

ROLES = ("nobody", "stranger", "watcher", "other", "own", "former", "host")
NAMES = {"host": "Hal", "own": "Ann", "other": "Ben", "former": "Fay", "stranger": "Sam"}
ALL = (200,) * 7
GO = (303,) * 7
NONE = (404,) * 7
INSIDE = (403, 403, 200, 200, 200, 200, 200)  # whoever was let in
PLAYERS = (403, 403, 403, 303, 303, 403, 303)
NOT_OVER_DAYS = (403, 403, 403, 422, 422, 403, 422)
NO_DATE = (403, 403, 403, 422, 403, 403, 422)  # a member finds that there is none
CLUB = (403, 403, 403, 303, 403, 403, 303)
HOST = (403, 403, 403, 403, 403, 403, 303)

# Route → the stage it is asked at, the form, and the answer to each role.
Row = tuple[str, dict[str, str], tuple[int, ...]]
ROWS: dict[str, Row] = {
    "GET /": ("lobby", {}, ALL),
    "GET /healthz": ("lobby", {}, ALL),
    "GET /readyz": ("lobby", {}, ALL),
    "GET /metrics": ("lobby", {}, ALL),  # all of them ask from the server's own machine
    "GET /join": ("lobby", {}, GO),
    "GET /push.js": ("lobby", {}, ALL),
    "GET /me/vacation": ("lobby", {}, ALL),
    "POST /me/vacation": ("lobby", {"days": "3"}, (403, *[303] * 6)),
    # Calls; a secret that is none tells nothing
    "GET /me/calls": ("lobby", {}, ALL),
    "GET /turns": ("lobby", {}, ALL),
    "GET /turns.json": ("lobby", {}, ALL),
    "GET /turns.txt": ("lobby", {}, ALL),
    "GET /turns/<secret>.atom": ("lobby", {}, (404,) * 7),
    "GET /calls/mail/<secret>": ("lobby", {}, (404,) * 7),
    "POST /calls/mail/<secret>": ("lobby", {}, GO),
    "GET /calls/mail/<secret>/stop": ("lobby", {}, (404,) * 7),
    "POST /calls/mail/<secret>/stop": ("lobby", {}, ALL),
    "POST /me/calls/add": ("lobby", {}, (403, *[422] * 6)),
    "POST /me/calls/feed": ("lobby", {}, (403, *[303] * 6)),
    "POST /me/calls/push": ("lobby", {}, (403, *[422] * 6)),
    "POST /me/calls/remove": ("lobby", {}, (403, *[303] * 6)),
    "POST /me/calls/snooze": ("lobby", {}, (403, *[303] * 6)),
    "POST /me/calls/test": ("lobby", {}, (403, *[422] * 6)),
    "POST /me/calls/wake": ("lobby", {}, (403, *[303] * 6)),
    "POST /me/calls/wishes": ("lobby", {}, (403, *[422] * 6)),
    # The deal of the day; none is promised here yet
    "GET /day": ("lobby", {}, ALL),
    "GET /day.atom": ("lobby", {}, ALL),
    "GET /day.json": ("lobby", {}, ALL),
    "GET /day.txt": ("lobby", {}, ALL),
    "GET /day/<when>": ("lobby", {}, NONE),
    "GET /day/<when>.json": ("lobby", {}, NONE),
    "GET /day/<when>.txt": ("lobby", {}, NONE),
    "POST /day/<when>": ("lobby", {"name": "Eve"}, NONE),
    "GET /ratings": ("lobby", {}, ALL),
    "GET /ratings/<key>": ("lobby", {}, ALL),
    "GET /ratings/<key>.json": ("lobby", {}, ALL),
    "GET /ratings/<key>.txt": ("lobby", {}, ALL),
    "POST /me/ratings": ("lobby", {"counts": "1", "shown": "friends"}, (403, *[303] * 6)),
    "GET /lobby": ("lobby", {}, ALL),
    "GET /lobby/rooms": ("lobby", {}, ALL),
    "GET /lobby.json": ("lobby", {}, ALL),
    "GET /lobby.txt": ("lobby", {}, ALL),
    "GET /api": ("lobby", {}, ALL),
    "GET /api/chance": ("lobby", {}, ALL),
    "GET /api/chance.txt": ("lobby", {}, ALL),
    "GET /api/records": ("lobby", {}, ALL),
    "GET /api/records.txt": ("lobby", {}, ALL),
    "GET /api/reference": ("lobby", {}, ALL),
    "GET /api/reference.txt": ("lobby", {}, ALL),
    "GET /api/games/<key>": ("lobby", {}, ALL),
    "GET /api/games/<key>.json": ("lobby", {}, ALL),
    "GET /api/games/<key>.txt": ("lobby", {}, ALL),
    "GET /openapi.json": ("lobby", {}, ALL),
    "GET /problems/<slug>": ("lobby", {}, ALL),
    "GET /games.json": ("lobby", {}, ALL),
    "GET /games.txt": ("lobby", {}, ALL),
    "GET /rules/<key>": ("lobby", {}, ALL),
    "GET /rules/<key>.json": ("lobby", {}, ALL),
    "GET /rules/<key>.txt": ("lobby", {}, ALL),
    "GET /start/<key>": ("lobby", {}, ALL),
    "GET /static/<path:name>": ("lobby", {}, ALL),
    "GET /.well-known/security.txt": ("lobby", {}, NONE),  # this host gave no contact
    "GET /pictures/<key>.png": ("lobby", {}, ALL),
    "GET /pictures/<key>/<int:taken>-<int:seats>.png": ("lobby", {}, ALL),
    "GET /icons/<file>": ("lobby", {}, ALL),
    "GET /apple-touch-icon.png": ("lobby", {}, ALL),
    "GET /favicon.ico": ("lobby", {}, ALL),
    "GET /manifest.webmanifest": ("lobby", {}, ALL),
    "GET /robots.txt": ("lobby", {}, ALL),
    "GET /settings": ("lobby", {}, ALL),
    "POST /settings": ("lobby", {"look": "dark"}, GO),
    "POST /tables": ("lobby", {"game": "gops", "name": "Eve"}, GO),
    # One's own player
    "GET /me": ("over", {}, ALL),
    "POST /me/forget": ("over", {"what": "statistics", "sure": "1"}, GO),
    "GET /me/rules": ("lobby", {}, ALL),
    "POST /me/rules": ("lobby", {"game": "gops", "set": "", "called": "Mine"}, GO),
    "POST /me/rules/<int(max=999999999):number>": (
        "lobby",
        {"do": "delete"},
        (422,) * 7,
    ),  # they have none
    "GET /me/devices": ("over", {}, ALL),
    "POST /me/devices/name": ("over", {"device": "x", "name": "Phone"}, (403,) * 7),  # nobody's
    "POST /me/devices/out": ("over", {"device": "others"}, (403, *[303] * 6)),
    # Keys for programs: everybody's own; nobody has the one that is asked for here
    "GET /me/keys": ("lobby", {}, ALL),
    "POST /me/keys": ("lobby", {"name": "Eve", "key_name": "bot", "scope": "look"}, ALL),
    "POST /me/keys/revoke": ("lobby", {"key": "0123456789ab"}, (403,) * 7),
    "POST /guests": ("lobby", {"name": "Eve"}, (201,) * 7),
    "POST /me/devices/link": ("over", {}, (403, *[200] * 6)),
    "GET /me/keep": ("over", {}, ALL),
    "POST /me/keep": ("over", {"name": "Eve"}, GO),
    "POST /me/keep/words": ("over", {}, (403, *[200] * 6)),
    "GET /me/keep/words": ("over", {}, (403, *[422] * 6)),  # none were made
    "POST /me/keep/words/tried": ("over", {"word1": "zoo"}, (403, *[422] * 6)),
    "POST /me/keep/password": (
        "over",
        {"handle": "gull", "password": "seven tame herons", "again": "seven tame herons"},
        (403, *[303] * 6),
    ),
    "POST /me/keep/passkey": ("over", {}, (422,) * 7),  # not at this address
    "POST /me/keep/passkey/made": ("over", {"answer": "{{}}"}, (403,) * 7),
    "POST /me/keep/passkey/drop": ("over", {"passkey": "x"}, (403, *[303] * 6)),
    "GET /me/friends": ("over", {}, ALL),
    "POST /me/friends": ("over", {"do": "seen"}, (403, *[303] * 6)),
    "POST /me/friends/link": ("over", {}, (403, *[200] * 6)),
    "GET /friend/<secret>": ("over", {}, (410,) * 7),  # it carries a seat, not a friend
    "POST /friend/<secret>": ("over", {}, (410,) * 7),
    # Clubs: Hal is an officer of this one, Ben a member, and Fay was removed
    "GET /me/clubs": ("lobby", {}, ALL),
    "POST /me/clubs": ("lobby", {"club": "The Terns", "called": "Eve"}, GO),
    "GET /c/<club>": ("lobby", {}, ALL),  # outside it tells its name and no more
    "GET /c/<club>.json": ("lobby", {}, ALL),  # so do these
    "GET /c/<club>.txt": ("lobby", {}, ALL),
    "POST /c/<club>/ask": ("lobby", {"name": "Eve"}, (303,) * 7),
    "POST /c/<club>/members": ("lobby", {"do": "remove x"}, (403,) * 7),  # nobody is called that
    "POST /c/<club>/dates": ("lobby", {"do": "come 1"}, NO_DATE),
    "POST /c/<club>/name": ("lobby", {"name": "Eve"}, CLUB),
    "POST /c/<club>/leave": ("lobby", {"sure": "1"}, CLUB),
    "GET /c/<club>/settings": ("lobby", {}, ALL),  # outside it is the club's page
    "POST /c/<club>/settings": ("lobby", {"name": "The Terns"}, HOST),
    "POST /c/<club>/link": ("lobby", {}, (403, 403, 403, 403, 403, 403, 200)),
    "GET /club/<secret>": ("lobby", {}, (410,) * 7),  # it carries a seat, not a member
    "POST /club/<secret>": ("lobby", {}, (410,) * 7),
    # Results
    "GET /feed": ("over", {}, ALL),
    "POST /feed": ("over", {"do": "share"}, (403, *[303] * 6)),
    "GET /feed/<secret>.atom": ("over", {}, NONE),
    # Coming in
    "GET /in": ("over", {}, ALL),
    "POST /in/words": ("over", {"words": "zoo zoo"}, (403,) * 7),
    "POST /in/password": ("over", {"handle": "gull", "password": "wrong"}, (403,) * 7),
    "POST /in/passkey": ("over", {}, (422,) * 7),
    "POST /in/passkey/answer": ("over", {"answer": "{{}}"}, (403,) * 7),
    "POST /in/as": ("over", {"secret": "x"}, (410,) * 7),
    "GET /in/<secret>": ("over", {}, (410,) * 7),  # it carries a seat, not a person
    "POST /in/<secret>": ("over", {}, (410,) * 7),
    # A table
    "GET /t/<code>": ("playing", {}, ALL),  # outside it asks for the password and tells no more
    "GET /t/<code>.json": ("playing", {}, INSIDE),
    "GET /t/<code>.txt": ("playing", {}, INSIDE),
    "GET /t/<code>.say": ("playing", {}, INSIDE),
    "GET /t/<code>.ndjson": ("playing", {}, INSIDE),
    "GET /t/<code>/talk.json": ("playing", {}, INSIDE),
    "GET /t/<code>/talk.txt": ("playing", {}, INSIDE),
    "GET /t/<code>/view": ("playing", {}, INSIDE),
    "GET /t/<code>/events": ("playing", {}, INSIDE),
    "GET /t/<code>/wait": ("playing", {}, (403, 403, 303, 303, 303, 303, 303)),
    "GET /t/<code>/now": ("playing", {}, INSIDE),
    "GET /t/<code>/rules": ("playing", {}, INSIDE),
    "GET /t/<code>/rules.json": ("playing", {}, INSIDE),
    "GET /t/<code>/rules.txt": ("playing", {}, INSIDE),
    "GET /t/<code>/screen": ("playing", {}, INSIDE),
    "GET /t/<code>/screen/view": ("playing", {}, INSIDE),
    # Who sits there, or finds the chair taken, is led to the table.
    "GET /t/<code>/chair/<int(max=99):number>": ("lobby", {}, (403, 403, *[303] * 5)),
    "GET /t/<code>/pass": ("lobby", {}, INSIDE),
    "POST /t/<code>/pass": ("lobby", {"do": "hide"}, (403, 403, *[422] * 5)),
    "POST /t/<code>/pass/sit": ("lobby", {"name": "Eve"}, PLAYERS),
    "GET /t/<code>/qr.svg": ("lobby", {}, INSIDE),
    "POST /t/<code>/enter": ("lobby", {"password": "open sesame"}, GO),
    "POST /t/<code>/sit": ("lobby", {"name": "Eve"}, (403, 403, 303, 303, 303, 303, 303)),
    "POST /t/<code>/ready": ("lobby", {}, PLAYERS),
    "POST /t/<code>/cut": ("lobby", {"cut": "mine"}, PLAYERS),
    "POST /t/<code>/bot": ("lobby", {}, PLAYERS),
    "POST /t/<code>/remove": ("lobby", {"seat": "2"}, HOST),
    "POST /t/<code>/start": ("lobby", {}, HOST),
    "GET /t/<code>/options": ("lobby", {}, INSIDE),
    "POST /t/<code>/options": ("lobby", {"rounds": "2"}, HOST),
    "POST /t/<code>/seats": ("lobby", {"do": "shuffle"}, HOST),
    "POST /t/<code>/bots": ("lobby", {"bot_pace": "brisk"}, HOST),
    "POST /t/<code>/door": ("lobby", {"unlocked": "1"}, HOST),
    "POST /t/<code>/watching": ("lobby", {"watch": "-1"}, HOST),
    "POST /t/<code>/hands": ("lobby", {"answer": "no"}, PLAYERS),
    # A match
    "POST /t/<code>/move": (
        "playing",
        {"move": "{draw}", "match": "1", "v": "1", "cmd": "a", "sure": "1"},
        (403, 403, 403, 409, 303, 403, 409),
    ),
    "POST /t/<code>/tip": ("playing", {"read": "kaboom"}, (403, 403, *[303] * 5)),
    "GET /t/<code>/ahead": ("playing", {}, (403, 403, 303, 200, 200, 303, 200)),
    "POST /t/<code>/ahead": (
        "playing",
        {"plan": "nonsense", "match": "1"},
        (403, 403, 403, 422, 422, 403, 422),
    ),
    "GET /t/<code>/notes": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "POST /t/<code>/notes": ("playing", {"text": "x", "match": "1"}, PLAYERS),
    "POST /t/<code>/more": ("playing", {}, PLAYERS),
    # Of a table over days only; else it is said why not.
    "POST /t/<code>/nudge": ("playing", {"seat": "0"}, NOT_OVER_DAYS),
    "POST /t/<code>/hint": ("playing", {}, (403, 403, 403, 422, 422, 403, 422)),  # not alone
    "GET /t/<code>/leave": ("playing", {}, (403, 403, 303, 200, 200, 303, 200)),
    "POST /t/<code>/leave": ("playing", {"sure": "1"}, PLAYERS),
    "POST /t/<code>/hand-over": ("playing", {}, PLAYERS),
    "POST /t/<code>/take-over": ("stand-in", {}, PLAYERS),
    "POST /t/<code>/propose": ("playing", {"about": "pause"}, PLAYERS),
    "POST /t/<code>/vote": ("vote", {"vote": "1", "answer": "yes"}, PLAYERS),
    # Kaboom has no move of the host's, and this match can go on: 422.
    "GET /t/<code>/house": ("playing", {}, (403, 403, 403, 403, 403, 403, 200)),
    "POST /t/<code>/house": (
        "playing",
        {"move": "fix_rounds 1", "match": "1"},
        (403, 403, 403, 403, 403, 403, 422),
    ),
    "POST /t/<code>/end": ("playing", {}, (403, 403, 403, 422, 422, 403, 422)),
    "POST /t/<code>/rematch": ("over", {}, PLAYERS),
    # Carrying a seat to another device
    "GET /t/<code>/carry": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "POST /t/<code>/carry": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "GET /t/<code>/carry/<secret>": ("playing", {}, ALL),  # whoever has the one-use link
    "POST /t/<code>/carry/<secret>": ("playing", {}, (303, 303, 303, 422, 422, 303, 422)),
    # Those one plays with
    "GET /t/<code>/people": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "POST /t/<code>/people": ("playing", {"do": "ask x"}, (403,) * 7),  # nobody is called that
    "GET /t/<code>/report": ("playing", {}, (403,) * 7),
    "POST /t/<code>/report": ("playing", {"reason": "spam"}, (403,) * 7),
    # Talk
    "GET /t/<code>/room": ("playing", {}, INSIDE),
    "GET /t/<code>/talk": ("playing", {}, INSIDE),
    "POST /t/<code>/talk": ("lobby", {"text": "Hi", "name": "Eve"}, (403, 403, *[303] * 5)),
    "POST /t/<code>/talk/delete": ("lobby", {"line": "1"}, HOST),
    "POST /t/<code>/talk/mute": ("lobby", {"line": "1"}, (403, 403, 303, 422, 303, 303, 303)),
    "POST /t/<code>/talk/unmute": ("lobby", {"who": "x"}, (403, 403, 303, 303, 303, 303, 303)),
    "POST /t/<code>/call": ("lobby", {"address": ""}, PLAYERS),
    # The record of a finished match
    "GET /m/<code>": ("over", {}, ALL),
    "GET /m/<code>.json": ("over", {}, ALL),
    "GET /m/<code>.txt": ("over", {}, ALL),
    "GET /m/<code>/<int(max=99999):number>": ("over", {}, ALL),
    "GET /m/<code>/<int(max=99999):number>.json": ("over", {}, ALL),
    "GET /m/<code>/<int(max=99999):number>.txt": ("over", {}, ALL),
    "GET /m/<code>/go": ("over", {}, GO),
    "GET /m/<code>/print": ("over", {}, ALL),
    "GET /m/<code>/rules": ("over", {}, ALL),
    "GET /m/<code>/verify": ("over", {}, ALL),
    "POST /m/<code>/hide": ("over", {}, PLAYERS),
    # A record from elsewhere
    "GET /look": ("over", {}, ALL),
    "POST /look": ("over", {"text": "{json}"}, GO),
    "GET /look/<code>": ("over", {}, ALL),
    "GET /look/<code>/<int(max=99999):number>": ("over", {}, ALL),
    "GET /look/<code>/go": ("over", {}, GO),
    "GET /look/<code>/print": ("over", {}, ALL),
    "GET /look/<code>/rules": ("over", {}, ALL),
    "GET /look/<code>/verify": ("over", {}, ALL),
    "POST /look/<code>/hide": ("over", {}, NONE),
    # Tournaments: the host runs one, in which own and other play
    "GET /e": ("lobby", {}, ALL),
    "GET /e/new": ("lobby", {}, ALL),
    "POST /e": ("lobby", {"game": "gops", "who": "Eve", "name": "Cup"}, GO),
    "GET /e/<code>": ("tournament", {}, ALL),
    "POST /e/<code>": ("tournament", {"do": "leave"}, (403, 403, 403, 303, 303, 403, 303)),
    "GET /e/<code>/view": ("tournament", {}, ALL),
    "GET /e/<code>/table/<int(max=9999):round>/<int(max=9999):pod>": ("tournament", {}, GO),
    "GET /e/<code>/round/<int(max=9999):round>": ("tournament", {}, ALL),
    "GET /e/<code>/standings": ("tournament", {}, ALL),
    "GET /e/<code>/bracket": ("tournament", {}, ALL),
    "GET /e/<code>/bracket.svg": ("tournament", {}, ALL),
    "GET /e/<code>.json": ("tournament", {}, ALL),
    "GET /e/<code>.txt": ("tournament", {}, ALL),
    "GET /e/<code>/draw.json": ("tournament", {}, ALL),
    "GET /e/<code>/run": ("tournament", {}, (403, 403, 403, 403, 403, 403, 200)),
    "POST /e/<code>/run": ("tournament", {"do": "announce", "why": "tea"}, HOST),
    "GET /e/<code>/settings": ("tournament", {}, (403, 403, 403, 403, 403, 403, 200)),
    # It has begun.
    "POST /e/<code>/settings": ("tournament", {"name": "Cup"}, (403,) * 6 + (422,)),
}


@dataclass(frozen=True)
class World:
    """A table at one stage, in a file that is copied for each question."""

    file: Path
    facts: dict[str, str]  # what stands for <code>, <secret> … in a route and in a form


def key(role):
    return f"key-of-{role}"


def key_hash(role):
    return hashlib.sha256(key(role).encode()).hexdigest()


@pytest.fixture(scope="module")
def at(migrated_sqlite, tmp_path_factory, one_app):
    """A function: the world at a stage."""
    made: dict[str, World] = {}

    def found(stage):
        if stage not in made:
            file = tmp_path_factory.mktemp(stage) / "kaboom.sqlite3"
            shutil.copy(migrated_sqlite, file)
            tables = service_on(one_app, file)
            made[stage] = World(file, build(stage, tables))
            close(one_app)  # so that everything is in the file itself
        return made[stage]

    return found


def service_on(app, file):
    """Let the application serve the store in that file; nobody counts as away there."""
    close(app)
    settings = replace(app.config["SERVER"], database_url=f"sqlite:///{file}")
    lots = ChosenLots(seed=numbered_seeds())
    serve_tables(app, settings, now=lambda: 1_000_000.0, lots=lots)
    prepared(app.config["TABLES"].database)
    return app.config["TABLES"]


def build(stage, tables):
    """Seat Hal (the host), Ann and Ben, let Fay leave and Wim watch; return the facts."""
    ids = {role: players.player(tables, key_hash(role), name)[0] for role, name in NAMES.items()}
    options = GAMES["kaboom"].options(turn_seconds=60)
    code = seating.open(tables, "kaboom", options, ids["host"], "Hal", password="open sesame")
    for role in ("own", "other", "former", "watcher"):
        let_in(tables, code, key_hash(role))
    for role in ("own", "other", "former"):
        seating.sit(tables, code, ids[role], NAMES[role])
    sittings.leave(tables, code, ids["former"])
    seating.sit(
        tables,
        seating.open(tables, "gops", GAMES["gops"].options(), ids["stranger"], "Sam"),
        ids["own"],
        "A",
    )
    speak(tables, code, ids["other"], "Ben", text="Hello all")
    club = clubs.found(tables, ids["host"], "The Gulls", "Hal")
    clubs.settle(tables, club, key_hash("host"), "The Gulls", asking=True, phrases=False)
    link = clubs.new_link(tables, club, key_hash("host"))
    for role in ("other", "former"):
        clubs.join(tables, link, ids[role], NAMES[role])
    fay = next(it for it in clubs.look(tables, club, key_hash("host")).members if it.name == "Fay")
    clubs.do(tables, club, key_hash("host"), "remove", fay.word)
    facts = {
        "code": code,
        "club": club,
        "secret": new_pass(tables, code, ids["own"]),
        "line": "1",
        "slug": "too-late",
        "when": "2026-11-22",
    }
    facts |= {"key": "kaboom", "name": "vendor/htmx-bundle-4.0.1.js", "number": "1"}
    facts |= {"taken": "1", "seats": "4", "file": "icon-192.png", "round": "1", "pod": "1"}
    if stage == "tournament":
        facts["tournament"] = begun(
            tables, [(ids[it], NAMES[it]) for it in ("host", "own", "other")]
        )
        return facts
    if stage == "lobby":
        return facts
    for role in ("own", "other", "host"):
        seating.ready(tables, code, ids[role])
    all_ready(tables, code, [ids[role] for role in ("own", "other", "host")])
    while tables.look(code).table.seat_of(ids["own"]) not in tables.look(code).waiting_for():
        waited = tables.look(code).waiting_for()[0]
        for verb in ("draw", "discard"):
            press(tables, code, tables.look(code).table.chairs[waited].player, verb)
    seat = tables.look(code).table.seat_of(ids["own"])
    draw = tables.look(code).prompts[seat].offer("draw")
    facts["draw"] = f"{draw.token} draw"
    if stage == "vote":
        propose(tables, code, ids["host"], "pause")
    if stage == "stand-in":
        in_match.hand_over(tables, code, ids["own"])
    if stage == "over":
        stop(tables, code)
        facts["record"] = tables.look(code).table.record
        library = Library(tables)
        facts["json"] = text_of(library.find(facts["record"])[0].record)
        facts["look"] = library.bring(facts["json"])
    return facts


def begun(tables, people):
    """Open a knockout that the first of these runs and all enter; return its code."""
    host = people[0][0]
    code = tournaments.open(tables, host, settings())
    for player, name in people:
        tournaments.enter(tables, code, player, name)
    organizer.begin(tables, code, host)
    while direct(tables, code):
        pass
    return code


def copied(app, world, folder):
    """Let the application serve a copy of the world."""
    file = folder / "copy.sqlite3"
    for old in folder.glob("copy.sqlite3*"):
        old.unlink()
    shutil.copy(world.file, file)
    service_on(app, file)


def ask(app, world, route, form, role):
    """Return the status of a route asked by a role."""
    method, rule = route.split(" ", 1)
    codes = {"/m/": "record", "/lo": "look", "/e/": "tournament"}
    code = codes.get(rule[:3], "code")
    facts = {**world.facts, "code": world.facts.get(code, "")}
    client = app.test_client()
    if role != "nobody":
        client.set_cookie("kb", key(role))
    path = re.sub(r"<(?:[^>:]*:)?([a-z]+)>", lambda found: facts[found[1]], rule)
    data = {name: value.format(**facts) for name, value in form.items()}
    answer = client.open(path, method=method, data=data if method == "POST" else None)
    answer.close()
    return answer.status_code


def routes(app):
    return {
        f"{method} {rule}"
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def test_no_route_is_missing_and_none_is_invented(one_app):
    assert routes(one_app) == set(ROWS)


@pytest.mark.parametrize("route", ROWS)
def test_who_may(route, at, one_app, quick_folder):
    stage, form, expected = ROWS[route]
    answers, fresh = {}, False
    for role in ROLES:
        if not fresh:
            copied(one_app, at(stage), quick_folder)
        answers[role] = ask(one_app, at(stage), route, form, role)
        # Looking changes nothing, nor does what is refused (tests/fuzz).
        fresh = route.startswith("GET") or answers[role] >= 400
    assert answers == dict(zip(ROLES, expected, strict=True))
