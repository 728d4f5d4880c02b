"""What a bot is: it is given what a person in its seat would see, and says what it thinks."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.views import Prompt, Saying, View

M = TypeVar("M")  # a bot's memory

HUNDRED = 100


class Level(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


# In this many of a hundred decisions a bot makes another move than the best it thought of.
SLIPS = {Level.EASY: 20, Level.NORMAL: 4, Level.HARD: 0}


class Thought(Struct, frozen=True):
    """One move a bot thought about; None lets the chance go by.

    `worth` is what it promises, in the game's own unit, higher is better; `reason` says why, in a
    sentence of the game's words that names the move (it is read alone, as a hint), and is None
    where there is nothing to think about.
    """

    move: Move | None
    worth: float = 0.0
    reason: Saying | None = None


@dataclass(frozen=True)
class Bot(Generic[M]):
    """A bot for a game.

    `memory()` makes a fresh memory (a msgspec Struct, kept as JSON with the table);
    `notice(memory, event, seat)` is called with every event its seat hears. A memory holds all that
    a level may forget: what it remembers is decided when it thinks.
    `weigh(memory, view, prompt, chance, level)` returns the moves worth thinking about, the one it
    would make first. It is empty, or its first move None, to let a chance go by: only where the
    game is not waiting for the seat. It must not change the memory.
    `bound` is how much worth a slip may cost: a weak bot never looks stupid.
    `remembers` are the levels that use what was noticed: for others nothing of it is stored.
    """

    memory: type[M]
    notice: Callable[[M, Event, Seat], None]
    weigh: Callable[[M, View, Prompt, Chance, Level], Sequence[Thought]]
    bound: float = 0.0
    remembers: Collection[Level] = tuple(Level)

    def think(
        self, memory: M, view: View, prompt: Prompt, chance: Chance, level: Level
    ) -> Thought | None:
        """Return the thought that a bot of this level acts on, None when it has none.

        Mostly it is the first; sometimes a weaker bot slips to another that is nearly as good.
        """
        thoughts = self.weigh(memory, view, prompt, chance, level)
        if not thoughts:
            return None
        best, *others = thoughts
        near = [other for other in others if other.move and other.worth >= best.worth - self.bound]
        slips = bool(best.move and near) and chance.below(HUNDRED) < SLIPS[level]
        return chance.one_of(near) if slips else best

    def choose(
        self,
        memory: M,
        view: View,
        prompt: Prompt,
        chance: Chance,
        level: Level = Level.NORMAL,
    ) -> Move | None:
        """Return a move of the prompt, or None to let a chance go by."""
        thought = self.think(memory, view, prompt, chance, level)
        return thought.move if thought else None


class Nothing(Struct):
    """The memory of a bot that needs none: what lies on the table says enough."""


def unnoticed(memory: Nothing, event: Event, seat: Seat) -> None:
    """Let an event go by."""


def forgetful(
    weigh: Callable[[View, Prompt, Chance, Level], Sequence[Thought]], bound: float = 0.0
) -> Bot[Nothing]:
    """Return a bot that remembers nothing and weighs its moves by what its seat sees now."""
    return Bot(Nothing, unnoticed, lambda memory, *now: weigh(*now), bound, remembers=())


def best_first(thoughts: Iterable[Thought]) -> list[Thought]:
    """Return the thoughts in order; of equal ones the first stays first."""
    return sorted(thoughts, key=lambda each: -each.worth)


def sure(move: Move | None) -> list[Thought]:
    """Return the one thought of a bot that has nothing to weigh up."""
    return [Thought(move)]
