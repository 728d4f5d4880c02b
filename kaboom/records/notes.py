"""Private notes: what a player writes down about the match at a table, for nobody else's eyes."""

from kaboom.accounts.names import cleaned, fits
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState, NotPermitted
from kaboom.records import note_queries
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot

LONGEST, POINTS = 2_000, 4_000  # characters, and code points


def own(tables: Tables, snapshot: TableSnapshot) -> str:
    """Return the note of the person asking; raises NotPermitted for anyone who does not play
    here.
    """
    match, player = _about(snapshot)
    return tables.database.read(lambda connection: note_queries.note(connection, match, player))


def write(tables: Tables, snapshot: TableSnapshot, match: int, text: str) -> None:
    """Keep a note of the person asking, in place of the last; an empty one deletes it.

    Raises NotPermitted, and InvalidState when it is too long or about another match.
    """
    about, player = _about(snapshot)
    if match != snapshot.table.match:
        raise InvalidState(say("That match is over. Its record shows what you wrote down."))
    if len(text) > 2 * POINTS or not fits(shown := _shown(text), LONGEST, POINTS):
        raise InvalidState(say("At most {count} characters, please.", count=LONGEST))
    tables.database.write(lambda connection: note_queries.keep(connection, about, player, shown))


def _shown(text: str) -> str:
    """Return a note as it is shown: line by line, without what cannot be seen."""
    return "\n".join(cleaned(line, LONGEST + 1, POINTS + 1) for line in text.splitlines()).strip()


def _about(snapshot: TableSnapshot) -> tuple[int, int]:
    """Return which match a note is about, and whose it is."""
    table = snapshot.table
    seat = require_seat(table, snapshot.player)
    assert snapshot.player is not None
    if not table.match:
        raise InvalidState(say("The match has not begun."))
    came_later = table.chair(seat).after == table.match
    if seat >= len(table.seats) or came_later:
        raise NotPermitted(say("Only those who played this match can do that."))
    return table.match_id, snapshot.player
