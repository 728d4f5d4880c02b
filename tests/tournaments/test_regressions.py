"""Regressions with long leagues, many rulings, odd results and similar names."""

import pytest
from flask import url_for

from kaboom.engine.bots.bot import Level
from kaboom.errors import InvalidState
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules import pairing
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
    """Make a ruling; return its number."""
    organizer.rule(tables, code, host, Ruling(verb, "x", **more))
    return get_tournament(tables, code).of.seq


def result(tables, code, host, pod, *places):
    """Set the result of a table of the round; return the ruling's number."""
    round = get_tournament(tables, code).of.round
    seats = organizer.places_of(round.pods[pod].entrants, places)
    return ruled(tables, code, host, Verb.RESULT, round=round.number, pod=pod, seats=seats)


def test_ruling_limit_still_allows_undoing_and_ending(tables, monkeypatch):
    """Otherwise a later pause could never be undone."""
    code, (host, *_), _ = begun(tables, *FOUR)
    paused = ruled(tables, code, host, Verb.PAUSE)
    monkeypatch.setattr(organizer, "MOST_RULINGS", 1)
    with pytest.raises(InvalidState, match="too many"):
        ruled(tables, code, host, Verb.ANNOUNCE)
    ruled(tables, code, host, Verb.UNDO, undone=paused)
    assert not get_tournament(tables, code).of.paused
    ruled(tables, code, host, Verb.END)
    assert get_tournament(tables, code).of.ended


def test_entry_before_the_first_pairing_adds_no_rounds(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    ruled(tables, code, ids[0], Verb.PAUSE)
    organizer.begin(tables, code, ids[0])
    before = pairing.rounds(get_tournament(tables, code).of)
    for number, player in enumerate(players(tables, *"EFGHI")):
        tournaments.enter(tables, code, player, f"Late {number}")
    of = get_tournament(tables, code).of
    assert len(of.field) == 9 and pairing.rounds(of) == before == 3


@pytest.mark.parametrize("places", [(1, 2, 9), (1,), (2, 2), (0, 2), (2, 3), (3, 1)])
def test_result_needs_valid_places(tables, places):
    code, (host, *_), seen = begun(tables, *FOUR)
    with pytest.raises(InvalidState):
        result(tables, code, host, 0, *places)
    assert get_tournament(tables, code).of.seq == seen.of.seq
    for right in ((1, 2), (2, 1), (1, 1), (0, 1), (0, 0)):
        result(tables, code, host, 0, *right)


def test_old_result_without_a_first_place_can_be_undone(tables, monkeypatch):
    code, (host, *_), _ = begun(tables, *FOUR)
    with monkeypatch.context() as before:
        before.setitem(organizer.JUDGES, Verb.RESULT, organizer._require_result)
        number = result(tables, code, host, 0, 2, 2)
    ruled(tables, code, host, Verb.UNDO, undone=number)
    of = get_tournament(tables, code).of
    assert of.result(of.round, 0) is None


def test_entrants_and_bots_have_distinct_names(tables):
    code, ids = opened(tables, "Ann")
    bots = players(tables, *"BC")
    for player, name in zip(bots, ("bot 4", "Bоt 5"), strict=True):  # the second о is Cyrillic
        tournaments.enter(tables, code, player, name)
    tournaments.add_bots(tables, code, ids[0], 4, Level.EASY)
    (late,) = players(tables, "D")
    tournaments.enter(tables, code, late, "bot 6")
    names = [it.name for it in get_tournament(tables, code).entrants.values()]
    assert names == ["Ann", "bot 4", "Bоt 5", "bot 4 2", "bot 5 2", "bot 6", "bot 7", "bot 6 2"]


def absent(tables, fake_clock, format):
    """Play a round that one player misses; return its code, the organiser, the table and the
    player.
    """
    code, ids, seen = begun(tables, *FOUR, "Eve", "Fay", format=format, between=5)
    pod = next(at for at, it in enumerate(seen.of.round.pods) if len(it.entrants) == 2)
    missing = seen.of.round.pods[pod].entrants[1]
    all_ready(tables, code, missing={ids[missing - 1]})
    fake_clock.sleep(GRACE)
    settled(tables, code)
    ended(tables, code)
    of = settled(tables, code).of
    assert of.entrants[missing].missed == 1 and missing not in of.active()
    return code, ids[0], pod, missing


@pytest.mark.parametrize("format", [Format.SWISS, Format.KNOCKOUT])
def test_entrant_placed_by_the_organizer_was_present(tables, fake_clock, format):
    code, host, pod, missing = absent(tables, fake_clock, format)
    number = result(tables, code, host, pod, 2, 1)
    of = get_tournament(tables, code).of
    assert of.entrants[missing].missed == 0 and missing in of.active()
    ruled(tables, code, host, Verb.UNDO, undone=number)
    of = get_tournament(tables, code).of
    assert of.entrants[missing].missed == 1 and missing not in of.active()
    result(tables, code, host, pod, 2, 1)
    fake_clock.sleep(300)
    of = settled(tables, code).of
    assert len(of.rounds) == 2 and any(missing in pod.entrants for pod in of.round.pods)


def test_result_set_for_a_past_round_implies_no_presence_now(tables, fake_clock):
    code, host, pod, missing = absent(tables, fake_clock, Format.SWISS)
    fake_clock.sleep(300)
    of = settled(tables, code).of
    entrants = of.rounds[0].pods[pod].entrants
    seats = organizer.places_of(entrants, (2, 1))
    ruled(tables, code, host, Verb.RESULT, round=1, pod=pod, seats=seats)
    entrant = get_tournament(tables, code).of.entrants[missing]
    assert entrant.missed == 0 and entrant.paused


def test_league_of_many_rounds_links_to_all_of_its_tables(app):
    """1,024 people with two at a table have 1,023 rounds."""
    with app.test_request_context():
        for page in ("tournaments.table", "tournaments.round_page"):
            more = {"pod": 1} if page.endswith("table") else {}
            address = url_for(page, code="ABCDEFGH", round=1023, **more)
            endpoint, _ = app.url_map.bind("kaboom.test").match(address)
            assert endpoint == page
