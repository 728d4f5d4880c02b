"""Preconditions of actions at a table. Each raises an error with a sentence if it fails."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, NotPermitted, invalid_field
from kaboom.tables.table import BANKS, DAYS, Occupant, Table


def require_seat(table: Table, player: int | None) -> Seat:
    """Return the seat of a player; raises NotPermitted if they have none."""
    seat = table.seat_of(player)
    if seat is None:
        raise NotPermitted(_("You are not seated at this table."))
    return seat


def require_host(table: Table, player: int | None) -> None:
    """Raise NotPermitted unless the player is the host of the table."""
    if player != table.host:
        raise NotPermitted(_("Only the host can do that."))


def require_players_table(table: Table) -> None:
    """Raise InvalidState for a table that was set up by the server, which players cannot change."""
    if table.by_house:
        raise InvalidState(
            _("The server has set up this table for a single match, so it cannot be changed.")
        )


def require_no_match(table: Table) -> None:
    """Raise InvalidState while a match is running."""
    if table.playing:
        raise InvalidState(_("That can only be done when the match is over."))


def require_match(table: Table) -> None:
    """Raise InvalidState when no match is running."""
    if not table.playing:
        raise InvalidState(_("That can only be done during a match."))


def require_offered_days(days: int) -> int:
    """Return the days per decision (0: live play); raises InvalidState if that number is not
    offered.
    """
    if days not in (0, *DAYS):
        raise InvalidState(_("That choice is not available."))
    return days


def require_offered_bank(bank: int, days: int) -> int:
    """Return the days of a time bank, 0 for live play (`days` is 0). Raises InvalidState if that
    number is not offered.
    """
    if bank not in (0, *BANKS):
        raise InvalidState(_("That choice is not available."))
    return bank if days else 0


def require_seat_number(table: Table, seat: Seat | None) -> None:
    """Raise InvalidFields if the table has no chair with that number."""
    if seat is not None and not 0 <= seat < len(table.chairs):
        raise invalid_field("seat", _("There is no such seat."))


def require_free_seat(table: Table, seat: Seat | None) -> None:
    """Raise InvalidState unless a new player may take that chair, or any chair if `seat` is
    None.
    """
    require_seat_number(table, seat)
    free = table.free()
    if table.playing:
        raise InvalidState(_("The match has begun. You can watch, and sit down when it is over."))
    if not free:
        raise InvalidState(_("All seats are taken. You can watch."))
    if seat is not None and seat not in free:
        raise InvalidState(_("That seat is taken."))


def require_not_removed(table: Table, player: int) -> None:
    """Raise InvalidState for a player whom the host has removed (seats/leaving.py), as long as the
    host is seated.
    """
    host_is_seated = table.seat_of(table.host) is not None
    if host_is_seated and player != table.host and player in table.shown_out:
        raise InvalidState(_("The host has removed you from the table."))


def require_taken_seat(table: Table, seat: Seat) -> Occupant:
    """Return the occupant of a chair; raises InvalidState if it is empty."""
    occupant = table.chairs[seat] if 0 <= seat < len(table.chairs) else None
    if occupant is None:
        raise InvalidState(_("That seat is empty."))
    return occupant
