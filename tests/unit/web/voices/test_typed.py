"""What a person types: the table calls rows 1 to 4, the words of moves call them 0 to 3."""

import random
import re

import pytest

from kaboom.core.moves import NotOnOffer
from kaboom.core.numbered import as_called
from kaboom.web.language import LANGUAGES
from kaboom.web.voices import sent
from tests.unit.web.voices.programs import JSON, TEXT, Program, at_table, by_json, kept
from tests.unit.web.voices.test_moves import offer

ROWS = [offer("take", "0 1 2 3"), offer("choose", "1 36")]
CALLED = {"take": ["Row 1", "Row 2", "Row 3", "Row 4"], "choose": ["1", "36"]}


def typed(text):
    return as_called(ROWS, text, lambda it: CALLED[it.verb])


@pytest.mark.parametrize("text", ["take Row 2", "take row 2", "take row2", " take  ROW 2 "])
def test_a_row_is_taken_by_what_it_is_called(text):
    assert typed(text) == "take 1"


@pytest.mark.parametrize("text", ["take 0", "take 1", "take 4", "take 1 2", "take row 1 2"])
def test_a_bare_number_that_could_mean_two_rows_is_refused(text):
    with pytest.raises(NotOnOffer, match=r"a number of the list alone, or .* “take Row 1”"):
        typed(text)


@pytest.mark.parametrize(
    "text", ["2", "choose 1", "choose 36", "choose 2", "take", "draw", "nay 1"]
)
def test_what_is_called_by_its_number_and_all_else_is_left_as_it_was_typed(text):
    assert typed(text) == text


@pytest.fixture
def asked(app):
    """The address of a table of TakeN, and who is to take a row there."""
    people = [Program(app) for _ in range(4)]
    path = at_table("taken", *people, threshold="500")
    lots = random.Random(3)
    for _ in range(400):
        for person in people:
            if any(it["verb"] == "take" for it in person.table(path)["moves"]):
                return path, person
            by_json(person, path, lots)
    raise AssertionError("nobody had to take a row")


def taken(person, path):
    """Return the numbers of the rows as the log has them, of what was taken last."""
    lines = [it for it in person.table(path)["log"] if it["kind"] == "row_taken"]
    return lines[-1]["facts"]["row"] + 1


def rows_in(person, path):
    return re.findall(r"(\d+) Row (\d)", person.get(f"{path}.txt").text)


def test_the_list_calls_rows_as_the_table_does_and_takes_them_so(asked):
    path, person = asked
    assert rows_in(person, path) == [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")]
    menu = person.table(path)["menu"]
    fields = {"answers": menu, "move": "take row 3"}
    assert person.client.post(f"{path}/move", data=fields, headers=TEXT).status_code == 200
    assert taken(person, path) == 3


WAYS = {  # how a person sends what they type: with curl, in the text or heard, or by play.py
    "curl": ({}, {}),
    "text": (TEXT, {}),
    "speech": ({"Accept": "text/plain;profile=say"}, {}),
    "play.py": (JSON, {"typed": "1"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_nobody_takes_a_row_that_they_did_not_mean(app, asked, way):
    path, person = asked
    headers, more = WAYS[way]
    before = kept(app, path)
    for language in LANGUAGES:
        for move in ("take 0", "take 1", "take 3"):
            fields = {"answers": person.table(path)["menu"], "move": move, **more}
            address = f"{path}/move?lang={language}"
            assert person.client.post(address, data=fields, headers=headers).status_code == 422
    assert kept(app, path) == before


def test_the_words_that_programs_were_promised_count_from_0(asked):
    path, person = asked
    (move,) = (it for it in person.table(path)["moves"] if it["verb"] == "take")
    assert [(it["choice"], it["label"]) for it in move["options"]][:2] == [
        ("0", "Row 1"),
        ("1", "Row 2"),
    ]
    body = {"answers": move["answers"], "move": "take 1"}
    assert person.post(f"{path}/move", body).status_code == 200
    assert taken(person, path) == 2


NUMBER = "Send a whole number."


@pytest.mark.parametrize(
    ("limits", "text", "said"),
    [
        ({}, "-7", ""),
        ({}, "7.5", NUMBER),
        ({"minimum": 2}, "2", ""),
        ({"minimum": 2}, "1", NUMBER),
        ({"maximum": 5}, "5", ""),
        ({"maximum": 5}, "6", NUMBER),
        ({"minimum": 2, "maximum": 5}, "6", "Send a whole number from 2 to 5."),
        ({"minimum": 2, "maximum": 5}, "x", "Send a whole number from 2 to 5."),
    ],
)
def test_what_is_no_number_or_too_large_is_told_what_would_be_right(limits, text, said):
    assert sent._why_no_number(limits, text) == said
