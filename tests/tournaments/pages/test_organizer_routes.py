"""The organiser's page: what its forms rule, what they are refused, and that it is theirs alone."""

import html
import re

import pytest
from msgspec import structs

from kaboom.accounts import current as who_asks
from kaboom.engine.bots.bot import Level
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import look
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
    """A function: somebody, Ann if nobody else, sends a form of the organiser's page."""

    def sent(code, do, who="Ann", **fields):
        monkeypatch.setattr(who_asks, "key_hash", lambda: f"key of {who}")
        return app.test_client().post(f"/e/{code}/run", data={"do": do, **fields})

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
def test_a_form_rules_what_it_says(service, swiss, send, fields, ruling):
    assert send(swiss, **fields).status_code == 303
    (found,) = look(service, swiss).of.rulings.values()
    assert structs.replace(found, at=0.0) == ruling


def test_a_result_is_set_by_the_number_of_the_table_and_a_place_for_each(service, swiss, send):
    pod = look(service, swiss).of.rounds[0].pods[1].entrants
    assert send(swiss, "result", table="2", places="1 0", why="x").status_code == 303
    (found,) = look(service, swiss).of.rulings.values()
    assert (found.round, found.pod) == (1, 1)
    assert found.seats == organizer.places_of(pod, (1, 0))
    assert send(swiss, f"undo {look(service, swiss).of.seq}").status_code == 303
    assert look(service, swiss).of.standing(Verb.RESULT) == []
    assert send(swiss, "result", round="1", table="1", places="1 2", why="x").status_code == 303


REFUSED = [
    ({"do": "dance"}, "That cannot be done now."),
    ({"do": ""}, "That cannot be done now."),
    ({"do": "begin"}, "It has begun already."),
    ({"do": "extend", "minutes": "x"}, "Give a number of minutes, up to 600."),
    ({"do": "extend"}, "Give a number of minutes, up to 600."),
    ({"do": "undo"}, "There is no such ruling to undo."),
    ({"do": "undo x"}, "There is no such ruling to undo."),
    ({"do": "apart", "one": "1"}, "Give the numbers of two entrants."),
    ({"do": "apart", "one": "1", "two": "x"}, "Give the numbers of two entrants."),
    ({"do": "remove", "why": "x"}, "Nobody has that number."),
    ({"do": "announce"}, "Please say why, for all to read."),
    ({"do": "bots", "count": "0"}, "There is room for"),
    (
        {"do": "result", "why": "x", "table": "1", "places": "1"},
        "Give the place of everybody at that table.",
    ),
    ({"do": "result", "why": "x", "table": "0"}, "There is no such table in that round."),
    ({"do": "result", "why": "x", "table": "3"}, "There is no such table in that round."),
    ({"do": "result", "why": "x"}, "There is no such table in that round."),
    ({"do": "result", "why": "x", "round": "0", "table": "1"}, "There is no such round."),
    ({"do": "result", "why": "x", "round": "2", "table": "1"}, "There is no such round."),
]


def test_what_cannot_be_ruled_is_refused_on_its_page_and_changes_nothing(service, swiss, send):
    before = look(service, swiss).log
    for fields, sentence in REFUSED:
        answer = send(swiss, **fields)
        assert answer.status_code == 422 and sentence in answer.text, fields
    assert look(service, swiss).log == before


def test_only_the_organiser_sees_and_sends_it(service, swiss, send, app, monkeypatch):
    before = look(service, swiss).log
    answers = [send(swiss, "end", who, why="rain") for who in ("Ben", "Eve")]
    monkeypatch.setattr(who_asks, "key_hash", lambda: "")
    answers += [app.test_client().get(f"/e/{swiss}/run")]
    for answer in answers:
        assert answer.status_code == 403
        assert "Only whoever runs the tournament can do that." in answer.text
        assert 'name="do"' not in answer.text
    assert look(service, swiss).log == before


def test_bots_enter_at_the_level_that_is_chosen_as_many_as_there_is_room_for(service, send):
    code, _ = opened(service, "Ann", most=4)
    for count in ("0", "4", "", "x"):
        answer = send(code, "bots", count=count, level="hard")
        assert answer.status_code == 422 and "There is room for 3 more." in answer.text
    assert send(code, "bots", count="2", level="hard").status_code == 303
    assert send(code, "bots", count="1", level="whatever").status_code == 303
    of = look(service, code).of
    assert [it.bot for it in of.entrants.values()] == ["", Level.HARD, Level.HARD, Level.NORMAL]
    assert [it.name for it in look(service, code).entrants.values()][1:] == [
        "bot 2",
        "bot 3",
        "bot 4",
    ]
    assert "There is room for 0 more." in send(code, "bots", count="1").text


def test_its_page_says_how_many_are_ready_to_begin_and_begins(service, send, app):
    code, _ = opened(service, *FOUR, check_in=5)
    assert send(code, "check-in").status_code == 303
    assert look(service, code).of.check_in_until
    answer = send(code, "begin")
    assert answer.status_code == 422
    assert "At least two must have entered, and checked in." in answer.text


def test_who_presses_twice_opens_check_in_and_does_not_begin_without_those_who_come(service, send):
    code, _ = opened(service, *FOUR, check_in=5, bots=3)
    for _ in range(2):  # each by a form of its own, as from two windows
        assert send(code, "check-in").status_code == 303
    of = look(service, code).of
    assert of.check_in_until and not of.begun
    for _ in range(2):
        assert send(code, "begin", cmd="the-same-form").status_code == 303
    assert look(service, code).of.begun
    assert "It has begun already." in send(code, "check-in").text
    assert send(code, "end", why="rain").status_code == 303
    assert "This tournament is over." in send(code, "check-in").text
    code, _ = opened(service, *FOUR)
    assert "There is no check-in now." in send(code, "check-in").text
    assert not look(service, code).of.check_in_until


def test_the_words_of_each_choice_of_time_say_its_minutes():
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
def test_who_errs_finds_the_form_as_it_was_filled_in(swiss, send, fields):
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
