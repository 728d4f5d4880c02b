"""Calls to a tournament's check-in (kaboom.notifications.reminders)."""

from kaboom.notifications.waiting import CHECK_IN, Waiting
from kaboom.tables.service import Tables
from kaboom.tournaments.changes import look


def told(tables: Tables, code: str, player: int) -> Waiting | None:
    """Return what a player is to be told of a check-in; None: it does not wait for them."""
    seen = look(tables, code)
    left, number = seen.checks_in(player, tables.now()), seen.number_of(player)
    if left is None:
        return None
    assert number is not None  # or nothing would be left
    name = seen.entrants[number].name
    return Waiting(code, seen.game.name, (name,), CHECK_IN, seen.of.settings.name, left)
