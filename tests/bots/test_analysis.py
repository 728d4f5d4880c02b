"""Values of moves are compared on the same deals and do not depend on hidden cards."""

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from statistics import mean, stdev

import pytest

from kaboom.engine.bots.analysis import (
    AT_ONCE,
    Playouts,
    analysis_of,
    candidates,
    judging,
)
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.codec import copied, to_json
from kaboom.engine.continued_match import redealt
from kaboom.engine.engine import prompts
from kaboom.engine.moves import IllegalMove, Move, NotOnOffer
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from tests.engine.sealed_bids import SEALED_BIDS as SEALED
from tests.support.effort import often
from tests.support.judging import judge

SEATS = {"gops": 2, "kaboom": 3, "karata": 3, "koth": 5, "taken": 4}
ROUND = {"kaboom": {"rounds": 1}, "koth": {"end": "rounds", "rounds": 1, "deal_interval": 0}}
EVERY = {"gops": 6, "kaboom": 17, "karata": 5, "koth": 21, "taken": 14}
SEED = b"analysis"


def match_of(key, number=0):
    game = GAMES[key]
    players = [Player(game.bot, Level.NORMAL)] * SEATS[key]
    return Match(game, players, game.options(**ROUND.get(key, {})), number.to_bytes(32, "big"))


def decisions(key, number=0) -> Iterator[tuple]:
    """Yield (state, seat, memory) for the decisions of a match between bots, seats in turn."""
    game, match = GAMES[key], match_of(key, number)
    while game.outcome(match.state) is None:
        if match.number % EVERY[key] == EVERY[key] - 1:
            for own in prompts(game.listeners(match.state), SEATS[key]):
                if any(it.blocks and it.verb not in game.quick for it in own.offers):
                    yield copied(match.state), own.seat, copied(match.memories[own.seat])
        match.go_on()


def moves_of(game, state, seat, memory, most=4):
    return candidates(game, state, seat, memory, Rng(SEED, 0), most)


def ready_bids(key="gops"):
    return next(decisions(key))


@pytest.mark.slow
@pytest.mark.parametrize("key", SEATS)
def test_indistinguishable_positions_are_judged_identically(key):
    game, changed, seen = GAMES[key], 0, 0
    for number in range(often(1, soak=10)):
        for state, seat, memory in decisions(key, number):
            twin = redealt(game, state, seat, memory, Rng(b"twin", 0))
            changed += to_json(twin) != to_json(state)
            moves = moves_of(game, state, seat, memory)
            assert moves_of(game, twin, seat, memory) == moves
            here, there = (
                judge(game, it, seat, memory, moves, SEED, deals=3) for it in (state, twin)
            )
            assert to_json(here) == to_json(there)
            seen += 1
    assert seen >= 3
    assert changed >= seen // 2


@pytest.mark.parametrize("key", SEATS)
def test_judging_changes_neither_the_state_nor_the_memory(key):
    game = GAMES[key]
    state, seat, memory = ready_bids(key)
    before = to_json([state, memory])
    judge(game, state, seat, memory, moves_of(game, state, seat, memory), SEED, deals=2)
    assert to_json([state, memory]) == before


@pytest.mark.parametrize("key", SEATS)
def test_every_game_declares_how_its_moves_are_judged(key):
    way = analysis_of(GAMES[key])
    assert way.over is not None
    assert way.worth is not None


def test_the_same_move_twice_is_worth_the_same_in_each_deal():
    state, seat, memory = ready_bids("karata")
    move = moves_of(GAMES["karata"], state, seat, memory)[0]
    first, second = judge(GAMES["karata"], state, seat, memory, [move, move], SEED, deals=8)
    assert first.worth == second.worth
    assert second.interval == (0.0, 0.0)


def test_seed_determines_the_values():
    game = GAMES["taken"]
    state, seat, memory = ready_bids("taken")
    moves = moves_of(game, state, seat, memory)
    one, again, other = (
        judge(game, state, seat, memory, moves, seed, deals=6) for seed in (b"1", b"1", b"2")
    )
    assert one == again
    assert one != other


def test_values_are_sorted_best_first_with_details():
    game = GAMES["taken"]
    state, seat, memory = ready_bids("taken")
    values = judge(game, state, seat, memory, moves_of(game, state, seat, memory), SEED, deals=16)
    best, *others = values
    assert best.behind == 0.0
    assert [it.behind for it in others] == sorted(it.behind for it in others)
    for value in others:
        assert value.worth == pytest.approx(best.worth - value.behind)
        assert value.interval[0] <= -value.behind <= value.interval[1]
        assert value.as_good == (value.interval[1] >= 0)


def test_playouts_try_each_move_in_the_same_deals():
    game = GAMES["taken"]
    state, seat, memory = ready_bids("taken")
    one, other, third = moves_of(game, state, seat, memory, 3)
    whole, parts = (Playouts(game, state, seat, memory, SEED) for _ in range(2))
    whole.play([one, other, third], 12)
    parts.play([one], 4)
    parts.play([one, other], 12)
    parts.play([third, other], 12)
    assert parts.results == whole.results
    more, error = parts.difference(one, other)
    differences = [a - b for a, b in zip(*(parts.results[it] for it in (one, other)), strict=True)]
    assert more == pytest.approx(mean(differences))
    assert error == pytest.approx(stdev(differences) / sqrt(12))


def test_judging_yields_values_after_every_few_deals():
    game = GAMES["gops"]
    state, seat, memory = ready_bids()
    moves = moves_of(game, state, seat, memory)
    found = [it[0].deals for it in judging(game, state, seat, memory, moves, SEED, deals=40)]
    assert found == [AT_ONCE, 2 * AT_ONCE, 40]


def test_a_move_that_is_not_legal_is_refused():
    state, seat, memory = ready_bids()
    with pytest.raises((IllegalMove, NotOnOffer)):
        judge(GAMES["gops"], state, seat, memory, [Move(seat, "bid", ("2D",))], SEED)


@pytest.mark.slow
def test_missed_flip_chance_is_judged():
    """A player who does not flip a known match keeps its points."""
    game = GAMES["kaboom"]
    for number in range(20):
        match = match_of("kaboom", number)
        while game.outcome(match.state) is None:
            for own in prompts(game.listeners(match.state), 3):
                seat, memory = own.seat, match.memories[own.seat]
                turn, race = own.parted()
                flips = race.offers and game.bot.weigh(
                    memory, game.view(match.state, seat), race, Rng(SEED, 0), Level.HARD
                )
                if flips and flips[0].move and flips[0].worth >= 8 and not turn.waited_for:
                    moves = moves_of(game, match.state, seat, memory, 3)
                    assert None in moves
                    values = judge(
                        game, match.state, seat, memory, [flips[0].move, None], SEED, deals=96
                    )
                    assert values[0].move == flips[0].move
                    assert not values[1].as_good
                    return
            match.go_on()
    raise AssertionError("no flip was worthwhile")


@pytest.mark.slow
def test_king_bid_is_valued_above_deuce_in_the_last_two_rounds():
    """A hand that bids its higher card for the higher prize wins both prizes or neither."""
    game = GAMES["gops"]
    match = match_of("gops", 3)
    while len(match.state.hands[0]) > 2 or any(match.state.bids):
        match.go_on()
    s = match.state
    s.hands, s.on_offer, s.stack = [["2S", "KS"], ["AC", "QC"]], ["KD"], ["AD"]
    values = judge(game, s, 0, match.memories[0], moves_of(game, s, 0, match.memories[0]), SEED)
    assert values[0].move == Move(0, "bid", ("KS",))
    assert values[0].deals == 400
    assert not values[1].as_good


def test_game_without_its_own_analysis_is_judged_by_outcome():
    assert SEALED.analysis is None
    match = Match(SEALED, [Player(SEALED.bot)] * 2, SEALED.options(), bytes(32))
    moves = candidates(SEALED, match.state, 0, None, Rng(SEED, 0))
    values = judge(SEALED, match.state, 0, None, moves, SEED, deals=8)
    assert sorted(map(str, moves)) == sorted(str(it.move) for it in values)
    assert any(it.worth for it in values)


def test_lead_is_measured_in_fewer_points_if_the_fewest_win():
    best = Match(SEALED, [Player(None)] * 2, SEALED.options(), bytes(32))
    moves = candidates(SEALED, best.state, 0, None, Rng(SEED, 0))
    most = judge(SEALED, best.state, 0, None, moves, SEED, deals=8)
    fewest = judge(replace(SEALED, lowest_wins=True), best.state, 0, None, moves, SEED, deals=8)
    assert {it.move: it.worth for it in fewest} == {
        it.move: pytest.approx(-it.worth) for it in most
    }
