"""What must be so before something is done at a table; else a sentence says why it is not done."""

from kaboom.core.language import say
from kaboom.core.moves import Seat
from kaboom.tables.errors import NotNow, NotYours
from kaboom.tables.table import Chair, Table


def must_sit(table: Table, player: int | None) -> Seat:
    """Return the seat of a player; raises NotYours for whoever has none."""
    seat = table.seat_of(player)
    if seat is None:
        raise NotYours(say("You do not sit at this table."))
    return seat


def must_be_host(table: Table, player: int) -> None:
    """Raise NotYours for anybody but the host."""
    if table.host != player:
        raise NotYours(say("Only the host can do that."))


def must_be_open(table: Table) -> None:
    """Raise NotNow while a match is going on."""
    if table.playing:
        raise NotNow(say("That can be done when the match is over."))


def must_be_played(table: Table) -> None:
    """Raise NotNow when no match is going on."""
    if not table.playing:
        raise NotNow(say("That can be done during a match."))


def must_be_taken(table: Table, seat: Seat) -> Chair:
    """Return the chair of that number; raises NotNow when nobody sits on it."""
    chair = table.chairs[seat] if 0 <= seat < len(table.chairs) else None
    if chair is None:
        raise NotNow(say("Nobody sits on that chair."))
    return chair
