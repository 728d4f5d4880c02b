"""The API operations for a table's chat and spectators."""

from kaboom.accounts.names import EACH
from kaboom.accounts.openapi import NAME
from kaboom.notifications.webhook_payloads import SHAPES
from kaboom.social.chat import schemas
from kaboom.social.chat.service import LONGEST as LONGEST_LINE
from kaboom.social.chat.service import PHRASES
from kaboom.tables.forms.fields import WATCH
from kaboom.web.api.operations import (
    CHARACTERS,
    NATURAL,
    TEXT,
    WHOLE,
    YES,
    PostOperation,
    Shape,
    Tag,
    json_and_text,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

LINE_OF_TALK = TEXT | {
    "maxLength": EACH * LONGEST_LINE,
    CHARACTERS: LONGEST_LINE,
    "description": f"At most {LONGEST_LINE} characters (grapheme clusters).",
}
BEFORE = {"before": NATURAL | {"description": "Only lines before this one."}}
HANDS = {
    "answer": {"type": "string", "enum": ["yes", "no"]},
    "minutes": WHOLE | {"description": "The spectators' delay in minutes: watch of the chat."},
}
LINE = {"line": WHOLE | {"description": "The n of a chat line."}}

register(
    Tag("talk", "The chat at a table, and its spectators", order=50),
    Shape(schemas.Talk, order=30),
    *json_and_text(
        "/t/{code}/talk",
        "get_talk",
        "talk",
        "The chat at a table",
        "Talk",
        query=BEFORE,
        scope=Scope.TALK,
        order=170,
    ),
    PostOperation(
        "/t/{code}/watching",
        "set_watching",
        "talk",
        "Set who may watch, whether spectators may chat, and whether players see their chat only "
        "after the match",
        {"watch": WATCH, "audience": YES, "hush": YES},
        ("watch", "audience", "hush"),
        answer="Talk",
        scope=Scope.TABLE,
        order=280,
    ),
    PostOperation(
        "/t/{code}/hands",
        "answer_open_hands",
        "talk",
        "Set before the deal whether spectators may see all hands",
        HANDS,
        ("answer",),
        answer="Talk",
        order=290,
    ),
    PostOperation(
        "/t/{code}/call",
        "set_call",
        "talk",
        "Set the URL to call when it is your turn; an empty one removes it",
        {"address": TEXT, "shape": {"type": "string", "enum": sorted(SHAPES)}},
        answer="Talk",
        order=300,
    ),
    PostOperation(
        "/t/{code}/talk",
        "say_line",
        "talk",
        "Say something",
        {
            "text": LINE_OF_TALK,
            "phrase": {
                "type": "string",
                "enum": list(PHRASES),
                "description": "Shown in each reader’s language, instead of a text.",
            },
            "name": NAME,
        },
        answer="Talk",
        scope=Scope.TALK,
        order=310,
    ),
    PostOperation(
        "/t/{code}/talk/delete",
        "delete_line",
        "talk",
        "As the host, delete the text of a line",
        LINE,
        ("line",),
        answer="Talk",
        scope=Scope.TALK,
        order=320,
    ),
    PostOperation(
        "/t/{code}/talk/mute",
        "mute_writer",
        "talk",
        "Mute the author of a line",
        LINE,
        ("line",),
        answer="Talk",
        scope=Scope.TALK,
        order=330,
    ),
    PostOperation(
        "/t/{code}/talk/unmute",
        "unmute_writer",
        "talk",
        "Unmute a player: `who` from `muted`",
        {"who": TEXT},
        ("who",),
        answer="Talk",
        scope=Scope.TALK,
        order=340,
    ),
)

let_read("chat")
for _endpoint in (
    "chat.page", "chat.room", "chat.say_it", "chat.delete", "chat.mute", "chat.unmute",
    "voices.talk_json", "voices.talk_text",
):  # fmt: skip
    let_read(_endpoint, Scope.TALK)
