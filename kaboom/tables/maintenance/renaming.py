"""Gives a player another name at a table where they sit."""

from typing import Any

from msgspec import Raw, structs

from kaboom.accounts.names import told_apart
from kaboom.engine.codec import from_json, to_json
from kaboom.tables import match_queries
from kaboom.tables.table import Said
from kaboom.tables.transaction import TableTransaction

OWN_LINES = "table."  # kinds of log lines whose facts may contain a player's name


def rename_at(transaction: TableTransaction, player: int, name: str) -> None:
    """Rename a player who sits at a table: their seat, the running match and the log.

    The table does not count as used. If another name there looks the same, a number is appended.
    """
    table = transaction.table
    seat = table.seat_of(player)
    if seat is None:
        return
    occupant = table.occupant(seat)
    old = occupant.name
    others = [it.name for other, it in table.sitting() if other != seat]
    occupant.name = told_apart(name, others)
    if table.playing:
        table.seats[seat] = occupant.name
        match_queries.rename(transaction.connection, table.match_id, to_json(table.seats).decode())
    table.told = [_renamed(it, old, occupant.name) for it in table.told]
    table.whispered = {
        viewer: [_renamed(it, old, occupant.name) for it in lines]
        for viewer, lines in table.whispered.items()
    }
    transaction.columns["touched_at"] = transaction.row.touched_at


def _renamed(line: Said, old: str, new: str) -> Said:
    if not line.kind.startswith(OWN_LINES):
        return line
    facts = {key: _put(value, old, new) for key, value in from_json(line.facts, dict).items()}
    return structs.replace(line, facts=Raw(to_json(facts)))


def _put(value: Any, old: str, new: str) -> Any:
    if isinstance(value, list):
        return [_put(it, old, new) for it in value]
    return new if value == old else value
