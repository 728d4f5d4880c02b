"""How the bots of GOPS and TakeN do in a field of plain players, and in which time.

The gate plays few deals, always the same, and finds a bot that has become bad, not one that has
become a little worse; `make soak` plays many, each time others, and asks for what docs/bots.md
promises, but where a comment says how much chance may take away. Each deal is played from every
seat. KABOOM_DEALS with -s plays that many and tells the shares.
"""

import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import pytest

from kaboom.bots.measure import Player, in_field
from kaboom.core.bot import Bot, Level
from kaboom.core.chance import Chance
from kaboom.core.engine import prompt, start, step
from kaboom.core.playthrough import random_turn
from kaboom.games.gops import GAME as GOPS
from kaboom.games.gops.habits import careful_bids
from kaboom.games.gops.rules import Options as GopsOptions
from kaboom.games.taken import GAME as TAKEN
from kaboom.games.taken.rules import Options as TakenOptions
from tests.counts import LONG, often
from tests.proofs.bots.test_fields import MEAN, WORST, deals, reference
from tests.yardsticks import gops, taken

HARD = Level.HARD
# Neighbours on the same core cost the memory a decision works in, the more the busier a machine is.
BUSY = often(2.0, soak=1.3)


def against(game: Any, level: Level, rival: Bot[Any]) -> tuple[Player, Player]:
    return Player(game.bot, level), Player(rival)


def share(
    game: Any, level: Level, rival: Bot[Any], chosen: Sequence[int], seats: int, options: Any
) -> float:
    """Return the share of the wins of a bot of this level."""
    return fmean(in_field(game, *against(game, level, rival), chosen, seats, options).shares)


def lead(level: Level, rival: Bot[Any], chosen: Sequence[int], options: Any) -> float:
    """Return how many points more than its three rivals a bot of TakeN takes."""
    return fmean(in_field(TAKEN, *against(TAKEN, level, rival), chosen, 4, options).leads)


# Against whom, the least share of wins in percent at the gate, and in `make soak`
GOPS_FIELDS = {
    "random": (gops.ANYTHING, 76, 86),
    "the prize": (gops.MATCH_THE_PRIZE, 95, 98),
    "prize and one": (gops.PRIZE_PLUS_ONE, 65, 75),
    "the stake": (gops.MATCH_THE_STAKE, 92, 96),
    "about the rank": (gops.ABOUT_THE_RANK, 82, 90),
}


@pytest.mark.parametrize("field", GOPS_FIELDS)
def test_gops_against_one_who_bids(field):
    rival, gate, soak = GOPS_FIELDS[field]
    result = in_field(GOPS, *against(GOPS, HARD, rival), deals(15, 1000, 5000), 2, GopsOptions())
    print(result)
    assert 100 * fmean(result.shares) >= (soak if LONG else gate), str(result)


def test_who_knows_a_hard_bot_of_gops_gains_little():
    players = Player(gops.ADVERSARY), Player(GOPS.bot, HARD)
    result = in_field(GOPS, *players, deals(15, 1000, 5000), 2, GopsOptions())
    print(result)
    assert fmean(result.leads) <= (5 if LONG else 9), str(result)


def test_each_level_of_gops_does_better_than_the_one_below():
    easy, normal, hard = (
        share(GOPS, level, gops.PRIZE_PLUS_ONE, deals(15, 1000, 5000), 2, GopsOptions())
        for level in Level
    )
    assert normal >= easy + 0.1
    assert hard >= normal + (0.1 if LONG else 0.03)


def test_a_bot_of_gops_beats_two_who_bid_at_random():
    options = GopsOptions(players=3)
    assert share(GOPS, HARD, gops.ANYTHING, deals(10, 300), 3, options) >= 0.5


ONE_DEAL = TakenOptions(max_games=1)
TWO_DEALS = TakenOptions(max_games=2)
# The least share of wins in percent. 150 deals miss by some 4 points: against players who look one
# step ahead the bot reaches 50.
TAKEN_FIELDS = {
    "random": (taken.ANYTHING, 83),
    "one step ahead": (taken.ONE_STEP_RISK, 45),
    "nearest fit": (taken.NEAREST_FIT, 29),
    "highest": (taken.HIGHEST_CARD, 41),
}


def test_each_level_of_taken_takes_fewer_points_than_the_one_below():
    """Against three who look one step ahead. Who has fewest in few deals says little of matches."""
    easy, normal, hard = (
        lead(level, taken.ONE_STEP_RISK, deals(6, 150), often(ONE_DEAL, soak=TWO_DEALS))
        for level in Level
    )
    assert hard + 0.5 < normal
    assert normal + 0.5 < easy


def test_a_bot_of_taken_takes_far_fewer_points_than_random_players():
    assert lead(HARD, taken.ANYTHING, deals(6, 500), ONE_DEAL) < -5


@pytest.mark.skipif(not LONG, reason="takes an hour; set KABOOM_LONG=1")
@pytest.mark.parametrize("field", TAKEN_FIELDS)
def test_taken_in_matches_among_three_who_play(field):
    rival, least = TAKEN_FIELDS[field]
    result = in_field(TAKEN, *against(TAKEN, HARD, rival), deals(0, 150), 4, TakenOptions())
    print(result)
    assert 100 * fmean(result.shares) >= least, str(result)


@pytest.mark.skipif(not LONG, reason="takes an hour; set KABOOM_LONG=1")
def test_each_level_of_taken_wins_more_matches_than_the_one_below():
    easy, normal, hard = (
        share(TAKEN, level, taken.ONE_STEP_RISK, deals(0, 150), 4, TakenOptions())
        for level in Level
    )
    assert normal >= easy + 0.1
    assert hard >= normal + 0.1


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
