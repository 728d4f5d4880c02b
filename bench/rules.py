"""What the engine costs by itself: a whole step in random play."""

import gc
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.table import Row, at_most
from kaboom.engine.engine import find, start, step
from kaboom.engine.game import Game
from kaboom.engine.moves import Move
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games import GAMES

TARGET = 100  # µs
MATCHES = 3
MOST = 400  # moves of one match
REPEATS = 5


def rows(folder: Path) -> list[Row]:
    """Return a row for each game, with as many players as it takes up to four."""
    return [of_game(game) for _, game in sorted(GAMES.items())]


def of_game(game: Game[Any]) -> Row:
    """Return the mean time of finding the listener, copying the state, handling, and telling."""
    options = game.options()
    possible = game.seats(options)
    seats = max(possible[0], min(4, possible[-1]))
    cases: list[tuple[Any, ...]] = []
    for number in range(MATCHES):
        seed = bytes([number]) * 32
        state = start(game, seats, options, seed).state
        cases += played(game, state, seats, seed)
    times = []
    for _ in range(REPEATS):
        gc.collect()
        began = time.thread_time()
        for state, move, token, (seed, seq) in cases:
            step(game, state, move, Chance(seed, seq), token)
        times.append((time.thread_time() - began) / len(cases))
    name = f"a step of {game.name} in random play, {seats} players"
    return at_most(name, 1e6 * median(times), TARGET, " µs", f"{len(cases)} moves")


def played(game: Game[Any], state: Any, seats: int, seed: bytes) -> Iterator[tuple[Any, ...]]:
    """Yield the moves of a random match: the state before, the move, its token, its chance."""
    seq = 0
    while game.outcome(state) is None and seq < MOST:
        seq += 1
        move: Move = random_turn(game, state, seats, Chance(seed, seq, "players"))
        token = find(game, state, move).token
        yield state, move, token, (seed, seq)
        state = step(game, state, move, Chance(seed, seq), token).state
