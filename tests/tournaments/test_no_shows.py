"""No-shows and players who leave: the others play on, and the shares are right."""

import pytest

from kaboom.tables.seats import leaving
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format, How
from kaboom.tournaments.rules.points import WHOLE, bye
from kaboom.tournaments.rules.standings import never_came
from tests.support.effort import often
from tests.support.tournaments import all_ready, ended, opened, pods, settled

SEVEN = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus")
GAMES = often(["karata", "koth"], ["gops", "karata", "kaboom", "koth", "taken"])


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


def leaves(tables, code):
    """Let the first entrant of a table with at least two players leave it; return their number."""
    for _, table, state in pods(tables, code):
        chairs = [
            occupant for occupant in tables.get(table).table.chairs if occupant and occupant.entrant
        ]
        if state == "playing" and len(chairs) > 1:
            first = min(chairs, key=lambda it: it.entrant)
            leaving.leave(tables, table, first.player)
            return first.entrant
    raise AssertionError("no one plays")


@pytest.mark.parametrize("game", GAMES)
def test_absent_entrants_have_no_share_and_leavers_rank_last(tables, fake_clock, game):
    code, ids = opened(tables, *SEVEN, game=game, format=Format.SWISS, rounds=2)
    organizer.begin(tables, code, ids[0])
    out = settled(tables, code).of.rounds[0].byes
    away = next(number for number in range(1, 8) if number not in out)
    all_ready(tables, code, missing={ids[away - 1]})
    fake_clock.sleep(GRACE)
    settled(tables, code)
    left = leaves(tables, code)
    ended(tables, code)
    seen = settled(tables, code)
    round = seen.of.rounds[0]
    assert seen.of.is_over(round) and len(seen.of.rounds) == 2
    shares = seen.of.round_shares(round)
    assert (shares[away], shares[left]) == (0, 0)
    for pod in round.pods:
        how = {it.entrant: it.how for it in pod.result if it.entrant}
        assert how.get(away, How.ABSENT) == How.ABSENT and how.get(left, How.LEFT) == How.LEFT
        there = [it for it in how if it != away]
        wanted = WHOLE * len(there) // 2 if len(there) > 1 else bye(seen.of.settings.size)
        assert sum(shares[it] for it in there) == wanted
    of = get_tournament(tables, code).of
    assert of.entrants[away].missed == 1 and away not in of.active() and left in of.active()
    assert all(away not in pod.entrants for pod in of.rounds[1].pods)


def test_only_entrants_who_never_came_have_no_place(tables, fake_clock):
    code, ids = opened(tables, "Ann", "Ben", "Cat", "Dan", format=Format.KNOCKOUT)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    assert never_came(get_tournament(tables, code).of) == set()
    all_ready(tables, code, missing=set(ids[1:]))
    fake_clock.sleep(GRACE)
    of = settled(tables, code).of
    assert never_came(of) == {2, 3, 4} and of.field[0] != 0
