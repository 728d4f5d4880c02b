"""The API operations for finished matches."""

from kaboom.accounts.openapi import NAME
from kaboom.tables.match_record import Record
from kaboom.web.api import schemas
from kaboom.web.api.operations import (
    BOTH,
    PLAIN,
    GetOperation,
    PostOperation,
    Shape,
    Tag,
    json_and_text,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

EYES = {
    "seat": {
        "type": "string",
        "pattern": "^([0-9]{1,2}|watch)$",
        "examples": ["2", "watch"],
        "description": "A seat, or watch; by default all cards are open.",
    }
}

# The fields for playing on from a step.
WISH = {
    "name": NAME,
    "step": {"type": "integer", "minimum": 0, "description": "The step; by default 0, the deal."},
    "seat": {"type": "integer", "minimum": 0, "maximum": 9, "description": "Your seat."},
    "level": {
        "type": "string",
        "enum": ["easy", "normal", "hard"],
        "description": "The level of the bots.",
    },
    "unseen": {
        "type": "string",
        "enum": ["again", "was"],
        "description": "Whether cards the seat had not seen are dealt again or stay as they were.",
    },
}

register(
    Tag("records", "Finished matches, step by step", order=60),
    Shape(schemas.Step, order=90),
    Shape(Record, order=160),
    GetOperation(
        "/m/{code}.json",
        "get_match_record",
        "records",
        "The record of a finished match",
        "Record",
        order=290,
    ),
    GetOperation(
        "/m/{code}.txt",
        "get_match_text",
        "records",
        "All its sentences",
        media=PLAIN,
        query=BOTH,
        order=300,
    ),
    *json_and_text(
        "/m/{code}/{number}",
        "get_match_step",
        "records",
        "The match after a step",
        "Step",
        query=EYES,
        order=310,
    ),
)

register(
    PostOperation(
        "/m/{code}/play",
        "play_on",
        "records",
        "Play on from a step: a new table, with bots in the other seats",
        WISH,
        status=201,
        scope=Scope.TABLE,
        order=40,
    )
)

let_read("look")
let_read("record")
let_read("record_files")
let_read("visits")
