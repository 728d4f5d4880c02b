"""Late entry: who may still enter a running tournament, and until when."""

from functools import partial

import pytest

from kaboom.errors import InvalidState
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments_service
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from kaboom.tournaments.rules.pairing import rounds
from tests.support import tournaments
from tests.support.tournaments import (
    FOUR,
    opened,
    players,
    round_played,
    settled,
)


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


begun = partial(tournaments.begun, format=Format.SWISS)


def checked_in(tables, fake_clock, *, there=3, **more):
    """Open a tournament with a check-in that the last of four misses."""
    code, ids = begun(tables, check_in=5, **more)
    for one in ids[:there]:
        tournaments_service.check_in(tables, code, one)
    fake_clock.sleep(300)
    settled(tables, code)
    return code, ids


def eve_may_enter(tables, code):
    (eve,) = players(tables, "Eve")
    try:
        tournaments_service.enter(tables, code, eve, "Eve")
    except InvalidState:
        return False
    return True


def test_swiss_can_be_entered_until_half_its_rounds_end(tables):
    code, _ = begun(tables, game="taken", size=2, rounds=4)
    round_played(tables, code)
    assert len(get_tournament(tables, code).of.rounds) == 2
    assert tournaments_service.require_no_match(get_tournament(tables, code).of) is None
    seen = round_played(tables, code)  # half of them are over
    assert len(seen.of.rounds) == 3
    with pytest.raises(InvalidState, match="has begun"):
        tournaments_service.require_no_match(seen.of)
    assert not eve_may_enter(tables, code)


@pytest.mark.parametrize("more", [{"late": False}, {"format": Format.LEAGUE}, {"most": 4}])
def test_late_entry_is_refused_where_it_is_off(tables, more):
    code, _ = begun(tables, **more)
    assert not eve_may_enter(tables, code)


def test_organizer_closes_and_reopens_late_entry(tables, fake_clock):
    code, ids = checked_in(tables, fake_clock)
    organizer.rule(tables, code, ids[0], Ruling(Verb.CLOSE))
    assert not eve_may_enter(tables, code)
    with pytest.raises(InvalidState, match="without you"):
        tournaments_service.come_back(tables, code, ids[3])
    last = max(get_tournament(tables, code).of.rulings)
    organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=last))
    assert eve_may_enter(tables, code)


def test_entrant_who_missed_check_in_may_enter_late(tables, fake_clock):
    code, ids = checked_in(tables, fake_clock, game="kaboom")
    words, count = get_tournament(tables, code).words, rounds(get_tournament(tables, code).of)
    tournaments_service.come_back(tables, code, ids[3])
    seen = get_tournament(tables, code)
    assert seen.of.entrants[4].plays and rounds(seen.of) == count
    assert seen.words == words, "every draw was fixed beforehand"
    seen = round_played(tables, code)
    assert sorted(it for pod in seen.of.rounds[1].pods for it in pod.entrants) == [1, 2, 3, 4]
    assert seen.of.points()[4] == 0, "missed rounds score nothing"


def test_entrant_who_left_before_the_start_may_enter_late(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    tournaments_service.leave(tables, code, ids[3])
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    tournaments_service.come_back(tables, code, ids[3])
    assert 4 in get_tournament(tables, code).of.active()


def test_late_entry_after_a_missed_check_in_needs_room(tables, fake_clock):
    code, ids = checked_in(tables, fake_clock, most=3)
    with pytest.raises(InvalidState, match="full"):
        tournaments_service.come_back(tables, code, ids[3])


def test_no_show_at_a_knockouts_check_in_is_out(tables, fake_clock):
    code, ids = checked_in(tables, fake_clock, format=Format.KNOCKOUT)
    with pytest.raises(InvalidState, match="without you"):
        tournaments_service.come_back(tables, code, ids[3])
