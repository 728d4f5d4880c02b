"""Plain ways to play TakeN. All but the first take the cheapest row."""

from collections.abc import Callable

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Chance
from kaboom.engine.views import Prompt, View
from kaboom.games.taken.bot import Table
from kaboom.games.taken.memory import Memory, notice
from kaboom.games.taken.rows import gap
from kaboom.games.taken.rules import cheapest_row
from tests.baseline_bots import any_option


def choosing(card: Callable[[Table], int]) -> Bot[Memory]:
    """Return a player who chooses cards like this."""

    def weigh(
        memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
    ) -> list[Thought]:
        table = Table(view)
        if prompt.offer("choose"):
            return sure(Move(prompt.seat, "choose", (str(card(table)),)))
        if prompt.offer("take"):
            return sure(Move(prompt.seat, "take", (str(cheapest_row(table.laid)),)))
        return sure(Move(prompt.seat, "ready"))

    return Bot(Memory, notice, weigh)


def nearest(table: Table) -> int:
    """Return the card nearest above the end of a row with room."""
    return min(table.hand, key=lambda card: gap(table.rows, card))


def safest(table: Table) -> int:
    """Return the card that may be expected to cost least in this round, one step ahead."""
    costs = table.costs()
    return table.hand[costs.index(min(costs))]


ANYTHING = Bot(Memory, notice, any_option)
NEAREST_FIT = choosing(nearest)
HIGHEST_CARD = choosing(lambda table: table.hand[-1])
ONE_STEP_RISK = choosing(safest)
