"""What a player of TakeN remembers of a match: the cards played by each seat, and the rows
taken.
"""

from typing import Any, NamedTuple

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.play import Event


class Laid(NamedTuple):
    """A card that was placed in a row; `first` is the first card of the row it took, or 0."""

    seat: Seat
    card: int
    row: int
    first: int


Round = list[Laid]

GAMES = 4  # remembered games before this one


class Memory(Struct):
    """The rounds of this and earlier games; weaker levels do not use it."""

    rounds: list[Round] = field(default_factory=list)
    before: list[list[Round]] = field(default_factory=list)


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Remember what was played."""
    facts = event.facts
    match event.kind:
        case "game_started":
            memory.before = [*memory.before, memory.rounds][-GAMES:] if memory.rounds else []
            memory.rounds = []
        case "revealed":
            memory.rounds.append([])
        case "placed":
            lay(memory, facts, 0)
        case "row_taken":
            lay(memory, facts, int(facts["cards"][0]))


def lay(memory: Memory, facts: dict[str, Any], first: int) -> None:
    """Record a card of this round, unless the memory begins in the middle of one."""
    if memory.rounds:
        memory.rounds[-1].append(Laid(facts["seat"], int(facts["card"]), facts["row"], first))
