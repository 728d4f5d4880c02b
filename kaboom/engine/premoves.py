"""Premoves: moves that a seat may plan, and whether a plan is still valid.

`Game.ahead` yields what a seat will be prompted for, as far as that can be known: both while the
seat waits and once it is prompted, so that the two can be compared. A plan is dropped as soon as
the fact it answers (`about`) has changed, or its choice is no longer possible.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kaboom.engine.moves import NOTHING, Choices, Pick, Seat
from kaboom.engine.play import Listener
from kaboom.engine.views import Offer, token_of

# How plans are named among the numbered moves: "plan_lay 8S", "plan_pass_until", "plan_nothing".
PLAN, UNTIL = "plan_", "_until"
FORGET = f"{PLAN}nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Premove:
    """A decision that a seat can make in advance: one of the options of the pick, or no choice.

    `pick.options` can be planned; `pick.why_not` is checked when the turn has come. `about`
    identifies what the plan answers, as far as it is known now. With `until`, the plan answers
    every such prompt until `about` changes; words.offers["verb.until"] is its text.
    """

    verb: str
    about: str
    pick: Pick = NOTHING
    until: bool = False

    def token(self, seat: Seat) -> str:
        """Return a hash of everything that a plan depends on."""
        return token_of((seat, self.verb, self.about, self.until))

    def holds(self, choices: Choices) -> bool:
        """Return True if these choices can be planned."""
        if self.pick.most == 0:
            return not choices
        return len(choices) == 1 and choices[0] in self.pick.options


def offered(listeners: Iterable[Listener], seat: Seat, it: Premove, choices: Choices) -> str | None:
    """Return the token of the offer that a plan answers now, or None."""
    for listener in listeners:
        if (listener.seat, listener.verb) == (seat, it.verb):
            refused = listener.pick.refusal(choices) or it.pick.refusal(choices)
            if refused is None:
                return listener.token
    return None


def asked(listeners: Iterable[Listener], seat: Seat, verb: str) -> bool:
    """Return True if the seat is now prompted for this verb."""
    return any((listener.seat, listener.verb) == (seat, verb) for listener in listeners)


def still(found: Sequence[Premove], seat: Seat, token: str, choices: Choices) -> Premove | None:
    """Return the premove that a plan still matches, or None if the plan is outdated."""
    for it in found:
        if it.token(seat) == token and it.holds(choices):
            return it
    return None


def as_offer(it: Premove, seat: Seat) -> Offer:
    """Return a premove as an offer for the numbered list (kaboom.engine.menu). Its `about` is
    only in its token.
    """
    verb = f"{PLAN}{it.verb}{UNTIL if it.until else ''}"
    least, most = (1, 1) if it.pick.most else (0, 0)
    return besides(seat, verb, it.token(seat), it.pick.options if most else (), least, most)


def besides(
    seat: Seat, verb: str, token: str, options: Choices = (), least: int = 0, most: int = 0
) -> Offer:
    """Return an additional offer for which the table does not wait."""
    return Offer(
        seat=seat,
        verb=verb,
        options=options,
        least=least,
        most=most,
        ordered=False,
        about="",
        blocks=False,
        confirm=False,
        token=token,
        playable=options,
    )


def decides_ahead(verb: str) -> bool:
    """Return True if a verb of the numbered list makes a plan, rather than deleting one."""
    return verb.startswith(PLAN) and verb != FORGET


def meant(verb: str) -> tuple[str, bool]:
    """Return the game's verb for a verb of the numbered list, and True if its plan is repeated."""
    about = verb.removeprefix(PLAN)
    return about.removesuffix(UNTIL), about.endswith(UNTIL)
