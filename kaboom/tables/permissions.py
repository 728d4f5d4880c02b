"""Conditions for doing something at a table; when one fails, a sentence says why."""

from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.errors import NotNow, NotYours, bad_field
from kaboom.tables.table import DAYS, Chair, Table


def must_sit(table: Table, player: int | None) -> Seat:
    """Return the seat of a player; raises NotYours for anyone without one."""
    seat = table.seat_of(player)
    if seat is None:
        raise NotYours(say("You do not sit at this table."))
    return seat


def must_be_host(table: Table, player: int | None) -> None:
    """Raise NotYours for anybody but the host."""
    if player != table.host:
        raise NotYours(say("Only the host can do that."))


def must_be_ours(table: Table) -> None:
    """Raise NotNow where the house has set the table up, and those who play cannot change it."""
    if table.by_house:
        raise NotNow(say("The house has set up this table for one match: nobody can change it."))


def must_be_open(table: Table) -> None:
    """Raise NotNow while a match is going on."""
    if table.playing:
        raise NotNow(say("That can only be done when the match is over."))


def must_be_played(table: Table) -> None:
    """Raise NotNow when no match is going on."""
    if not table.playing:
        raise NotNow(say("That can only be done during a match."))


def must_be_a_length(days: int) -> int:
    """Return how many days people have for each decision (0: matches are played in one go); raises
    NotNow for others than can be chosen.
    """
    if days not in (0, *DAYS):
        raise NotNow(say("That cannot be chosen."))
    return days


def must_be_a_chair(table: Table, seat: Seat | None) -> None:
    """Raise BadFields for the number of a chair that this table does not have."""
    if seat is not None and not 0 <= seat < len(table.chairs):
        raise bad_field("seat", say("There is no such chair."))


def must_be_free(table: Table, seat: Seat | None) -> None:
    """Raise NotNow unless somebody new may take that chair, or any chair (None)."""
    must_be_a_chair(table, seat)
    free = table.free()
    if table.playing:
        raise NotNow(say("The match has begun. You can watch, and sit down when it is over."))
    if not free:
        raise NotNow(say("Every chair is taken. You can watch."))
    if seat is not None and seat not in free:
        raise NotNow(say("That chair is taken."))


def must_be_readable(name: str, field: str = "name") -> str:
    """Return a name as it is shown; raises BadFields when nothing readable is left of it."""
    shown = cleaned(name)
    if not shown:
        raise bad_field(field, say("Please give a name the others can read."))
    return shown


def must_be_taken(table: Table, seat: Seat) -> Chair:
    """Return the chair with that number; raises NotNow when nobody sits there."""
    chair = table.chairs[seat] if 0 <= seat < len(table.chairs) else None
    if chair is None:
        raise NotNow(say("Nobody sits on that chair."))
    return chair
