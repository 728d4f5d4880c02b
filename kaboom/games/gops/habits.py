"""A model of a GOPS rival: past bids indicate a habit, and the habit predicts the next bid."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import exp, fsum
from typing import NamedTuple

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import View
from kaboom.games.gops import ends
from kaboom.games.gops.careful import Mix, careful, only
from kaboom.games.gops.ends import Values
from kaboom.games.gops.rules import ROUNDS, VALUE

ASTRAY = 0.1  # rate at which a player with a habit bids some other card
ROUGHLY = 1.3  # error, in ranks, of a player who bids by rank
FORGETTING = 0.02  # share of the evidence that is discarded each round, because habits change
DIGITS = 12  # decimal places that all C libraries agree on
KEPT = 4096  # cached rounds; each is a few numbers


class Bidding(NamedTuple):
    """A round of two players before the bids: both hands, as card values, and the stake."""

    mine: Values
    theirs: Values
    prizes: Values  # still face down
    prize: int  # the last one turned up
    stake: int  # the points on offer

    @property
    def rank(self) -> int:
        """Return the number of remaining prizes below the one turned up."""
        return sum(value < self.prize for value in self.prizes)

    def mirrored(self) -> "Bidding":
        """Return the round as the rival sees it."""
        return self._replace(mine=self.theirs, theirs=self.mine)

    def worths(self) -> list[list[float]]:
        """Return the value of each pair of bids to the holder of `mine`, by that player's and the
        rival's card.
        """
        if len(self.prizes) <= ends.MOST:
            return ends.after(self.mine, self.theirs, self.prizes, self.stake)
        from kaboom.games.gops.values import after  # imports numpy, only when needed

        return after(self.mine, self.theirs, self.prizes, self.stake)


def biddings(view: View, me: Seat) -> list[Bidding]:
    """Return the rounds of this game as seen from a seat; the current one is last."""
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
    """Return the bid frequencies of a careful rival."""
    return careful(bidding.worths())[1]


# Habits: the probability of each card for a rival with that habit. The game's words name them.


def mostly(place: int, count: int) -> Mix:
    return [ASTRAY / count + (1 - ASTRAY) * share for share in only(place, count)]


def at_random(bidding: Bidding) -> Mix:
    return [1 / len(bidding.theirs)] * len(bidding.theirs)


def the_prize(bidding: Bidding) -> Mix:
    """Bid the card nearest to the prize, the lower one of two."""
    hand = bidding.theirs
    return mostly(min(range(len(hand)), key=lambda n: abs(hand[n] - bidding.prize)), len(hand))


def the_stake(bidding: Bidding) -> Mix:
    """Bid the lowest card at least as high as the total stake."""
    high = [place for place, card in enumerate(bidding.theirs) if card >= bidding.stake]
    return mostly(high[0] if high else len(bidding.theirs) - 1, len(bidding.theirs))


def the_rank(bidding: Bidding) -> Mix:
    """Bid a card with about the same rank among the remaining cards as the prize among the
    prizes.
    """
    count = len(bidding.theirs)
    weights = [near_by(place - bidding.rank) for place in range(count)]
    whole = fsum(weights)
    return [ASTRAY / count + (1 - ASTRAY) * weight / whole for weight in weights]


@cache
def near_by(ranks: int) -> float:
    """Return the relative weight of a card that many ranks away, by the normal curve.

    The last digits of `exp` depend on the C library, so they are rounded off.
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


def revised(belief: dict[str, float], bidding: Bidding, bid: int) -> dict[str, float]:
    """Return the probabilities of the habits after one more round, with this bid by the rival."""
    place = bidding.theirs.index(bid)
    told = {name: share * HABITS[name](bidding)[place] for name, share in belief.items()}
    whole = fsum(told.values())
    return {
        name: (1 - FORGETTING) * share / whole + FORGETTING / len(told)
        for name, share in told.items()
    }


def fits(habit: str, bidding: Bidding, bid: int) -> bool:
    """Return True if this habit makes this bid at least half as often as its most frequent one."""
    likely = HABITS[habit](bidding)
    return likely[bidding.theirs.index(bid)] >= max(likely) / 2


def expected(bidding: Bidding, belief: dict[str, float]) -> Mix:
    """Return the bid probabilities of a rival with these habit probabilities."""
    mixes = [[share * part for part in HABITS[name](bidding)] for name, share in belief.items()]
    return [fsum(parts) for parts in zip(*mixes, strict=True)]
