"""Statements about the notes that players make on their own matches. They are sealed."""

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from kaboom.db.encryption import Unreadable, seal_of_store
from kaboom.db.models import matches, notes

KIND = "note"  # of what is sealed

_mine = (notes.c.match_id == bindparam("of_match"), notes.c.player_id == bindparam("whose"))
_text = select(notes.c.text).where(*_mine)
_change = update(notes).where(*_mine)
_add = insert(notes)
_drop = delete(notes).where(*_mine)
_ended = select(matches.c.id).where(matches.c.ended_at.is_not(None))
_drop_ended = delete(notes).where(
    notes.c.player_id == bindparam("whose"), notes.c.match_id.in_(_ended)
)


def note(connection: Connection, match_id: int, player_id: int) -> str:
    """Return a player's note on a match; empty if there is none, or it cannot be read."""
    kept = connection.execute(_text, {"of_match": match_id, "whose": player_id}).scalar()
    try:
        return "" if kept is None else seal_of_store(connection).open(kept, KIND).decode()
    except Unreadable:
        return ""


def keep(connection: Connection, match_id: int, player_id: int, text: str) -> None:
    """Keep a player's note on a match in place of the one there was; an empty one is deleted."""
    keys = {"of_match": match_id, "whose": player_id}
    if not text:
        connection.execute(_drop, keys)
        return
    sealed = seal_of_store(connection).close(text.encode(), KIND)
    if connection.execute(_change, {**keys, "text": sealed}).rowcount == 0:
        values = {"match_id": match_id, "player_id": player_id, "text": sealed}
        connection.execute(_add, values)


def forget_ended(connection: Connection, player_id: int) -> None:
    """Delete a player's notes on matches that are over."""
    connection.execute(_drop_ended, {"whose": player_id})
