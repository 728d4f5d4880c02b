"""How the bots of GOPS and TakeN do in a field of plain players, and in which time.

The gate plays some deals, always the same, so many that a bot that is no better than the bar fails
nine times in ten (`sure`); it finds a bot that has become bad, not one that has become a little
worse. `make soak` plays many, each time others, and asks for what docs/bots.md promises, but where
a comment says how much chance may take away. Each deal is played from every seat; levels are
compared deal by deal. KABOOM_DEALS with -s plays that many and tells the shares.
"""

import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import pytest

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.evaluate import Player, in_field
from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games.gops import GAME as GOPS
from kaboom.games.gops.habits import careful_bids
from kaboom.games.gops.rules import Options as GopsOptions
from kaboom.games.taken import GAME as TAKEN
from kaboom.games.taken.rules import Options as TakenOptions
from tests.baseline_bots import gops, taken
from tests.bots.sure import surely_above, surely_below
from tests.bots.test_fields import MEAN, WORST, deals, reference
from tests.support.effort import LONG, often

HARD = Level.HARD
# Neighbours on the same core cost the memory a decision works in, the more the busier a machine is.
BUSY = often(2.0, soak=1.3)


def against(game: Any, level: Level, rival: Bot[Any]) -> tuple[Player, Player]:
    return Player(game.bot, level), Player(rival)


def shares(
    game: Any, level: Level, rival: Bot[Any], chosen: Sequence[int], seats: int, options: Any
) -> list[float]:
    """Return by deal the share of the wins of a bot of this level."""
    return in_field(game, *against(game, level, rival), chosen, seats, options).shares


def leads(level: Level, rival: Bot[Any], chosen: Sequence[int], options: Any) -> list[float]:
    """Return by deal how many points more than its three rivals a bot of TakeN takes."""
    return in_field(TAKEN, *against(TAKEN, level, rival), chosen, 4, options).leads


def gained(better: Sequence[float], worse: Sequence[float]) -> list[float]:
    """Return by deal how much more one of two found."""
    return [one - other for one, other in zip(better, worse, strict=True)]


# Against whom, above which share of wins in percent it is at the gate, and the least in `make soak`
GOPS_FIELDS = {
    "random": (gops.ANYTHING, 70, 86),
    "the prize": (gops.MATCH_THE_PRIZE, 90, 98),
    "prize and one": (gops.PRIZE_PLUS_ONE, 55, 75),
    "the stake": (gops.MATCH_THE_STAKE, 85, 96),
    "about the rank": (gops.ABOUT_THE_RANK, 75, 90),
}


@pytest.mark.parametrize("field", GOPS_FIELDS)
def test_gops_against_one_who_bids(field):
    rival, gate, soak = GOPS_FIELDS[field]
    result = in_field(GOPS, *against(GOPS, HARD, rival), deals(30, 1000, 5000), 2, GopsOptions())
    print(result)
    if LONG:
        assert 100 * fmean(result.shares) >= soak, str(result)
    else:
        surely_above(result.shares, gate / 100)


def test_who_knows_a_hard_bot_of_gops_gains_little():
    players = Player(gops.ADVERSARY), Player(GOPS.bot, HARD)
    result = in_field(GOPS, *players, deals(36, 1000, 5000), 2, GopsOptions())
    print(result)
    if LONG:
        assert fmean(result.leads) <= 5, str(result)
    else:
        surely_below(result.leads, 12)


def test_each_level_of_gops_does_better_than_the_one_below():
    easy, normal, hard = (
        shares(GOPS, level, gops.PRIZE_PLUS_ONE, deals(36, 1000, 5000), 2, GopsOptions())
        for level in Level
    )
    surely_above(gained(normal, easy), 0.1)
    surely_above(gained(hard, easy), 0.1)
    if LONG:  # 36 deals are too few for that
        surely_above(gained(hard, normal), 0.1)


def test_a_bot_of_gops_beats_two_who_bid_at_random():
    options = GopsOptions(players=3)
    bar = often(1 / 3, soak=0.5)  # it wins 65 of a hundred
    surely_above(shares(GOPS, HARD, gops.ANYTHING, deals(16, 300), 3, options), bar)


ONE_DEAL = TakenOptions(max_games=1)
# The least share of wins in percent. 150 deals miss by some 4 points: against players who look one
# step ahead the bot reaches 50.
TAKEN_FIELDS = {
    "random": (taken.ANYTHING, 83),
    "one step ahead": (taken.ONE_STEP_RISK, 45),
    "nearest fit": (taken.NEAREST_FIT, 29),
    "highest": (taken.HIGHEST_CARD, 41),
}


@pytest.mark.nightly  # takes 400 deals, minutes
def test_each_level_of_taken_takes_fewer_points_than_the_one_below():
    """Against three who look one step ahead. In a deal one point more or less says little: they
    differ by 6 or 7 from deal to deal, the levels by 2.
    """
    easy, normal, hard = (
        leads(level, taken.ONE_STEP_RISK, deals(0, 400, 1000), ONE_DEAL) for level in Level
    )
    surely_below(gained(normal, easy), 0.0)
    surely_below(gained(hard, normal), 0.0)


# Points fewer than three random players take, which are sure; measured were 6.9, 9.0 and 10.6.
BESIDE_RANDOM = {Level.EASY: 2, Level.NORMAL: 4, Level.HARD: 5}


@pytest.mark.parametrize("level", Level)
def test_each_level_of_taken_takes_fewer_points_than_chance(level):
    some = deals({Level.EASY: 20, Level.NORMAL: 16, Level.HARD: 8}[level], 200)
    surely_below(leads(level, taken.ANYTHING, some, ONE_DEAL), -BESIDE_RANDOM[level])


@pytest.mark.nightly  # takes an hour
@pytest.mark.parametrize("field", TAKEN_FIELDS)
def test_taken_in_matches_among_three_who_play(field):
    rival, least = TAKEN_FIELDS[field]
    result = in_field(TAKEN, *against(TAKEN, HARD, rival), deals(0, 150), 4, TakenOptions())
    print(result)
    assert 100 * fmean(result.shares) >= least, str(result)


@pytest.mark.nightly  # takes an hour
def test_each_level_of_taken_wins_more_matches_than_the_one_below():
    easy, normal, hard = (
        shares(TAKEN, level, taken.ONE_STEP_RISK, deals(0, 150), 4, TakenOptions())
        for level in Level
    )
    surely_above(gained(normal, easy), 0.0)
    surely_above(gained(hard, normal), 0.0)


# The most usual first; the others are timed in `make soak` alone.
TIMED = {
    "gops": (GOPS, 2, GopsOptions()),
    "taken": (TAKEN, 4, ONE_DEAL),
    "gops of three": (GOPS, 3, GopsOptions(players=3)),
    "taken of ten": (TAKEN, 10, ONE_DEAL),
    "taken with long hands": (TAKEN, 5, TakenOptions(max_games=1, hand_size=20)),
}


@pytest.mark.parametrize("kind", list(TIMED)[: often(2, soak=5)])
def test_no_decision_takes_long(kind):
    """Also where the server has just started, and knows no round that it has solved before."""
    game, seats, options = TIMED[kind]
    found = []
    for _ in range(3):  # neighbours disturb: what each takes at best
        careful_bids.cache_clear()
        found.append(times(game, seats, options, 1) + times(game, seats, options, 2))
    best = [min(each) for each in zip(*found[1:], strict=True)]  # the first loads what it needs
    fixed = reference()
    told = f"mean {fmean(best) / fixed:.2f}, worst {max(best) / fixed:.2f} loops"
    print(f"{kind}: {told} of {1000 * fixed:.1f} ms")
    assert fmean(best) <= BUSY * MEAN * fixed, told
    assert max(best) <= WORST * fixed, told


def times(game: Any, seats: int, options: Any, number: int) -> list[float]:
    """Return how many seconds a hard bot takes for each decision of seat 0 in a random match."""
    seed, found = number.to_bytes(32, "big"), []
    state = start(game, seats, options, seed).state
    for n in range(1, 1000):
        if game.outcome(state) is not None:
            break
        own, view, luck = prompt(game, state, 0), game.view(state, 0), Chance(seed, n, "bot 0")
        if own.offers:
            began = time.thread_time()
            game.bot.choose(game.bot.memory(), view, own, luck, HARD)
            found.append(time.thread_time() - began)
        move = random_turn(game, state, seats, Chance(seed, n, "players"))
        state = step(game, state, move, Chance(seed, n)).state
    return found
