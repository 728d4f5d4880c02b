"""What those at a table decide together: a bot for somebody who is away, a pause, going on, an end.

A vote passes when everybody present, except the person it is about, agrees; one "no" ends it, and
it lapses after two minutes. One press by one person decides nothing important while others could
still object: the vote is then held for a minute, and anyone who comes back in time may say no.

Where a match is played over days everybody has a say, whether or not they are there: a vote lapses
after the days of the table, and is held for a day.

- A bot for somebody who is there (but does not move): held, and their "I am here" ends it.
- Going on while somebody is away: held. That is why going on is a vote, too: a clock must not run
  out for someone who was promised a pause.
- The end of the match when nobody else is there: held, and then pressed once more.
"""

from collections.abc import Collection

from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, invalid_field
from kaboom.tables.clock.timers import restarted, stopped
from kaboom.tables.permissions import require_match, require_seat, require_taken_seat
from kaboom.tables.table import Table, Vote
from kaboom.tables.transaction import TableTransaction

BOT, PAUSE, GO_ON, END = "bot", "pause", "go_on", "end"
ABOUT = (BOT, PAUSE, GO_ON, END)

VOTE_SECONDS = 120.0
HOLD_SECONDS = 60.0

Here = Collection[int] | None  # the players present; None: nobody knows who is away


def settle(transaction: TableTransaction, here: Here) -> None:
    """Let an open vote pass, lapse or wait on."""
    vote = transaction.table.vote
    assert vote is not None
    missing = voters(transaction.table, here) - {vote.seat} - set(vote.yes)
    # The proposer may have been alone at first, but is not once another has agreed.
    alone = vote.alone and len(vote.yes) == 1
    if not missing and not alone and transaction.table_time >= vote.hold:
        transaction.table.vote = None
        _follow(transaction, vote)
    elif transaction.table_time >= vote.until:
        transaction.table.vote = None
        transaction.tell("table.no_vote")
    else:
        vote.look = vote.hold if transaction.table_time < vote.hold else vote.until


def voter(table: Table, player: int) -> Seat:
    """Return the seat of somebody who has a say in the current match.

    Raises NotPermitted for anyone not seated there, else InvalidState.
    """
    seat = require_seat(table, player)
    require_match(table)
    if seat not in table.people():
        raise InvalidState(say("Take back your seat first."))
    return seat


def proposals(table: Table, seat: Seat | None) -> list[tuple[str, Seat | None]]:
    """Return what somebody at a seat may propose now: what, and for whom."""
    if not table.playing or table.by_house or seat not in table.people() or table.vote is not None:
        return []
    bots = [(BOT, other) for other in table.people() if other != seat]
    return [(GO_ON if table.paused else PAUSE, None), *bots, (END, None)]


def require_sensible(table: Table, about: str, by: Seat, seat: Seat | None) -> None:
    """Raise InvalidState for what cannot be put to the table now, InvalidFields for what never
    can.
    """
    if about not in ABOUT:
        raise invalid_field("about", say("That cannot be proposed."))
    if about == BOT and (seat == by or seat not in table.people()):
        raise invalid_field("about", say("A bot cannot be proposed for that seat."))
    if about in (PAUSE, GO_ON) and (about == PAUSE) == table.paused:
        raise InvalidState(
            say("The match is paused." if table.paused else "The match is not paused.")
        )


def is_held(table: Table, about: str, seat: Seat | None, here: Here) -> bool:
    """Say whether a vote must wait, so that somebody can still object."""
    if about == BOT:
        return seat in voters(table, here)
    return about == GO_ON and voters(table, here) != set(table.people())


def waits_for(table: Table, seat: Seat | None) -> Vote | None:
    """Return the open vote that somebody at a seat has not answered, if there is one."""
    vote = table.vote
    return vote if vote is not None and seat in table.people() and seat not in vote.yes else None


def answered_by(vote: Vote, seat: Seat | None, now: float) -> float:
    """Return until when an answer counts, in table time: whom it is about must not be late."""
    return vote.hold if seat == vote.seat and vote.hold > now else vote.until


def lasts(table: Table) -> tuple[float, float]:
    """Return how many seconds a vote at a table is held, and after how many it lapses."""
    return (DAY, table.days * DAY) if table.days else (HOLD_SECONDS, VOTE_SECONDS)


def voters(table: Table, here: Here) -> set[Seat]:
    """Return the seats of those present; over days nobody need be there, and all are asked."""
    if table.days:
        return set(table.people())
    return {seat for seat, player in table.people().items() if here is None or player in here}


def _follow(transaction: TableTransaction, vote: Vote) -> None:
    """Do what was agreed."""
    table = transaction.table
    if vote.about == END:
        transaction.stop()
    elif vote.about == PAUSE:
        table.paused, table.timers = True, stopped(table.timers, transaction.table_time)
        table.back = {}
        transaction.tell("table.paused")
    elif vote.about == GO_ON:
        table.paused, table.timers = False, restarted(table.timers, transaction.table_time)
        transaction.tell("table.goes_on")
    elif vote.seat in table.people():  # else they have left meanwhile, or let a bot play
        chair = require_taken_seat(table, vote.seat)
        chair.stand_in = True
        transaction.tell("table.stood_in", who=chair.name)
