"""Moves are text ("0 bid KS", "3 flip 1.4", "-1 lapse 7"); a pick says what a move may choose."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb, perm
from typing import ClassVar

from msgspec import Struct

from kaboom.engine.graphemes import beginning
from kaboom.engine.i18n import say
from kaboom.engine.rng import Chance

Seat = int  # 0 to n-1 around the table
CLOCK: Seat = -1  # the seat of the house: what happens by itself
Choices = tuple[str, ...]
SOME = 8  # legal selections shown to a program as examples
TRIES = 60  # selections tried to find out what can be played; enough for each card of a hand
TOLD = 40  # characters of what cannot be chosen that are said again
DRAWS = 64  # random selections tried; if none is legal, one of the first 64 legal ones is taken


class Refusal(Exception):
    """A move the table did not accept; nothing has changed. str() is the sentence the player reads.

    `rule` names the heading of the game's rules.md that explains it, or is empty. A class carries
    the HTTP status it is answered with, and the slug of its kind of problem, one of those in
    kaboom.web.api.problems (empty: the one of its status).
    """

    status: ClassVar[int] = 422
    slug: ClassVar[str] = ""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.rule = rule


class NotOnOffer(Refusal):
    """Not this seat's to do, not now, or not a move at all."""

    slug = "not-on-offer"


class IllegalMove(Refusal):
    """On offer, but the choice breaks a rule of the game."""

    slug = "illegal"


class StaleMove(Refusal):
    """What the move answered is gone: somebody was faster, or the page was out of date."""

    status = 409
    slug = "too-late"


def moved_on() -> StaleMove:
    """Return the refusal of a move whose question is no longer asked."""
    return StaleMove(say("Too late: the table moved on before your move arrived."))


class Move(Struct, frozen=True):
    """One move: who, what, and what was chosen."""

    seat: Seat
    verb: str
    choices: Choices = ()

    def __str__(self) -> str:
        return " ".join((str(self.seat), self.verb, *self.choices))

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Return the move a text stands for; raises NotOnOffer when it stands for none."""
        words = text.split()
        try:
            return cls(int(words[0]), words[1], tuple(words[2:]))
        except (IndexError, ValueError):
            raise NotOnOffer(say("That is not a move.")) from None


WhyNot = Callable[[Choices], IllegalMove | None]


class Pick(Struct, frozen=True):
    """What a move may choose: `least` to `most` of the options, each at most as often as listed.

    `options` may hold equal texts (two equal cards of two packs). `ordered` means that the order
    of the choices matters. `why_not` returns the IllegalMove (not raised) that says which rule
    these choices break, or None; it may use only what the choosing seat knows. A pick is a domain
    with a check, never a list of combinations: burying 8 of 28 cards is three million moves.
    `numbers`: the options are whole numbers that stand for nothing but themselves, as a bid does.
    A page asks for one of them in a row of small buttons under one label (`one_number`).
    """

    options: Choices = ()
    least: int = 0
    most: int = 0
    ordered: bool = False
    why_not: WhyNot | None = None
    numbers: bool = False

    def refusal(self, choices: Choices) -> IllegalMove | None:
        """Return why these cannot be chosen, as an IllegalMove that is not raised, or None."""
        if not choices and self.least == 1:
            return IllegalMove(say("Choose one first."))
        if not self.least <= len(choices) <= self.most:
            return IllegalMove(
                say("Choose {amount}, not {count}.", amount=self.amount(), count=len(choices))
            )
        strange: Choices
        if len(choices) == 1:
            strange = () if choices[0] in self.options else choices
        else:
            strange = tuple(Counter(choices) - Counter(self.options))
        if strange:
            return IllegalMove(
                say("{choice} cannot be chosen now.", choice=beginning(strange[0], TOLD))
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
        """Return how many may be chosen, in words: "exactly 8", "1 to 3", "nothing"."""
        if self.least == self.most:
            return say("exactly {count}", count=self.least) if self.least else say("nothing")
        return say("{least} to {most}", least=self.least, most=self.most)

    def legal(self) -> Iterator[Choices]:
        """Yield every legal selection, small ones first. Lazy: there may be millions."""
        arrange = permutations if self.ordered else combinations
        for size in range(self.least, self.most + 1):
            seen = set()
            for choices in arrange(self.options, size):
                if choices not in seen and self.refusal(choices) is None:
                    seen.add(choices)
                    yield choices

    def some(self, chance: Chance, most: int = SOME) -> Sequence[Choices]:
        """Return a few legal selections, drawn by chance; none only where nothing is legal."""
        if self.most <= 1:
            each: list[Choices] = [(option,) for option in chance.shuffled(self.options)]
            each = list(dict.fromkeys(each)) if self.most else []
            if self.least == 0:
                each.insert(0, ())
            return list(islice((it for it in each if self.refusal(it) is None), most))
        drawn = (self.random(chance) for _ in range(most))
        return list(dict.fromkeys(it for it in drawn if it is not None))

    def random(self, chance: Chance) -> Choices | None:
        """Return some legal selection, or None if there is none.

        Small picks are drawn uniformly; large ones by trial, so not all are equally likely.
        """
        if self.most == 1 and self.why_not is None and self.options:
            return (chance.one_of(self.options),) if self.least else self._one_or_none(chance)
        for _ in range(DRAWS):
            size = self.least + chance.below(min(self.most, len(self.options)) - self.least + 1)
            choices = tuple(chance.sample(self.options, size))
            if self.refusal(choices) is None:
                return choices
        some = list(islice(self.legal(), DRAWS))
        return chance.one_of(some) if some else None

    def _one_or_none(self, chance: Chance) -> Choices:
        index = chance.below(len(self.options) + 1)
        return (self.options[index],) if index < len(self.options) else ()


NOTHING = Pick()


def several_of(options: Sequence[str], count: int) -> Pick:
    """Return the pick of exactly so many of the options, in any order."""
    return Pick(tuple(options), count, count)


def one_of(options: Sequence[str], why_not: WhyNot | None = None) -> Pick:
    """Return the pick of exactly one of the options."""
    return Pick(tuple(options), 1, 1, why_not=why_not)


def one_number(least: int, most: int, why_not: WhyNot | None = None) -> Pick:
    """Return the pick of exactly one whole number from `least`, which is 0 or more, to `most`."""
    return Pick(tuple(map(str, range(least, most + 1))), 1, 1, why_not=why_not, numbers=True)
