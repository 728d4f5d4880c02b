"""The API operations for the lobby and the games, and for opening, joining and arranging a
table.
"""

from kaboom.accounts.openapi import NAME
from kaboom.tables.forms.fields import BANK, BOTS, BY_DAYS, WATCH
from kaboom.tables.forms.options_form import wrong_options
from kaboom.tables.match_record import CUT_POINTS, LONGEST_CUT
from kaboom.web.api import schemas
from kaboom.web.api.operations import (
    CHARACTERS,
    PAGE,
    SEAT,
    TEXT,
    YES,
    PostOperation,
    Shape,
    Tag,
    json_and_text,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

WAYS = {"preset": TEXT | {"description": "The key of a preset, as in /games.json."}}
CUT = TEXT | {
    "maxLength": CUT_POINTS,
    CHARACTERS: LONGEST_CUT,
    "description": f"At most {LONGEST_CUT} characters (grapheme clusters).",
}
OPENED = {
    "game": TEXT,
    "name": NAME,
    "bots": {"type": "integer", "minimum": 0, "maximum": 9},
    "level": {"type": "string", "enum": ["easy", "normal", "hard"]},
    "start": YES,
    "listed": YES,
    "begins_full": YES | {"description": "Begin the first match once all seats are taken."},
    "password": TEXT,
    "watch": WATCH,
    "days": BY_DAYS,
    "bank": BANK,
    "preset": TEXT | {"description": "The key of a preset, as in /games.json."},
    "club": TEXT | {"description": "The code of the club it belongs to."},
    "guests": YES | {"description": "People outside that club may also enter."},
    **BOTS,
}
SEATED = {
    "type": "string",
    "pattern": "^(shuffle|swap [0-9] [0-9]|host [0-9])$",
    "examples": ["shuffle", "swap 0 1", "host 1"],
    "description": "shuffle, or with seat numbers: swap 0 1, host 1.",
}

register(
    Tag(
        "tables",
        "Finding, opening, configuring and viewing tables; joining and leaving",
        order=30,
    ),
    Shape(schemas.Lobby, order=40),
    Shape(schemas.Games, order=60),
    Shape(schemas.Turns, order=80),
    *json_and_text(
        "/games",
        "list_games",
        "games",
        "The games of this server, with their options",
        "Games",
        order=10,
    ),
    *json_and_text(
        "/lobby", "list_tables", "tables", "The public tables", "Lobby", query=PAGE, order=60
    ),
    *json_and_text(
        "/rules/{key}", "get_rules", "games", "The rules of a game", "Rules", query=WAYS, order=210
    ),
    *json_and_text(
        "/turns",
        "list_turns",
        "matches",
        "Your matches and open check-ins, most urgent first",
        "Turns",
        order=250,
    ),
    PostOperation(
        "/tables",
        "open_table",
        "tables",
        "Open a table",
        OPENED,
        ("game", "name"),
        status=201,
        others=wrong_options,
        scope=Scope.TABLE,
        order=20,
    ),
    PostOperation(
        "/t/{code}/enter",
        "enter_table",
        "tables",
        "Gain access: with the password, as a member of its club, or as a friend of its host",
        {"password": TEXT, "member": YES, "friend": YES},
        status=201,
        order=40,
    ),
    PostOperation(
        "/t/{code}/sit", "take_chair", "tables", "Take a seat", {"name": NAME} | SEAT, order=50
    ),
    PostOperation(
        "/t/{code}/ready",
        "set_ready",
        "tables",
        "Set whether you are ready",
        {"ready": YES},
        order=60,
    ),
    PostOperation("/t/{code}/rematch", "ask_rematch", "tables", "Play again", order=70),
    PostOperation(
        "/t/{code}/same-deal",
        "propose_same_deal",
        "tables",
        "Propose the same deal again",
        {
            "match": {
                "type": "string",
                "description": "The code of a match's record; by default, that of the last match.",
            },
            "seats": {
                "type": "string",
                "enum": ["same", "moved", "new"],
                "description": "As they were, moved on by one, or a new deal instead.",
            },
        },
        order=75,
    ),
    PostOperation(
        "/t/{code}/start",
        "start_match",
        "tables",
        "Start without waiting for players to be ready",
        scope=Scope.TABLE,
        order=80,
    ),
    PostOperation(
        "/t/{code}/bot",
        "seat_bot",
        "tables",
        "Seat a bot",
        {"level": OPENED["level"]} | SEAT,
        scope=Scope.TABLE,
        order=90,
    ),
    PostOperation(
        "/t/{code}/remove",
        "empty_chair",
        "tables",
        "Empty a seat",
        {"name": TEXT} | SEAT,
        ("seat",),
        scope=Scope.TABLE,
        order=100,
    ),
    PostOperation(
        "/t/{code}/cut", "cut_shuffle", "tables", "Cut the next shuffle", {"cut": CUT}, order=110
    ),
    PostOperation(
        "/t/{code}/leave",
        "leave_table",
        "tables",
        "Leave; during a match this means resigning",
        order=120,
    ),
    PostOperation(
        "/t/{code}/options",
        "set_options",
        "tables",
        "Change the options of the next match",
        {"days": BY_DAYS, "bank": BANK, "preset": OPENED["preset"]},
        others=wrong_options,
        scope=Scope.TABLE,
        order=230,
    ),
    PostOperation(
        "/t/{code}/seats",
        "arrange_seats",
        "tables",
        "Swap seats, shuffle them, or hand over the host role",
        {"do": SEATED},
        ("do",),
        scope=Scope.TABLE,
        order=240,
    ),
    PostOperation(
        "/t/{code}/door",
        "set_door",
        "tables",
        "Set who can find and enter the table",
        {"listed": YES, "password": TEXT, "unlocked": YES, "friends": YES, "reliable": YES},
        scope=Scope.TABLE,
        order=250,
    ),
    PostOperation(
        "/t/{code}/bots",
        "set_bots",
        "tables",
        "Set how bots play",
        BOTS,
        scope=Scope.TABLE,
        order=260,
    ),
)

let_read("notifications.turns")
let_read("host")
let_read("listings")
let_read("lobby")
let_read("me.show")
let_read("pages")
