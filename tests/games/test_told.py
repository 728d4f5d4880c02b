"""Recorded texts of short matches for each viewer, and the resampled deals.

For each position `told/` has a hash of everything, so that any change is noticed, and every
sentence on its first occurrence. After an intended change of texts or of resampling, run `make
snapshots` and read the difference.
"""

import hashlib
from pathlib import Path

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Rng
from kaboom.engine.table_view import foretold
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES, lines_of, random_turn
from kaboom.engine.views import OPEN
from kaboom.games import GAMES, sample
from kaboom.testing.cases import redealt
from tests.support.builtin_games import OURS

FOLDER = Path(__file__).parent / "told"
MOVES = 36


def sentences(game, state, events, seat, options):
    """Yield every sentence that a player, or a spectator, is sent about a position and its
    history.
    """
    view, names, words = game.view(state, seat), Names(NAMES, seat), game.words
    for event in events:
        if event.heard_by(seat):
            yield words.say(event.kind, event.facts, names)
        if seat is None:
            yield words.look_back(event.kind, event.facts, event.to, names)
    for saying in (view.saying, *game.now(view), *game.standing(view)):
        yield words.say(saying.kind, saying.facts, names)
    own = None if seat is None else prompt(game, state, seat)
    for offer in own.offers if own else ():
        yield words.offer(offer.verb, names, offer.about)
        yield from (words.choice(offer.verb, it, names) for it in offer.options[:2])
        yield words.brief(offer.verb, names, offer.about)
        yield words.how(offer.verb, names, offer.about)
        for option in offer.options[:1]:
            yield words.question(offer.verb, [option], names, offer.about)
        yield foretold(game, view, offer.verb, (), names)
        yield from (foretold(game, view, offer.verb, (it,), names) for it in offer.options[:2])
    if own:
        for name, facts in game.tips_for(view, own, options):
            yield words.fill(game.tips[name].text, facts, names)
        for plan in game.ahead(state, seat):
            yield words.ahead(plan.verb, plan.pick.options[:1], plan.until, names)


def told(key):
    """Yield the lines of a game's file."""
    game, known, seed = GAMES[key], set(), bytes(31) + b"1"
    options = game.options(**sample(key).short)
    seats = game.playable(options)[-1]
    yield f"# {seats} play by {to_json(options).decode()}"
    done, move = start(game, seats, options, seed), "the deal"
    for number in range(1, MOVES + 1):
        state, said, everything = done.state, [], []
        for seat in (*range(seats), None):
            lines = list(lines_of(game.view(state, seat)))
            found = list(filter(None, sentences(game, state, done.events, seat, options)))
            everything += [lines, found]
            said += [it for it in found if it not in known]
            known.update(found)
        viewer = [*range(seats), None][number % (seats + 1)]
        other = redealt(game, state, viewer, number)
        everything.append(list(lines_of(game.view(other, OPEN))))
        yield f"{number} {move}: {hashlib.sha256(to_json(everything)).hexdigest()[:8]}"
        yield from (f"    {it}" for it in dict.fromkeys(said))
        if game.outcome(state) is not None:
            break
        chosen = random_turn(game, state, seats, Rng(seed, number, "players"))
        done, move = step(game, state, chosen, Rng(seed, number)), str(chosen)


@pytest.mark.parametrize("key", OURS)
def test_events_are_the_recorded_ones(key, snapshot):
    snapshot.check(FOLDER / f"{key}.txt", list(told(key)))
