"""Plain ways to play each game, to measure its bot against."""

from typing import Any

from kaboom.engine.bots.bot import Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Chance
from kaboom.engine.views import Prompt, View


def any_option(
    memory: Any, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Choose any option of what is on offer, all equally likely."""
    offer = prompt.offers[0]
    choices = (chance.one_of(offer.options),) * offer.most if offer.options else ()
    return sure(Move(prompt.seat, offer.verb, choices))
