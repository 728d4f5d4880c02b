"""Forgetting a player, in every table that knows one (kaboom.db.player_columns)."""

from sqlalchemy import Connection, bindparam, delete, update

from kaboom.accounts import hooks, session_queries
from kaboom.db.models import players
from kaboom.db.player_columns import OF_PLAYERS, Forgotten

_forget = [
    *(
        delete(it.column.table).where(it.column == bindparam("whose"))
        for it in OF_PLAYERS
        if it.forgotten is Forgotten.GOES
    ),
    *(
        update(it.column.table)
        .where(it.column == bindparam("whose"))
        .values({it.column.name: None})
        for it in OF_PLAYERS
        if it.forgotten is Forgotten.NAMELESS
    ),
]
_no_name = update(players).where(players.c.id == bindparam("who")).values(name="")


def forget_player(connection: Connection, player_id: int, no_key: str) -> None:
    """Forget a player's matches, name, tables and keys; the row stays, belonging to nobody.

    What was said stays with its table, under the name of then; `no_key` is nobody's. In the
    steps of others' ratings a random number stands for them.
    """
    connection.execute(_no_name, {"who": player_id})
    session_queries.sign_all_out(connection, player_id, no_key)
    for statement in _forget:
        connection.execute(statement, {"whose": player_id})
    hooks.load()
    for forget in hooks.on_erase:
        forget(connection, player_id)
