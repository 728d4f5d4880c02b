"""Boards: the same deal at every table, whatever is played there, and an order that cannot be
discovered.
"""

import hashlib
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest

from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import start, step
from kaboom.engine.fairness.commitment import board_seed
from kaboom.engine.moves import CLOCK
from kaboom.engine.rng import Rng, next_on_list
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.engine.views import OPEN
from kaboom.games import GAMES
from tests.engine.test_rng import PAGE, ZERO, shuffle, words
from tests.support.builtin_games import OURS

KEY = hashlib.sha256(b"a board").digest()


def dealt(key, seats=None, board=True, seed=KEY):
    game = GAMES[key]
    options = replace(game.options(), **game.board)
    return game, start(game, seats or game.seats(options)[-1], options, seed, board).state


def played(game, state, players, moves, first=1):
    """Return the states of a match between random players, whose moves are numbered from
    `first`."""
    states = [state]
    for number in range(first, first + moves):
        seats = game.seated(states[-1])
        if game.outcome(states[-1]) is not None:
            break
        move = random_turn(game, states[-1], seats, Rng(players, number - first, "players"))
        states.append(step(game, states[-1], move, Rng(KEY, number)).state)
    return states


@pytest.mark.parametrize("key", OURS)
def test_same_moves_give_the_same_cards_anywhere_in_the_log(key):
    game, state = dealt(key)
    one = played(game, state, b"1", 150)
    other = played(game, state, b"1", 150, first=700)
    assert to_json(one[-1]) == to_json(other[-1])


@pytest.mark.parametrize("key", OURS)
def test_shared_board_is_marked_and_kept_in_the_state(key):
    game, state = dealt(key)
    assert state.board and copied(state).board
    assert not dealt(key, board=False)[1].board
    assert all(later.board for later in played(game, state, b"2", 20))


@pytest.mark.parametrize(("key", "option"), [("taken", "max_games"), ("karata", "games")])
def test_a_board_is_one_deal(key, option):
    game, _ = dealt(key)
    assert getattr(replace(game.options(), **game.board), option) == 1


@pytest.mark.parametrize("key", ["kaboom", "karata"])
def test_stock_order_reveals_nothing(key):
    game, state = dealt(key)
    drew = 0
    for later in played(game, state, b"3", 200):
        stock = later.stock if key == "kaboom" else later.deck
        assert stock == sorted(stock)
        drew += len(stock) != len(state.stock if key == "kaboom" else state.deck)
    assert drew


def draw_alone(key, seat, others):
    """Return the card a seat draws on a board after others have drawn this many."""
    from kaboom.engine.play import Play
    from kaboom.games.kaboom.places import from_stock
    from kaboom.games.karata.deck import next_cards

    game, state = dealt(key)
    play = Play(CLOCK, Rng(KEY, 99))
    play.game, play.state, play.board = game, state, True
    for other, count in enumerate(others):
        for _ in range(count):
            from_stock(play, other) if key == "kaboom" else next_cards(play, other, 1)
    return from_stock(play, seat) if key == "kaboom" else next_cards(play, seat, 1)[0]


@pytest.mark.parametrize("key", ["kaboom", "karata"])
def test_draws_by_others_rarely_change_the_drawn_card(key):
    alone = draw_alone(key, 0, [])
    after = [draw_alone(key, 0, [0, *counts]) for counts in product(range(3), repeat=3)]
    assert after.count(alone) > len(after) * 0.7
    assert draw_alone(key, 0, [0, 1, 0, 0]) == draw_alone(key, 0, [0, 0, 0, 0])


def test_list_draws_are_as_likely_as_a_shuffled_stock():
    """Two drawers, four cards and three lists each: every one of their orders is tried."""
    cards = "abcd"
    for drawers in product((0, 1), repeat=3):
        seen = Counter()
        for lists in product(permutations(cards), repeat=2):
            stock = set(cards)
            drawn = []
            for drawer in drawers:
                drawn.append(next_on_list(lists[drawer], stock))
                stock.remove(drawn[-1])
            seen["".join(drawn)] += 1
        shares = {Fraction(count, seen.total()) for count in seen.values()}
        assert (len(seen), shares) == (24, {Fraction(1, 24)})


def test_second_implementation_deals_the_same_board():
    message = "kaboom/v1|board|" + json.dumps(["day 2026-11-22", "c"], separators=(",", ":"))
    import hmac

    expected = hmac.new(ZERO, message.encode(), hashlib.sha256)
    assert board_seed(ZERO, "day 2026-11-22", "c") == expected.digest()
    assert expected.hexdigest() in PAGE
    beyond = hmac.new(ZERO, rb'kaboom/v1|board|["\u00e9","c"]', hashlib.sha256)
    assert board_seed(ZERO, "é", "c") == beyond.digest()
    _, state = dealt("gops", seed=ZERO)
    prizes = [rank + "D" for rank in "A23456789TJQK"]
    order = shuffle(words(ZERO, "deal", 1), prizes)
    assert [*state.stack, *state.on_offer] == order


@pytest.mark.parametrize("key", OURS)
def test_resample_also_redraws_unknown_cards_of_a_board(key):
    game, state = dealt(key)
    from kaboom.engine.play import Play

    for later in played(game, state, b"4", 60)[::7]:
        play = Play(CLOCK, Rng(b"again", 1))
        play.game, play.state, play.board = game, copied(later), True
        before = to_json(game.view(later, 0))
        game.resample(play, 0)
        assert to_json(game.view(play.state, 0)) == before
        if key in ("kaboom", "karata"):
            stock = play.state.stock if key == "kaboom" else play.state.deck
            assert stock == sorted(stock)
        assert game.view(play.state, OPEN)
