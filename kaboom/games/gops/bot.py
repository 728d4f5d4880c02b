"""The GOPS bot: plays carefully, and exploits its rivals' habits as far as it can afford to.

No single bid is best, so a round is a matrix game: each pair of bids has a value that includes the
rest of the game (`values`, at the end `ends`). Careful play of this game cannot be exploited, but
gains little itself. So the bot estimates the rival's habit, and shifts its bids towards the best
response.

A bot that deviates can be exploited in turn. So it computes the most that the deviation may cost,
and risks no more than a few points and what the rival's own mistakes have lost so far. Even a rival
who knows the bot gains no more than those few points.
"""

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import fsum
from typing import NamedTuple

from msgspec import Struct

from kaboom.engine.bots.bot import Bot, Level, Thought, best_first, sure
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import Prompt, Saying, View
from kaboom.games.gops.careful import Mix, careful, shares
from kaboom.games.gops.ends import against, worth_of
from kaboom.games.gops.habits import (
    BEFOREHAND,
    HABITS,
    Bidding,
    biddings,
    expected,
    fits,
    revised,
    values,
)
from kaboom.games.gops.rules import VALUE

CARE = 0.3  # assumed rate of the rival's best counter-bids when bending
SPARE = 3.0  # points that may be lost to a rival who predicts the bot
AT_ONCE = 0.5  # share of the spare points that is risked per round
FINENESS = 1 << 24
SLIP = 2.0  # points
# The largest error, in ranks, of a beginner and of a player who bids by eye.
MISSES = {Level.EASY: 4, Level.NORMAL: 1}
SELDOM = 0.02  # share of a mix; a bid that would be rarer is never made
KEPT = 2048  # cached plans; each is a few numbers

# What must hold before a reason is given.
A_HABIT = 0.5
SEEN = 3  # rounds
LIKELY = 0.5
ALWAYS = 0.95
NEARLY = 0.5  # points too few to matter


class Memory(Struct):
    """Nothing needs to be remembered, because all past bids are open on the table."""


Seen = tuple[Bidding, int]  # a finished round and the rival's bid


class Plan(NamedTuple):
    """A bot's bids against one rival. All sequences are in ascending order of the cards in hand."""

    bidding: Bidding
    belief: dict[str, float]  # probability of each habit of the rival
    rival: Mix  # probability of each of the rival's bids
    mix: Mix  # probability of each of the bot's bids
    worths: list[float]  # value of each bid against this rival, in points at the end
    value: float  # value of the round to the bot if both play carefully
    spare: float  # points the bot can afford to lose
    brings: list[float]  # value of the mix against each of the rival's bids
    steady: Mix  # probability of each bid in careful play, whatever the rival's habits


def planned(view: View, me: Seat) -> Plan:
    """Return a hard bot's plan for this seat in a game of two."""
    *past, now = biddings(view, me)
    bids = [VALUE[played["bids"][1 - me]] for played in view.facts["history"]]
    return plan(tuple(zip(past, bids, strict=True)), now)


@lru_cache(maxsize=KEPT)
def plan(past: tuple[Seen, ...], now: Bidding) -> Plan:
    """Return a hard bot's plan after these rounds of the game."""
    belief, spare = dict(BEFOREHAND), SPARE
    if past:
        *earlier, (last, bid) = past
        before = plan(tuple(earlier), last)
        belief = revised(before.belief, last, bid)
        # What the rival lost by this bid, compared with careful play, can be risked later.
        spare = before.spare + before.brings[last.theirs.index(bid)] - before.value
    rival = expected(now, belief)
    table = now.worths()
    worths = [fsum(w * likely for w, likely in zip(row, rival, strict=True)) for row in table]
    steady = careful(table)[0]
    value = worth_of(steady, table)
    mix = bent(table, worths, steady, value - AT_ONCE * max(0.0, spare))
    mix = without_rare(mix)
    brings = against(mix, table)
    return Plan(now, belief, rival, mix, worths, value, spare, brings, without_rare(steady))


def bent(table: list[list[float]], worths: Sequence[float], steady: Mix, least: float) -> Mix:
    """Return a mix that leans towards the most valuable bids but still guarantees the minimum."""
    leaning = [
        [CARE * entry + (1 - CARE) * worth for entry in row]
        for row, worth in zip(table, worths, strict=True)
    ]
    bold = careful(leaning)[0]
    surely, at_worst = worth_of(steady, table), worth_of(bold, table)
    if at_worst >= least:
        return bold
    share = max(0.0, (surely - least) / (surely - at_worst))
    return [share * one + (1 - share) * other for one, other in zip(bold, steady, strict=True)]


def without_rare(mix: Mix) -> Mix:
    """Return the bids of a mix, except those too rare for a reason to state their frequency."""
    return shares([share if share >= SELDOM else 0.0 for share in mix])


def drawn(weights: Sequence[float], rng: Rng) -> int:
    """Return a random index; the weights are the probabilities."""
    sums = list(accumulate(weights))
    return bisect(sums, sums[-1] * rng.randrange(FINENESS) / FINENESS)


def weigh(
    memory: Memory,
    view: View,
    prompt: Prompt,
    rng: Rng,
    level: Level,
    steadily: bool = False,
) -> Sequence[Thought]:
    """Return the bids: the drawn one first, then the others by value. With `steadily`, the habits
    of a lone rival are ignored.
    """
    offer = prompt.offer("bid")
    if offer is None:
        return sure(Move(prompt.seat, "ready")) if prompt.offer("ready") else []
    cards = sorted(offer.options, key=VALUE.__getitem__)
    if len(cards) == 1:
        return sure(Move(prompt.seat, "bid", (cards[0],)))
    if level in MISSES:
        bid, worths, reasons = by_rank(view, cards, rng, MISSES[level])
    elif len(view.facts["scores"]) > 2:
        from kaboom.games.gops.three import among_three  # also imports numpy

        mix, worths = among_three(view, prompt.seat, CARE)
        bid = drawn(mix, rng)
        reasons = [varied_of_three(card, share) for card, share in zip(cards, mix, strict=True)]
    else:
        how = planned(view, prompt.seat)
        mix = how.steady if steadily else how.mix
        bid = drawn(mix, rng)
        worths = how.worths
        reasons = [reason(view, how, place, card) for place, card in enumerate(cards)]
    thoughts = [
        Thought(Move(prompt.seat, "bid", (card,)), worth, why)
        for card, worth, why in zip(cards, worths, reasons, strict=True)
    ]
    first = thoughts.pop(bid)
    return [first, *best_first(thoughts)]


def by_rank(
    view: View, cards: Sequence[Card], rng: Rng, misses: int
) -> tuple[int, list[float], list[Saying]]:
    """Return the index of the card that a player bids by eye, with each card's value and reason.

    The bid has the same rank among the cards as the prize among the prizes, or one more if there is
    a pot, with a random error of up to `misses` ranks. A value is the negative distance from the
    rank without that error, so its unit is only roughly a point.
    """
    prizes = values(view.facts["to_come"])
    offer = view.zone("offer").cards
    aim = sum(value < VALUE[offer[-1]] for value in prizes) + (len(offer) > 1)
    last = len(cards) - 1
    bid = max(0, min(last, aim + rng.randrange(2 * misses + 1) - misses))
    worths = [-float(abs(place - aim)) for place in range(len(cards))]
    reasons = [
        Saying("think.rank" if abs(min(aim, last) - place) <= 1 else "think.guess", {"card": card})
        for place, card in enumerate(cards)
    ]
    return bid, worths, reasons


# Reasons for a card


def reason(view: View, how: Plan, place: int, card: Card) -> Saying:
    """Return the reason for bidding the card at this place in the hand, against one rival."""
    value, theirs = how.bidding.mine[place], how.bidding.theirs
    hand = next(zone for zone in view.zones_named("hand") if zone.owner != view.viewer)
    facts = {"card": card, "rival": hand.owner}
    if value > theirs[-1]:
        return Saying("think.certain", facts | {"points": how.bidding.stake})
    habit = max(how.belief, key=how.belief.__getitem__)
    if how.belief[habit] < A_HABIT or not how.mix[place] or not mostly_so(view, how, habit):
        return varied(how, place, card)
    if habit == "random":
        best = how.worths[place] == max(how.worths)
        return Saying("think.random", facts) if best else varied(how, place, card)
    guess = max(range(len(theirs)), key=how.rival.__getitem__)
    kind = answered(how.bidding, value, theirs[guess])
    if how.rival[guess] < LIKELY or not kind:
        return varied(how, place, card)
    likely = sorted(hand.cards, key=VALUE.__getitem__)[guess]
    return Saying(kind, facts | {"habit": habit, "likely": likely})


def mostly_so(view: View, how: Plan, habit: str) -> bool:
    """Return True if a rival has bid by this habit in more than half of at least SEEN rounds. It is
    never True for “careful”.
    """
    if habit not in HABITS or habit == "careful":
        return False
    *past, _ = biddings(view, view.viewer or 0)
    bids = [VALUE[each["bids"][1 - (view.viewer or 0)]] for each in view.facts["history"]]
    found = [fits(habit, then, bid) for then, bid in zip(past, bids, strict=True)]
    return len(found) >= SEEN and 2 * sum(found) > len(found)


def answered(bidding: Bidding, value: int, likely: int) -> str | None:
    """Return the sentence for bidding `value` when the rival probably bids `likely`, or None."""
    mine = bidding.mine
    if value > likely:
        cheapest = not any(likely < other < value for other in mine)
        return "think.beats" if cheapest else "think.tops"
    if value == likely:
        return "think.ties"
    if value == mine[0]:
        return "think.lowest"
    return "think.yields" if value > bidding.theirs[0] else None


def varied(how: Plan, place: int, card: Card) -> Saying:
    """Return the sentence about how often a card is bid in a round like this, or about how good it
    looks.
    """
    share, worth, best = how.mix[place], how.worths[place], max(how.worths)
    often = round(100 * share)
    if share >= ALWAYS and worth == best:
        return Saying("think.best", {"card": card})
    if often:
        return Saying("think.varies", {"card": card, "often": often})
    if best - worth <= NEARLY:
        return Saying("think.near", {"card": card})
    return Saying("think.worse", {"card": card, "more": max(1, round(best - worth))})


def varied_of_three(card: Card, share: float) -> Saying:
    """Return the sentence about how often a card is bid in a round like this with three players."""
    often = round(100 * share)
    kind, facts = ("varies", {"often": often}) if often else ("seldom", {})
    return Saying(f"think.{kind}", {"card": card, **facts})


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Do nothing: there is nothing to remember."""


def prepare() -> None:
    """Load numpy and the value nets."""
    from kaboom.games.gops import three
    from kaboom.games.gops.values import nets

    assert nets() and three


BOT = Bot(Memory, notice, weigh, bound=SLIP, prepare=prepare)
