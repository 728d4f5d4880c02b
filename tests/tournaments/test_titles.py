"""The winner of a tournament that others have left."""

import pytest

from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.rules.events import Logged, Over
from kaboom.tournaments.rules.pairing import champions
from kaboom.tournaments.rules.standings import standings
from kaboom.tournaments.rules.state import folded
from tests.support.tournaments import all_ready, ended, opened, settled

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


def after_the_semifinals(tables, **more):
    code, ids = opened(tables, *FOUR, **more)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    ended(tables, code)
    seen = settled(tables, code)
    winners = [
        next(seat.entrant for seat in pod.result if seat.place == 1)
        for pod in seen.of.rounds[0].pods
    ]
    return code, ids, winners


@pytest.mark.parametrize("which", [0, 1])
def test_last_entrant_of_a_knockout_wins_it(tables, fake_clock, which):
    code, ids, winners = after_the_semifinals(tables, between=5)
    for number in range(1, 5):
        if number != winners[which]:
            tournaments.leave(tables, code, ids[number - 1])
    fake_clock.sleep(300)
    seen = settled(tables, code)
    assert seen.of.over and champions(seen.of) == [winners[which]]
    first = standings(seen.of, seen.draw())[0]
    assert (first.place, first.entrant) == (1, winners[which])


def test_knockout_that_all_entrants_left_has_no_winner(tables, fake_clock):
    code, ids, _ = after_the_semifinals(tables, between=5)
    for player in ids:
        tournaments.leave(tables, code, player)
    fake_clock.sleep(300)
    seen = settled(tables, code)
    assert seen.of.over and champions(seen.of) == []
    assert len(seen.of.rounds) == 1  # no round is created that no player plays


def test_knockout_ended_early_is_won_by_the_last_player_left(tables, fake_clock):
    """Some stored tournaments ended this way: they were over once fewer than two players were
    left."""
    code, ids, winners = after_the_semifinals(tables, between=5)
    for number in range(1, 5):
        if number != winners[1]:
            tournaments.leave(tables, code, ids[number - 1])
    log = list(settled(tables, code).log)
    log.append(Logged(log[-1].seq + 1, Over()))
    of = folded(settled(tables, code).of.settings, log)
    assert of.over and len(of.rounds) == 1 and champions(of) == [winners[1]]
