"""The bots of GOPS and TakeN against simple players: win rates and time.

`make test` plays a fixed set of deals, enough that a bot no better than the bar fails nine times in
ten (`sure`). That finds a broken bot, not a slightly weaker one. `make soak` plays many deals with
new seeds and requires the figures of docs/bots.md, less the tolerance given in comments. Each deal
is played from every seat; levels are compared deal by deal. KABOOM_DEALS with -s sets the number of
deals and prints the shares.
"""

import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import pytest

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.evaluate import Player, in_field
from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games.gops import GAME as GOPS
from kaboom.games.gops import bot, ends
from kaboom.games.gops.bot import plan
from kaboom.games.gops.habits import careful_bids
from kaboom.games.gops.rules import Options as GopsOptions
from kaboom.games.taken import GAME as TAKEN
from kaboom.games.taken.rules import Options as TakenOptions
from tests.baseline_bots import gops, taken
from tests.baseline_bots.population import Half, population
from tests.bots.sure import surely_above, surely_below
from tests.bots.test_fields import MEAN, WORST, deals, reference
from tests.support.effort import LONG, often

HARD = Level.HARD
# Other processes on the same core evict the memory that a decision works in, more so on a busy
# machine.
BUSY = often(2.0, soak=1.3)


def against(game: Any, level: Level, rival: Bot[Any]) -> tuple[Player, Player]:
    return Player(game.bot, level), Player(rival)


def shares(
    game: Any, level: Level, rival: Bot[Any], chosen: Sequence[int], seats: int, options: Any
) -> list[float]:
    """Return the win rate of a bot of this level for each deal."""
    return in_field(game, *against(game, level, rival), chosen, seats, options).shares


def leads(level: Level, rival: Bot[Any], chosen: Sequence[int], options: Any) -> list[float]:
    """Return the points by which a TakeN bot beats its three rivals for each deal."""
    return in_field(TAKEN, *against(TAKEN, level, rival), chosen, 4, options).leads


# The rivals; the win rate in percent in `make test`, and the minimum in `make soak`
GOPS_FIELDS = {
    "random": (gops.ANYTHING, 70, 86),
    "the prize": (gops.MATCH_THE_PRIZE, 90, 98),
    "prize and one": (gops.PRIZE_PLUS_ONE, 45, 58),
    "the stake": (gops.MATCH_THE_STAKE, 75, 90),
    "about the rank": (gops.ABOUT_THE_RANK, 65, 82),
}


@pytest.mark.parametrize("field", GOPS_FIELDS)
def test_gops_bot_reaches_its_share_in_each_field(field):
    rival, gate, soak = GOPS_FIELDS[field]
    result = in_field(GOPS, *against(GOPS, HARD, rival), deals(30, 1000, 5000), 2, GopsOptions())
    print(result)
    if LONG:
        assert 100 * fmean(result.shares) >= soak, str(result)
    else:
        surely_above(result.shares, gate / 100)


# The steps an adversary looks ahead; the games in `make test`, and the most points it may gain each
ADVERSARIES = {"one step": (1, 10, 4), "two steps": (2, 3, 8)}


@pytest.mark.parametrize("steps", list(ADVERSARIES)[: often(1, soak=2)])
def test_adversary_that_knows_the_gops_bot_gains_little(steps):
    ahead, some, most = ADVERSARIES[steps]
    surely_below([gops.gain(ahead, number) for number in deals(some, 100, 400)], most)


def test_adversary_gains_much_from_a_careless_gops_bot(monkeypatch):
    monkeypatch.setattr(bot, "SPARE", 1000.0)
    monkeypatch.setattr(bot, "CARE", 0.0)
    plan.cache_clear()
    try:
        surely_above([gops.gain(1, number) for number in deals(3, 20)], 20)
    finally:
        plan.cache_clear()


LEVELS = ((Level.NORMAL, Level.EASY), (HARD, Level.NORMAL))


@pytest.mark.parametrize(("better", "worse"), LEVELS)
def test_each_level_of_gops_beats_the_one_below(better, worse):
    """A lead of ten points corresponds to winning 60 of 100 against one rival."""
    players = Player(GOPS.bot, better), Player(GOPS.bot, worse)
    result = in_field(GOPS, *players, deals(40, 1000, 3000), 2, GopsOptions())
    surely_above(result.shares, often(0.5, soak=0.6))


def test_gops_bot_beats_two_rivals_who_bid_at_random():
    options = GopsOptions(players=3)
    bar = often(1 / 3, soak=0.5)  # it wins 65 of 100
    surely_above(shares(GOPS, HARD, gops.ANYTHING, deals(16, 300), 3, options), bar)


ONE_DEAL = TakenOptions(max_games=1)
# Points fewer than three random players take; measured were 3, 9 and 15.
BESIDE_RANDOM = {Level.EASY: 1, Level.NORMAL: 4, Level.HARD: 6}


@pytest.mark.parametrize("level", Level)
def test_each_level_of_taken_takes_fewer_points_than_chance(level):
    some = deals({Level.EASY: 20, Level.NORMAL: 16, Level.HARD: 8}[level], 200)
    surely_below(leads(level, taken.ANYTHING, some, ONE_DEAL), -BESIDE_RANDOM[level])


@pytest.mark.nightly  # takes an hour; single deals vary too much
@pytest.mark.parametrize(("better", "worse"), LEVELS)
def test_each_level_of_taken_beats_three_of_the_one_below(better, worse):
    """A lead of ten points corresponds to winning 35 of 100 against three rivals."""
    players = Player(TAKEN.bot, better), Player(TAKEN.bot, worse)
    surely_above(in_field(TAKEN, *players, deals(0, 200), 4, TakenOptions()).shares, 0.33)


def test_taken_bot_beats_rivals_of_the_test_set():
    """In `make test` one rival of each idea, compared by points."""
    rivals = population("taken", Half.UNSEEN)
    thinking = [it for it in rivals if it.thinks]
    found = [
        lead
        for it in thinking[:: often(3, soak=1)]
        for lead in in_field(TAKEN, *against(TAKEN, HARD, it.bot), deals(5, 40), 4, ONE_DEAL).leads
    ]
    surely_below(found, 0.0)


@pytest.mark.nightly  # takes an hour
@pytest.mark.parametrize("half", Half)
def test_taken_bot_reaches_its_share_against_the_population(half):
    """Each rival alone, including the worst; then all rivals that think, and those that play at
    random.
    """
    shares: dict[bool, list[float]] = {True: [], False: []}
    for it in population("taken", half):
        result = in_field(TAKEN, *against(TAKEN, HARD, it.bot), deals(0, 60), 4, TakenOptions())
        print(it, result)
        shares[it.thinks] += result.shares
        assert 100 * fmean(result.shares) >= 30
    assert 100 * fmean(shares[True]) >= 45
    assert 100 * fmean(shares[False]) >= 83


def test_gops_bot_beats_rivals_of_the_test_set():
    thinking = [it for it in population("gops", Half.UNSEEN) if it.thinks]
    found = [
        share
        for it in thinking
        for share in in_field(
            GOPS, *against(GOPS, HARD, it.bot), deals(4, 300), 2, GopsOptions()
        ).shares
    ]
    surely_above(found, often(0.55, soak=0.65))


# The most usual case first; the others are timed in `make soak` only.
TIMED = {
    "gops": (GOPS, 2, GopsOptions()),
    "taken": (TAKEN, 4, ONE_DEAL),
    "gops of three": (GOPS, 3, GopsOptions(players=3)),
    "taken of ten": (TAKEN, 10, ONE_DEAL),
    "taken with long hands": (TAKEN, 5, TakenOptions(max_games=1, hand_size=20)),
}


@pytest.mark.parametrize("kind", list(TIMED)[: often(2, soak=5)])
def test_bot_decisions_stay_within_the_time_limit(kind):
    """Includes a newly started server that has solved no rounds yet."""
    game, seats, options = TIMED[kind]
    found = []
    for _ in range(3):  # other processes disturb: take the best time of each
        careful_bids.cache_clear()
        plan.cache_clear()
        ends.still_to_be_won.cache_clear()
        found.append(times(game, seats, options, 1) + times(game, seats, options, 2))
    best = [min(each) for each in zip(*found[1:], strict=True)]  # the first call loads data
    fixed = reference()
    told = f"mean {fmean(best) / fixed:.2f}, worst {max(best) / fixed:.2f} loops"
    print(f"{kind}: {told} of {1000 * fixed:.1f} ms")
    assert fmean(best) <= BUSY * MEAN * fixed, told
    assert max(best) <= WORST * fixed, told


def times(game: Any, seats: int, options: Any, number: int) -> list[float]:
    """Return the seconds of each hard-bot decision of seat 0 in a random match."""
    seed, found = number.to_bytes(32, "big"), []
    state = start(game, seats, options, seed).state
    for n in range(1, 1000):
        if game.outcome(state) is not None:
            break
        own, view, luck = prompt(game, state, 0), game.view(state, 0), Rng(seed, n, "bot 0")
        if own.offers:
            began = time.thread_time()
            game.bot.choose(game.bot.memory(), view, own, luck, HARD)
            found.append(time.thread_time() - began)
        move = random_turn(game, state, seats, Rng(seed, n, "players"))
        state = step(game, state, move, Rng(seed, n)).state
    return found
