"""A new table: its row, and those who sit there from the beginning."""

from sqlalchemy import Connection

from kaboom.engine.codec import to_json
from kaboom.tables import queries
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
    """Store a table that is opened now, for a game (its key), with who sits there; return its id.

    `listed`: is it shown in the lobby? `password` is the slow hash of one, or empty; `club_id` is
    that of the club whose members find it.
    """
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
    for _, chair in table.sitting():
        if chair.player is not None:
            queries.sit(connection, chair.player, table_id)
    return table_id
