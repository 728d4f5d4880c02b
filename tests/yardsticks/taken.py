"""Plain ways to play TakeN."""

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.chance import Chance
from kaboom.core.moves import Move
from kaboom.core.views import Prompt, View
from kaboom.games.taken.bot import Memory, Table, notice


def closest_card(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Play the card nearest above the end of a row with room, take the cheapest row."""
    table = Table(view)
    if prompt.offer("choose"):
        card = min(table.hand, key=lambda card: table.rows.gap(card, table.row_size))
        return sure(Move(prompt.seat, "choose", (str(card),)))
    if prompt.offer("take"):
        row = table.rows.points.index(min(table.rows.points))
        return sure(Move(prompt.seat, "take", (str(row),)))
    return sure(Move(prompt.seat, "ready"))


NEAREST_FIT = Bot(Memory, notice, closest_card)
