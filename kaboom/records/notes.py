"""A player's private notes on the match at a table."""

from kaboom.accounts.names import cleaned, fits
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.records import note_queries
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot

LONGEST, POINTS = 2_000, 4_000  # characters, and the code points in them


def own(tables: TableService, snapshot: TableSnapshot) -> str:
    """Return the viewer's own note; raises NotPermitted if they do not play this match."""
    match, player = _about(snapshot)
    return tables.database.read(lambda connection: note_queries.note(connection, match, player))


def write(tables: TableService, snapshot: TableSnapshot, match: int, text: str) -> None:
    """Store the viewer's own note, replacing the previous one. An empty string deletes it."""
    about, player = _about(snapshot)
    if match != snapshot.table.match:
        raise InvalidState(_("That match is over. Its record shows your notes."))
    if len(text) > 2 * POINTS or not fits(shown := _shown(text), LONGEST, POINTS):
        raise InvalidState(_("At most {count} characters, please.", count=LONGEST))
    tables.database.write(lambda connection: note_queries.keep(connection, about, player, shown))


def _shown(text: str) -> str:
    """Return a note as displayed: line by line, without invisible characters."""
    return "\n".join(cleaned(line, LONGEST + 1, POINTS + 1) for line in text.splitlines()).strip()


def _about(snapshot: TableSnapshot) -> tuple[int, int]:
    """Return the ids of the match and of the player of a note; raises InvalidState or
    NotPermitted.
    """
    table = snapshot.table
    seat = require_seat(table, snapshot.player)
    assert snapshot.player is not None
    if not table.match:
        raise InvalidState(_("The match has not begun."))
    came_later = table.occupant(seat).after == table.match
    if seat >= len(table.seats) or came_later:
        raise NotPermitted(_("Only players in this match can do that."))
    return table.match_id, snapshot.player
