"""Who may still come into a tournament that has begun, and until when."""

from functools import partial

import pytest

from kaboom.errors import InvalidState
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from kaboom.tournaments.rules.rounds import rounds
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


def checked_in(tables, watch, *, there=3, **more):
    """Open one with a check-in to which the last of four do not come."""
    code, ids = begun(tables, check_in=5, **more)
    for one in ids[:there]:
        commands.check_in(tables, code, one)
    watch.sleep(300)
    settled(tables, code)
    return code, ids


def eve_may_enter(tables, code):
    (eve,) = players(tables, "Eve")
    try:
        commands.enter(tables, code, eve, "Eve")
    except InvalidState:
        return False
    return True


def test_a_swiss_can_be_entered_until_half_of_its_rounds_are_over(tables):
    code, _ = begun(tables, game="taken", size=2, rounds=4)
    round_played(tables, code)
    assert len(look(tables, code).of.rounds) == 2
    assert commands.require_no_match(look(tables, code).of) is None
    seen = round_played(tables, code)  # half of them are over
    assert len(seen.of.rounds) == 3
    with pytest.raises(InvalidState, match="has begun"):
        commands.require_no_match(seen.of)
    assert not eve_may_enter(tables, code)


@pytest.mark.parametrize("more", [{"late": False}, {"format": Format.LEAGUE}, {"most": 4}])
def test_where_nobody_may_come_late_nobody_does(tables, more):
    code, _ = begun(tables, **more)
    assert not eve_may_enter(tables, code)


def test_the_organiser_closes_late_entry_and_opens_it_again(tables, watch):
    code, ids = checked_in(tables, watch)
    organizer.rule(tables, code, ids[0], Ruling(Verb.CLOSE))
    assert not eve_may_enter(tables, code)
    with pytest.raises(InvalidState, match="without you"):
        commands.come_back(tables, code, ids[3])
    last = max(look(tables, code).of.rulings)
    organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=last))
    assert eve_may_enter(tables, code)


def test_who_missed_the_check_in_may_enter_late_as_a_stranger_may(tables, watch):
    code, ids = checked_in(tables, watch, game="kaboom")
    words, count = look(tables, code).words, rounds(look(tables, code).of)
    commands.come_back(tables, code, ids[3])
    seen = look(tables, code)
    assert seen.of.entrants[4].plays and rounds(seen.of) == count
    assert seen.words == words, "all that is drawn was fixed before"
    seen = round_played(tables, code)
    assert sorted(it for pod in seen.of.rounds[1].pods for it in pod.entrants) == [1, 2, 3, 4]
    assert seen.of.points()[4] == 0, "rounds missed bring nothing"


def test_who_left_before_it_began_may_enter_late_too(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    commands.leave(tables, code, ids[3])
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    commands.come_back(tables, code, ids[3])
    assert 4 in look(tables, code).of.active()


def test_who_missed_the_check_in_comes_late_only_where_there_is_room(tables, watch):
    code, ids = checked_in(tables, watch, most=3)
    with pytest.raises(InvalidState, match="full"):
        commands.come_back(tables, code, ids[3])


def test_who_missed_the_check_in_of_a_knockout_is_out(tables, watch):
    code, ids = checked_in(tables, watch, format=Format.KNOCKOUT)
    with pytest.raises(InvalidState, match="without you"):
        commands.come_back(tables, code, ids[3])
