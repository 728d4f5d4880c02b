"""Creates a table: its row, and the players seated from the beginning."""

from sqlalchemy import Connection

from kaboom.engine.codec import to_json
from kaboom.tables import hooks, queries
from kaboom.tables.table import Table


def add(
    connection: Connection,
    table: Table,
    code: str,
    game: str,
    now: float,
    *,
    listed: bool = False,
    password: str = "",
    club_id: int | None = None,
) -> int:
    """Store a new table for a game (its key), with its seated players; return its id.

    With `listed`, the table is shown in the lobby. `password` is a slow hash, or empty. `club_id`
    is the club whose members see it. Raises InvalidState while the server’s host does not allow new
    tables.
    """
    for allow in hooks.before_open if not table.by_house else ():
        allow(connection)
    table_id = queries.add_table(
        connection,
        {
            "code": code,
            "game": game,
            "match_id": None,
            "version": 1,
            "due_at": None,
            "body": to_json(table),
            "listed": listed,
            "password": password,
            "talk": 0,
            "created_at": now,
            "touched_at": now,
            "days": table.days,
            "club_id": club_id,
        },
    )
    for _, occupant in table.sitting():
        if occupant.player is not None:
            queries.sit(connection, occupant.player, table_id)
    return table_id
