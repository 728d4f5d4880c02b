"""What a player of TakeN remembers of two games: who laid which card, and what it took."""

from typing import Any, NamedTuple

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.play import Event


class Laid(NamedTuple):
    """A card that came to lie in a row; `first` is the first card of the row it took, or 0."""

    seat: Seat
    card: int
    row: int
    first: int


Round = list[Laid]


class Memory(Struct):
    """The rounds of this game and of the one before; a weaker player uses none of it."""

    rounds: list[Round] = field(default_factory=list)
    before: list[Round] = field(default_factory=list)


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Remember what was played."""
    facts = event.facts
    match event.kind:
        case "game_started":
            memory.before, memory.rounds = memory.rounds, []
        case "revealed":
            memory.rounds.append([])
        case "placed":
            lay(memory, facts, 0)
        case "row_taken":
            lay(memory, facts, int(facts["cards"][0]))


def lay(memory: Memory, facts: dict[str, Any], first: int) -> None:
    """Note a card of this round, unless the memory begins in the middle of one."""
    if memory.rounds:
        memory.rounds[-1].append(Laid(facts["seat"], int(facts["card"]), facts["row"], first))
