"""Forgetting a player, in every table that knows one (kaboom.db.player_columns)."""

from sqlalchemy import Connection, bindparam, delete, update

from kaboom.accounts import session_queries
from kaboom.db.models import players
from kaboom.db.player_columns import OF_PLAYERS, Forgotten
from kaboom.notifications import channel_queries
from kaboom.ratings import queries as ratings
from kaboom.records import queries as records
from kaboom.social.clubs import queries as clubs
from kaboom.tournaments import queries as tournaments

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
    records.forget_parts(connection, player_id)
    connection.execute(_no_name, {"who": player_id})
    session_queries.sign_all_out(connection, player_id, no_key)
    for statement in _forget:
        connection.execute(statement, {"whose": player_id})
    tournaments.forget(connection, player_id)
    channel_queries.forget(connection, player_id)
    ratings.forget(connection, player_id)
    clubs.forget(connection, player_id)
