"""The moves that can be taken back, stored with the table (see kaboom.engine.takeback).

A request to take back any other move is refused by `require_last`.
"""

from collections.abc import Sequence

from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.takeback import (
    as_made_by,
    can_be_taken_back,
    maker,
    not_taken_back,
    noticed,
    only_tells_who_is_there,
)
from kaboom.tables.position import Position
from kaboom.tables.table import Back, Done, Table


def last(table: Table, seat: Seat | None) -> Back | None:
    """Return the last move of a seat if it can be taken back, or None."""
    found = table.back.get(seat) if seat is not None else None
    return found[-1] if found else None


def require_last(table: Table, seat: Seat, number: int) -> Back:
    """Return the last move of a seat; raises NotOnOffer unless it has this number and can be taken
    back.
    """
    found = last(table, seat)
    if found is None or found.number != number:
        raise not_taken_back()
    return found


def note(
    table: Table,
    move: Move,
    drew: bool,
    events: Sequence[Event],
    before: Position,
    after: Position,
) -> None:
    """Record whether the move just made can be taken back, and which moves no longer can."""
    game, seats = after.game, len(table.seats)
    seat = maker(game, before.state, move)
    forget(table, seat, events, before, after)
    if only_tells_who_is_there(move, events):
        return
    if table.is_of_a_person(seat) and can_be_taken_back(
        game, seats, move, drew, events, before, after
    ):
        made = as_made_by(game, before.state, move, seat, events)
        assert made is not None  # because it can be taken back
        offers = game.offers(before.state)
        about = next(it.about for it in offers if (it.seat, it.verb) == (seat, made.verb))
        done = Done(made.verb, made.choices, about)
        deadlines = {str(what): timer for what, timer in table.clocks() if timer.decision}
        deadlines |= {str(it): timer for it, timer in table.day_clocks() if it.seat == seat}
        table.back[seat] = [*table.back.get(seat, []), Back(table.seq, done, deadlines)]
    else:
        table.back.pop(seat, None)


def forget(
    table: Table, seat: Seat, events: Sequence[Event], before: Position, after: Position
) -> None:
    """Make the other seats' moves final if their players can notice that this seat has acted."""
    for other in list(table.back):
        if other != seat and noticed(other, events, before, after):
            del table.back[other]
