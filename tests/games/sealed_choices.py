"""A check that sealed choices stay sealed, for every game with simultaneous choices."""

from kaboom.engine.codec import to_json
from kaboom.engine.engine import clocks, prompt, start, step, waiting_for
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES, random_turn


def sent(game, done, viewer, seats):
    """Return everything sent to a viewer after a step, as bytes: view, offers, events,
    sentences.
    """
    names = Names(NAMES[:seats], viewer)
    own = prompt(game, done.state, viewer) if viewer is not None else None
    told = [event for event in done.events if event.heard_by(viewer)]
    view = game.view(done.state, viewer)
    said = [game.words.say(event.kind, event.facts, names) for event in told]
    said.append(game.words.say(view.saying.kind, view.saying.facts, names))
    public = [(str(clock.clock_move), clock.after) for clock in clocks(game, done.state)]
    return to_json([view, own, told, said, public, waiting_for(game, done.state)])


def check_that_choices_stay_sealed(game, verb, seats, options, seed, moves):
    """Try every choice of each seat, along a random match, and compare what others receive.

    It must be the same byte for byte for every other seat and for spectators, until the last choice
    is in. Return the number of choices tried.
    """
    s = start(game, seats, options, seed).state
    tried = 0
    for number in range(1, moves + 1):
        if game.outcome(s) is not None:
            break
        move = random_turn(game, s, seats, Rng(seed, number, "players"))
        waiting = [seat for seat in range(seats) if prompt(game, s, seat).offer(verb)]
        if move.verb == verb and len(waiting) > 1:
            cards = prompt(game, s, move.seat).offer(verb).options
            done = [
                step(game, s, Move(move.seat, move.verb, (card,)), Rng(seed, number))
                for card in cards
            ]
            for viewer in [*range(seats), None]:
                different = len({sent(game, each, viewer, seats) for each in done})
                assert different == (len(cards) if viewer == move.seat else 1)
            tried += len(cards)
        s = step(game, s, move, Rng(seed, number)).state
    return tried
