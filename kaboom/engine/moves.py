"""Moves as text ("0 bid KS", "3 flip 1.4", "-1 lapse 7"), and picks, which define their choices."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb, perm
from typing import ClassVar

from msgspec import Struct

from kaboom.engine.graphemes import beginning
from kaboom.engine.i18n import gettext as _
from kaboom.engine.rng import Rng

Seat = int  # 0 to n - 1 around the table
CLOCK: Seat = -1  # the seat of automatic moves
Choices = tuple[str, ...]
SOME = 8  # legal selections shown to a program as examples
TRIES = 60  # selections tried to find the playable options; enough for every card in a hand
TOLD = 40  # characters of an invalid choice that an error message repeats
DRAWS = 64  # random selections tried; if none is legal, one of the first 64 legal ones is taken


class Refusal(Exception):
    """A move the table did not accept; nothing has changed. str() is the sentence the player reads.

    `rule` names the heading of the game's rules.md that explains it, or is empty. Each class has
    the HTTP status of the response and the slug of its problem type, which is one of those in
    kaboom.web.api.problems (empty: the default for the status).
    """

    status: ClassVar[int] = 422
    slug: ClassVar[str] = ""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.rule = rule


class NotOnOffer(Refusal):
    """The move is not offered to this seat now, or is not a move at all."""

    slug = "not-on-offer"


class IllegalMove(Refusal):
    """The move is on offer, but the choice breaks a rule of the game."""

    slug = "illegal"


class StaleMove(Refusal):
    """The prompt of the move has changed: another player was faster, or the page was outdated."""

    status = 409
    slug = "too-late"


def moved_on() -> StaleMove:
    """Return the refusal of a move whose prompt is no longer current."""
    return StaleMove(_("Too late: the table moved on before your move arrived."))


class Move(Struct, frozen=True):
    """One move: the seat, the verb and the choices."""

    seat: Seat
    verb: str
    choices: Choices = ()

    def __str__(self) -> str:
        return " ".join((str(self.seat), self.verb, *self.choices))

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Return the move in a text; raises NotOnOffer if there is none."""
        words = text.split()
        try:
            return cls(int(words[0]), words[1], tuple(words[2:]))
        except (IndexError, ValueError):
            raise NotOnOffer(_("That is not a move.")) from None


WhyNot = Callable[[Choices], IllegalMove | None]


class Pick(Struct, frozen=True):
    """The possible choices of a move: `least` to `most` of the options, each at most as often as
    listed.

    `options` may contain duplicates (the same card from two packs). `ordered` means that the order
    of the choices matters. `why_not` returns the IllegalMove (not raised) that names the rule these
    choices break, or None; it may use only what the choosing seat knows. A pick is a domain with a
    check, never a list of combinations: 8 of 28 cards can be buried in three million ways.
    `numbers` is True if the options are plain whole numbers, as for a bid. A page then shows a row
    of small buttons under one label (`one_number`).
    """

    options: Choices = ()
    least: int = 0
    most: int = 0
    ordered: bool = False
    why_not: WhyNot | None = None
    numbers: bool = False

    def refusal(self, choices: Choices) -> IllegalMove | None:
        """Return the reason why these cannot be chosen, as an IllegalMove that is not raised, or
        None."""
        if not choices and self.least == 1:
            return IllegalMove(_("Choose one first."))
        if not self.least <= len(choices) <= self.most:
            return IllegalMove(
                _("Choose {amount}, not {count}.", amount=self.amount(), count=len(choices))
            )
        strange: Choices
        if len(choices) == 1:
            strange = () if choices[0] in self.options else choices
        else:
            strange = tuple(Counter(choices) - Counter(self.options))
        if strange:
            return IllegalMove(
                _("{choice} cannot be chosen now.", choice=beginning(strange[0], TOLD))
            )
        return self.why_not(choices) if self.why_not else None

    def playable(self) -> Choices:
        """Return the options that are part of some legal selection.

        If finding out would take more than TRIES selections, all options are returned.
        """
        count = perm if self.ordered else comb
        sizes = range(self.least, self.most + 1)
        if self.why_not is None or sum(count(len(self.options), size) for size in sizes) > TRIES:
            return self.options
        held = {option for choices in self.legal() for option in choices}
        return tuple(option for option in self.options if option in held)

    def amount(self) -> str:
        """Return the allowed number of choices in words: "exactly 8", "1 to 3", "nothing"."""
        if self.least == self.most:
            return _("exactly {count}", count=self.least) if self.least else _("nothing")
        return _("{least} to {most}", least=self.least, most=self.most)

    def legal(self) -> Iterator[Choices]:
        """Yield every legal selection, smallest first; lazily, because there may be millions."""
        arrange = permutations if self.ordered else combinations
        for size in range(self.least, self.most + 1):
            seen = set()
            for choices in arrange(self.options, size):
                if choices not in seen and self.refusal(choices) is None:
                    seen.add(choices)
                    yield choices

    def some(self, rng: Rng, most: int = SOME) -> Sequence[Choices]:
        """Return a few random legal selections; empty only if there are none."""
        if self.most <= 1:
            each: list[Choices] = [(option,) for option in rng.shuffled(self.options)]
            each = list(dict.fromkeys(each)) if self.most else []
            if self.least == 0:
                each.insert(0, ())
            return list(islice((it for it in each if self.refusal(it) is None), most))
        drawn = (self.random(rng) for _unused in range(most))
        return list(dict.fromkeys(it for it in drawn if it is not None))

    def random(self, rng: Rng) -> Choices | None:
        """Return a random legal selection, or None if there is none.

        A single choice without a check is drawn uniformly. All others are drawn by trial, so not
        all selections are equally likely.
        """
        if self.most == 1 and self.why_not is None and self.options:
            return (rng.choice(self.options),) if self.least else self._one_or_none(rng)
        for _unused in range(DRAWS):
            size = self.least + rng.randrange(min(self.most, len(self.options)) - self.least + 1)
            choices = tuple(rng.sample(self.options, size))
            if self.refusal(choices) is None:
                return choices
        some = list(islice(self.legal(), DRAWS))
        return rng.choice(some) if some else None

    def _one_or_none(self, rng: Rng) -> Choices:
        index = rng.randrange(len(self.options) + 1)
        return (self.options[index],) if index < len(self.options) else ()


NOTHING = Pick()


def several_of(options: Sequence[str], count: int) -> Pick:
    """Return a pick of exactly this many of the options, in any order."""
    return Pick(tuple(options), count, count)


def one_of(options: Sequence[str], why_not: WhyNot | None = None) -> Pick:
    """Return the pick of exactly one of the options."""
    return Pick(tuple(options), 1, 1, why_not=why_not)


def one_number(least: int, most: int, why_not: WhyNot | None = None) -> Pick:
    """Return the pick of exactly one whole number from `least`, which is 0 or more, to `most`."""
    return Pick(tuple(map(str, range(least, most + 1))), 1, 1, why_not=why_not, numbers=True)
