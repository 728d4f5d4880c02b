"""The secrecy oracle: what a viewer receives does not depend on what that viewer cannot know.

Two worlds that a viewer cannot tell apart must give that viewer the same bytes. Searching pages for
names of cards would find few leaks, since counts, order, lengths and ids reveal as much.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from kaboom.engine.codec import to_json
from kaboom.engine.engine import Step, prompt, prompts, step, timed, waiting_for
from kaboom.engine.game import Game
from kaboom.engine.moves import Choices, Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games import sample
from kaboom.testing.cases import refusal
from tests.secrecy.states import Position, own_move, redealt, seed

NONSENSE = ("nonsense", "KS", "7", "0.0", "-1", "<b>")


def from_the_engine(game: Game[Any], state: Any, viewer: Seat | None, seats: int) -> dict[str, Any]:
    """Return all outputs of the engine for a viewer of a position, by name."""
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
    """Yield moves of a seat, most of them illegal, whose refusals must reveal nothing."""
    on_offer = {offer.verb: offer for offer in own.offers}
    for verb in sorted({verb for verb in game.words.offers if "." not in verb}):
        offer = on_offer.get(verb)
        options: Choices = offer.options if offer else ()
        few = {(), options[:1], options[-2:], options[:3], options, *((n,) for n in NONSENSE)}
        for choices in sorted(few):
            yield Move(viewer, verb, choices)


def told(game: Game[Any], events: list[Event], viewer: Seat | None, seats: int) -> list[Any]:
    """Return what a viewer learns from a move: the events and the lines of the log."""
    names = Names(NAMES[:seats], viewer)
    heard = [event for event in events if event.heard_by(viewer)]
    said = []
    for event in heard:
        with suppress(KeyError):
            said.append(game.words.say(event.kind, event.facts, names))
    return [to_json(heard), said]


def noticed(game: Game[Any], events: list[Event], seat: Seat) -> bytes:
    """Return the memory of a bot in that seat after a move."""
    if game.bot is None:
        return b""
    memory = game.bot.memory()
    for event in events:
        if event.heard_by(seat):
            game.bot.notice(memory, event, seat)
    return to_json(memory)


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the names of the differences between two worlds."""
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def stirred(
    game: Game[Any], position: Position, viewer: Seat | None, number: int
) -> list[str] | None:
    """Return what another player's sealed move reveals to a viewer; None if the move has no twin.

    In the other world the hidden cards differ and another choice of the same kind is made.
    """
    move, state = position.move, position.state
    if move is None or viewer == move.seat:
        return None
    other = redealt(game, state, viewer, number)
    its_move = own_move(game, other, move, number)
    if its_move is None:
        return None
    here = step(game, state, move, Rng(seed(1), 1))
    there = step(game, other, its_move, Rng(seed(1), 1))
    if sample(game.key).opened(state, here.state, there.state):
        return None
    return differences(
        after(game, here, viewer, position.seats), after(game, there, viewer, position.seats)
    )


def after(game: Game[Any], done: Step[Any], viewer: Seat | None, seats: int) -> dict[str, Any]:
    """Return what a viewer receives after another player's move: the events and the position."""
    reached = from_the_engine(game, done.state, viewer, seats)
    reached["told"] = told(game, done.events, viewer, seats)
    if viewer is not None:
        reached["bot's memory"] = noticed(game, done.events, viewer)
    return reached


def decided(game: Game[Any], state: Any, seat: Seat) -> Move | None:
    """Return the decision of a bot with an empty memory."""
    assert game.bot is not None
    own = prompt(game, state, seat)
    rng = Rng(seed(2), 1, "bot")
    return game.bot.choose(game.bot.memory(), game.view(state, seat), own, rng)
