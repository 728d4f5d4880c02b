"""Reminders about a tournament's check-in (kaboom.notifications.reminders)."""

from kaboom.notifications.notification import CHECK_IN, Waiting
from kaboom.tables.service import TableService
from kaboom.tournaments.changes import get_tournament


def told(tables: TableService, code: str, player: int) -> Waiting | None:
    """Return a player's check-in message, or None if it is obsolete."""
    seen = get_tournament(tables, code)
    left, number = seen.checks_in(player, tables.now()), seen.number_of(player)
    if left is None:
        return None
    assert number is not None  # since checks_in returned a time
    name = seen.entrants[number].name
    return Waiting(code, seen.game.name, (name,), CHECK_IN, seen.of.settings.name, left)
