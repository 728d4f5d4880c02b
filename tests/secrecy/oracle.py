"""What reaches a viewer, and whether any of it depends on what that viewer cannot know.

Two worlds that a viewer cannot tell apart must be the same to that viewer, byte for byte. Searching
pages for the names of cards would find few leaks: counts, order, lengths and ids tell as much.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from kaboom.engine.codec import to_json
from kaboom.engine.engine import Step, prompt, prompts, step, timed, waiting_for
from kaboom.engine.game import Game
from kaboom.engine.moves import Choices, Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games import sample
from kaboom.testing import refusal
from tests.secrecy.states import Position, own_move, redealt, seed

NONSENSE = ("nonsense", "KS", "7", "0.0", "-1", "<b>")


def from_the_engine(game: Game[Any], state: Any, viewer: Seat | None, seats: int) -> dict[str, Any]:
    """Return all that leaves the engine towards a viewer of a position, by name."""
    names = Names(NAMES[:seats], viewer)
    view = game.view(state, viewer)
    listeners = list(game.listeners(state))
    reached = {
        "view": to_json(view),
        "saying": game.words.say(view.saying.kind, view.saying.facts, names),
        "clocks": [(str(li.clock_move), li.after, li.held) for li in timed(listeners)],
        "house": sorted((li.verb, li.pick.options) for li in listeners if li.seat < 0),
        "waited for": waiting_for(game, state),
        "outcome": to_json(game.outcome(state)),
    }
    if viewer is not None:
        own = prompts(listeners, seats)[viewer]
        reached["prompt"] = to_json(own)
        reached["labels"] = [
            (
                game.words.offer(offer.verb, names, offer.about),
                [game.words.choice(offer.verb, option, names) for option in offer.options],
            )
            for offer in own.offers
        ]
        reached["refusals"] = [
            refusal(game, state, move, listeners) for move in tries(game, own, viewer)
        ]
    return reached


def tries(game: Game[Any], own: Any, viewer: Seat) -> Iterator[Move]:
    """Yield moves of a seat, most of them not allowed: what is said to them must tell nothing."""
    on_offer = {offer.verb: offer for offer in own.offers}
    for verb in sorted({verb for verb in game.words.offers if "." not in verb}):
        offer = on_offer.get(verb)
        options: Choices = offer.options if offer else ()
        few = {(), options[:1], options[-2:], options[:3], options, *((n,) for n in NONSENSE)}
        for choices in sorted(few):
            yield Move(viewer, verb, choices)


def told(game: Game[Any], events: list[Event], viewer: Seat | None, seats: int) -> list[Any]:
    """Return what a viewer hears of a move: the events, and the lines of the log."""
    names = Names(NAMES[:seats], viewer)
    heard = [event for event in events if event.heard_by(viewer)]
    said = []
    for event in heard:
        with suppress(KeyError):
            said.append(game.words.say(event.kind, event.facts, names))
    return [to_json(heard), said]


def noticed(game: Game[Any], events: list[Event], seat: Seat) -> bytes:
    """Return what the memory of a bot in that seat becomes by a move."""
    if game.bot is None:
        return b""
    memory = game.bot.memory()
    for event in events:
        if event.heard_by(seat):
            game.bot.notice(memory, event, seat)
    return to_json(memory)


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the names of what is not the same in two worlds."""
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def stirred(
    game: Game[Any], position: Position, viewer: Seat | None, number: int
) -> list[str] | None:
    """Return what tells a viewer something of another's sealed move; None where it cannot be asked.

    In the other world the cards lie otherwise and another choice of the same kind is made.
    """
    move, state = position.move, position.state
    if move is None or viewer == move.seat:
        return None
    other = redealt(game, state, viewer, number)
    its_move = own_move(game, other, move, number)
    if its_move is None:
        return None
    here = step(game, state, move, Chance(seed(1), 1))
    there = step(game, other, its_move, Chance(seed(1), 1))
    if sample(game.key).opened(state, here.state, there.state):
        return None
    return differences(
        after(game, here, viewer, position.seats), after(game, there, viewer, position.seats)
    )


def after(game: Game[Any], done: Step[Any], viewer: Seat | None, seats: int) -> dict[str, Any]:
    """Return what a viewer has of a move of another: what is heard, and the position after it."""
    reached = from_the_engine(game, done.state, viewer, seats)
    reached["told"] = told(game, done.events, viewer, seats)
    if viewer is not None:
        reached["bot's memory"] = noticed(game, done.events, viewer)
    return reached


def decided(game: Game[Any], state: Any, seat: Seat) -> Move | None:
    """Return what a bot with a fresh memory does."""
    assert game.bot is not None
    own = prompt(game, state, seat)
    chance = Chance(seed(2), 1, "bot")
    return game.bot.choose(game.bot.memory(), game.view(state, seat), own, chance)
