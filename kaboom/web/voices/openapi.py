"""The description of all that programs can ask for (OpenAPI 3.1), made from the shapes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import cleandoc
from typing import Any

from msgspec.json import schema_components

from kaboom.bots.pace import Pace
from kaboom.core.codec import from_json, to_json
from kaboom.tables.chat import LONGEST as LONGEST_LINE
from kaboom.tables.chat import PHRASES
from kaboom.tables.commands.program_keys import DAYS as KEY_DAYS
from kaboom.tables.commands.program_keys import USUAL, Scope
from kaboom.tables.messages import SHAPES
from kaboom.tables.names import EACH
from kaboom.tables.names import LONGEST as LONGEST_NAME
from kaboom.tables.record import CUT_POINTS, LONGEST_CUT, Record
from kaboom.tables.spectators import DELAYS
from kaboom.tables.table import DAYS, Hints, Welcome
from kaboom.web.language import LANGUAGES
from kaboom.web.scopes import FREE, NEVER
from kaboom.web.voices import shapes
from kaboom.web.voices.problems import KINDS
from kaboom.web.voices.reference import PAGES

YES = {"type": "boolean"}
TEXT = {"type": "string"}
NAME = TEXT | {
    "description": f"Of a person; its first {LONGEST_NAME} characters count, as people count them "
    "(grapheme clusters)."
}
# `maxLength` counts code points, of which a character may have several.
CHARACTERS = "x-characters"
CUT = TEXT | {
    "maxLength": CUT_POINTS,
    CHARACTERS: LONGEST_CUT,
    "description": f"At most {LONGEST_CUT} characters, as people count them (grapheme clusters).",
}
LINE_OF_TALK = TEXT | {
    "maxLength": EACH * LONGEST_LINE,
    CHARACTERS: LONGEST_LINE,
    "description": f"At most {LONGEST_LINE} characters, as people count them (grapheme clusters).",
}
WHOLE = {"type": "integer"}
NATURAL = WHOLE | {"minimum": 0}
ERRORS = (400, 401, 403, 404, 421, 422, 429, 500, 503)
OF_A_POST = (409, 413, 415)
WATCH = {
    "type": "integer",
    "enum": list(DELAYS),
    "description": "Minutes by which spectators lag behind; -1: nobody watches.",
}


@dataclass(frozen=True, slots=True)
class Door:
    """An address where something can be done: its fields, which of them must be sent, what is
    answered, and what a key must be good for. `open`: fields that are not named may be sent, too.
    """

    path: str
    summary: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    must: tuple[str, ...] = ()
    answer: str = "Table"
    status: int = 200
    open: bool = False
    scope: str = Scope.PLAY


@dataclass(frozen=True, slots=True)
class Sight:
    """An address where something can be looked at: its question, what is answered, and what a key
    must be good for.
    """

    path: str
    summary: str
    answer: str = ""
    media: str = "application/json"
    query: Mapping[str, Any] = field(default_factory=dict)
    scope: str = Scope.LOOK


WAIT = {
    "v": NATURAL | {"description": "The revision you have."},
    "wait": {"type": "integer", "minimum": 0, "maximum": 25, "description": "Seconds to wait."},
}
SPOKEN = ", ".join(LANGUAGES)
LANGUAGE = {"lang": TEXT | {"description": f"One of {SPOKEN}; else Accept-Language decides."}}
PAGE = {"page": {"type": "integer", "minimum": 0, "maximum": 1000}}
BEFORE = {"before": NATURAL | {"description": "Only lines before this one."}}
WIDTH = {"width": {"type": "integer", "minimum": 20, "maximum": 200}}
CARDS = {"cards": {"type": "string", "enum": ["words"]}}
WOULD = {"would": {"type": "string", "enum": ["1"], "description": "Say what each move would do."}}
QUESTIONS = ["hand", "table", "moves", "last", "clock", "score", "would"]
ABOUT = {"about": {"type": "string", "enum": QUESTIONS}}
BOTH = LANGUAGE | WIDTH
ROUND = {
    "round": {
        "type": "integer",
        "minimum": 1,
        "maximum": 99,
        "description": "Whose tables are told; else the last one’s.",
    }
}
WAYS = {"preset": TEXT | {"description": "A way to play by its key, as in /games.json."}}
OVER = {"over": {"type": "string", "enum": ["days"], "description": "Of matches over days."}}
EYES = {
    "seat": {
        "type": "string",
        "pattern": "^([0-9]{1,2}|watch)$",
        "examples": ["2", "watch"],
        "description": "A seat, or watch; else all cards are open.",
    }
}
CODE = {"type": "string", "pattern": "^[A-Za-z0-9]{8,9}$", "examples": ["K7M2Q4XA"]}
PLAIN = "text/plain"
# What stands in an address.
PARTS = {
    "code": CODE,
    "key": TEXT,
    "number": {"type": "integer", "minimum": 0, "maximum": 99999},
    "when": {"type": "string", "format": "date"},
    "club": CODE,
}

SIGHTS = (
    Sight("/games.json", "The games of this server, with their options", "Games", query=LANGUAGE),
    Sight("/games.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/api/games/{key}.json",
        "The verbs, zones and facts of a game",
        "Vocabulary",
        query=LANGUAGE,
        scope=FREE,
    ),
    Sight("/api/games/{key}.txt", "The same as text", media=PLAIN, query=BOTH, scope=FREE),
    *(
        Sight(f"/api/{name}.txt", "What stands on this page, as Markdown", media=PLAIN, scope=FREE)
        for name in PAGES
    ),
    Sight("/lobby.json", "The tables that want to be found", "Lobby", query=PAGE | LANGUAGE),
    Sight("/lobby.txt", "The same as text", media=PLAIN, query=PAGE | BOTH),
    Sight("/day.json", "The deal of today (of UTC), and the calendar", "Day", query=LANGUAGE),
    Sight("/day.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight("/day/{when}.json", "The deal of a day, as you find it", "Day", query=LANGUAGE),
    Sight("/day/{when}.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/t/{code}.json",
        "A table as you find it; with wait, once it has changed",
        "Table",
        query=WAIT
        | {"after": NATURAL | {"description": "Only lines of the log after this one."}}
        | LANGUAGE,
    ),
    Sight("/t/{code}.txt", "The same as text", media=PLAIN, query=WAIT | BOTH | CARDS | WOULD),
    Sight("/t/{code}.say", "The same as speech", media=PLAIN, query=WAIT | ABOUT | PAGE | LANGUAGE),
    Sight(
        "/t/{code}.ndjson",
        "A stream, a line each",
        media="application/x-ndjson",
    ),
    Sight(
        "/t/{code}/events",
        "A stream of events table, room, beat and bye; with full their tables",
        media="text/event-stream",
        query={"full": {"type": "string", "enum": ["1"]}},
    ),
    Sight(
        "/t/{code}/talk.json",
        "What is said at a table",
        "Talk",
        query=BEFORE | LANGUAGE,
        scope=Scope.TALK,
    ),
    Sight(
        "/t/{code}/talk.txt", "The same as text", media=PLAIN, query=BEFORE | BOTH, scope=Scope.TALK
    ),
    Sight("/t/{code}/rules.json", "The rules as they are at a table", "Rules", query=LANGUAGE),
    Sight("/t/{code}/rules.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight("/rules/{key}.json", "The rules of a game", "Rules", query=WAYS | LANGUAGE),
    Sight("/rules/{key}.txt", "The same as text", media=PLAIN, query=WAYS | BOTH),
    Sight(
        "/ratings/{key}.json",
        "Your ratings, and the leaderboards of a game that you are shown",
        "Ratings",
        query=OVER | LANGUAGE,
    ),
    Sight("/ratings/{key}.txt", "The same as text", media=PLAIN, query=OVER | BOTH),
    Sight(
        "/turns.json",
        "Your matches, and check-ins that wait for you, the most urgent first",
        "Turns",
        query=LANGUAGE,
    ),
    Sight("/turns.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight("/c/{club}.json", "A club of yours; of others their name", "Club", query=LANGUAGE),
    Sight("/c/{club}.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight("/m/{code}.json", "The record of a finished match", "Record"),
    Sight("/m/{code}.txt", "All that was said in it", media=PLAIN, query=BOTH),
    Sight("/m/{code}/{number}.json", "It as it was after a step", "Step", query=EYES | LANGUAGE),
    Sight("/m/{code}/{number}.txt", "The same as text", media=PLAIN, query=EYES | BOTH),
    Sight(
        "/e/{code}.json",
        "A tournament: who has entered, the tables of a round, the standings",
        "Standings",
        query=ROUND | LANGUAGE,
    ),
    Sight("/e/{code}.txt", "The same as text", media=PLAIN, query=BOTH),
    Sight("/e/{code}/draw.json", "What a tournament draws from", "Draw"),
)

CMD = {"type": "string", "pattern": "^[ -~]{1,40}$", "examples": ["bid 12"]}
MOVE = {
    "answers": TEXT | {"description": "The table’s menu, or for words the offer’s answers."},
    "move": TEXT | {"description": "Numbers of the list, or a verb and what it chooses."},
    "dry": YES | {"description": "Only say whether it could be played."},
    "typed": YES | {"description": "A person has typed it: refuse a bare number that is unclear."},
    "cmd": CMD | {"description": "Sent twice, done once."},
}
BY_DAYS = {
    "type": "integer",
    "enum": [0, *DAYS],
    "description": "For each decision; 0: in one go.",
}
BOTS = {
    "bot_pace": {"type": "string", "enum": list(map(str, Pace))},
    "hints": {
        "type": "string",
        "enum": list(map(str, Hints)),
        "description": "Who may ask what a bot would do: nobody, people alone with bots, all.",
    },
    "banter": YES | {"description": "Bots say a phrase now and then."},
    "programs": {
        "type": "string",
        "enum": list(map(str, Welcome)),
        "description": "Whether bots of players may sit down; private: not if it is listed.",
    },
}
OPENED = {
    "game": TEXT,
    "name": NAME,
    "bots": {"type": "integer", "minimum": 0, "maximum": 9},
    "level": {"type": "string", "enum": ["easy", "normal", "hard"]},
    "start": YES,
    "listed": YES,
    "password": TEXT,
    "watch": WATCH,
    "days": BY_DAYS,
    "preset": TEXT | {"description": "A way to play by its key, as in /games.json."},
    "club": TEXT | {"description": "The code of the club it belongs to."},
    "guests": YES | {"description": "People outside that club find it open, too."},
    **BOTS,
}
SCOPES = {
    "type": "array",
    "items": {"type": "string", "enum": list(map(str, Scope))},
    "default": list(map(str, USUAL)),
    "description": f"What the key is good for, for {KEY_DAYS} days; without it, for the default.",
}
SEAT = {"seat": {"type": "integer", "minimum": 0, "maximum": 99}}
PUT = {
    "type": "string",
    "pattern": "^(pause|go_on|end|bot [0-9])$",
    "examples": ["pause", "go_on", "end", "bot 2"],
    "description": "A pause, going on, the end without a result, or a bot for a seat: bot 2.",
}
SEATED = {
    "type": "string",
    "pattern": "^(shuffle|swap [0-9] [0-9]|host [0-9])$",
    "examples": ["shuffle", "swap 0 1", "host 1"],
    "description": "shuffle, or of seats: swap 0 1, host 1.",
}
HOUSE_MOVE = {
    "type": "string",
    "pattern": "^[!-~]{1,40} [!-~]{1,40}$",
    "examples": ["fix_rounds 2"],
}
HANDS = {
    "answer": {"type": "string", "enum": ["yes", "no"]},
    "minutes": WHOLE | {"description": "As late as spectators see the rest: watch of the talk."},
}
LINE = {"line": WHOLE | {"description": "The n of a line of the talk."}}
# With every POST, besides what a door names: a mark of the program's own, and that people were
# asked. They are left out below.
ALWAYS: dict[str, Any] = {"cmd": CMD, "sure": YES}

ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    "description": "Sent again with the same key within a day, it is done once.",
}

DOORS = (
    Door(
        "/guests",
        "Make a guest with a first key, for a program without a browser",
        {"name": NAME, "key_name": TEXT, "scopes": SCOPES},
        ("name",),
        answer="Guest",
        status=201,
        scope=NEVER,
    ),
    Door(
        "/tables",
        "Open a table",
        OPENED,
        ("game", "name"),
        status=201,
        open=True,
        scope=Scope.TABLE,
    ),
    Door(
        "/day/{when}",
        "Play the deal of a day (of UTC): your table there, or another one for fun",
        {"name": NAME, "again": YES},
        status=201,
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/enter",
        "Get in: with its password, as a member of its club, or as a friend of its host",
        {"password": TEXT, "member": YES, "friend": YES},
        status=201,
    ),
    Door("/t/{code}/sit", "Take a chair", {"name": NAME} | SEAT),
    Door("/t/{code}/ready", "Be ready, or not yet", {"ready": YES}),
    Door("/t/{code}/rematch", "Play again"),
    Door("/t/{code}/start", "Start without waiting", scope=Scope.TABLE),
    Door("/t/{code}/bot", "Seat a bot", {"level": OPENED["level"]} | SEAT, scope=Scope.TABLE),
    Door("/t/{code}/remove", "Empty a chair", {"name": TEXT} | SEAT, ("seat",), scope=Scope.TABLE),
    Door("/t/{code}/cut", "Cut the next shuffle", {"cut": CUT}),
    Door("/t/{code}/leave", "Leave; during a match that means resigning"),
    Door("/t/{code}/move", "Play a move", MOVE, ("answers", "move")),
    Door(
        "/t/{code}/ahead",
        "Decide ahead by what a page sends (as a move it is plan_…); without a plan, forget it",
        {
            "plan": TEXT | {"maxLength": 40},
            "pick": {"type": "array", "items": TEXT},
            "match": WHOLE,
        },
        ("match",),
    ),
    Door("/t/{code}/more", "Ask for more time"),
    Door("/t/{code}/nudge", "Remind somebody of their turn", SEAT, ("seat",)),
    Door("/t/{code}/hint", "Ask what a bot would do"),
    Door("/t/{code}/hand-over", "Let a bot play for you"),
    Door("/t/{code}/take-over", "Play yourself again"),
    Door("/t/{code}/propose", "Put something to the others", {"about": PUT}, ("about",)),
    Door(
        "/t/{code}/vote",
        "Answer what was put",
        {"vote": WHOLE, "answer": {"type": "string", "enum": ["yes", "no"]}},
        ("vote", "answer"),
    ),
    Door("/t/{code}/end", "End a match that cannot go on", scope=Scope.TABLE),
    Door(
        "/t/{code}/options",
        "Change the options of the next match",
        {"days": BY_DAYS, "preset": OPENED["preset"]},
        open=True,
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/seats",
        "Swap chairs, shuffle them, give the host away",
        {"do": SEATED},
        ("do",),
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/door",
        "Say who finds the table and who gets in",
        {"listed": YES, "password": TEXT, "unlocked": YES, "friends": YES},
        scope=Scope.TABLE,
    ),
    Door("/t/{code}/bots", "Say how bots play", BOTS, scope=Scope.TABLE),
    Door(
        "/t/{code}/house",
        "As the host, have the house do what affairs.house lists",
        {"move": HOUSE_MOVE, "match": WHOLE},
        ("move", "match"),
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/watching",
        "Say who may watch, whether they write, and whether that is kept from players till the end",
        {"watch": WATCH, "audience": YES, "hush": YES},
        ("watch", "audience", "hush"),
        answer="Talk",
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/hands",
        "Say before the deal whether spectators may see all hands",
        HANDS,
        ("answer",),
        answer="Talk",
    ),
    Door(
        "/t/{code}/call",
        "Have an address called when it is your turn; without one, no longer",
        {"address": TEXT, "shape": {"type": "string", "enum": sorted(SHAPES)}},
        answer="Talk",
    ),
    Door(
        "/t/{code}/talk",
        "Say something",
        {
            "text": LINE_OF_TALK,
            "phrase": {
                "type": "string",
                "enum": list(PHRASES),
                "description": "Said in each reader’s language, and instead of a text.",
            },
            "name": NAME,
        },
        answer="Talk",
        scope=Scope.TALK,
    ),
    Door(
        "/t/{code}/talk/delete",
        "As the host, empty a line of it",
        LINE,
        ("line",),
        answer="Talk",
        scope=Scope.TALK,
    ),
    Door(
        "/t/{code}/talk/mute",
        "Hear its writer no longer",
        LINE,
        ("line",),
        answer="Talk",
        scope=Scope.TALK,
    ),
    Door(
        "/t/{code}/talk/unmute",
        "Hear somebody again: who of muted",
        {"who": TEXT},
        ("who",),
        answer="Talk",
        scope=Scope.TALK,
    ),
)


ANSWERS = (
    shapes.Table,
    shapes.Problem,
    shapes.Talk,
    shapes.Lobby,
    shapes.Club,
    shapes.Games,
    shapes.Rules,
    shapes.Turns,
    shapes.Step,
    shapes.Guest,
    shapes.Vocabulary,
    shapes.Standings,
    shapes.Draw,
    shapes.Day,
    shapes.Ratings,
    Record,
)


@cache
def document() -> dict[str, Any]:
    """Return the whole description."""
    _, schemas = schema_components(ANSWERS, ref_template="#/components/schemas/{name}")
    for schema in schemas.values():  # fields may be added to any answer
        schema.pop("additionalProperties", None)
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
    paths: dict[str, dict[str, Any]] = {}
    for sight in SIGHTS:
        paths.setdefault(sight.path, {})["get"] = _sight(sight)
    for door in DOORS:
        paths.setdefault(door.path, {})["post"] = _door(door)
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Kaboom",
            "version": str(shapes.VERSION),
            "summary": "A card room in a link.",
            "description": "Version 1 is promised: fields are added, never renamed or dropped.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "security": [{}, {"cookie": []}, {"key": []}],
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "kb"},
                "key": {"type": "http", "scheme": "bearer"},
            },
            "responses": {
                "Problem": _problem("application/problem+json", _ref("Problem")),
                "Refused": _problem(PLAIN, TEXT),
            },
        },
    }
    return from_json(to_json(found), dict)  # as programs read it: tuples are lists


def _sight(sight: Sight) -> dict[str, Any]:
    schema = _ref(sight.answer) if sight.answer else TEXT
    query = [
        {"name": name, "in": "query", "required": False, "schema": _bare(value)} | _described(value)
        for name, value in sight.query.items()
    ]
    answer = {"description": sight.summary, "content": {sight.media: {"schema": schema}}}
    return {
        "summary": sight.summary,
        "operationId": _name("look", sight.path),
        "parameters": [*_path(sight.path), *query],
        "responses": {"200": answer} | dict(_errors(media=sight.media)),
        "security": _security(sight.scope),
    }


def _door(door: Door) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "object", "properties": dict(door.fields)}
    body["additionalProperties"] = {"type": ["string", "number", "boolean"]} if door.open else False
    if door.must:
        body["required"] = list(door.must)
    media = ("application/json", "application/x-www-form-urlencoded")
    answer = {
        "description": "Done",
        "content": {"application/json": {"schema": _ref(door.answer)}},
    }
    return {
        "summary": door.summary,
        "operationId": _name("do", door.path),
        "parameters": [*_path(door.path), ONCE],
        "requestBody": {
            "required": bool(door.must),
            "content": {each: {"schema": body} for each in media},
        },
        "responses": {str(door.status): answer} | dict(_errors(*OF_A_POST)),
        "security": _security(door.scope),
    }


def _security(scope: str) -> list[dict[str, list[str]]]:
    """Return who may ask: anybody as far as they may, by a cookie or with a key good for it."""
    key = [] if scope == NEVER else [{"key": [str(scope)] if scope else []}]
    return [{}, {"cookie": []}, *key]


def _errors(*more: int, media: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    name = "Refused" if media == PLAIN else "Problem"
    for status in sorted((*ERRORS, *more)):
        yield str(status), {"$ref": f"#/components/responses/{name}"}


def _problem(media: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "description": "Nothing has changed: " + ", ".join(f"/problems/{slug}" for slug in KINDS),
        "headers": {"Retry-After": {"schema": WHOLE, "description": "Seconds, with 429 and 503."}},
        "content": {media: {"schema": schema}},
    }


def _path(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in PARTS.items()
        if f"{{{name}}}" in path
    ]


def _name(what: str, path: str) -> str:
    without = re.sub(r"\{code\}|\{key\}", "", path)
    letters = "".join(sign if sign.isalnum() else " " for sign in without)
    return "_".join((what, *letters.split()))


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != "description"}


def _described(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": schema["description"]} if "description" in schema else {}
