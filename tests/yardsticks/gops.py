"""Plain ways to play GOPS."""

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.chance import Chance
from kaboom.core.moves import Move
from kaboom.core.views import Prompt, View
from kaboom.games.gops.bot import Memory, notice
from kaboom.games.gops.rules import VALUE


def bid_the_prize(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Bid the card nearest to the prize turned up, the higher of two."""
    offer = prompt.offer("bid")
    if offer is None:
        return sure(Move(prompt.seat, "ready"))
    prize = VALUE[view.zone("offer").cards[-1]]
    card = min(offer.options, key=lambda card: (abs(VALUE[card] - prize), -VALUE[card]))
    return sure(Move(prompt.seat, "bid", (card,)))


MATCH_THE_PRIZE = Bot(Memory, notice, bid_the_prize)
