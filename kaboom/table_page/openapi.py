"""The API operations for a table: read it, and act during a match. The shape of a table is
kaboom.web.api.schemas.Table.
"""

from kaboom.web.api import schemas
from kaboom.web.api.operations import (
    BOTH,
    CMD,
    LANGUAGE,
    NATURAL,
    PAGE,
    PLAIN,
    SEAT,
    TEXT,
    WHOLE,
    YES,
    GetOperation,
    PostOperation,
    Shape,
    Tag,
    json_and_text,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

WAIT = {
    "v": NATURAL | {"description": "The revision you have."},
    "wait": {"type": "integer", "minimum": 0, "maximum": 25, "description": "Seconds to wait."},
}
CARDS = {"cards": {"type": "string", "enum": ["words"]}}
WOULD = {
    "would": {"type": "string", "enum": ["1"], "description": "Include the effect of each move."}
}
QUESTIONS = ["hand", "table", "moves", "last", "clock", "score", "would"]
ABOUT = {"about": {"type": "string", "enum": QUESTIONS}}
MOVE = {
    "answers": TEXT | {"description": "The table’s menu or, for words, the offer’s answers."},
    "move": TEXT | {"description": "Numbers from the list, or a verb and its choices."},
    "dry": YES | {"description": "Only check whether it could be played."},
    "typed": YES | {"description": "A person typed this: refuse an ambiguous bare number."},
    "cmd": CMD | {"description": "An id; a repeated one counts only once."},
}
PUT = {
    "type": "string",
    "pattern": "^(pause|go_on|end|bot [0-9])$",
    "examples": ["pause", "go_on", "end", "bot 2"],
    "description": "A pause, resuming, ending without a result, or a bot for a seat: bot 2.",
}
HOUSE_MOVE = {
    "type": "string",
    "pattern": "^[!-~]{1,40} [!-~]{1,40}$",
    "examples": ["fix_rounds 2"],
}

register(
    Tag("matches", "Moves, and everything players do during a match", order=40),
    Shape(schemas.Table, order=10),
    GetOperation(
        "/t/{code}.json",
        "get_table",
        "tables",
        "A table as it is now; with wait, once it has changed",
        "Table",
        query=WAIT
        | {"after": NATURAL | {"description": "Only log lines after this one."}}
        | LANGUAGE,
        etag=True,
        order=120,
    ),
    GetOperation(
        "/t/{code}.txt",
        "get_table_text",
        "tables",
        "The same, as plain text",
        media=PLAIN,
        query=WAIT | BOTH | CARDS | WOULD,
        etag=True,
        order=130,
    ),
    GetOperation(
        "/t/{code}.say",
        "get_table_speech",
        "tables",
        "The same, as speech",
        media=PLAIN,
        query=WAIT | ABOUT | PAGE | LANGUAGE,
        etag=True,
        order=140,
    ),
    GetOperation(
        "/t/{code}.ndjson",
        "stream_table",
        "tables",
        "A stream, one event per line",
        media="application/x-ndjson",
        order=150,
    ),
    GetOperation(
        "/t/{code}/events",
        "stream_events",
        "tables",
        "A stream of the events table, room, beat and bye; with full, including the tables",
        media="text/event-stream",
        query={"full": {"type": "string", "enum": ["1"]}},
        order=160,
    ),
    *json_and_text(
        "/t/{code}/rules",
        "get_table_rules",
        "tables",
        "The rules that apply at a table",
        "Rules",
        order=190,
    ),
    PostOperation(
        "/t/{code}/move",
        "make_move",
        "matches",
        "Play a move",
        MOVE,
        ("answers", "move"),
        order=130,
    ),
    PostOperation(
        "/t/{code}/ahead",
        "plan_move",
        "matches",
        "Set a premove as a page sends it (as a move: plan_…); without a plan, cancel it",
        {
            "plan": TEXT | {"maxLength": 40},
            "pick": {"type": "array", "items": TEXT},
            "match": WHOLE,
        },
        ("match",),
        order=140,
    ),
    PostOperation("/t/{code}/more", "ask_more_time", "matches", "Ask for more time", order=150),
    PostOperation(
        "/t/{code}/nudge",
        "remind_player",
        "matches",
        "Remind a player of their turn",
        SEAT,
        ("seat",),
        order=160,
    ),
    PostOperation("/t/{code}/hint", "ask_hint", "matches", "Ask what a bot would do", order=170),
    PostOperation(
        "/t/{code}/hand-over", "hand_over_seat", "matches", "Let a bot play for you", order=180
    ),
    PostOperation(
        "/t/{code}/take-over", "take_back_seat", "matches", "Take your seat back", order=190
    ),
    PostOperation(
        "/t/{code}/propose",
        "propose_vote",
        "matches",
        "Propose something to the other players",
        {"about": PUT},
        ("about",),
        order=200,
    ),
    PostOperation(
        "/t/{code}/vote",
        "cast_vote",
        "matches",
        "Vote on the proposal",
        {"vote": WHOLE, "answer": {"type": "string", "enum": ["yes", "no"]}},
        ("vote", "answer"),
        order=210,
    ),
    PostOperation(
        "/t/{code}/end",
        "end_match",
        "matches",
        "End a match that cannot continue",
        scope=Scope.TABLE,
        order=220,
    ),
    PostOperation(
        "/t/{code}/house",
        "make_house_move",
        "matches",
        "As the host, request a move that affairs.house lists",
        {"move": HOUSE_MOVE, "match": WHOLE},
        ("move", "match"),
        scope=Scope.TABLE,
        order=270,
    ),
)

let_read("status")
let_read("table")
let_read("voices")
