"""Tips for newcomers: each fits the situation and refers to its rule."""

import pytest

from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games import GAMES, sample
from kaboom.web.rules_pages import rules_of

TEACHING = [key for key, game in GAMES.items() if game.tips]
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo")
# Situations that random players rarely reach, and the options with which they are found.
WAYS = {
    "karata": [{"stops": "pass_on"}, {"stops": "cancel"}, {"games": 2, "deal": 3}],
    "gops": [{"players": 3, "multi_tie": "highest_unique"}, {"games": 2}],
}


def ways(key):
    """Return options with which a game can be played, the defaults first."""
    told = sample(key)
    found = [{}, *WAYS.get(key, ()), *told.variants, *told.apart.values()]
    return [GAMES[key].options(**values) for values in found]


def moments(key, options, number, most=150):
    """Yield the view and the prompt of each seat along a match between random players."""
    game, seed = GAMES[key], number.to_bytes(32, "big")
    seats = game.seats(options)[number % len(game.seats(options))]
    done = start(game, seats, options, seed)
    for n in range(1, most + 1):
        for seat in range(seats):
            yield game.view(done.state, seat), prompt(game, done.state, seat)
        if game.outcome(done.state) is not None:
            return
        moves = (random_turn(game, done.state, seats, Rng(seed, n, f"{it}")) for it in range(9))
        move = next(
            it
            for n, it in enumerate(moves)
            if number % 2 == 0 or n == 8 or it.verb not in sample(key).rare
        )
        done = step(game, done.state, move, Rng(seed, n))


@pytest.mark.slow
@pytest.mark.parametrize("key", TEACHING)
def test_every_tip_is_met_filled_in_and_explained_in_rules(key):
    game, unseen, tried = GAMES[key], set(GAMES[key].tips), set()
    for number in range(12):
        for options in ways(key):
            if number and not unseen:
                return
            headings = {anchor for _, anchor, _ in rules_of(game, options).contents}
            names = Names(NAMES, 0)
            for view, asked in moments(key, options, number):
                for name, facts in game.tips_for(view, asked, options):
                    unseen.discard(name)
                    if (name, options, str(facts)) in tried:
                        continue
                    tried.add((name, options, str(facts)))
                    said = game.words.fill(game.tips[name].text, facts, names)
                    assert "{" not in said
                    assert len(said) <= 100, f"too long for a phone: {said}"
                    assert game.tips[name].rule in headings, (name, options)
    assert not unseen, f"no player was told {unseen}"


@pytest.mark.parametrize("key", TEACHING)
def test_winning_condition_shows_first_and_if_nothing_is_new(key):
    game = GAMES[key]
    options = game.options()
    aims = {"aim", "out"}
    first = True
    for view, asked in moments(key, options, 1, most=60):
        told = [name for name, _ in game.tips_for(view, asked, options)]
        assert told[-1] in aims
        if first and asked.waited_for:
            assert aims & set(told[:2]), told
            first = False
    assert not first
