"""The faces at a table: which colour whose has."""

from collections.abc import Mapping

from kaboom.engine.moves import Seat
from kaboom.engine.table_view import colours
from kaboom.tables.table import Table


def colours_at(table: Table) -> Mapping[Seat, int]:
    """Return the colours of the faces by seat: of those who play, else of those who sit there."""
    if table.playing:
        return dict(enumerate(colours(tuple(table.seats))))
    sitting = table.sitting()
    found = colours(tuple(chair.name for _, chair in sitting))
    return {seat: colour for (seat, _), colour in zip(sitting, found, strict=True)}
