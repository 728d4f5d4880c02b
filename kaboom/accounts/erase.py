"""Erasing an account: the player leaves running matches, and then their data is erased.

Each column that refers to a player declares what happens to its rows (kaboom.db.player_columns).
Other rooms add their own steps through `kaboom.accounts.hooks`.
"""

from functools import cache, partial
from typing import Any

from sqlalchemy import Connection, bindparam, delete, update

from kaboom.accounts import hooks, player_queries, session_queries
from kaboom.db.player_columns import OnErase, player_columns
from kaboom.db.services import Services
from kaboom.features import load_hooks


def erase(services: Services, *key_hashes: str) -> None:
    """Erase the accounts with these session keys: matches, names, tables and keys.

    Raises InvalidState, without erasing any account, if one of them may not be erased now.
    """
    load_hooks()
    for key_hash in key_hashes:
        for check in hooks.before_any_erase:
            check(services, key_hash)
    for key_hash in key_hashes:
        for leave in hooks.before_erase:
            leave(services, key_hash)
        services.database.write(partial(_erase, key_hash))


def _erase(key_hash: str, connection: Connection) -> None:
    player = player_queries.player(connection, key_hash)
    if player is not None:
        erase_player(connection, player[0])


def erase_player(connection: Connection, player_id: int) -> None:
    """Erase a player's matches, name, tables and keys. The player's row stays, without an owner.

    Chat messages stay with their table under the player's name at the time. In the rating history
    of other players, a random number replaces the player's id.
    """
    player_queries.rename(connection, player_id, "")
    session_queries.sign_all_out(connection, player_id)
    for statement in _statements():
        connection.execute(statement, {"whose": player_id})
    load_hooks()
    for forget in hooks.on_erase:
        forget(connection, player_id)


@cache
def _statements() -> list[Any]:
    """Return the statements that delete a player's rows, or set the player's column to null."""
    columns = player_columns()
    mine: Any = bindparam("whose")
    return [
        *(
            delete(it.column.table).where(it.column == mine)
            for it in columns
            if it.on_erase is OnErase.DELETE
        ),
        *(
            update(it.column.table).where(it.column == mine).values({it.column.name: None})
            for it in columns
            if it.on_erase is OnErase.SET_NULL
        ),
    ]
