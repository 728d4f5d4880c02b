"""Possible moves: what is offered is accepted, and everything else refused."""

import re
from collections import Counter

from kaboom.engine.engine import find, prompt, random_move, step
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, StaleMove
from kaboom.engine.play import Listener
from kaboom.engine.rng import Rng
from kaboom.games.trial import MOST, Trial, names, refusal_of, seed
from kaboom.testing.cases import every_game


@every_game
def test_offered_moves_are_accepted_and_others_refused(trial: Trial) -> None:
    game, verbs = trial.game, {"nonsense"}
    for state, seats in trial.positions(every=11):
        for seat in trial.seats(seats):
            offers = prompt(game, state, seat).offers
            verbs |= {offer.verb for offer in offers}
            for n in range(3):
                move = random_move(game, state, seat, Rng(seed(n), n, "tries"))
                if move is not None and not step(game, state, move, Rng(seed(n), 1)).events:
                    trial.fail(f"{str(move)!r} emitted no event; its handler must call play.tell")
            for verb in verbs - {offer.verb for offer in offers}:
                if not isinstance(refusal_of(game, state, Move(seat, verb)), NotOnOffer):
                    trial.fail(f"{verb!r} is accepted although it is not offered; see `offers`")
            for offer in offers:
                if refusal_of(game, state, Move(seat, offer.verb, ("nonsense",))) is None:
                    trial.fail(
                        f"{offer.verb!r} accepts a choice that is not among its options; its "
                        "pick must list everything that can be chosen"
                    )


@every_game
def test_host_request_is_one_choice_and_never_automatic(trial: Trial) -> None:
    game, found = trial.game, set()
    for number, (state, seats) in enumerate(trial.positions(every=41)):
        for listener in game.listeners(state):
            verb, pick = listener.verb, listener.pick
            if verb not in game.hosts:
                continue
            found.add(verb)
            if (listener.seat, listener.after) != (CLOCK, None):
                trial.fail(f"{verb!r} is in Game.hosts; make it a CLOCK listener without `after`")
            if not pick.least == pick.most == 1:
                trial.fail(f"{verb!r} is in Game.hosts; its pick must be one_of(…)")
            trial.labelled(verb, names(seats, 0))
            if len({trial.spelled(verb, it, names(seats, 0)) for it in pick.options}) != len(
                pick.options
            ):
                trial.fail(f"two choices of {verb!r} have the same name; fix words.choices")
            for option in pick.options:
                move = Move(CLOCK, verb, (option,))
                if not step(game, state, move, Rng(seed(number), 1)).events:
                    trial.fail(f"{str(move)!r} emitted no event; its handler must call play.tell")
    for verb in set(game.hosts) - found:
        trial.fail(f"{verb!r} is in Game.hosts, but never offered; offer it or remove it")


@every_game
def test_learner_gets_an_explanation_at_every_moment(trial: Trial) -> None:
    """The last tip says how to win. In a game that has tips, a page for which none fits would
    fail.
    """
    game = trial.game
    for state, seats in trial.positions(every=23):
        for seat in trial.seats(seats):
            asked = prompt(game, state, seat)
            told = [
                name for name, _ in game.tips_for(game.view(state, seat), asked, game.options())
            ]
            for name in set(told) - set(game.tips):
                trial.fail(f"`tips_for` names a tip {name!r} that does not exist; add it to TIPS")
            if game.tips and not told:
                trial.fail("`tips_for` has no tip here; its last one must say how to win")


@every_game
def test_a_stale_token_is_refused(trial: Trial) -> None:
    game = trial.game
    for state, seats in trial.positions(every=23):
        for seat in trial.seats(seats):
            move = random_move(game, state, seat, Rng(seed(0), 0, "tries"))
            if move is not None:
                token = find(game, state, move).token
                if refusal_of(game, state, move, token) is not None:
                    trial.fail(f"{str(move)!r} is refused with its own token; see its `about`")
                if not isinstance(refusal_of(game, state, move, "0" * 10), StaleMove):
                    trial.fail(f"{str(move)!r} is accepted with a stale token; see its `about`")


@every_game
def test_token_of_an_answered_question_is_never_reissued(trial: Trial) -> None:
    """Otherwise a form left over from one decision would answer the next."""
    game = trial.game
    for number, seats in enumerate(trial.sizes):
        on_offer: dict[str, Listener] = {}
        gone: set[str] = set()
        for state, _, _ in trial.walk(number, seats):
            now = {li.token: li for li in game.listeners(state) if li.blocks and li.seat != CLOCK}
            gone |= on_offer.keys() - now.keys()
            for token in now.keys() & gone:
                trial.fail(
                    f"the question {now[token].verb!r} of seat {now[token].seat} has the token of "
                    "one that was answered before; give every decision an `about` of its own, "
                    "such as the number of the turn"
                )
            on_offer = now


@every_game
def test_each_verb_is_offered_once_to_a_seat(trial: Trial) -> None:
    for state, seats in trial.positions():
        for seat in trial.seats(seats):
            verbs = Counter(offer.verb for offer in prompt(trial.game, state, seat).offers)
            for verb, count in verbs.items():
                if count > 1:
                    trial.fail(f"{verb!r} is offered {count} times; offer it once, with one pick")


@every_game
def test_move_built_in_steps_can_be_made_in_one(trial: Trial) -> None:
    game, met = trial.game, set()
    for state, seats in trial.positions(every=1 if trial.game.pieces else MOST):
        for seat in trial.seats(seats):
            offers = prompt(game, state, seat).offers
            pieces = {offer.verb for offer in offers} & game.pieces
            met |= pieces
            if pieces and not any(it.blocks and it.verb not in pieces for it in offers):
                trial.fail(
                    f"{min(pieces)!r} prepares no move that is offered here; offer the "
                    "whole move as well"
                )
    for verb in game.pieces - met:
        trial.fail(f"{verb!r} is in Game.pieces, but never offered; offer it or remove it")


@every_game
def test_handlers_are_functions_of_a_module(trial: Trial) -> None:
    for state, _ in trial.positions():
        for listener in trial.game.listeners(state):
            if not re.fullmatch(r"\w+", listener.then.__qualname__):
                trial.fail(
                    f"the handler of {listener.verb!r} is {listener.then.__qualname__}; make it "
                    "a module-level function, which is the same after a restart"
                )
