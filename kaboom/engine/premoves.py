"""Deciding ahead of one's turn: what a seat may plan, and whether a plan still stands.

A game says in `Game.ahead` what a seat will be asked, as far as that can be known: while the seat
waits, and when it is asked, so that the two can be compared. A plan is thrown away as soon as the
fact it answers (`about`) has changed, or what was chosen can no longer be chosen.
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
class Ahead:
    """Something a seat can decide ahead: one choice of the pick, or nothing to choose.

    `pick.options` can be planned; `pick.why_not` is checked when the turn has come. `about` names
    the fact the plan answers, as far as it is known now. With `until` the plan answers every time
    the seat is asked, until `about` changes; words.offers["verb.until"] says so in words.
    """

    verb: str
    about: str
    pick: Pick = NOTHING
    until: bool = False

    def token(self, seat: Seat) -> str:
        """Return a hash of all that a plan answers."""
        return token_of((seat, self.verb, self.about, self.until))

    def holds(self, choices: Choices) -> bool:
        """Say whether this can be planned."""
        if self.pick.most == 0:
            return not choices
        return len(choices) == 1 and choices[0] in self.pick.options


def offered(listeners: Iterable[Listener], seat: Seat, it: Ahead, choices: Choices) -> str | None:
    """Return the token of the offer that a plan answers now; None if there is none."""
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
    """Return the one of these that a plan is still about; None if the plan is stale."""
    for it in found:
        if it.token(seat) == token and it.holds(choices):
            return it
    return None


def as_offer(it: Ahead, seat: Seat) -> Offer:
    """Return what can be decided ahead as an offer, for the numbered list (kaboom.engine.menu).

    What it answers (`about`) is only in its token.
    """
    verb = f"{PLAN}{it.verb}{UNTIL if it.until else ''}"
    least, most = (1, 1) if it.pick.most else (0, 0)
    return besides(seat, verb, it.token(seat), it.pick.options if most else (), least, most)


def besides(
    seat: Seat, verb: str, token: str, options: Choices = (), least: int = 0, most: int = 0
) -> Offer:
    """Return an offer besides those of the game, for which nobody waits."""
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
    """Say whether a verb of the numbered list plans something, not only forgets it."""
    return verb.startswith(PLAN) and verb != FORGET


def meant(verb: str) -> tuple[str, bool]:
    """Return the verb of the game in one of the numbered list, and whether it is planned for every
    time.
    """
    about = verb.removeprefix(PLAN)
    return about.removesuffix(UNTIL), about.endswith(UNTIL)
