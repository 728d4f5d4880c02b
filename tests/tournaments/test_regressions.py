"""What long leagues, many rulings, odd results and alike names lead to in a tournament."""

import pytest
from flask import url_for

from kaboom.engine.bots.bot import Level
from kaboom.errors import InvalidState
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.tournaments import all_ready, ended, opened, players, settled

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


def begun(tables, *names, **more):
    code, ids = opened(tables, *names, **more)
    organizer.begin(tables, code, ids[0])
    return code, ids, settled(tables, code)


def ruled(tables, code, host, verb, **more):
    """Rule something; return its number."""
    organizer.rule(tables, code, host, Ruling(verb, "x", **more))
    return look(tables, code).of.seq


def result(tables, code, host, pod, *places):
    """Set the result of a table of the round; return the ruling's number."""
    round = look(tables, code).of.round
    seats = organizer.places_of(round.pods[pod].entrants, places)
    return ruled(tables, code, host, Verb.RESULT, round=round.number, pod=pod, seats=seats)


def test_after_so_many_rulings_one_can_still_be_undone_and_it_can_be_ended(tables, monkeypatch):
    """Else what is paused then stays so."""
    code, (host, *_), _ = begun(tables, *FOUR)
    paused = ruled(tables, code, host, Verb.PAUSE)
    monkeypatch.setattr(organizer, "MOST_RULINGS", 1)
    with pytest.raises(InvalidState, match="too many"):
        ruled(tables, code, host, Verb.ANNOUNCE)
    ruled(tables, code, host, Verb.UNDO, undone=paused)
    assert not look(tables, code).of.paused
    ruled(tables, code, host, Verb.END)
    assert look(tables, code).of.ended


def test_who_enters_before_the_first_pairing_adds_no_rounds(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    ruled(tables, code, ids[0], Verb.PAUSE)
    organizer.begin(tables, code, ids[0])
    before = course.rounds(look(tables, code).of)
    for number, player in enumerate(players(tables, *"EFGHI")):
        commands.enter(tables, code, player, f"Late {number}")
    of = look(tables, code).of
    assert len(of.field) == 9 and course.rounds(of) == before == 3


@pytest.mark.parametrize("places", [(1, 2, 9), (1,), (2, 2), (0, 2), (2, 3), (3, 1)])
def test_a_result_has_a_place_for_each_and_a_first(tables, places):
    code, (host, *_), seen = begun(tables, *FOUR)
    with pytest.raises(InvalidState):
        result(tables, code, host, 0, *places)
    assert look(tables, code).of.seq == seen.of.seq
    for right in ((1, 2), (2, 1), (1, 1), (0, 1), (0, 0)):
        result(tables, code, host, 0, *right)


def test_a_result_of_before_that_names_no_first_can_be_undone(tables, monkeypatch):
    code, (host, *_), _ = begun(tables, *FOUR)
    with monkeypatch.context() as before:
        before.setitem(organizer.JUDGES, Verb.RESULT, organizer._require_result)
        number = result(tables, code, host, 0, 2, 2)
    ruled(tables, code, host, Verb.UNDO, undone=number)
    of = look(tables, code).of
    assert of.result(of.round, 0) is None


def test_nobody_is_called_like_another_bots_included(tables):
    code, ids = opened(tables, "Ann")
    bots = players(tables, *"BC")
    for player, name in zip(bots, ("bot 4", "Bоt 5"), strict=True):  # the second о is Cyrillic
        commands.enter(tables, code, player, name)
    commands.add_bots(tables, code, ids[0], 4, Level.EASY)
    (late,) = players(tables, "D")
    commands.enter(tables, code, late, "bot 6")
    names = [it.name for it in look(tables, code).entrants.values()]
    assert names == ["Ann", "bot 4", "Bоt 5", "bot 4 2", "bot 5 2", "bot 6", "bot 7", "bot 6 2"]


def absent(tables, watch, format):
    """Play a round to which somebody does not come; return its code, the organiser, the table
    and who.
    """
    code, ids, seen = begun(tables, *FOUR, "Eve", "Fay", format=format, between=5)
    pod = next(at for at, it in enumerate(seen.of.round.pods) if len(it.entrants) == 2)
    missing = seen.of.round.pods[pod].entrants[1]
    all_ready(tables, code, missing={ids[missing - 1]})
    watch.sleep(GRACE)
    settled(tables, code)
    ended(tables, code)
    of = settled(tables, code).of
    assert of.entrants[missing].missed == 1 and missing not in of.active()
    return code, ids[0], pod, missing


@pytest.mark.parametrize("format", [Format.SWISS, Format.KNOCKOUT])
def test_who_has_a_place_by_the_organiser_was_not_absent(tables, watch, format):
    code, host, pod, missing = absent(tables, watch, format)
    number = result(tables, code, host, pod, 2, 1)
    of = look(tables, code).of
    assert of.entrants[missing].missed == 0 and missing in of.active()
    ruled(tables, code, host, Verb.UNDO, undone=number)
    of = look(tables, code).of
    assert of.entrants[missing].missed == 1 and missing not in of.active()
    result(tables, code, host, pod, 2, 1)
    watch.sleep(300)
    of = settled(tables, code).of
    assert len(of.rounds) == 2 and any(missing in pod.entrants for pod in of.round.pods)


def test_what_is_set_of_an_earlier_round_says_nothing_of_who_is_there_now(tables, watch):
    code, host, pod, missing = absent(tables, watch, Format.SWISS)
    watch.sleep(300)
    of = settled(tables, code).of
    entrants = of.rounds[0].pods[pod].entrants
    seats = organizer.places_of(entrants, (2, 1))
    ruled(tables, code, host, Verb.RESULT, round=1, pod=pod, seats=seats)
    entrant = look(tables, code).of.entrants[missing]
    assert entrant.missed == 0 and entrant.paused


def test_a_league_of_many_rounds_leads_to_all_its_tables(app):
    """Of 1,024 people with two at a table there are 1,023 rounds."""
    with app.test_request_context():
        for page in ("tournaments.table", "tournaments.round_page"):
            more = {"pod": 1} if page.endswith("table") else {}
            address = url_for(page, code="ABCDEFGH", round=1023, **more)
            endpoint, _ = app.url_map.bind("kaboom.test").match(address)
            assert endpoint == page
