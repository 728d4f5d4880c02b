"""Whose turn it is at a table, and since which change. A player is notified once a turn.

A turn lasts while its player makes several decisions in a row. A step answered in secret is the
turn of every player who was prompted when it began, until it is over, because who has answered is
also secret. Before its match, a tournament table also waits for players who are not ready. These
are pure functions.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from kaboom.engine.moves import Seat
from kaboom.engine.views import Prompt, token_of

READY = "ready"  # the question before the match of a tournament table


class Turn(Struct, frozen=True):
    """The turn of one seat. `number` is the version of the table at which it began, `since` the
    time (seconds since 1970), `asked` a hash of what the table waits for.
    """

    number: int
    since: float
    asked: str
    sealed: bool = False


def turns(
    old: Mapping[Seat, Turn], prompts: Sequence[Prompt], number: int, now: float
) -> dict[Seat, Turn]:
    """Return the current turns by seat; new turns get this number and begin `now`.

    A player who is prompted again after their own move is still in the same turn, unless another
    player's turn begins as well, which means that a new round has begun.
    """
    sealed = {it.seat: _asked(it) for it in prompts if it.waited_for and not it.openly_waited_for}
    known = {seat: turn for seat, turn in old.items() if turn.sealed}
    if any(seat in known and known[seat].asked == asked for seat, asked in sealed.items()):
        found = known
    else:
        found = {seat: Turn(number, now, asked, True) for seat, asked in sealed.items()}
    asked = {it.seat: _asked(it) for it in prompts if it.openly_waited_for}
    before = {seat: turn for seat, turn in old.items() if not turn.sealed}
    another = any(seat not in before for seat in asked)
    for seat, what in asked.items():
        turn = before.get(seat)
        if turn is None or (another and turn.asked != what):
            turn = Turn(number, now, what)
        elif turn.asked != what:
            turn = Turn(turn.number, turn.since, what)
        found[seat] = turn
    return found


def to_be_ready(
    old: Mapping[Seat, Turn], seats: Iterable[Seat], number: int, now: float
) -> dict[Seat, Turn]:
    """Return the turns of the players in these seats, who have not yet said that they are ready."""
    return {seat: old.get(seat) or Turn(number, now, READY) for seat in seats}


def _asked(prompt: Prompt) -> str:
    return token_of(offer.token for offer in prompt.offers if offer.blocks)
