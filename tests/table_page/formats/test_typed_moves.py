"""Typed moves: people write rows as 1 to 4, programs as 0 to 3."""

import random
import re
from runpy import run_path

import pytest

from kaboom.config import ROOT
from kaboom.engine.menu import as_called
from kaboom.engine.moves import NotOnOffer
from kaboom.web.api import sent
from kaboom.web.i18n import LANGUAGES
from tests.support.api_clients import JSON, TEXT, Program, at_table, by_json, kept
from tests.table_page.formats.test_moves import offer

ROWS = [offer("take", "0 1 2 3"), offer("choose", "1 36"), offer("lay", "8S")]
CALLED = {"take": ["Row 1", "Row 2", "Row 3", "Row 4"], "choose": ["1", "36"]}
CALLED |= {"lay": ["8 of Spades"]}


def typed(text):
    return as_called(ROWS, text, lambda it: CALLED[it.verb])


@pytest.mark.parametrize(
    "text", ["take Row 2", "take row 2", "take row2", " take  ROW 2 ", "take 2", "take  02"]
)
def test_typed_row_label_is_the_row(text):
    assert typed(text) == "take 1"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("take 0", "0"),
        ("take 5", "5"),
        ("take row 5", "row 5"),
        ("take 1 5", "1 5"),
        ("choose 2", "2"),
        ("choose card 2", "card 2"),
        ("lay 1", "1"),
    ],
)
def test_typed_number_without_a_choice_is_refused(text, named):
    """This also holds if the list has such a number, because it follows a word."""
    with pytest.raises(
        NotOnOffer, match=f"^{named} cannot be chosen now. Send a number from the list"
    ):
        typed(text)


@pytest.mark.parametrize(
    "text", ["2", "choose 1", "choose 36", "take", "draw", "nay 1", "lay 8S", "lay xx"]
)
def test_numbered_card_is_named_and_other_text_is_untouched(text):
    assert typed(text) == text


@pytest.fixture
def asked(app):
    """Return the address of a TakeN table, and the player who must take a row."""
    people = [Program(app) for _ in range(4)]
    path = at_table("taken", *people, threshold="500")
    fake_ids = random.Random(3)
    for _ in range(400):
        for person in people:
            if any(it["verb"] == "take" for it in person.table(path)["moves"]):
                return path, person
            by_json(person, path, fake_ids)
    raise AssertionError("no player had to take a row")


def taken(person, path):
    """Return the numbers of the rows taken last, according to the log."""
    lines = [it for it in person.table(path)["log"] if it["kind"] == "row_taken"]
    return lines[-1]["facts"]["row"] + 1


def rows_in(person, path):
    return re.findall(r"(\d+) Row (\d)", person.get(f"{path}.txt").text)


def test_list_labels_rows_like_the_table_and_accepts_them(asked):
    path, person = asked
    assert rows_in(person, path) == [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")]
    menu = person.table(path)["menu"]
    fields = {"answers": menu, "move": "take row 3"}
    assert person.client.post(f"{path}/move", data=fields, headers=TEXT).status_code == 200
    assert taken(person, path) == 3


WAYS = {  # ways to type a move: with curl, for text or speech, or with play.py
    "curl": ({}, {}),
    "text": (TEXT, {}),
    "speech": ({"Accept": "text/plain;profile=say"}, {}),
    "play.py": (JSON, {"typed": "1"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_typed_take_1_takes_the_first_row(asked, way):
    path, person = asked
    headers, more = WAYS[way]
    fields = {"answers": person.table(path)["menu"], "move": "take 1", **more}
    answer = person.client.post(f"{path}/move", data=fields, headers=headers)
    assert answer.status_code in (200, 303)
    assert taken(person, path) == 1


@pytest.mark.parametrize("way", WAYS)
def test_typed_take_with_an_unknown_row_is_refused(app, asked, way):
    path, person = asked
    headers, more = WAYS[way]
    before = kept(app, path)
    for language in LANGUAGES:
        for move in ("take 0", "take 5"):
            fields = {"answers": person.table(path)["menu"], "move": move, **more}
            address = f"{path}/move?lang={language}"
            assert person.client.post(address, data=fields, headers=headers).status_code == 422
    assert kept(app, path) == before


@pytest.mark.parametrize("way", WAYS)
def test_typed_choose_3_does_not_mean_the_third_card(app, way):
    person = Program(app)
    path = at_table("taken", person, Program(app))
    headers, more = WAYS[way]
    (move,) = (it for it in person.table(path)["moves"] if it["verb"] == "choose")
    cards = [it["choice"] for it in move["options"]]
    strange = next(str(it["n"]) for it in move["options"] if str(it["n"]) not in cards)
    before = kept(app, path)
    fields = {"answers": person.table(path)["menu"], "move": f"choose {strange}", **more}
    answer = person.client.post(f"{path}/move", data=fields, headers=headers)
    assert answer.status_code == 422
    assert f"{strange} cannot be chosen now. Send a number from the list on its own," in answer.text
    assert kept(app, path) == before


def test_text_numbers_its_cards_to_distinguish_them(app):
    """“3 57” would be ambiguous; “3 choose 57” can be typed as 3 or as choose 57."""
    person = Program(app)
    path = at_table("taken", person, Program(app))
    (move,) = (it for it in person.table(path)["moves"] if it["verb"] == "choose")
    text = " ".join(person.get(f"{path}.txt").text.split())
    for it in move["options"]:
        assert f"{it['n']} choose {it['choice']}" in text


def test_program_words_count_rows_from_0(asked):
    path, person = asked
    (move,) = (it for it in person.table(path)["moves"] if it["verb"] == "take")
    assert [(it["choice"], it["label"]) for it in move["options"]][:2] == [
        ("0", "Row 1"),
        ("1", "Row 2"),
    ]
    body = {"answers": move["answers"], "move": "take 1"}
    assert person.post(f"{path}/move", body).status_code == 200
    assert taken(person, path) == 2


HAND = {
    "verb": "choose",
    "options": [
        {"n": number, "choice": card, "label": label}
        for number, card, label in [(1, "5", "5"), (2, "16", "16"), (3, "KS", "King of Spades")]
    ],
}
LANES = {
    "verb": "take",
    "options": [{"n": 9 + it, "choice": str(it), "label": f"Row {it + 1}"} for it in range(4)],
}


@pytest.mark.parametrize(
    ("move", "typed", "chosen"),
    [
        (HAND, "choose 16", ["16"]),
        (HAND, "choose 3", None),  # the third in the list is another card
        (HAND, "3", ["King of Spades"]),
        (HAND, "1 2", ["5", "16"]),
        (HAND, "choose king of spades", ["King of Spades"]),
        (HAND, "choose", []),
        (LANES, "take 1", ["Row 1"]),
        (LANES, "take row 1", ["Row 1"]),
        (LANES, "take 0", None),
        (LANES, "9", ["Row 1"]),
    ],
)
def test_play_py_asks_about_ambiguous_choices(move, typed, chosen):
    """The move that a player confirms at a terminal is the one the server plays."""
    play = run_path(str(ROOT / "static" / "play.py"))
    assert play["chosen_by"](typed.split(), move) == chosen


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
def test_error_for_an_invalid_number_lists_valid_ones(limits, text, said):
    assert sent._why_no_number(limits, text) == said
