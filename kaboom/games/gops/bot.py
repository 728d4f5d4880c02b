"""The GOPS bot: plays carefully, and leans on the habits it sees.

No bid is best by itself, so the round is a table: what each pair of bids is worth, now and in all
that follows (`values`). Careful play of that table cannot be taken advantage of, but takes little
advantage itself. So the bot forms a belief of what the rival's habit is, and answers a rival who
follows it most of the time and is careful else: the less careful, the stronger the level.
"""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum

from msgspec import Struct

from kaboom.engine.bots.bot import Bot, Level, Thought, best_first, sure
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import Prompt, Saying, View
from kaboom.games.gops.careful import Mix, careful
from kaboom.games.gops.habits import Bidding, believed, biddings, expected, values
from kaboom.games.gops.rules import VALUE

CARE = {Level.NORMAL: 0.6, Level.HARD: 0.3}  # how often the rival may do what hurts most
FINENESS = 1 << 24
SLIP = 2.0  # points

# What a reason needs to say that something is so.
A_HABIT = 0.5
LIKELY = 0.4
ALWAYS = 0.95


class Memory(Struct):
    """Nothing: all past bids are open on the table."""


@dataclass(frozen=True)
class Plan:
    """How a bot bids against one rival; everything is by place in a hand in ascending order."""

    bidding: Bidding
    belief: dict[str, float]  # how likely the rival has each habit
    rival: Mix  # how likely the rival bids each card
    mix: Mix  # how often the bot bids each card
    worths: list[float]  # of each bid against this rival, in points at the end


def planned(view: View, me: Seat, level: Level) -> Plan:
    """Return how a bot of this level, which is not easy, bids in this seat of two."""
    *past, now = biddings(view, me)
    bids = [VALUE[played["bids"][1 - me]] for played in view.facts["history"]]
    belief = believed(list(zip(past, bids, strict=True)))
    rival = expected(now, belief)
    table = now.worths()
    worths = [fsum(w * likely for w, likely in zip(row, rival, strict=True)) for row in table]
    care = CARE[level]
    leaning = [
        [care * entry + (1 - care) * worth for entry in row]
        for row, worth in zip(table, worths, strict=True)
    ]
    return Plan(now, belief, rival, careful(leaning)[0], worths)


def drawn(weights: Sequence[float], chance: Chance) -> int:
    """Return an index, each with a probability given by its weight."""
    sums = list(accumulate(weights))
    return bisect(sums, sums[-1] * chance.below(FINENESS) / FINENESS)


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return the bids, first the one drawn, then the others by their worth."""
    offer = prompt.offer("bid")
    if offer is None:
        return sure(Move(prompt.seat, "ready")) if prompt.offer("ready") else []
    cards = sorted(offer.options, key=VALUE.__getitem__)
    if len(cards) == 1:
        return sure(Move(prompt.seat, "bid", (cards[0],)))
    if level is Level.EASY:
        bid, worths, reasons = by_rank(view, cards, chance)
    elif len(view.facts["scores"]) > 2:
        from kaboom.games.gops.three import among_three  # brings numpy, too

        mix, worths = among_three(view, prompt.seat, CARE[level])
        bid, reasons = drawn(mix, chance), [varied(c, m) for c, m in zip(cards, mix, strict=True)]
    else:
        plan = planned(view, prompt.seat, level)
        bid, worths = drawn(plan.mix, chance), plan.worths
        reasons = [reason(view, plan, place, card) for place, card in enumerate(cards)]
    thoughts = [
        Thought(Move(prompt.seat, "bid", (card,)), worth, why)
        for card, worth, why in zip(cards, worths, reasons, strict=True)
    ]
    first = thoughts.pop(bid)
    return [first, *best_first(thoughts)]


def by_rank(
    view: View, cards: Sequence[Card], chance: Chance
) -> tuple[int, list[float], list[Saying]]:
    """Return the bid of a beginner, with the worth of each card and its reason.

    It is about as high among the cards as the prize is among the prizes, one more for a pot. The
    worth is how near a card is to that; its unit is only about a point.
    """
    prizes = values(view.facts["to_come"])
    offer = view.zone("offer").cards
    aim = sum(value < VALUE[offer[-1]] for value in prizes) + (len(offer) > 1)
    last = len(cards) - 1
    bid = max(0, min(last, aim + chance.below(3) - 1))
    worths = [-float(abs(place - aim)) for place in range(len(cards))]
    return bid, worths, [Saying("think.rank", {"card": card}) for card in cards]


# Why a card


def reason(view: View, plan: Plan, place: int, card: Card) -> Saying:
    """Say why a card, which has this place in the hand, is bid against one rival."""
    value, theirs = plan.bidding.mine[place], plan.bidding.theirs
    hand = next(zone for zone in view.zones_named("hand") if zone.owner != view.viewer)
    facts = {"card": card, "rival": hand.owner}
    if value > theirs[-1]:
        return Saying("think.certain", facts | {"points": plan.bidding.stake})
    habit = max(plan.belief, key=plan.belief.__getitem__)
    if plan.belief[habit] < A_HABIT or habit == "careful" or not plan.mix[place]:
        return varied(card, plan.mix[place])
    if habit == "random":
        best = plan.worths[place] == max(plan.worths)
        return Saying("think.random", facts) if best else varied(card, plan.mix[place])
    guess = max(range(len(theirs)), key=plan.rival.__getitem__)
    if plan.rival[guess] < LIKELY:
        return varied(card, plan.mix[place])
    likely = sorted(hand.cards, key=VALUE.__getitem__)[guess]
    kind = answered(plan.bidding.mine, value, theirs[guess])
    return Saying(kind, facts | {"habit": habit, "likely": likely})


def answered(mine: Sequence[int], value: int, likely: int) -> str:
    """Return the sentence for a bid of this value when this bid is likely."""
    if value > likely:
        cheapest = not any(likely < other < value for other in mine)
        return "think.beats" if cheapest else "think.tops"
    if value == likely:
        return "think.ties"
    return "think.lowest" if value == mine[0] else "think.yields"


def varied(card: Card, share: float) -> Saying:
    """Say how often a card is bid in such a round."""
    if share >= ALWAYS:
        return Saying("think.best", {"card": card})
    often = round(100 * share)
    return Saying("think.varies", {"card": card, "often": often}) if often else near(card)


def near(card: Card) -> Saying:
    return Saying("think.near", {"card": card})


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Nothing needs to be remembered."""


BOT = Bot(Memory, notice, weigh, bound=SLIP)
