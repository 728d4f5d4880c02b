"""Conditions for doing something at a table; when one fails, a sentence says why."""

from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, NotPermitted, invalid_field
from kaboom.tables.table import DAYS, Chair, Table


def require_seat(table: Table, player: int | None) -> Seat:
    """Return the seat of a player; raises NotPermitted for anyone without one."""
    seat = table.seat_of(player)
    if seat is None:
        raise NotPermitted(say("You do not sit at this table."))
    return seat


def require_host(table: Table, player: int | None) -> None:
    """Raise NotPermitted for anybody but the host."""
    if player != table.host:
        raise NotPermitted(say("Only the host can do that."))


def require_players_table(table: Table) -> None:
    """Raise InvalidState where the house has set the table up, and those who play cannot change
    it.
    """
    if table.by_house:
        raise InvalidState(
            say("The house has set up this table for one match: nobody can change it.")
        )


def require_no_match(table: Table) -> None:
    """Raise InvalidState while a match is going on."""
    if table.playing:
        raise InvalidState(say("That can only be done when the match is over."))


def require_match(table: Table) -> None:
    """Raise InvalidState when no match is going on."""
    if not table.playing:
        raise InvalidState(say("That can only be done during a match."))


def require_offered_days(days: int) -> int:
    """Return how many days people have for each decision (0: matches are played in one go); raises
    InvalidState for others than can be chosen.
    """
    if days not in (0, *DAYS):
        raise InvalidState(say("That cannot be chosen."))
    return days


def require_seat_number(table: Table, seat: Seat | None) -> None:
    """Raise InvalidFields for the number of a chair that this table does not have."""
    if seat is not None and not 0 <= seat < len(table.chairs):
        raise invalid_field("seat", say("There is no such chair."))


def require_free_seat(table: Table, seat: Seat | None) -> None:
    """Raise InvalidState unless somebody new may take that chair, or any chair (None)."""
    require_seat_number(table, seat)
    free = table.free()
    if table.playing:
        raise InvalidState(say("The match has begun. You can watch, and sit down when it is over."))
    if not free:
        raise InvalidState(say("Every chair is taken. You can watch."))
    if seat is not None and seat not in free:
        raise InvalidState(say("That chair is taken."))


def require_taken_seat(table: Table, seat: Seat) -> Chair:
    """Return the chair with that number; raises InvalidState when nobody sits there."""
    chair = table.chairs[seat] if 0 <= seat < len(table.chairs) else None
    if chair is None:
        raise InvalidState(say("Nobody sits on that chair."))
    return chair
