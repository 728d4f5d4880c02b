"""What a move costs as a match, a store and a crowd grow: `python -m bench growth`."""

from pathlib import Path

from bench.crowd import Watcher, watched, without
from bench.long import among, late
from bench.room import kaboom_room
from bench.table import Row

MOVES = (2_000, 20_000)
TABLES = (1_000, 10_000)
PLAYED = 20  # moves at each of them
CROWDS = (10, 100, 1_000)


def rows(folder: Path) -> list[Row]:
    """Compare moves late in a match, among many open tables, and before a crowd."""
    moves = [late(folder, number) for number in MOVES]
    tables = [among(folder, count, PLAYED) for count in TABLES]
    return [*moves, *tables, *crowds(folder)]


def crowds(folder: Path) -> list[Row]:
    """Return the rows of a move that more and more spectators are sent."""
    room = kaboom_room(folder)
    room.listen()
    try:
        few = without(room)
        return [watched(room, few, count, Watcher, "are sent") for count in CROWDS]
    finally:
        room.close()
