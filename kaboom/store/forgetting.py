"""Forgetting a player, in every table that knows one. What is missing here a test finds."""

from sqlalchemy import Connection, bindparam, delete, update

from kaboom.store import devices, ratings, records, ways
from kaboom.store.models import (
    accounts,
    asks,
    blocks,
    board_tries,
    friends,
    mutes,
    notes,
    offers,
    passes,
    passkeys,
    players,
    program_keys,
    reports,
    rule_sets,
    sittings,
    vacations,
)

# What goes with a player, by the columns that name them.
GOES = [
    sittings.c.player_id,
    passes.c.player_id,
    mutes.c.player_id,
    rule_sets.c.player_id,
    program_keys.c.player_id,
    accounts.c.player_id,
    passkeys.c.player_id,
    offers.c.player_id,
    friends.c.player_id,
    friends.c.friend_id,
    asks.c.from_id,
    asks.c.to_id,
    blocks.c.from_id,
    blocks.c.to_id,
    notes.c.player_id,
    vacations.c.player_id,
    board_tries.c.player_id,
]
# What stays without them.
NAMELESS = [reports.c.by_id, reports.c.about_id]

_forget = [
    *(delete(column.table).where(column == bindparam("whose")) for column in GOES),
    *(
        update(column.table).where(column == bindparam("whose")).values({column.name: None})
        for column in NAMELESS
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
    ways.forget(connection, player_id)
    ratings.forget(connection, player_id)
