"""Premoves depend only on what the seat knows: resampling changes nothing."""

import pytest

from kaboom.engine.engine import start, step
from kaboom.engine.premoves import asked, offered
from kaboom.engine.rng import Rng
from kaboom.testing.cases import CASES
from tests.secrecy.states import next_move, redealt, seed
from tests.support.effort import often

MOVES = often(150, soak=1200)
PLANS = {"karata", "koth", "taken"}


def told(game, state, seat):
    return [(it.verb, it.about, it.until, it.pick.options) for it in game.ahead(state, seat)]


@pytest.mark.parametrize("game", CASES.values(), ids=list(CASES))
def test_premove_is_independent_of_secrets_and_becomes_a_move(game):
    seats = game.seats(game.options())[:5][-1]
    state = start(game, seats, game.options(), seed(3)).state
    seen = done = 0
    for n in range(1, MOVES + 1):
        if game.outcome(state) is not None:
            break
        seat = n % seats
        found = told(game, state, seat)
        assert told(game, redealt(game, state, seat, n), seat) == found
        seen += bool(found)
        listeners = list(game.listeners(state))
        for it in game.ahead(state, seat):
            assert it.verb in game.words.offers
            if asked(listeners, seat, it.verb):
                options = [(option,) for option in it.pick.options] or [()]
                for choices in options[:3]:
                    done += offered(listeners, seat, it, choices) is not None
        move = next_move(game, state, seats, Rng(seed(3), n, "players"))
        state = step(game, state, move, Rng(seed(3), n)).state
    assert bool(seen) == (game.key in PLANS)
    assert bool(done) == (game.key in PLANS)
