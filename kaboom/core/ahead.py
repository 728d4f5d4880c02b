"""Deciding ahead of one's turn: what a seat may plan, and whether a plan still stands.

A game says in `Game.ahead` what a seat will be asked, as far as that can be known: while it waits,
and also when it is asked, so that the two can be compared. A plan is thrown away as soon as the
fact it answers (`about`) is another one, or what was chosen cannot be chosen any more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kaboom.core.moves import NOTHING, Choices, Pick, Seat
from kaboom.core.play import Listener
from kaboom.core.views import token_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """Something a seat can decide ahead: one choice of the pick, or nothing to choose.

    `pick.options` are what can be planned; `pick.why_not` is asked when the turn has come. `about`
    names what is known now that the plan answers. With `until` it is an answer given every time the
    seat is asked, until `about` is another one: words.offers["verb.until"] says that in words.
    """

    verb: str
    about: str
    pick: Pick = NOTHING
    until: bool = False

    def token(self, seat: Seat) -> str:
        """Return what stands for all that a plan answers."""
        return token_of((seat, self.verb, self.about, self.until))

    def holds(self, choices: Choices) -> bool:
        """Say whether this can be planned."""
        if self.pick.most == 0:
            return not choices
        return len(choices) == 1 and choices[0] in self.pick.options


def offered(listeners: Iterable[Listener], seat: Seat, it: Ahead, choices: Choices) -> str | None:
    """Return the token of what the seat is asked now that a plan answers; None if it is not."""
    for listener in listeners:
        if (listener.seat, listener.verb) == (seat, it.verb):
            refused = listener.pick.refusal(choices) or it.pick.refusal(choices)
            if refused is None:
                return listener.token
    return None


def asked(listeners: Iterable[Listener], seat: Seat, verb: str) -> bool:
    """Say whether the seat is asked this now."""
    return any((listener.seat, listener.verb) == (seat, verb) for listener in listeners)


def still(found: Sequence[Ahead], seat: Seat, token: str, choices: Choices) -> Ahead | None:
    """Return which of what a seat can decide ahead a plan is about, None if there is none left."""
    for it in found:
        if it.token(seat) == token and it.holds(choices):
            return it
    return None
