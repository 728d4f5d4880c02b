"""Who may do what: every route, requested by every kind of viewer, at a table with a password.

The test fails if a route is missing from the rows below. Each row is requested on a copy of the
same table; a request that changes something gets a fresh copy for each role.
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
from kaboom.lobby import service as lobby
from kaboom.lobby.seat_transfer.service import new_transfer
from kaboom.puzzles.book import book
from kaboom.ratings.months import month_at
from kaboom.records.service import MatchArchive
from kaboom.review import service as review
from kaboom.social.chat.service import speak
from kaboom.social.clubs import invitations, roles
from kaboom.social.clubs import service as clubs
from kaboom.table_page import service as match
from kaboom.table_page.vote_service import propose_vote
from kaboom.tables import start_match
from kaboom.tables.access.service import let_in
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.match_record import text_of
from kaboom.tables.seats import leaving
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.scheduler import direct
from tests.conftest import folder_in_memory
from tests.support.app import close
from tests.support.app import served as serving
from tests.support.fake_ids import FakeIds, sequential_seeds
from tests.support.statement_cache import prepared
from tests.support.tournaments import settings
from tests.tables.test_service import all_ready, press

ROLES = ("nobody", "stranger", "watcher", "other", "own", "former", "host")
NAMES = {"host": "Hal", "own": "Ann", "other": "Ben", "former": "Fay", "stranger": "Sam"}
ALL = (200,) * 7
GO = (303,) * 7
NONE = (404,) * 7
NO_HOST = (403,) * 7
INSIDE = (403, 403, 200, 200, 200, 200, 200)  # for admitted players
PLAYERS = (403, 403, 403, 303, 303, 403, 303)
COACHED = SEATED = (403, 403, 403, 200, 200, 403, 200)
NOT_COACHED = (403, 403, 403, 404, 404, 403, 404)
NOT_OVER_DAYS = (403, 403, 403, 422, 422, 403, 422)
NO_DATE = (403, 403, 403, 422, 403, 403, 422)  # a member learns that there is none
CLUB = (403, 403, 403, 303, 403, 403, 303)
HOST = (403, 403, 403, 403, 403, 403, 303)
LEADER = (403, 403, 403, 403, 303, 403, 403)
IN_REVIEW = (403, 403, 403, 303, 303, 403, 403)

# Route → the stage at which it is requested, the form, and the answer to each role.
Row = tuple[str, dict[str, str], tuple[int, ...]]
ROWS: dict[str, Row] = {
    "GET /": ("lobby", {}, ALL),
    "GET /healthz": ("lobby", {}, ALL),
    "GET /readyz": ("lobby", {}, ALL),
    "GET /metrics": ("lobby", {}, ALL),  # all roles send requests from the server's machine
    "GET /join": ("lobby", {}, GO),
    "GET /push.js": ("lobby", {}, ALL),
    "GET /settings/vacation": ("lobby", {}, ALL),
    "POST /settings/vacation": ("lobby", {"days": "3"}, (403, *[303] * 6)),
    # Statistics (no player here has a public page)
    "GET /statistics": ("lobby", {}, ALL),
    "GET /statistics.json": ("lobby", {}, ALL),
    "GET /statistics.txt": ("lobby", {}, ALL),
    "GET /statistics/people": ("lobby", {}, ALL),
    "GET /statistics/people.json": ("lobby", {}, ALL),
    "GET /statistics/people.txt": ("lobby", {}, ALL),
    "GET /statistics/<key>": ("lobby", {}, ALL),
    "GET /statistics/<key>.json": ("lobby", {}, NONE),
    "GET /statistics/<key>.txt": ("lobby", {}, NONE),
    "GET /settings/public-page": ("lobby", {}, ALL),
    "POST /settings/public-page": ("lobby", {"on": "1"}, (403, *[303] * 6)),
    "GET /players/<code>": ("lobby", {}, NONE),
    "GET /players/<code>.json": ("lobby", {}, NONE),
    "GET /players/<code>.txt": ("lobby", {}, NONE),
    # Learning
    "GET /learn": ("lobby", {}, ALL),
    "GET /learn.json": ("lobby", {}, ALL),
    "GET /learn.txt": ("lobby", {}, ALL),
    "GET /learn/<key>": ("lobby", {}, ALL),
    "GET /learn/<key>.json": ("lobby", {}, ALL),
    "GET /learn/<key>.txt": ("lobby", {}, ALL),
    "GET /learn/<key>/<lesson>": ("lobby", {}, GO),
    "GET /learn/<key>/<lesson>/<int(max=999):number>": ("lobby", {}, ALL),
    "GET /learn/<key>/<lesson>/<int(max=999):number>.json": ("lobby", {}, ALL),
    "GET /learn/<key>/<lesson>/<int(max=999):number>.txt": ("lobby", {}, ALL),
    "POST /learn/<key>/<lesson>/<int(max=999):number>/move": ("lobby", {"move": "x"}, GO),
    "GET /learn/<key>/<lesson>/done": ("lobby", {}, ALL),
    "GET /learn/<key>/<lesson>/done.json": ("lobby", {}, ALL),
    "GET /learn/<key>/<lesson>/done.txt": ("lobby", {}, ALL),
    "GET /puzzles": ("lobby", {}, ALL),
    "GET /puzzles.json": ("lobby", {}, ALL),
    "GET /puzzles.txt": ("lobby", {}, ALL),
    "GET /puzzles.atom": ("lobby", {}, ALL),
    "GET /puzzles/day": ("lobby", {}, GO),
    "GET /puzzles/<key>": ("lobby", {}, ALL),
    "GET /puzzles/<key>.json": ("lobby", {}, ALL),
    "GET /puzzles/<key>.txt": ("lobby", {}, ALL),
    "GET /puzzle/<puzzle>": ("lobby", {}, ALL),
    "GET /puzzle/<puzzle>.json": ("lobby", {}, ALL),
    "GET /puzzle/<puzzle>.txt": ("lobby", {}, ALL),
    "POST /puzzle/<puzzle>/answer": ("lobby", {"move": "x"}, (422,) * 7),
    "POST /puzzle/<puzzle>/move": ("lobby", {"move": "x"}, (422,) * 7),
    "POST /puzzle/<puzzle>/play": ("lobby", {"name": "Eve"}, GO),
    # Looking back
    "GET /m/<code>.html": ("over", {}, ALL),
    "GET /m/<code>/play-on": ("over", {}, ALL),
    "POST /m/<code>/play": ("over", {"name": "Eve"}, GO),
    "GET /m/<code>/challenge-friends": ("over", {}, ALL),
    "POST /m/<code>/challenge": ("over", {"name": "Eve"}, GO),
    # Reviewing together: "own" has opened the review, and "other" has joined it
    "GET /m/<code>/review": ("over", {}, ALL),
    "GET /m/<code>/review.json": ("over", {}, ALL),
    "GET /m/<code>/review.txt": ("over", {}, ALL),
    "POST /m/<code>/review": ("over", {"name": "Eve"}, GO),
    "GET /m/<code>/review/<review>": ("over", {}, (200, 200, 200, 303, 303, 200, 200)),
    "GET /m/<code>/review/<review>.json": ("over", {}, ALL),
    "GET /m/<code>/review/<review>.txt": ("over", {}, ALL),
    "GET /m/<code>/review/<review>/<int(max=99999):number>": (
        "over",
        {},
        (303, 303, 303, 200, 200, 303, 303),
    ),
    "GET /m/<code>/review/<review>/go": ("over", {}, GO),
    "GET /m/<code>/review/<review>/events": ("over", {}, (404, 404, 404, 200, 200, 404, 404)),
    "POST /m/<code>/review/<review>/join": ("over", {"name": "Eve"}, GO),
    "POST /m/<code>/review/<review>/lead": ("over", {"step": "1"}, LEADER),
    "POST /m/<code>/review/<review>/hand-over": ("over", {"who": "{member}"}, LEADER),
    "POST /m/<code>/review/<review>/ask": ("over", {}, IN_REVIEW),
    "POST /m/<code>/review/<review>/say": ("over", {"text": "Hi", "step": "1"}, IN_REVIEW),
    "POST /m/<code>/review/<review>/delete": ("over", {"line": "{remark}"}, IN_REVIEW),
    "POST /m/<code>/review/<review>/leave": ("over", {}, IN_REVIEW),
    "GET /m/<code>/review/<review>/people": ("over", {}, ALL),
    "POST /m/<code>/review/<review>/people": ("over", {"do": "mute {member}"}, LEADER),
    "GET /m/<code>/review/<review>/report": ("over", {}, NO_HOST),  # of a player who is not in it
    "POST /m/<code>/review/<review>/report": (
        "over",
        {"who": "{member}", "reason": "spam"},
        LEADER,
    ),
    # For the player's own decisions; no player has requested it before
    "GET /m/<code>/coach": ("over", {}, COACHED),
    "GET /m/<code>/coach.json": ("over", {}, COACHED),
    "GET /m/<code>/coach.txt": ("over", {}, COACHED),
    "GET /m/<code>/coach/now": ("over", {}, COACHED),
    "POST /m/<code>/coach": ("over", {}, PLAYERS),
    "GET /m/<code>/coach/<int(max=99999):number>": ("over", {}, NOT_COACHED),
    "GET /m/<code>/coach/<int(max=99999):number>.json": ("over", {}, NOT_COACHED),
    "GET /m/<code>/coach/<int(max=99999):number>.txt": ("over", {}, NOT_COACHED),
    "POST /m/<code>/coach/<int(max=99999):number>/move": ("over", {"move": "x"}, NOT_COACHED),
    "GET /challenge/<code>": ("lobby", {}, NONE),
    "GET /challenge/<code>.json": ("lobby", {}, NONE),
    "GET /challenge/<code>.txt": ("lobby", {}, NONE),
    "POST /challenge/<code>/play": ("lobby", {"name": "Eve"}, NONE),
    "GET /tournaments/<code>/round/<int(max=9999):round>/compare": ("tournament", {}, NONE),
    "GET /tournaments/<code>/round/<int(max=9999):round>/compare.json": ("tournament", {}, NONE),
    "GET /tournaments/<code>/round/<int(max=9999):round>/compare.txt": ("tournament", {}, NONE),
    "GET /daily/<when>/compare": ("lobby", {}, NONE),
    "GET /daily/<when>/compare.json": ("lobby", {}, NONE),
    "GET /daily/<when>/compare.txt": ("lobby", {}, NONE),
    # Notifications (an invalid secret reveals nothing)
    "GET /settings/notifications": ("lobby", {}, ALL),
    "GET /turns": ("lobby", {}, ALL),
    "GET /turns.json": ("lobby", {}, ALL),
    "GET /turns.txt": ("lobby", {}, ALL),
    "GET /turns/<secret>.atom": ("lobby", {}, (404,) * 7),
    "GET /notifications/mail/<secret>": ("lobby", {}, (404,) * 7),
    "POST /notifications/mail/<secret>": ("lobby", {}, GO),
    "GET /notifications/mail/<secret>/stop": ("lobby", {}, (404,) * 7),
    "POST /notifications/mail/<secret>/stop": ("lobby", {}, ALL),
    "POST /settings/notifications/add": ("lobby", {}, (403, *[422] * 6)),
    "POST /settings/notifications/feed": ("lobby", {}, (403, *[303] * 6)),
    "POST /settings/notifications/push": ("lobby", {}, (403, *[422] * 6)),
    "POST /settings/notifications/remove": ("lobby", {}, (403, *[303] * 6)),
    "POST /settings/notifications/snooze": ("lobby", {}, (403, *[303] * 6)),
    "POST /settings/notifications/test": ("lobby", {}, (403, *[422] * 6)),
    "POST /settings/notifications/resume": ("lobby", {}, (403, *[303] * 6)),
    "POST /settings/notifications/preferences": ("lobby", {}, (403, *[422] * 6)),
    # The deal of the day (none has been committed yet)
    "GET /daily": ("lobby", {}, ALL),
    "GET /daily.atom": ("lobby", {}, ALL),
    "GET /daily.json": ("lobby", {}, ALL),
    "GET /daily.txt": ("lobby", {}, ALL),
    "GET /daily/<when>": ("lobby", {}, NONE),
    "GET /daily/<when>.json": ("lobby", {}, NONE),
    "GET /daily/<when>.txt": ("lobby", {}, NONE),
    "POST /daily/<when>": ("lobby", {"name": "Eve"}, NONE),
    "GET /leaderboards": ("lobby", {}, ALL),
    "GET /leaderboards/<key>": ("lobby", {}, ALL),
    "GET /leaderboards/<key>.json": ("lobby", {}, ALL),
    "GET /leaderboards/<key>.txt": ("lobby", {}, ALL),
    "GET /leaderboards/<key>/<month>": ("lobby", {}, ALL),
    "GET /leaderboards/<key>/<month>.json": ("lobby", {}, ALL),
    "GET /leaderboards/<key>/<month>.txt": ("lobby", {}, ALL),
    "POST /account/leaderboards": ("lobby", {"counts": "1", "shown": "friends"}, (403, *[303] * 6)),
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
    "GET /about": ("lobby", {}, ALL),
    "GET /help": ("lobby", {}, GO),
    "GET /privacy": ("lobby", {}, GO),
    "GET /rules": ("lobby", {}, ALL),
    "GET /rules/<key>": ("lobby", {}, ALL),
    "GET /rules/<key>.json": ("lobby", {}, ALL),
    "GET /rules/<key>.txt": ("lobby", {}, ALL),
    "GET /start/<key>": ("lobby", {}, ALL),
    "GET /static/<path:name>": ("lobby", {}, ALL),
    "GET /.well-known/security.txt": ("lobby", {}, NONE),  # no contact is configured
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
    "GET /play": ("lobby", {}, ALL),
    "GET /play.json": ("lobby", {}, ALL),
    "GET /play.txt": ("lobby", {}, ALL),
    "GET /play/wait": ("lobby", {}, GO),
    "GET /play/wait.json": ("lobby", {}, ALL),
    "GET /play/wait.txt": ("lobby", {}, ALL),
    "GET /play/waiting": ("lobby", {}, ALL),
    "GET /play/now": ("lobby", {}, ALL),
    "POST /play": ("lobby", {"game": "gops", "name": "Eve"}, GO),
    "POST /play/bots": ("lobby", {}, GO),
    "POST /play/leave": ("lobby", {}, GO),
    "POST /play/notify": ("lobby", {"hours": "2"}, (403, *(422,) * 6)),
    # A person's own player
    # The server's hosts (no player here is one: tests/admin)
    "GET /host": ("lobby", {}, NO_HOST),
    "GET /host/people": ("lobby", {}, NO_HOST),
    "GET /host/people/<number:number>": ("lobby", {}, NO_HOST),
    "POST /host/people/<number:number>": ("lobby", {"do": "warn", "why": "x"}, NO_HOST),
    "GET /host/reports": ("lobby", {}, NO_HOST),
    "GET /host/reports/<number:number>": ("lobby", {}, NO_HOST),
    "POST /host/reports/<number:number>": ("lobby", {"do": "out"}, NO_HOST),
    "POST /host/lift": ("lobby", {"sanction": "1", "why": "x"}, NO_HOST),
    "POST /host/change": ("lobby", {"sanction": "1", "why": "x", "days": "3"}, NO_HOST),
    "GET /host/upkeep": ("lobby", {}, NO_HOST),
    "GET /host/messages": ("lobby", {}, NO_HOST),
    "GET /host/matches": ("lobby", {}, NO_HOST),
    "GET /host/hosts": ("lobby", {}, NO_HOST),
    "GET /host/backup": ("lobby", {}, NO_HOST),
    "GET /host/link": ("lobby", {}, NO_HOST),
    "POST /host/upkeep": ("lobby", {"do": "today", "text": "x"}, NO_HOST),
    "POST /host/backup": ("lobby", {}, NO_HOST),
    "POST /host/link": ("lobby", {}, NO_HOST),
    "GET /host/acts": ("lobby", {}, NO_HOST),
    "GET /host/login/<secret>": ("lobby", {}, (410,) * 7),
    "POST /host/login/<secret>": ("lobby", {"name": "Zoe"}, (410,) * 7),
    "POST /account/messages/read": ("lobby", {}, GO),
    "GET /account": ("over", {}, ALL),
    "POST /account/name": ("over", {"name": "Zoe"}, GO),
    "POST /account/delete": ("over", {"what": "statistics", "sure": "1"}, GO),
    "GET /settings/presets": ("lobby", {}, ALL),
    "POST /settings/presets": ("lobby", {"game": "gops", "set": "", "called": "Mine"}, GO),
    "POST /settings/presets/<number:number>": (
        "lobby",
        {"do": "delete"},
        (422,) * 7,
    ),  # they have none
    "GET /settings/devices": ("over", {}, ALL),
    "POST /settings/devices/name": (
        "over",
        {"device": "x", "name": "Phone"},
        (403,) * 7,
    ),  # not a player's
    "POST /settings/devices/sign-out": ("over", {"device": "others"}, (403, *[303] * 6)),
    # API keys: each player's own (no player has the requested one)
    "GET /settings/api-keys": ("lobby", {}, ALL),
    "POST /settings/api-keys": ("lobby", {"name": "Eve", "key_name": "bot", "scope": "look"}, ALL),
    # Remote bots (no player here has one)
    "GET /settings/bots": ("lobby", {}, ALL),
    "GET /settings/bots.json": ("lobby", {}, ALL),
    "GET /settings/bots.txt": ("lobby", {}, ALL),
    "POST /settings/bots": ("lobby", {"name": "Eve", "bot_name": "x", "address": "x"}, (422,) * 7),
    "GET /settings/bots/<number:bot>": ("lobby", {}, (403,) * 7),
    "GET /settings/bots/<number:bot>.json": ("lobby", {}, (403,) * 7),
    "GET /settings/bots/<number:bot>.txt": ("lobby", {}, (403,) * 7),
    "POST /settings/bots/<number:bot>": ("lobby", {"do": "check"}, (403,) * 7),
    "GET /t/<code>/invite-bot": ("lobby", {}, SEATED),
    "GET /t/<code>/invite-bot.json": ("lobby", {}, SEATED),
    "GET /t/<code>/invite-bot.txt": ("lobby", {}, SEATED),
    "POST /t/<code>/invite-bot": ("lobby", {"bot": "1"}, (403,) * 7),
    "POST /settings/api-keys/revoke": ("lobby", {"key": "0123456789ab"}, (403,) * 7),
    "POST /guests": ("lobby", {"name": "Eve"}, (201,) * 7),
    "POST /settings/devices/link": ("over", {}, (403, *[200] * 6)),
    "GET /settings/account": ("over", {}, ALL),
    "POST /settings/account": ("over", {"name": "Eve"}, GO),
    "POST /settings/account/recovery-words": ("over", {}, (403, *[200] * 6)),
    "GET /settings/account/recovery-words": ("over", {}, (403, *[422] * 6)),  # none were created
    "POST /settings/account/recovery-words/check": ("over", {"word1": "zoo"}, (403, *[422] * 6)),
    "POST /settings/account/password": (
        "over",
        {"handle": "gull", "password": "seven tame herons", "again": "seven tame herons"},
        (403, *[303] * 6),
    ),
    "POST /settings/account/passkey": ("over", {}, (422,) * 7),  # not at this address
    "POST /settings/account/passkey/save": ("over", {"answer": "{{}}"}, (403,) * 7),
    "POST /settings/account/passkey/remove": ("over", {"passkey": "x"}, (403, *[303] * 6)),
    "GET /friends": ("over", {}, ALL),
    "POST /friends": ("over", {"do": "seen"}, (403, *[303] * 6)),
    "POST /friends/link": ("over", {}, (403, *[200] * 6)),
    "GET /friends/<word>/invite": ("over", {}, (403,) * 7),  # no friend is called that
    "POST /friends/invitations": ("over", {"code": "AAAAAAAA"}, (403, *[303] * 6)),
    "GET /friends/add/<secret>": ("over", {}, (410,) * 7),  # its secret transfers a seat only
    "POST /friends/add/<secret>": ("over", {}, (410,) * 7),
    # Clubs: Hal is an officer of this one, Ben is a member, and Fay was removed
    "GET /clubs": ("lobby", {}, ALL),
    "POST /clubs": ("lobby", {"club": "The Terns", "called": "Eve"}, GO),
    "GET /clubs/<club>": ("lobby", {}, ALL),  # outsiders see only its name
    "GET /clubs/<club>.json": ("lobby", {}, ALL),  # likewise
    "GET /clubs/<club>.txt": ("lobby", {}, ALL),
    "POST /clubs/<club>/ask": ("lobby", {"name": "Eve"}, (303,) * 7),
    "POST /clubs/<club>/members": (
        "lobby",
        {"do": "remove x"},
        (403,) * 7,
    ),  # no player is called that
    "POST /clubs/<club>/dates": ("lobby", {"do": "come 1"}, NO_DATE),
    "POST /clubs/<club>/name": ("lobby", {"name": "Eve"}, CLUB),
    "POST /clubs/<club>/leave": ("lobby", {"sure": "1"}, CLUB),
    "GET /clubs/<club>/settings": ("lobby", {}, ALL),  # outsiders see the club's page
    "POST /clubs/<club>/settings": ("lobby", {"name": "The Terns"}, HOST),
    "POST /clubs/<club>/link": ("lobby", {}, (403, 403, 403, 403, 403, 403, 200)),
    "GET /clubs/join/<secret>": ("lobby", {}, (410,) * 7),  # its secret transfers a seat only
    "POST /clubs/join/<secret>": ("lobby", {}, (410,) * 7),
    # Results
    "GET /feed": ("over", {}, ALL),
    "POST /feed": ("over", {"do": "share"}, (403, *[303] * 6)),
    "GET /feed/<secret>.atom": ("over", {}, NONE),
    # Signing in
    "GET /login": ("over", {}, ALL),
    "POST /login/recovery-words": ("over", {"words": "zoo zoo"}, (403,) * 7),
    "POST /login/password": ("over", {"handle": "gull", "password": "wrong"}, (403,) * 7),
    "POST /login/passkey": ("over", {}, (422,) * 7),
    "POST /login/passkey/answer": ("over", {"answer": "{{}}"}, (403,) * 7),
    # No provider is configured here: accounts/test_openid.py
    "POST /login/openid": ("over", {}, NONE),
    "GET /login/openid/return": ("over", {}, NONE),
    "POST /login/openid/account": ("over", {"name": "Eve"}, NONE),
    "GET /login/openid/signed-out": ("over", {}, NONE),
    "POST /settings/account/openid": ("over", {}, NONE),
    "POST /settings/account/openid/remove": ("over", {}, NONE),
    "POST /login/confirm": ("over", {"secret": "x"}, (410,) * 7),
    "GET /login/<secret>": ("over", {}, (410,) * 7),  # its secret transfers a seat only
    "POST /login/<secret>": ("over", {}, (410,) * 7),
    # A table
    "GET /t/<code>": ("playing", {}, ALL),  # outsiders see the password form
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
    # A player who sits there, or finds the chair taken, is redirected to the table.
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
    # For correspondence tables only; other tables answer with the reason.
    "POST /t/<code>/nudge": ("playing", {"seat": "0"}, NOT_OVER_DAYS),
    "POST /t/<code>/hint": ("playing", {}, (403, 403, 403, 422, 422, 403, 422)),  # not alone
    "GET /t/<code>/leave": ("playing", {}, (403, 403, 303, 200, 200, 303, 200)),
    "POST /t/<code>/leave": ("playing", {"sure": "1"}, PLAYERS),
    "POST /t/<code>/hand-over": ("playing", {}, PLAYERS),
    "POST /t/<code>/take-over": ("stand-in", {}, PLAYERS),
    "POST /t/<code>/propose": ("playing", {"about": "pause"}, PLAYERS),
    "POST /t/<code>/vote": ("vote", {"vote": "1", "answer": "yes"}, PLAYERS),
    # Kaboom has no host moves, and this match can continue: 422.
    "GET /t/<code>/house": ("playing", {}, (403, 403, 403, 403, 403, 403, 200)),
    "POST /t/<code>/house": (
        "playing",
        {"move": "fix_rounds 1", "match": "1"},
        (403, 403, 403, 403, 403, 403, 422),
    ),
    "POST /t/<code>/end": ("playing", {}, (403, 403, 403, 422, 422, 403, 422)),
    "POST /t/<code>/rematch": ("over", {}, PLAYERS),
    "POST /t/<code>/same-deal": ("over", {}, PLAYERS),
    # Moving a seat to another device
    "GET /t/<code>/carry": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "POST /t/<code>/carry": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "GET /t/<code>/carry/<secret>": ("playing", {}, ALL),  # anyone with the one-use link
    "POST /t/<code>/carry/<secret>": ("playing", {}, (303, 303, 303, 422, 422, 303, 422)),
    # Fellow players
    "GET /t/<code>/people": ("playing", {}, (403, 403, 403, 200, 200, 403, 200)),
    "POST /t/<code>/people": ("playing", {"do": "ask x"}, (403,) * 7),  # no player is called that
    "GET /t/<code>/friends": ("lobby", {}, (403, 403, 403, 403, 403, 403, 200)),
    "POST /t/<code>/friends": ("lobby", {"friend": "x"}, (403,) * 7),  # no friend is called that
    "GET /t/<code>/report": ("playing", {}, (403,) * 7),
    "POST /t/<code>/report": ("playing", {"reason": "spam"}, (403,) * 7),
    # Chat
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
    # A record of another server
    "GET /replay": ("over", {}, ALL),
    "POST /replay": ("over", {"text": "{json}"}, GO),
    "GET /replay/<code>": ("over", {}, ALL),
    "GET /replay/<code>/<int(max=99999):number>": ("over", {}, ALL),
    "GET /replay/<code>/go": ("over", {}, GO),
    "GET /replay/<code>/print": ("over", {}, ALL),
    "GET /replay/<code>/rules": ("over", {}, ALL),
    "GET /replay/<code>/verify": ("over", {}, ALL),
    "POST /replay/<code>/hide": ("over", {}, NONE),
    # Tournaments: "host" runs one, in which "own" and "other" play
    "GET /tournaments": ("lobby", {}, ALL),
    "GET /tournaments/new": ("lobby", {}, ALL),
    "POST /tournaments": ("lobby", {"game": "gops", "who": "Eve", "name": "Cup"}, GO),
    "GET /tournaments/<code>": ("tournament", {}, ALL),
    "POST /tournaments/<code>": (
        "tournament",
        {"do": "leave"},
        (403, 403, 403, 303, 303, 403, 303),
    ),
    "GET /tournaments/<code>/view": ("tournament", {}, ALL),
    "GET /tournaments/<code>/table/<int(max=9999):round>/<int(max=9999):pod>": (
        "tournament",
        {},
        GO,
    ),
    "GET /tournaments/<code>/round/<int(max=9999):round>": ("tournament", {}, ALL),
    "GET /tournaments/<code>/standings": ("tournament", {}, ALL),
    "GET /tournaments/<code>/bracket": ("tournament", {}, ALL),
    "GET /tournaments/<code>/bracket.svg": ("tournament", {}, ALL),
    "GET /tournaments/<code>.json": ("tournament", {}, ALL),
    "GET /tournaments/<code>.txt": ("tournament", {}, ALL),
    "GET /tournaments/<code>/draw.json": ("tournament", {}, ALL),
    "GET /tournaments/<code>/manage": ("tournament", {}, (403, 403, 403, 403, 403, 403, 200)),
    "POST /tournaments/<code>/manage": ("tournament", {"do": "announce", "why": "tea"}, HOST),
    "GET /tournaments/<code>/settings": ("tournament", {}, (403, 403, 403, 403, 403, 403, 200)),
    # It has begun.
    "POST /tournaments/<code>/settings": ("tournament", {"name": "Cup"}, (403,) * 6 + (422,)),
}


@dataclass(frozen=True)
class World:
    """A table at one stage, in a file that is copied for each request."""

    file: Path
    facts: dict[str, str]  # the values of <code>, <secret> … in routes and forms


def key(role):
    return f"key-of-{role}"


def key_hash(role):
    return hashlib.sha256(key(role).encode()).hexdigest()


@pytest.fixture(scope="module")
def at(migrated_sqlite, tmp_path_factory, one_app):
    """A function that prepares the world at a stage."""
    made: dict[str, World] = {}

    def found(stage):
        if stage not in made:
            file = tmp_path_factory.mktemp(stage) / "kaboom.sqlite3"
            shutil.copy(migrated_sqlite, file)
            tables = service_on(one_app, file)
            made[stage] = World(file, build(stage, tables))
            close(one_app)  # so that everything is in the file itself
        return made[stage]

    with serving(one_app, f"sqlite:///{migrated_sqlite}"):  # later it serves its own again
        yield found


def service_on(app, file):
    """Let the application serve the store in that file; no one counts as away there."""
    close(app)
    settings = replace(app.config["SERVER"], database_url=f"sqlite:///{file}")
    fake_ids = FakeIds(seed=sequential_seeds())
    serve_tables(app, settings, now=lambda: 1_000_000.0, ids=fake_ids)
    prepared(app.config["TABLES"].database)
    return app.config["TABLES"]


def build(stage, tables):
    """Seat Hal (the host), Ann and Ben, let Fay leave and Wim watch; return the facts."""
    ids = {role: players.player(tables, key_hash(role), name)[0] for role, name in NAMES.items()}
    options = GAMES["kaboom"].options(turn_seconds=60)
    code = lobby.open(tables, "kaboom", options, ids["host"], "Hal", password="open sesame")
    for role in ("own", "other", "former", "watcher"):
        let_in(tables, code, key_hash(role))
    for role in ("own", "other", "former"):
        lobby.sit(tables, code, ids[role], NAMES[role])
    leaving.leave(tables, code, ids["former"])
    lobby.sit(
        tables,
        lobby.open(tables, "gops", GAMES["gops"].options(), ids["stranger"], "Sam"),
        ids["own"],
        "A",
    )
    speak(tables, code, ids["other"], "Ben", text="Hello all")
    club = clubs.found(tables, ids["host"], "The Gulls", "Hal")
    clubs.settle(tables, club, key_hash("host"), "The Gulls", asking=True, phrases=False)
    link = invitations.new_link(tables, club, key_hash("host"))
    for role in ("other", "former"):
        invitations.join(tables, link, ids[role], NAMES[role])
    fay = next(it for it in clubs.get(tables, club, key_hash("host")).members if it.name == "Fay")
    roles.change_role(tables, club, key_hash("host"), "remove", fay.word)
    facts = {
        "code": code,
        "club": club,
        "secret": new_transfer(tables, code, ids["own"]),
        "word": "nobody",
        "line": "1",
        "slug": "too-late",
        "when": "2026-11-22",
    }
    facts |= {"key": "kaboom", "name": "vendor/htmx-bundle-4.0.1.js", "number": "1"}
    facts["month"] = month_at(tables.now())
    facts |= {"bot": "1", "lesson": "first", "puzzle": next(iter(book("gops")))}
    facts |= {"taken": "1", "seats": "4", "file": "icon-192.png", "round": "1", "pod": "1"}
    if stage == "tournament":
        facts["tournament"] = begun(
            tables, [(ids[it], NAMES[it]) for it in ("host", "own", "other")]
        )
        return facts
    if stage == "lobby":
        return facts
    for role in ("own", "other", "host"):
        start_match.ready(tables, code, ids[role])
    all_ready(tables, code, [ids[role] for role in ("own", "other", "host")])
    while tables.get(code).table.seat_of(ids["own"]) not in tables.get(code).waiting_for():
        waited = tables.get(code).waiting_for()[0]
        for verb in ("draw", "discard"):
            press(tables, code, tables.get(code).table.chairs[waited].player, verb)
    seat = tables.get(code).table.seat_of(ids["own"])
    draw = tables.get(code).prompts[seat].offer("draw")
    facts["draw"] = f"{draw.token} draw"
    if stage == "vote":
        propose_vote(tables, code, ids["host"], "pause")
    if stage == "stand-in":
        match.start_stand_in(tables, code, ids["own"])
    if stage == "over":
        stop(tables, code)
        facts["record"] = tables.get(code).table.record
        library = MatchArchive(tables)
        facts["json"] = text_of(library.find(facts["record"])[0].record)
        facts["look"] = library.bring(facts["json"])
        facts |= looked_back(tables, facts["record"], ids["own"], ids["other"])
    return facts


def looked_back(tables, record, leader, other):
    """Let two people review a match; return the code, the second one's word and remark."""
    code = review.open_review(tables, record, leader, "Ann", review.Place(0))
    review.join(tables, record, code, other, "Ben")
    review.say(tables, record, code, other, review.Place(1), "Well")
    found = review.find(tables, record, code, leader)
    word, remark = found.people[1].word, found.remarks[0].number
    return {"review": code, "member": word, "remark": str(remark)}


def begun(tables, people):
    """Open a knockout that the first of these organises and all enter; return its code."""
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
    """Return the status with which a route answers a role."""
    method, rule = route.split(" ", 1)
    codes = {"m": "record", "replay": "look", "tournaments": "tournament"}
    code = codes.get(rule.split("/")[1], "code")
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


def test_permission_table_lists_exactly_the_routes(one_app):
    assert routes(one_app) == set(ROWS), "add exactly one row to ROWS for each route"


@pytest.fixture(scope="module")
def served(at, one_app):
    """A function that serves the world at a stage: as requests left it, or a new copy."""
    now = []

    def serve(stage, changed=False):
        if now != [stage] or changed:
            now[:] = [stage]
            copied(one_app, at(stage), folder)

    with folder_in_memory() as folder:
        yield serve


# By stage, beginning with the routes that change nothing.
@pytest.mark.parametrize("route", sorted(ROWS, key=lambda it: (ROWS[it][0], it.startswith("POST"))))
def test_route_responds_to_each_role_as_listed(route, at, one_app, served):
    stage, form, expected = ROWS[route]
    answers, changed = {}, route.startswith("POST")  # for example, a wrong password was counted
    for role in ROLES:
        served(stage, changed)
        answers[role] = ask(one_app, at(stage), route, form, role)
        # GET requests and refused ones change nothing (tests/fuzz).
        changed = route.startswith("POST") and answers[role] < 400
    assert answers == dict(zip(ROLES, expected, strict=True))
