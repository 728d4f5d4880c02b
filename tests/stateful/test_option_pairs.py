"""Every game with every pair of its options: played by bots and at random, redealt, and described.

This finds rules that work with the usual options only. `make test` plays a short part of one match
with each set of options, `make soak` many whole matches.
"""

import pytest

from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import clocks, must_answer, prompt, start, step
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games import GAMES, sample
from kaboom.games.trial import cards_of
from tests.secrecy.states import next_move, paired_tables_of, redealt, seed
from tests.support.effort import often

MATCHES = often(1, soak=12)
MOVES = often(45, soak=600)
BOTS = often(1, soak=3)  # of four moves; some bots think for long


def match(game, options, seats, number):
    """Yield (state, events, move number) of a match of bots and some random moves."""
    key = seed(number)
    done = start(game, seats, options, key)
    memories = [game.bot.memory() for _ in range(seats)] if game.bot else []
    for n in range(1, MOVES + 1):
        yield done.state, done.events, n
        if game.outcome(done.state) is not None:
            return
        for seat, memory in enumerate(memories):
            for event in done.events:
                if event.heard_by(seat):
                    game.bot.notice(memory, event, seat)
        move = bots_move(game, done.state, memories, Rng(key, n, "bots"))
        move = move or next_move(game, done.state, seats, Rng(key, n, "players"))
        done = step(game, done.state, move, Rng(key, n))


def bots_move(game, state, memories, rng) -> Move | None:
    """Return the move of a bot that must move, or None where another player moves."""
    waited = must_answer(game, state)
    if not memories or not waited or rng.randrange(4) >= BOTS:
        return None
    seat = waited[0]
    own = prompt(game, state, seat)
    move = game.bot.choose(memories[seat], game.view(state, seat), own, rng)
    assert move is not None, "an awaited bot must move"
    return move


@pytest.mark.parametrize("key", list(GAMES))
def test_every_pair_of_options_keeps_a_game_consistent(key):
    game = GAMES[key]
    for place, (options, seats) in enumerate(paired_tables_of(game)):
        for number in range(MATCHES):
            for state, events, n in match(game, options, seats, 1000 * number + place):
                check(game, options, seats, state, events, n)


def check(game, options, seats, state, events, n):
    """Check that a player can move, cards are conserved, texts exist and nothing leaks."""
    about = sample(game.key)
    over = game.outcome(state) is not None
    assert bool(must_answer(game, state) or clocks(game, state)) != over, options
    cards = cards_of(about.places, state)
    assert sum(cards.values()) in about.count(state, seats), options
    assert all(count <= about.packs for count in cards.values()), options
    assert events, options
    for event in events:
        assert event.to is not None or said(game, seats, None, event), (event, options)
    me = n % (seats + 1)
    viewer = me if me < seats else None
    view = game.view(state, viewer)
    assert said(game, seats, viewer, view.saying), (view.saying, options)
    if n % 4 == 0:
        other = redealt(game, state, viewer, n)
        assert to_json(game.view(other, viewer)) == to_json(view), options
        if viewer is not None:
            assert prompt(game, other, viewer) == prompt(game, state, viewer), options
        assert cards_of(about.places, other) == cards, options
        assert to_json(from_json(to_json(state), game.state)) == to_json(copied(state)), options


def said(game, seats, viewer, it):
    """Return the words of an event or a saying."""
    return game.words.say(it.kind, it.facts, Names(NAMES[:seats], viewer))
