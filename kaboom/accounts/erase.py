"""Forgetting a player, in every table that knows one (kaboom.store.of_players)."""

from sqlalchemy import Connection, bindparam, delete, update

from kaboom.store import clubs, devices, ratings, records, tournaments, ways
from kaboom.store.models import players
from kaboom.store.of_players import OF_PLAYERS, Forgotten

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
    devices.sign_all_out(connection, player_id, no_key)
    for statement in _forget:
        connection.execute(statement, {"whose": player_id})
    tournaments.forget(connection, player_id)
    ways.forget(connection, player_id)
    ratings.forget(connection, player_id)
    clubs.forget(connection, player_id)
