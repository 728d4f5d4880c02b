"""Matches of random players under many options, and the same positions with hidden cards redealt.

Players leave, return and run out of time, so that every stage and verb of a game is reached.
Coverage is counted, because a proof that silently skips a stage proves nothing.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, get_args, get_type_hints

from kaboom.engine.codec import copied
from kaboom.engine.engine import clocks, prompt, random_move, start, step
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.play import Event, Play
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.fixtures import pairs
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games import sample

# Number of the first match; `make soak` uses new ones each time.
SEED = 1000 * int(os.environ.get("KABOOM_SEED", "0"))


@dataclass(frozen=True)
class Position:
    """A position of a match of `seats` players and the move that is made there next."""

    game: Game[Any]
    seats: int
    state: Any
    number: int  # of the previous move, 0 for the deal
    events: list[Event]  # of the previous move
    move: Move | None  # the next move; None after the end


@dataclass
class Visited:
    """Coverage: how often each stage and each verb was reached."""

    stages: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)

    def note(self, position: Position) -> bool:
        """Count a position; return True if its stage or one of its verbs is still rare."""
        verbs = {listener.verb for listener in position.game.listeners(position.state)}
        self.stages[stage_of(position.state)] += 1
        self.verbs.update(verbs)
        seen = self.stages[stage_of(position.state)], *(self.verbs[verb] for verb in verbs)
        return min(seen) <= HARDLY

    def missing(self, game: Game[Any]) -> list[str]:
        """Return the stages and verbs of a game that were not reached."""
        verbs = {verb for verb in game.words.offers if "." not in verb}
        return sorted(stages_of(game) - set(self.stages)) + sorted(verbs - set(self.verbs))


HARDLY = 2  # times, or fewer


def stages_of(game: Game[Any]) -> set[str]:
    """Return the names of all stages in a game's rules.

    They are the values of `stage`, the keys of STAGES, or the kinds of steps.
    """
    hints = get_type_hints(game.state)
    named = getattr(sys.modules[game.offers.__module__], "STAGES", None)
    if named is not None:
        return set(named)
    if "stage" in hints:
        return set(get_args(hints["stage"]))
    (kinds,) = get_args(hints["steps"])
    return {kind.__name__ for kind in get_args(kinds)}


def stage_of(state: Any) -> str:
    """Return the stage of a state: its `stage`, or the kind of its top step."""
    return state.stage if hasattr(state, "stage") else type(state.steps[-1]).__name__


def seed(number: int) -> bytes:
    """Return a numbered seed of 32 bytes."""
    return number.to_bytes(32, "big")


def tables_of(game: Game[Any]) -> list[tuple[Any, int]]:
    """Return options and number of players of every kind of table in a game's proof."""
    kinds = []
    for values in sample(game.key).variants:
        options = game.options(**values)
        sizes = list(game.seats(options))
        middle = sizes[len(sizes) // 2]
        for seats in sorted({sizes[0], min(middle, 4), min(sizes[-1], 6)} & set(sizes)):
            if game.why_not(options, seats) is None:
                kinds.append((options, seats))
    return kinds


def paired_tables_of(game: Game[Any]) -> list[tuple[Any, int]]:
    """Return options and number of players of a few tables that cover every pair of options."""
    kinds = []
    for place, values in enumerate(pairs(game.options, sample(game.key).needs)):
        options = game.options(**values)
        sizes = [n for n in game.seats(options) if game.why_not(options, n) is None]
        if sizes:  # so many cards may be too many for some numbers of players
            kinds.append((options, sizes[place % len(sizes)]))
    return kinds


def next_move(game: Game[Any], state: Any, seats: int, rng: Rng) -> Move:
    """Return a random move: mostly of people, now and then a timeout, a departure or a return."""
    if rng.randrange(8) == 0:
        timed = [li for li in clocks(game, state) if not li.held]
        if timed:
            return rng.choice(timed).clock_move
    if rng.randrange(60) == 0:
        around = [li for li in game.listeners(state) if li.verb in ("leave", "return")]
        for listener in rng.shuffled(around):
            if listener.verb == "return" or len(listener.pick.options) > 2:
                return Move(CLOCK, listener.verb, (rng.choice(listener.pick.options),))
    rare = sample(game.key).rare
    for _ in range(6):
        move = random_turn(game, state, seats, rng)
        if rng.randrange(rare.get(move.verb, 1)) == 0:
            return move
    timed = [li for li in clocks(game, state) if not li.held]
    return timed[0].clock_move if timed else move


def walk(game: Game[Any], options: Any, seats: int, number: int, most: int) -> Iterator[Position]:
    """Yield at most `most` positions of a match between random players."""
    key = seed(number)
    done = start(game, seats, options, key)
    for n in range(most):
        over = game.outcome(done.state) is not None
        rng = Rng(key, n + 1, "players")
        move = None if over else next_move(game, done.state, seats, rng)
        yield Position(game, seats, done.state, n, list(done.events), move)
        if move is None:
            return
        done = step(game, done.state, move, Rng(key, n + 1))


def positions(game: Game[Any], matches: int, most: int = 400, first: int = 0) -> Iterator[Position]:
    """Yield the positions of this many matches at each kind of table."""
    for number in range(first, first + matches):
        for place, (options, seats) in enumerate(tables_of(game)):
            yield from walk(game, options, seats, 1000 * number + place, most)


def redealt(game: Game[Any], state: Any, viewer: Seat | None, number: int) -> Any:
    """Return a state that this viewer cannot tell from the real one."""
    play: Play[Any] = Play(CLOCK, Rng(seed(number), number, "resample"))
    play.state = copied(state)
    game.resample(play, viewer)
    return play.state


def own_move(game: Game[Any], state: Any, like: Move, number: int) -> Move | None:
    """Return another move of the same seat, verb and size, or None if there is none.

    A choice of places is public and stays the same.
    """
    offer = prompt(game, state, like.seat).offer(like.verb)
    if offer is None:
        return None
    if all("." in choice for choice in like.choices):
        return like if set(like.choices) <= set(offer.options) else None
    for n in range(30):
        rng = Rng(seed(number), n, "another choice")
        move = random_move(game, state, like.seat, rng)
        if move and (move.verb, len(move.choices)) == (like.verb, len(like.choices)):
            return move
    return None


def is_sealed(position: Position) -> bool:
    """Return True if the next move of a position hides its choice from others."""
    game, state, move = position.game, position.state, position.move
    told = sample(game.key)
    if move is None or told.sealed.get(move.verb) not in ("", stage_of(state)):
        return False
    asked = [s for s in range(position.seats) if prompt(game, state, s).offer(move.verb)]
    return len(asked) > 1 or move.verb not in told.together
