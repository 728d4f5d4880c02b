"""The description of all that programs can ask for (OpenAPI 3.1), made from the shapes.

It speaks of JSON alone. Forms hold the same fields, as pages send them, and are answered by pages.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import cleandoc
from typing import Any

from msgspec.json import schema_components

from kaboom.accounts.api_keys.service import DAYS as KEY_DAYS
from kaboom.accounts.names import EACH
from kaboom.accounts.names import LONGEST as LONGEST_NAME
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json, to_json
from kaboom.notifications.webhook_payloads import SHAPES
from kaboom.social.chat.service import LONGEST as LONGEST_LINE
from kaboom.social.chat.service import PHRASES
from kaboom.tables.match_record import CUT_POINTS, LONGEST_CUT, Record
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import DAYS, Hints, Welcome
from kaboom.web.api import schemas as shapes
from kaboom.web.api.problems import KINDS
from kaboom.web.api.reference import PAGES
from kaboom.web.api.scopes import FREE, NEVER, USUAL, Scope
from kaboom.web.i18n import LANGUAGES

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
ERRORS = (400, 401, 403, 404, 422, 429, 500, 503)
OF_A_POST = (409, 413, 415)
WATCH = {
    "type": "integer",
    "enum": list(DELAYS),
    "description": "Minutes by which spectators lag behind; -1: nobody watches.",
}


@dataclass(frozen=True, slots=True)
class Door:
    """An address where something can be done: what that is called, its fields, which of them must
    be sent, what is answered, and what a key must be good for. `open`: fields that are not named
    may be sent, too.
    """

    path: str
    name: str
    tag: str
    summary: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    must: tuple[str, ...] = ()
    answer: str = "Table"
    status: int = 200
    open: bool = False
    scope: str = Scope.PLAY


@dataclass(frozen=True, slots=True)
class Sight:
    """An address where something can be looked at: what that is called, its question, what is
    answered, and what a key must be good for. `etag`: who has it already is told so.
    """

    path: str
    name: str
    tag: str
    summary: str
    answer: str = ""
    media: str = "application/json"
    query: Mapping[str, Any] = field(default_factory=dict)
    scope: str = Scope.LOOK
    etag: bool = False


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
# Under which all of it is sorted.
TAGS = {
    "guests": "A name and a first key",
    "games": "What is played here, and how",
    "tables": "Finding, opening, arranging and looking at tables; getting in and leaving",
    "matches": "Moves, and all that players do during a match",
    "talk": "What is said at a table, and who watches",
    "records": "Finished matches, step by step",
    "days": "The deal of a day",
    "ratings": "Your ratings, and leaderboards",
    "clubs": "Clubs, as their members find them",
    "tournaments": "Entries, tables, standings and draws",
    "documents": "What there is to read for those who write programs",
}
# What stands in an address.
PARTS = {
    "code": CODE,
    "key": TEXT,
    "number": {"type": "integer", "minimum": 0, "maximum": 99999},
    "when": {"type": "string", "format": "date"},
    "club": CODE,
}

SIGHTS = (
    Sight(
        "/games.json",
        "list_games",
        "games",
        "The games of this server, with their options",
        "Games",
        query=LANGUAGE,
    ),
    Sight("/games.txt", "list_games_text", "games", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/api/games/{key}.json",
        "get_vocabulary",
        "games",
        "The verbs, zones and facts of a game",
        "Vocabulary",
        query=LANGUAGE,
        scope=FREE,
    ),
    Sight(
        "/api/games/{key}.txt",
        "get_vocabulary_text",
        "games",
        "The same as text",
        media=PLAIN,
        query=BOTH,
        scope=FREE,
    ),
    *(
        Sight(
            f"/api/{name}.txt",
            f"get_{name}_text",
            "documents",
            "What stands on this page, as Markdown",
            media=PLAIN,
            scope=FREE,
        )
        for name in PAGES
    ),
    Sight(
        "/lobby.json",
        "list_tables",
        "tables",
        "The tables that want to be found",
        "Lobby",
        query=PAGE | LANGUAGE,
    ),
    Sight(
        "/lobby.txt",
        "list_tables_text",
        "tables",
        "The same as text",
        media=PLAIN,
        query=PAGE | BOTH,
    ),
    Sight(
        "/day.json",
        "get_today",
        "days",
        "The deal of today (of UTC), and the calendar",
        "Day",
        query=LANGUAGE,
    ),
    Sight("/day.txt", "get_today_text", "days", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/day/{when}.json",
        "get_day",
        "days",
        "The deal of a day, as you find it",
        "Day",
        query=LANGUAGE,
    ),
    Sight("/day/{when}.txt", "get_day_text", "days", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/t/{code}.json",
        "get_table",
        "tables",
        "A table as you find it; with wait, once it has changed",
        "Table",
        query=WAIT
        | {"after": NATURAL | {"description": "Only lines of the log after this one."}}
        | LANGUAGE,
        etag=True,
    ),
    Sight(
        "/t/{code}.txt",
        "get_table_text",
        "tables",
        "The same as text",
        media=PLAIN,
        query=WAIT | BOTH | CARDS | WOULD,
        etag=True,
    ),
    Sight(
        "/t/{code}.say",
        "get_table_speech",
        "tables",
        "The same as speech",
        media=PLAIN,
        query=WAIT | ABOUT | PAGE | LANGUAGE,
        etag=True,
    ),
    Sight(
        "/t/{code}.ndjson",
        "stream_table",
        "tables",
        "A stream, a line each",
        media="application/x-ndjson",
    ),
    Sight(
        "/t/{code}/events",
        "stream_events",
        "tables",
        "A stream of events table, room, beat and bye; with full their tables",
        media="text/event-stream",
        query={"full": {"type": "string", "enum": ["1"]}},
    ),
    Sight(
        "/t/{code}/talk.json",
        "get_talk",
        "talk",
        "What is said at a table",
        "Talk",
        query=BEFORE | LANGUAGE,
        scope=Scope.TALK,
    ),
    Sight(
        "/t/{code}/talk.txt",
        "get_talk_text",
        "talk",
        "The same as text",
        media=PLAIN,
        query=BEFORE | BOTH,
        scope=Scope.TALK,
    ),
    Sight(
        "/t/{code}/rules.json",
        "get_table_rules",
        "tables",
        "The rules as they are at a table",
        "Rules",
        query=LANGUAGE,
    ),
    Sight(
        "/t/{code}/rules.txt",
        "get_table_rules_text",
        "tables",
        "The same as text",
        media=PLAIN,
        query=BOTH,
    ),
    Sight(
        "/rules/{key}.json",
        "get_rules",
        "games",
        "The rules of a game",
        "Rules",
        query=WAYS | LANGUAGE,
    ),
    Sight(
        "/rules/{key}.txt",
        "get_rules_text",
        "games",
        "The same as text",
        media=PLAIN,
        query=WAYS | BOTH,
    ),
    Sight(
        "/ratings/{key}.json",
        "get_ratings",
        "ratings",
        "Your ratings, and the leaderboards of a game that you are shown",
        "Ratings",
        query=OVER | LANGUAGE,
    ),
    Sight(
        "/ratings/{key}.txt",
        "get_ratings_text",
        "ratings",
        "The same as text",
        media=PLAIN,
        query=OVER | BOTH,
    ),
    Sight(
        "/turns.json",
        "list_turns",
        "matches",
        "Your matches, and check-ins that wait for you, the most urgent first",
        "Turns",
        query=LANGUAGE,
    ),
    Sight("/turns.txt", "list_turns_text", "matches", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/c/{club}.json",
        "get_club",
        "clubs",
        "A club of yours; of others their name",
        "Club",
        query=LANGUAGE,
    ),
    Sight("/c/{club}.txt", "get_club_text", "clubs", "The same as text", media=PLAIN, query=BOTH),
    Sight(
        "/m/{code}.json", "get_match_record", "records", "The record of a finished match", "Record"
    ),
    Sight(
        "/m/{code}.txt",
        "get_match_text",
        "records",
        "All that was said in it",
        media=PLAIN,
        query=BOTH,
    ),
    Sight(
        "/m/{code}/{number}.json",
        "get_match_step",
        "records",
        "It as it was after a step",
        "Step",
        query=EYES | LANGUAGE,
    ),
    Sight(
        "/m/{code}/{number}.txt",
        "get_match_step_text",
        "records",
        "The same as text",
        media=PLAIN,
        query=EYES | BOTH,
    ),
    Sight(
        "/e/{code}.json",
        "get_tournament",
        "tournaments",
        "A tournament: who has entered, the tables of a round, the standings",
        "Standings",
        query=ROUND | LANGUAGE,
    ),
    Sight(
        "/e/{code}.txt",
        "get_tournament_text",
        "tournaments",
        "The same as text",
        media=PLAIN,
        query=BOTH,
    ),
    Sight(
        "/e/{code}/draw.json",
        "get_tournament_draw",
        "tournaments",
        "What a tournament draws from",
        "Draw",
    ),
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

KNOWN = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": TEXT,
    "description": "The ETag of what you have.",
}

DOORS = (
    Door(
        "/guests",
        "make_guest",
        "guests",
        "Make a guest with a first key, for a program without a browser",
        {"name": NAME, "key_name": TEXT, "scopes": SCOPES},
        ("name",),
        answer="Guest",
        status=201,
        scope=NEVER,
    ),
    Door(
        "/tables",
        "open_table",
        "tables",
        "Open a table",
        OPENED,
        ("game", "name"),
        status=201,
        open=True,
        scope=Scope.TABLE,
    ),
    Door(
        "/day/{when}",
        "play_day",
        "days",
        "Play the deal of a day (of UTC): your table there, or another one for fun",
        {"name": NAME, "again": YES},
        status=201,
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/enter",
        "enter_table",
        "tables",
        "Get in: with its password, as a member of its club, or as a friend of its host",
        {"password": TEXT, "member": YES, "friend": YES},
        status=201,
    ),
    Door("/t/{code}/sit", "take_chair", "tables", "Take a chair", {"name": NAME} | SEAT),
    Door("/t/{code}/ready", "set_ready", "tables", "Be ready, or not yet", {"ready": YES}),
    Door("/t/{code}/rematch", "ask_rematch", "tables", "Play again"),
    Door("/t/{code}/start", "start_match", "tables", "Start without waiting", scope=Scope.TABLE),
    Door(
        "/t/{code}/bot",
        "seat_bot",
        "tables",
        "Seat a bot",
        {"level": OPENED["level"]} | SEAT,
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/remove",
        "empty_chair",
        "tables",
        "Empty a chair",
        {"name": TEXT} | SEAT,
        ("seat",),
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/cut",
        "cut_shuffle",
        "tables",
        "Cut the next shuffle",
        {"cut": CUT},
    ),
    Door("/t/{code}/leave", "leave_table", "tables", "Leave; during a match that means resigning"),
    Door("/t/{code}/move", "make_move", "matches", "Play a move", MOVE, ("answers", "move")),
    Door(
        "/t/{code}/ahead",
        "plan_move",
        "matches",
        "Decide ahead by what a page sends (as a move it is plan_…); without a plan, forget it",
        {
            "plan": TEXT | {"maxLength": 40},
            "pick": {"type": "array", "items": TEXT},
            "match": WHOLE,
        },
        ("match",),
    ),
    Door("/t/{code}/more", "ask_more_time", "matches", "Ask for more time"),
    Door(
        "/t/{code}/nudge",
        "remind_player",
        "matches",
        "Remind somebody of their turn",
        SEAT,
        ("seat",),
    ),
    Door("/t/{code}/hint", "ask_hint", "matches", "Ask what a bot would do"),
    Door("/t/{code}/hand-over", "hand_over_seat", "matches", "Let a bot play for you"),
    Door("/t/{code}/take-over", "take_back_seat", "matches", "Play yourself again"),
    Door(
        "/t/{code}/propose",
        "propose_vote",
        "matches",
        "Put something to the others",
        {"about": PUT},
        ("about",),
    ),
    Door(
        "/t/{code}/vote",
        "cast_vote",
        "matches",
        "Answer what was put",
        {"vote": WHOLE, "answer": {"type": "string", "enum": ["yes", "no"]}},
        ("vote", "answer"),
    ),
    Door(
        "/t/{code}/end", "end_match", "matches", "End a match that cannot go on", scope=Scope.TABLE
    ),
    Door(
        "/t/{code}/options",
        "set_options",
        "tables",
        "Change the options of the next match",
        {"days": BY_DAYS, "preset": OPENED["preset"]},
        open=True,
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/seats",
        "arrange_seats",
        "tables",
        "Swap chairs, shuffle them, give the host away",
        {"do": SEATED},
        ("do",),
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/door",
        "set_door",
        "tables",
        "Say who finds the table and who gets in",
        {"listed": YES, "password": TEXT, "unlocked": YES, "friends": YES},
        scope=Scope.TABLE,
    ),
    Door("/t/{code}/bots", "set_bots", "tables", "Say how bots play", BOTS, scope=Scope.TABLE),
    Door(
        "/t/{code}/house",
        "make_house_move",
        "matches",
        "As the host, have the house do what affairs.house lists",
        {"move": HOUSE_MOVE, "match": WHOLE},
        ("move", "match"),
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/watching",
        "set_watching",
        "talk",
        "Say who may watch, whether they write, and whether that is kept from players till the end",
        {"watch": WATCH, "audience": YES, "hush": YES},
        ("watch", "audience", "hush"),
        answer="Talk",
        scope=Scope.TABLE,
    ),
    Door(
        "/t/{code}/hands",
        "answer_open_hands",
        "talk",
        "Say before the deal whether spectators may see all hands",
        HANDS,
        ("answer",),
        answer="Talk",
    ),
    Door(
        "/t/{code}/call",
        "set_call",
        "talk",
        "Have an address called when it is your turn; without one, no longer",
        {"address": TEXT, "shape": {"type": "string", "enum": sorted(SHAPES)}},
        answer="Talk",
    ),
    Door(
        "/t/{code}/talk",
        "say_line",
        "talk",
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
        "delete_line",
        "talk",
        "As the host, empty a line of it",
        LINE,
        ("line",),
        answer="Talk",
        scope=Scope.TALK,
    ),
    Door(
        "/t/{code}/talk/mute",
        "mute_writer",
        "talk",
        "Hear its writer no longer",
        LINE,
        ("line",),
        answer="Talk",
        scope=Scope.TALK,
    ),
    Door(
        "/t/{code}/talk/unmute",
        "unmute_writer",
        "talk",
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
        "tags": [{"name": name, "description": what} for name, what in TAGS.items()],
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
                "Unchanged": {"description": "It is as it was when this `If-None-Match` was true."},
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
    known = {"304": {"$ref": "#/components/responses/Unchanged"}} if sight.etag else {}
    return {
        "summary": sight.summary,
        "operationId": sight.name,
        "tags": [sight.tag],
        "parameters": [*_path(sight.path), *query, *([KNOWN] if sight.etag else ())],
        "responses": {"200": answer} | known | dict(_errors(media=sight.media)),
        "security": _security(sight.scope),
    }


def _door(door: Door) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "object", "properties": dict(door.fields)}
    body["additionalProperties"] = {"type": ["string", "number", "boolean"]} if door.open else False
    if door.must:
        body["required"] = list(door.must)
    answer = {
        "description": "Done",
        "content": {"application/json": {"schema": _ref(door.answer)}},
    }
    return {
        "summary": door.summary,
        "operationId": door.name,
        "tags": [door.tag],
        "parameters": [*_path(door.path), ONCE],
        "requestBody": {
            "required": bool(door.must),
            "content": {"application/json": {"schema": body}},
        },
        "responses": {str(door.status): answer} | dict(_errors(*OF_A_POST)),
        "security": _security(door.scope),
    }


def _security(scope: str) -> list[dict[str, list[str]]]:
    """Return who may ask: anybody as far as they may, by a cookie or with a key good for it; an
    empty list where a key is only got.
    """
    if scope == NEVER:
        return []
    return [{}, {"cookie": []}, {"key": [scope] if scope else []}]


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


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != "description"}


def _described(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": schema["description"]} if "description" in schema else {}
