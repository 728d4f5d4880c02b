"""The colours of the avatars at a table."""

from collections.abc import Mapping

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.avatars import colours
from kaboom.tables.table import Table


def colours_at(table: Table) -> Mapping[Seat, int]:
    """Return the colours of the avatars by seat: those of the match's players or, between matches,
    of the seated players.
    """
    if table.playing:
        return dict(enumerate(colours(tuple(table.seats), tuple(table.levels))))
    sitting = table.sitting()
    names = tuple(occupant.name for _, occupant in sitting)
    found = colours(names, tuple(occupant.level if occupant.bot else "" for _, occupant in sitting))
    return {seat: colour for (seat, _), colour in zip(sitting, found, strict=True)}
