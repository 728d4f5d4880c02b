"""Finished matches, as programs look at them."""

from kaboom.tables.match_record import Record
from kaboom.web.api import schemas
from kaboom.web.api.operations import BOTH, LANGUAGE, PLAIN, Shape, Sight, Tag, register
from kaboom.web.api.scopes import let_read

EYES = {
    "seat": {
        "type": "string",
        "pattern": "^([0-9]{1,2}|watch)$",
        "examples": ["2", "watch"],
        "description": "A seat, or watch; else all cards are open.",
    }
}

register(
    Tag("records", "Finished matches, step by step", order=60),
    Shape(schemas.Step, order=90),
    Shape(Record, order=160),
    Sight(
        "/m/{code}.json",
        "get_match_record",
        "records",
        "The record of a finished match",
        "Record",
        order=290,
    ),
    Sight(
        "/m/{code}.txt",
        "get_match_text",
        "records",
        "All that was said in it",
        media=PLAIN,
        query=BOTH,
        order=300,
    ),
    Sight(
        "/m/{code}/{number}.json",
        "get_match_step",
        "records",
        "It as it was after a step",
        "Step",
        query=EYES | LANGUAGE,
        order=310,
    ),
    Sight(
        "/m/{code}/{number}.txt",
        "get_match_step_text",
        "records",
        "The same as text",
        media=PLAIN,
        query=EYES | BOTH,
        order=320,
    ),
)

let_read("look")
let_read("record")
let_read("record_files")
let_read("visits")
