"""What those at a table decide together: a bot for somebody who is away, a pause, going on, an end.

A vote passes when everybody present, except the person it is about, agrees; one "no" ends it, and
it lapses after two minutes. One press by one person decides nothing important while others could
still object: the vote is then held for a minute, and anyone who comes back in time may say no.

- A bot for somebody who is there (but does not move): held, and their "I am here" ends it.
- Going on while somebody is away: held. That is why going on is a vote, too: a clock must not run
  out for someone who was promised a pause.
- The end of the match when nobody else is there: held, and then pressed once more.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from kaboom.core.language import say
from kaboom.core.moves import Seat, TooLate
from kaboom.tables.commands import Command
from kaboom.tables.conditions import must_be_played, must_be_taken, must_sit
from kaboom.tables.errors import NotNow
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table, Vote
from kaboom.tables.timers import restarted, stopped
from kaboom.tables.transaction import TableTransaction

if TYPE_CHECKING:
    from kaboom.tables.service import Tables

BOT, PAUSE, GO_ON, END = "bot", "pause", "go_on", "end"
ABOUT = (BOT, PAUSE, GO_ON, END)

VOTE_SECONDS = 120.0
HOLD_SECONDS = 60.0

Here = Collection[int] | None  # the players present; None: nobody knows who is away


def propose(
    tables: "Tables",
    code: str,
    player: int,
    about: str,
    seat: Seat | None = None,
    once: Command | None = None,
) -> TableSnapshot:
    """Put something to those at the table; `seat` is for whom a bot is to play.

    Raises NotYours or NotNow. If nobody can contradict, it is done at once.
    """

    def work(transaction: TableTransaction, here: Here) -> None:
        table = transaction.table
        by = voter(table, player)
        if table.vote is not None:
            raise NotNow(say("One vote at a time: answer the one that is open first."))
        _must_make_sense(table, about, by, seat)
        others = _voters(table, here) - {by}
        alone = about == END and not others and len(table.people()) > 1
        now = transaction.table_time
        hold = now + HOLD_SECONDS if alone or _is_held(table, about, seat, here) else 0.0
        table.votes += 1
        until = max(now, hold if alone else 0.0) + VOTE_SECONDS
        look = hold or until
        table.vote = Vote(table.votes, about, by, [by], until, hold, look, seat, alone)
        facts = {"by": table.seats[by]} | ({} if seat is None else {"who": table.seats[seat]})
        transaction.tell(f"table.propose_{about}", **facts)
        settle(transaction, here)

    return _changed(tables, code, work, once)


def answer(tables: "Tables", code: str, player: int, number: int, yes: bool) -> TableSnapshot:
    """Agree or not to the vote with that number. Raises NotYours, NotNow or TooLate."""

    def work(transaction: TableTransaction, here: Here) -> None:
        table, vote = transaction.table, transaction.table.vote
        if vote is None or vote.number != number:
            raise TooLate(say("That vote is over."))
        seat = voter(table, player)
        if seat == vote.seat:
            table.vote = None
            transaction.tell("table.is_here", who=table.seats[seat])
        elif not yes:
            table.vote = None
            transaction.tell("table.refuses", who=table.seats[seat])
        elif seat not in vote.yes:
            vote.yes.append(seat)
            transaction.tell("table.agrees", who=table.seats[seat])
            settle(transaction, here)
        elif vote.alone:
            if transaction.table_time < vote.hold:
                raise NotNow(
                    say("Nobody else is here. Wait until the minute is over, then press again.")
                )
            vote.alone = False
            settle(transaction, here)

    return _changed(tables, code, work)


def settle(transaction: TableTransaction, here: Here) -> None:
    """Let an open vote pass, lapse or wait on."""
    vote = transaction.table.vote
    assert vote is not None
    missing = _voters(transaction.table, here) - {vote.seat} - set(vote.yes)
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

    Raises NotYours for anyone not seated there, else NotNow.
    """
    seat = must_sit(table, player)
    must_be_played(table)
    if seat not in table.people():
        raise NotNow(say("Take back your seat first."))
    return seat


def proposals(table: Table, seat: Seat | None) -> list[tuple[str, Seat | None]]:
    """Return what somebody at a seat may propose now: what, and for whom."""
    if seat is None or not table.playing or seat not in table.people() or table.vote is not None:
        return []
    bots = [(BOT, other) for other in table.people() if other != seat]
    return [(GO_ON if table.paused else PAUSE, None), *bots, (END, None)]


def _must_make_sense(table: Table, about: str, by: Seat, seat: Seat | None) -> None:
    if about not in ABOUT:
        raise NotNow(say("That cannot be done now."))
    if about == BOT and (seat == by or seat not in table.people()):
        raise NotNow(say("A bot cannot be proposed for that seat."))
    if about in (PAUSE, GO_ON) and (about == PAUSE) == table.paused:
        raise NotNow(say("The match is paused." if table.paused else "The match is not paused."))


def _is_held(table: Table, about: str, seat: Seat | None, here: Here) -> bool:
    if about == BOT:
        return seat in _voters(table, here)
    return about == GO_ON and _voters(table, here) != set(table.people())


def _voters(table: Table, here: Here) -> set[Seat]:
    """Return the seats of those present."""
    return {seat for seat, player in table.people().items() if here is None or player in here}


def _follow(transaction: TableTransaction, vote: Vote) -> None:
    """Do what was agreed."""
    table = transaction.table
    if vote.about == END:
        transaction.stop()
    elif vote.about == PAUSE:
        table.paused, table.timers = True, stopped(table.timers, transaction.table_time)
        transaction.tell("table.paused")
    elif vote.about == GO_ON:
        table.paused, table.timers = False, restarted(table.timers, transaction.table_time)
        transaction.tell("table.goes_on")
    elif vote.seat in table.people():  # else they have left meanwhile, or let a bot play
        chair = must_be_taken(table, vote.seat)
        chair.stand_in = True
        transaction.tell("table.stood_in", who=chair.name)


def _changed(
    tables: "Tables",
    code: str,
    work: Callable[[TableTransaction, Here], None],
    once: Command | None = None,
) -> TableSnapshot:
    # Who is present may have to be asked elsewhere: before the transaction, which must be short.
    here = tables.here(code)
    return tables.change(code, lambda transaction: work(transaction, here), once)
