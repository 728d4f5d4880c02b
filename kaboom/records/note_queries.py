"""SQL statements about players' notes on their own matches, which are encrypted."""

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from kaboom.db.encryption import Unreadable, cipher_of_store
from kaboom.records.models import notes
from kaboom.tables.models import matches

KIND = "note"  # the cipher's label for notes

_mine = (notes.c.match_id == bindparam("of_match"), notes.c.player_id == bindparam("whose"))
_text = select(notes.c.text).where(*_mine)
_change = update(notes).where(*_mine)
_add = insert(notes)
_drop = delete(notes).where(*_mine)
_ended = select(matches.c.id).where(matches.c.ended_at.is_not(None))
_unfinished = select(matches.c.id).where(
    matches.c.table_id == bindparam("at_table"), matches.c.ended_at.is_(None)
)
_drop_unfinished = delete(notes).where(notes.c.match_id.in_(_unfinished))
_drop_ended = delete(notes).where(
    notes.c.player_id == bindparam("whose"), notes.c.match_id.in_(_ended)
)


def note(connection: Connection, match_id: int, player_id: int) -> str:
    """Return a player's note on a match; empty if there is none or it cannot be decrypted."""
    kept = connection.execute(_text, {"of_match": match_id, "whose": player_id}).scalar()
    try:
        return "" if kept is None else cipher_of_store(connection).decrypt(kept, KIND).decode()
    except Unreadable:
        return ""


def keep(connection: Connection, match_id: int, player_id: int, text: str) -> None:
    """Store a player's note on a match, replacing the previous one. An empty string deletes it."""
    keys = {"of_match": match_id, "whose": player_id}
    if not text:
        connection.execute(_drop, keys)
        return
    sealed = cipher_of_store(connection).encrypt(text.encode(), KIND)
    if connection.execute(_change, {**keys, "text": sealed}).rowcount == 0:
        values = {"match_id": match_id, "player_id": player_id, "text": sealed}
        connection.execute(_add, values)


def forget_ended(connection: Connection, player_id: int) -> None:
    """Delete a player's notes on finished matches."""
    connection.execute(_drop_ended, {"whose": player_id})


def drop_unfinished(connection: Connection, table_id: int) -> None:
    """Delete all notes on the running match of a table."""
    connection.execute(_drop_unfinished, {"at_table": table_id})
