"""What the bots of a match remember, kept with their table."""

from collections.abc import Sequence
from typing import Any

from msgspec import DecodeError, Raw

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.tables.table import Table


def fresh(table: Table, game: Game[Any]) -> dict[Seat, Raw]:
    """Return fresh memories for the bots of a table, by seat."""
    if game.bot is None:
        return {}
    memory = game.bot.memory
    return {seat: Raw(to_json(memory())) for seat, chair in table.sitting() if chair.bot}


def memory_of(table: Table, game: Game[Any], seat: Seat) -> Any:
    """Return what the bot of a seat remembers; None if nothing readable is stored."""
    if game.bot is None or seat not in table.memories:
        return None
    try:
        return from_json(bytes(table.memories[seat]), game.bot.memory)
    except DecodeError:
        return None


def remembers(table: Table, game: Game[Any], seat: Seat) -> bool:
    """Say whether the bot of a seat uses what that seat has heard."""
    return game.bot is not None and table.level(seat) in game.bot.remembers


def notice(table: Table, game: Game[Any], events: Sequence[Event]) -> None:
    """Let each bot notice what its seat has heard, if its level uses that."""
    for seat in list(table.memories):
        if not remembers(table, game, seat):
            continue
        memory = memory_of(table, game, seat)
        if memory is None:  # not of this version's type: rebuilt when it is its turn
            del table.memories[seat]
            continue
        assert game.bot is not None
        for event in events:
            if event.heard_by(seat):
                game.bot.notice(memory, event, seat)
        table.memories[seat] = Raw(to_json(memory))
