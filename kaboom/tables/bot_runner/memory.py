"""Memories of a match's bots, stored with their table."""

from collections.abc import Sequence
from typing import Any

from msgspec import DecodeError, Raw

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import Origin, memory_at_start
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.tables.table import Table


def fresh(table: Table, game: Game[Any], key: bytes, origin: Origin | None) -> dict[Seat, Raw]:
    """Return new memories for the bots of a table, by seat. In a match that continues another one,
    they hold what each seat had seen there.
    """
    if game.bot is None:
        return {}
    bots = [seat for seat, occupant in table.sitting() if occupant.bot]
    if origin is None:
        return {seat: Raw(to_json(game.bot.memory())) for seat in bots}
    seats, board = len(table.seats), bool(table.board)
    options = table.options_of(game)
    return {
        seat: Raw(to_json(memory_at_start(game, seats, options, key, board, origin, seat)))
        for seat in bots
    }


def memory_of(table: Table, game: Game[Any], seat: Seat) -> Any:
    """Return the memory of a seat's bot, or None if no readable one is stored."""
    if game.bot is None or seat not in table.memories:
        return None
    try:
        return from_json(bytes(table.memories[seat]), game.bot.memory)
    except DecodeError:
        return None


def remembers(table: Table, game: Game[Any], seat: Seat) -> bool:
    """Return True if the bot of a seat uses what that seat has seen."""
    return game.bot is not None and table.level(seat) in game.bot.remembers


def notice(table: Table, game: Game[Any], events: Sequence[Event]) -> None:
    """Pass new events to each bot whose level uses them."""
    for seat in list(table.memories):
        if not remembers(table, game, seat):
            continue
        memory = memory_of(table, game, seat)
        if memory is None:  # from another version: rebuilt on the bot's next turn
            del table.memories[seat]
            continue
        assert game.bot is not None
        game.bot.hear(memory, events, seat)
        table.memories[seat] = Raw(to_json(memory))
