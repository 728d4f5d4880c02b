"""Simple players for each game, used to measure its bot."""

from typing import Any

from kaboom.engine.bots.bot import Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, View


def any_option(memory: Any, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Choose any legal option, all equally likely."""
    offer = prompt.offers[0]
    choices = (rng.choice(offer.options),) * offer.most if offer.options else ()
    return sure(Move(prompt.seat, offer.verb, choices))
