"""Hints: the move that a strong bot would make for a person's seat."""

from collections.abc import Callable
from typing import Any

from msgspec import Raw

from kaboom.db.database import Database
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json
from kaboom.engine.moves import Seat
from kaboom.engine.rng import Rng
from kaboom.tables.bot_runner.moves import done_of, origin_and_moves, remembered
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Hint


def hint(
    database: Database, run_in_thread: Callable[..., Any], seen: TableSnapshot, seat: Seat
) -> Hint | None:
    """Return the move a strong bot suggests for a person's seat, with its reason, or None.

    The bot knows only what that seat has seen. The slow work is done by `run_in_thread`.
    """
    memory = run_in_thread(remembered, seen, *origin_and_moves(database, seen), seat)
    found: Hint | None = run_in_thread(_hint, seen, seat, memory)
    return found


def _hint(snapshot: TableSnapshot, seat: Seat, memory: Raw) -> Hint | None:
    game, own = snapshot.game, snapshot.prompts[seat]
    assert game.bot is not None
    assert snapshot.key is not None
    rng = Rng(snapshot.key, snapshot.table.seq + 1, f"hint {seat}")
    known = from_json(bytes(memory), game.bot.memory)
    view = snapshot.position.view(seat)
    thought = next(iter(game.bot.weigh(known, view, own, rng, Level.HARD)), None)
    if thought is None or thought.move is None:
        return None
    return Hint(own.token, done_of(own, thought.move), thought.reason)
