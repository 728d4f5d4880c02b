"""The organiser's page: its rulings, its refusals, and its privacy."""

import html
import re

import pytest
from msgspec import structs

from kaboom.accounts import current
from kaboom.engine.bots.bot import Level
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.create_routes import BEGINS, BETWEEN, CHECK_IN, LIMITS
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.tournaments import opened, settled

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.fixture
def swiss(service):
    code, ids = opened(service, *FOUR, format=Format.SWISS, limit=30)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    return code


@pytest.fixture
def send(app, monkeypatch):
    """Return a function that sends a form of the organiser's page, as Ann by default."""

    def sent(code, do, who="Ann", **fields):
        monkeypatch.setattr(current, "key_hash", lambda: f"key of {who}")
        return app.test_client().post(f"/tournaments/{code}/manage", data={"do": do, **fields})

    return sent


@pytest.mark.parametrize(
    ("fields", "ruling"),
    [
        ({"do": "announce", "why": "tea"}, Ruling(Verb.ANNOUNCE, "tea")),
        ({"do": "extend", "minutes": "15"}, Ruling(Verb.EXTEND, round=1, minutes=15)),
        ({"do": "pause"}, Ruling(Verb.PAUSE)),
        ({"do": "apart", "one": "1", "two": "2"}, Ruling(Verb.APART, entrants=(1, 2))),
        (
            {"do": "swap", "one": "1", "two": "2", "why": "x"},
            Ruling(Verb.SWAP, "x", entrants=(1, 2), round=1),
        ),
        (
            {"do": "remove", "one": "2", "two": "3", "why": "rude"},
            Ruling(Verb.REMOVE, "rude", entrants=(2,)),
        ),
        ({"do": "pair", "why": "x"}, Ruling(Verb.PAIR, "x", round=1)),
        ({"do": "end", "why": "rain"}, Ruling(Verb.END, "rain")),
    ],
)
def test_form_makes_the_stated_ruling(service, swiss, send, fields, ruling):
    assert send(swiss, **fields).status_code == 303
    (found,) = get_tournament(service, swiss).of.rulings.values()
    assert structs.replace(found, at=0.0) == ruling


def test_result_is_set_by_table_number_and_places(service, swiss, send):
    pod = get_tournament(service, swiss).of.rounds[0].pods[1].entrants
    assert send(swiss, "result", table="2", places="1 0", why="x").status_code == 303
    (found,) = get_tournament(service, swiss).of.rulings.values()
    assert (found.round, found.pod) == (1, 1)
    assert found.seats == organizer.places_of(pod, (1, 0))
    assert send(swiss, f"undo {get_tournament(service, swiss).of.seq}").status_code == 303
    assert get_tournament(service, swiss).of.standing(Verb.RESULT) == []
    assert send(swiss, "result", round="1", table="1", places="1 2", why="x").status_code == 303


REFUSED = [
    ({"do": "dance"}, "There is no such action."),
    ({"do": ""}, "There is no such action."),
    ({"do": "begin"}, "This tournament has already begun."),
    ({"do": "extend", "minutes": "x"}, "Enter a number of minutes, up to 600."),
    ({"do": "extend"}, "Enter a number of minutes, up to 600."),
    ({"do": "undo"}, "There is no such ruling to undo."),
    ({"do": "undo x"}, "There is no such ruling to undo."),
    ({"do": "apart", "one": "1"}, "Enter the numbers of two players."),
    ({"do": "apart", "one": "1", "two": "x"}, "Enter the numbers of two players."),
    ({"do": "remove", "why": "x"}, "No player has that number."),
    ({"do": "announce"}, "Please give a reason, for all to read."),
    ({"do": "bots", "count": "0"}, "There is room for"),
    (
        {"do": "result", "why": "x", "table": "1", "places": "1"},
        "Enter a place for each player at that table.",
    ),
    ({"do": "result", "why": "x", "table": "0"}, "There is no such table in that round."),
    ({"do": "result", "why": "x", "table": "3"}, "There is no such table in that round."),
    ({"do": "result", "why": "x"}, "There is no such table in that round."),
    ({"do": "result", "why": "x", "round": "0", "table": "1"}, "There is no such round."),
    ({"do": "result", "why": "x", "round": "2", "table": "1"}, "There is no such round."),
]


def test_invalid_ruling_is_refused_on_its_page_unchanged(service, swiss, send):
    before = get_tournament(service, swiss).log
    for fields, sentence in REFUSED:
        answer = send(swiss, **fields)
        assert answer.status_code == 422 and sentence in answer.text, fields
    assert get_tournament(service, swiss).log == before


def test_only_the_organizer_sees_and_sends_the_form(service, swiss, send, app, monkeypatch):
    before = get_tournament(service, swiss).log
    answers = [send(swiss, "end", who, why="rain") for who in ("Ben", "Eve")]
    monkeypatch.setattr(current, "key_hash", lambda: "")
    answers += [app.test_client().get(f"/tournaments/{swiss}/manage")]
    for answer in answers:
        assert answer.status_code == 403
        assert "Only the organiser can do that." in answer.text
        assert 'name="do"' not in answer.text
    assert get_tournament(service, swiss).log == before


def test_bots_enter_at_the_chosen_level_up_to_capacity(service, send):
    code, _ = opened(service, "Ann", most=4)
    for count in ("0", "4", "", "x"):
        answer = send(code, "bots", count=count, level="hard")
        assert answer.status_code == 422 and "There is room for 3 more." in answer.text
    assert send(code, "bots", count="2", level="hard").status_code == 303
    assert send(code, "bots", count="1", level="whatever").status_code == 303
    of = get_tournament(service, code).of
    assert [it.bot for it in of.entrants.values()] == ["", Level.HARD, Level.HARD, Level.NORMAL]
    assert [it.name for it in get_tournament(service, code).entrants.values()][1:] == [
        "bot 2",
        "bot 3",
        "bot 4",
    ]
    assert "There is room for 0 more." in send(code, "bots", count="1").text


def test_organizer_page_counts_ready_entrants_and_starts(service, send, app):
    code, _ = opened(service, *FOUR, check_in=5)
    assert send(code, "check-in").status_code == 303
    assert get_tournament(service, code).of.check_in_until
    answer = send(code, "begin")
    assert answer.status_code == 422
    assert "At least two players must enter and check in." in answer.text


def test_organizer_starts_on_the_page_itself(service, send, app):
    code, _ids = opened(service, "Ann")
    page = f"/tournaments/{code}"
    send(code, "none")  # as Ann from now on
    alone = app.test_client().get(page).text
    assert "1 more player is needed. You start it." in alone and "Start now" not in alone
    code, _ids = opened(service, *FOUR)
    page = f"/tournaments/{code}"
    assert "Start now, with 4" in app.test_client().get(page).text
    answer = send(code, "begin", **{"from": "show"})
    assert f"{page}?" in answer.location and get_tournament(service, code).of.begun
    assert "Start now" not in app.test_client().get(page).text


def test_double_press_opens_check_in_without_starting(service, send):
    code, _ = opened(service, *FOUR, check_in=5, bots=3)
    for _ in range(2):  # with a separate form each, as from two windows
        assert send(code, "check-in").status_code == 303
    of = get_tournament(service, code).of
    assert of.check_in_until and not of.begun
    for _ in range(2):
        assert send(code, "begin", cmd="the-same-form").status_code == 303
    assert get_tournament(service, code).of.begun
    assert "This tournament has already begun." in send(code, "check-in").text
    assert send(code, "end", why="rain").status_code == 303
    assert "This tournament is over." in send(code, "check-in").text
    code, _ = opened(service, *FOUR)
    assert "This tournament has no check-in." in send(code, "check-in").text
    assert not get_tournament(service, code).of.check_in_until


def test_time_choices_state_their_minutes():
    assert list(BEGINS.items()) == [
        (0, "when I press a button"),
        (10, "in 10 minutes"),
        (30, "in half an hour"),
        (60, "in an hour"),
        (3 * 60, "in three hours"),
        (24 * 60, "in a day"),
        (3 * 24 * 60, "in three days"),
    ]
    assert CHECK_IN == {0: "none", 5: "5 minutes", 20: "20 minutes", 24 * 60: "a day"}
    assert list(LIMITS) == [0, 15, 30, 60, 90, 180]
    assert BETWEEN == {0: "none", 1: "a minute", 5: "5 minutes", 15: "15 minutes"}


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "swap", "one": "1", "two": "2", "why": ""},
        {"do": "remove", "one": "3", "why": ""},
        {"do": "result", "round": "1", "table": "2", "places": "1 <x>", "why": "a reason"},
        {"do": "extend", "minutes": "9999", "why": "a reason"},
    ],
)
def test_organizer_gets_the_form_back_after_an_error(swiss, send, fields):
    answer = send(swiss, **fields)
    assert answer.status_code == 422
    (opened,) = re.findall(
        '<details class="more" open><summary>(?!Announce)(.*?)</details>', answer.text, re.S
    )
    for name, value in fields.items():
        if name in ("one", "two"):
            assert f'<option value="{value}" selected>' in opened
        elif name != "do":
            assert f'name="{name}"' in opened and f'value="{html.escape(value)}"' in opened
    assert answer.text.count(" selected") == sum(name in fields for name in ("one", "two"))
