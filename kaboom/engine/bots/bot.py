"""The bot interface: a bot gets what a person in its seat would see, and rates its moves."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from msgspec import Struct

from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, Saying, View

M = TypeVar("M")  # a bot's memory

HUNDRED = 100


class Level(StrEnum):
    """A bot's strength."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


# Percentage of decisions in which a bot makes a move other than its best one.
SLIPS = {Level.EASY: 20, Level.NORMAL: 4, Level.HARD: 0}


class Thought(Struct, frozen=True):
    """A move considered by a bot; if `move` is None, the bot passes.

    `worth` is its expected value in the game's own unit; higher is better. `reason` is one of the
    game's sentences; it names the move, because it is also shown alone as a hint; it is None if the
    move needs no thought.
    """

    move: Move | None
    worth: float = 0.0
    reason: Saying | None = None


@dataclass(frozen=True)
class Bot(Generic[M]):
    """A bot for a game.

    `memory()` makes a fresh memory (a msgspec Struct, stored as JSON with the table);
    `notice(memory, event, seat)` is called with every event its seat receives. A memory also holds
    what weaker levels forget: forgetting is applied only when the bot thinks. `weigh(memory, view,
    prompt, rng, level)` returns the moves worth considering, the bot's choice first. To pass, it
    returns no moves or one with `move` None first; that is allowed only while the game is not
    waiting for the seat. It must not change the memory. `decide` rates the same moves faster, for
    use where no reasons are needed. `bound` is the largest loss of `worth` that a slip may cause,
    so that a weak bot never looks stupid. `remembers` lists the levels that use what was noticed;
    nothing is stored for the others. `prepare()` loads what only decisions need, so that the first
    one is as quick as the others. `redealt(memory, state)` updates a memory for a state whose
    hidden cards were dealt again: each card that the bot had seen becomes the new card in its place
    (kaboom.engine.continued_match).
    """

    memory: type[M]
    notice: Callable[[M, Event, Seat], None]
    weigh: Callable[[M, View, Prompt, Rng, Level], Sequence[Thought]]
    bound: float = 0.0
    decide: Callable[[M, View, Prompt, Rng, Level], Sequence[Thought]] | None = None
    remembers: Collection[Level] = tuple(Level)
    prepare: Callable[[], None] = lambda: None
    redealt: Callable[[M, Any], None] = lambda memory, state: None

    def hear(self, memory: M, events: Iterable[Event], seat: Seat) -> None:
        """Update a memory with those of the events that its seat receives."""
        for event in events:
            if event.heard_by(seat):
                self.notice(memory, event, seat)

    def think(
        self, memory: M, view: View, prompt: Prompt, rng: Rng, level: Level
    ) -> Thought | None:
        """Return the thought on which a bot of this level acts, or None if it has none.

        It is usually the first one; a weaker bot sometimes takes one that is nearly as good.
        """
        thoughts = self.quickly(memory, view, prompt, rng, level)
        if not thoughts:
            return None
        best, *others = thoughts
        near = [other for other in others if other.move and other.worth >= best.worth - self.bound]
        slips = bool(best.move and near) and rng.randrange(HUNDRED) < SLIPS[level]
        return rng.choice(near) if slips else best

    def quickly(
        self, memory: M, view: View, prompt: Prompt, rng: Rng, level: Level
    ) -> Sequence[Thought]:
        """Return the thoughts, best first, without requiring their reasons."""
        return (self.decide or self.weigh)(memory, view, prompt, rng, level)

    def choose(
        self,
        memory: M,
        view: View,
        prompt: Prompt,
        rng: Rng,
        level: Level = Level.NORMAL,
    ) -> Move | None:
        """Return a move from the prompt, or None to pass."""
        thought = self.think(memory, view, prompt, rng, level)
        return thought.move if thought else None


class Nothing(Struct):
    """The memory of a bot that needs none, because the view is sufficient."""


def unnoticed(memory: Nothing, event: Event, seat: Seat) -> None:
    """Ignore an event."""


def forgetful(
    weigh: Callable[[View, Prompt, Rng, Level], Sequence[Thought]], bound: float = 0.0
) -> Bot[Nothing]:
    """Return a bot without memory, which rates its moves by its current view."""
    return Bot(Nothing, unnoticed, lambda memory, *now: weigh(*now), bound, remembers=())


def best_first(thoughts: Iterable[Thought]) -> list[Thought]:
    """Return the thoughts sorted best first; equal ones keep their order."""
    return sorted(thoughts, key=lambda each: -each.worth)


def sure(move: Move | None) -> list[Thought]:
    """Return the single thought of a bot without alternatives."""
    return [Thought(move)]
