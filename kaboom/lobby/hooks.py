"""What the lobby does when a table is deleted."""

from kaboom.lobby.seat_transfer import queries as seat_transfer_queries
from kaboom.tables import hooks

hooks.on_delete.append(seat_transfer_queries.drop_of_table)
