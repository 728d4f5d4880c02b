"""Tournaments in which people leave, return, enter late, are removed and readmitted."""

import random

import pytest

from kaboom.tournaments.rules import bracket, pairing
from kaboom.tournaments.rules.events import (
    Entered,
    Format,
    How,
    Left,
    Over,
    PodOver,
    Returned,
    Ruling,
    SeatResult,
    Verb,
)
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.rules.standings import standings
from kaboom.tournaments.rules.state import folded
from tests.support.effort import LONG
from tests.tournaments.rules.test_pairing import DRAW, GAMES, Playing, settings, slow_standings

SEEDS = range(300 if LONG else 8)
NOT_PLAYED = (How.ABSENT, How.THROUGH)


@pytest.mark.slow
@pytest.mark.parametrize("format", Format)
def test_tournament_ends_with_unique_places_and_shares_of_half(format):
    for seed in SEEDS:
        whole(format, random.Random(f"{format} {seed}"))


def whole(format, rng):
    """Play a tournament to its end, checking the invariants after each step."""
    game = rng.choice(list(GAMES))
    playing = Playing(settings(game, format), rng.randint(2, 40))
    of = playing.of
    while (step := pairing.next_step(of)).what == "pair":
        there = of.active()
        byes = pairing.standing_before(of, of.rounds, there).byes
        playing.pair()
        playing.add(pairing.wave_started(of, playing.now))
        round = of.rounds[-1]
        everybody_has_one_place(of, there, byes)
        played_by_chance(playing, rng)
        shares = of.round_shares(round)
        for pod in range(len(round.pods)):
            seats = [it for it in of.result(round, pod) if it.entrant and it.how not in NOT_PLAYED]
            if len(seats) > 1:
                assert sum(shares[it.entrant] for it in seats) == WHOLE * len(seats) // 2
        for _ in range(rng.randint(0, 2)):
            something_happens(playing, rng)
        lines = standings(of, DRAW)
        assert sorted(it.entrant for it in lines) == sorted(of.field)
        if format == Format.SWISS:
            worth = slow_standings(of)
            for it in lines:
                assert (it.points, it.direct, it.opponents, it.wins) == worth[it.entrant]
        if format == Format.KNOCKOUT:
            assert len(bracket.picture(of).rounds()) == pairing.rounds(of)
    assert step.what == "over"
    playing.add(Over())
    assert standings(folded(of.settings, playing.log), DRAW) == standings(of, DRAW)
    if format == Format.KNOCKOUT:
        assert not of.removed() & set(pairing.champions(of))


def everybody_has_one_place(of, there, byes):
    """Every player has one place, and no player sits out again while another never has."""
    round = of.rounds[-1]
    placed = [it for pod in round.pods for it in pod.entrants] + list(round.byes)
    assert len(placed) == len(set(placed)) and placed
    assert all(len(pod.entrants) <= of.settings.size for pod in round.pods)
    if of.settings.format == Format.KNOCKOUT:
        assert set(placed) <= set(there)
        return
    assert sorted(placed) == sorted(there)
    if of.settings.format == Format.SWISS:
        least = sorted(byes[it] for it in there)[: len(round.byes)]
        assert sorted(byes[it] for it in round.byes) == least


def played_by_chance(playing, rng):
    of = playing.of
    round = of.rounds[-1]
    for number, pod in enumerate(round.pods):
        if of.result(round, number) is not None:
            continue
        marks = {it: rng.randint(1, 3) for it in pod.entrants if rng.random() > 0.12}
        seats = tuple(
            SeatResult(
                it,
                How.LEFT if rng.random() < 0.1 else How.PLAYED,
                1 + sum(other < marks[it] for other in marks.values()),
            )
            if it in marks
            else SeatResult(it, How.ABSENT)
            for it in pod.entrants
        )
        playing.now += 1
        playing.add(PodOver(round.number, number, seats, playing.now))


def something_happens(playing, rng):
    of = playing.of
    one, kind = rng.choice(list(of.entrants)), rng.randint(1, 6)
    removals = [
        seq for seq, it in of.rulings.items() if it.verb == Verb.REMOVE and seq not in of.undone
    ]
    if kind == 1 and not of.entrants[one].left:
        playing.add(Left(one))
    elif kind in (2, 3) and of.settings.format != Format.KNOCKOUT:
        playing.add(Returned(one))
    elif kind == 4:
        playing.add(Ruling(Verb.REMOVE, "rude", entrants=(one,)))
    elif kind == 5 and removals:
        playing.add(Ruling(Verb.UNDO, undone=rng.choice(removals)))
    elif kind == 6 and pairing.may_enter_late(of):
        playing.add(Entered(max(of.entrants) + 1))
