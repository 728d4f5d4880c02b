"""Giving a seat to another player."""

from sqlalchemy import Connection

from kaboom.tables import hooks, queries


def transfer_seat(connection: Connection, old: int, new: int, table_id: int) -> None:
    """Give one player's place at a table to another player. The old player may still watch."""
    queries.let_look(connection, old, table_id)
    for follow in hooks.on_hand_over:
        follow(connection, old, new, table_id)
