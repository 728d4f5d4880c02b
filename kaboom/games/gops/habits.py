"""What a rival of GOPS is likely to bid: past bids tell which habit, and a habit tells the next."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import exp, fsum
from typing import NamedTuple

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import View
from kaboom.games.gops.careful import Mix, careful, only
from kaboom.games.gops.rules import ROUNDS, VALUE

Values = tuple[int, ...]  # ascending

ASTRAY = 0.1  # how often somebody with a habit bids anything else
ROUGHLY = 1.3  # by how many ranks one misses who bids by rank
FORGETTING = 0.02  # habits change: so much of what was learnt is given up each round
DIGITS = 12  # after the point; those that every C library agrees on
KEPT = 4096  # rounds solved before; each has a few numbers


class Bidding(NamedTuple):
    """A round of two players before the bids: what both hold, as values, and what is at stake."""

    mine: Values
    theirs: Values
    prizes: Values  # still face down
    prize: int  # the last one turned up
    stake: int  # the points on offer

    @property
    def rank(self) -> int:
        """Return how many of the prizes left are lower than the one turned up."""
        return sum(value < self.prize for value in self.prizes)

    def mirrored(self) -> "Bidding":
        """Return the round as the rival sees it."""
        return self._replace(mine=self.theirs, theirs=self.mine)

    def worths(self) -> list[list[float]]:
        """Return what each pair of bids is worth to me, a row for each of my cards."""
        from kaboom.games.gops.values import after  # it brings numpy, only when wanted

        return after(self.mine, self.theirs, self.prizes, self.stake)


def biddings(view: View, me: Seat) -> list[Bidding]:
    """Return the rounds of this game as seen from a seat, the one to bid for last."""
    rival = 1 - me
    mine, theirs, prizes = (tuple(range(1, ROUNDS + 1)) for _ in range(3))
    found = []
    for past in view.facts["history"]:
        prize = VALUE[past["prizes"][-1]]
        prizes = without(prizes, prize)
        found.append(Bidding(mine, theirs, prizes, prize, past["points"]))
        mine = without(mine, VALUE[past["bids"][me]])
        theirs = without(theirs, VALUE[past["bids"][rival]])
    mine, theirs = (values(view.zone("hand", seat).cards) for seat in (me, rival))
    prize = VALUE[view.zone("offer").cards[-1]]
    to_come = values(view.facts["to_come"])
    return [*found, Bidding(mine, theirs, to_come, prize, view.facts["offer_points"])]


def values(cards: Sequence[Card]) -> Values:
    return tuple(sorted(VALUE[card] for card in cards))


def without(held: Values, value: int) -> Values:
    place = held.index(value)
    return held[:place] + held[place + 1 :]


@lru_cache(maxsize=KEPT)
def careful_bids(bidding: Bidding) -> Mix:
    """Return how often a careful rival bids each card."""
    return careful(bidding.worths())[1]


# Habits: how likely a rival who has one bids each card. They have names in the game's words.


def mostly(place: int, count: int) -> Mix:
    return [ASTRAY / count + (1 - ASTRAY) * share for share in only(place, count)]


def at_random(bidding: Bidding) -> Mix:
    return [1 / len(bidding.theirs)] * len(bidding.theirs)


def the_prize(bidding: Bidding) -> Mix:
    """The card nearest to the prize, the lower of two."""
    hand = bidding.theirs
    return mostly(min(range(len(hand)), key=lambda n: abs(hand[n] - bidding.prize)), len(hand))


def the_stake(bidding: Bidding) -> Mix:
    """The lowest card that is as high as all that is on offer."""
    high = [place for place, card in enumerate(bidding.theirs) if card >= bidding.stake]
    return mostly(high[0] if high else len(bidding.theirs) - 1, len(bidding.theirs))


def the_rank(bidding: Bidding) -> Mix:
    """About as high among the cards left as the prize is among the prizes left."""
    count = len(bidding.theirs)
    weights = [near_by(place - bidding.rank) for place in range(count)]
    whole = fsum(weights)
    return [ASTRAY / count + (1 - ASTRAY) * weight / whole for weight in weights]


@cache
def near_by(ranks: int) -> float:
    """Return how much likelier a card so many ranks away is than others, by the normal curve.

    The last digits of `exp` are the C library's; they are left out.
    """
    away = ranks / ROUGHLY
    return round(exp(-away * away / 2), DIGITS)


def with_care(bidding: Bidding) -> Mix:
    count = len(bidding.theirs)
    return [ASTRAY / 2 / count + (1 - ASTRAY / 2) * share for share in careful_bids(bidding)]


HABITS: dict[str, Callable[[Bidding], Mix]] = {
    "careful": with_care,
    "random": at_random,
    "prize": the_prize,
    "stake": the_stake,
    "rank": the_rank,
}
BEFOREHAND = {"careful": 0.35, "random": 0.2, "prize": 0.15, "stake": 0.15, "rank": 0.15}


def believed(seen: Sequence[tuple[Bidding, int]]) -> dict[str, float]:
    """Return how likely each habit is after these rounds, each with what the rival bid."""
    belief = dict(BEFOREHAND)
    for bidding, bid in seen:
        place = bidding.theirs.index(bid)
        told = {name: share * HABITS[name](bidding)[place] for name, share in belief.items()}
        whole = fsum(told.values())
        belief = {
            name: (1 - FORGETTING) * share / whole + FORGETTING / len(told)
            for name, share in told.items()
        }
    return belief


def expected(bidding: Bidding, belief: dict[str, float]) -> Mix:
    """Return how likely a rival believed to have these habits bids each card."""
    mixes = [[share * part for part in HABITS[name](bidding)] for name, share in belief.items()]
    return [fsum(parts) for parts in zip(*mixes, strict=True)]
