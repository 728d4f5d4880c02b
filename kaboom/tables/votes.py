"""Votes at a table: on a bot for an absent player, a pause, resuming, or ending the match.
Players cast them in kaboom.table_page.vote_service; here they are counted.

A vote passes when every player present agrees, except the player it concerns. One "no" ends it, and
it expires after two minutes. A vote that could harm a player who might still object is held for a
minute, during which returning players can answer "no".

In correspondence matches every player has a vote, present or not. A vote expires after the table's
days per decision, and is held for a day.

- A bot for a player who is present (but does not move): held, and their "I am here" ends the vote.
- Resuming while a player is away: held. That is why resuming is also a vote: a clock must not run
  out for a player who was promised a pause.
- Ending the match while no other player is present: held, and then confirmed once more.
"""

from collections.abc import Collection

from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, invalid_field
from kaboom.tables.clock.timers import restarted, stopped
from kaboom.tables.permissions import require_match, require_seat
from kaboom.tables.seats.bots import start_stand_in
from kaboom.tables.table import Table, Vote
from kaboom.tables.transaction import TableTransaction

BOT, PAUSE, GO_ON, END = "bot", "pause", "go_on", "end"
ABOUT = (BOT, PAUSE, GO_ON, END)

VOTE_SECONDS = 120.0
HOLD_SECONDS = 60.0

Here = Collection[int] | None  # the players present; None: unknown


def settle(transaction: TableTransaction, here: Here) -> None:
    """Let the open vote pass or expire, or set when to check it next."""
    vote = transaction.table.vote
    assert vote is not None
    missing = voters(transaction.table, here) - {vote.seat} - set(vote.yes)
    # The proposer was alone at first, but is no longer once another player has agreed.
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
    """Return the seat of a player who may vote in the current match.

    Raises NotPermitted if they are not seated, InvalidState if they are not playing.
    """
    seat = require_seat(table, player)
    require_match(table)
    if seat not in table.people():
        raise InvalidState(_("Take back your seat first."))
    return seat


def proposals(table: Table, seat: Seat | None) -> list[tuple[str, Seat | None]]:
    """Return the proposals open to a seat: the kind, and the seat it concerns, if any."""
    if not table.playing or table.by_house or seat not in table.people() or table.vote is not None:
        return []
    bots = [(BOT, other) for other in table.people() if other != seat]
    return [(GO_ON if table.paused else PAUSE, None), *bots, (END, None)]


def require_sensible(table: Table, about: str, by: Seat, seat: Seat | None) -> None:
    """Raise InvalidState for a proposal that is not possible now, InvalidFields for one that never
    is.
    """
    if about not in ABOUT:
        raise invalid_field("about", _("You cannot propose that."))
    if about == BOT and (seat == by or seat not in table.people()):
        raise invalid_field("about", _("You cannot propose a bot for that seat."))
    if about in (PAUSE, GO_ON) and (about == PAUSE) == table.paused:
        raise InvalidState(
            _("The match is paused." if table.paused else "The match is not paused.")
        )


def is_held(table: Table, about: str, seat: Seat | None, here: Here) -> bool:
    """Return True if a vote must wait, so that a player can still object."""
    if about == BOT:
        return seat in voters(table, here)
    return about == GO_ON and voters(table, here) != set(table.people())


def waits_for(table: Table, seat: Seat | None) -> Vote | None:
    """Return the open vote that a seat has yet to answer, or None."""
    vote = table.vote
    return vote if vote is not None and seat in table.people() and seat not in vote.yes else None


def answered_by(vote: Vote, seat: Seat | None, now: float) -> float:
    """Return the table time until which a seat can answer. The player whom the vote concerns has
    less time.
    """
    return vote.hold if seat == vote.seat and vote.hold > now else vote.until


def lasts(table: Table) -> tuple[float, float]:
    """Return the seconds for which a vote at a table is held, and the seconds after which it
    expires.
    """
    return (DAY, table.days * DAY) if table.days else (HOLD_SECONDS, VOTE_SECONDS)


def voters(table: Table, here: Here) -> set[Seat]:
    """Return the voting seats: those of the players present or, in correspondence play, all."""
    if table.days:
        return set(table.people())
    return {seat for seat, player in table.people().items() if here is None or player in here}


def _follow(transaction: TableTransaction, vote: Vote) -> None:
    """Carry out a vote that has passed."""
    table = transaction.table
    if vote.about == END:
        transaction.ended_without = table.people().keys() - set(vote.yes)
        transaction.stop()
    elif vote.about == PAUSE:
        table.paused, table.timers = True, stopped(table.timers, transaction.table_time)
        table.back = {}
        transaction.tell("table.paused")
    elif vote.about == GO_ON:
        table.paused, table.timers = False, restarted(table.timers, transaction.table_time)
        transaction.tell("table.goes_on")
    elif vote.seat in table.people():  # otherwise they have left, or a bot already plays for them
        start_stand_in(transaction, vote.seat, "table.stood_in")
