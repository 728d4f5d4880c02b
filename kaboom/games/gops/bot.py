"""The GOPS bot: solves the round as a small game, and leans on the habits it sees.

No bid is best by itself, so the round is treated as a table: for each combination of bids, the
chance to win the match afterwards. Regret matching finds how often a careful player bids each card.
Past rounds show how a rival differs from that, and the bid is chosen between the two.
"""

from bisect import bisect
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import exp, sqrt

from msgspec import Struct

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.cards import Card
from kaboom.core.chance import Chance
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import Prompt, View
from kaboom.games.gops.rules import ROUNDS, VALUE

Values = tuple[int, ...]

SHARPNESS = 1.0  # how many steps between two cards make the higher one likely to win
TRIALS = 500  # steps of regret matching; fewer where three play, as each costs more
TRIALS_OF_THREE = 80
ANSWERS = 60  # samples of what the rivals may bid
DOUBT = 3  # after this many rounds a habit counts for half
EAGER = 40.0  # how strongly better bids are preferred against a habit
FINENESS = 1 << 24
A_GAME = sum(value * value for value in range(1, ROUNDS + 1))

PULL = [exp(value / SHARPNESS) for value in range(ROUNDS + 1)]


class Memory(Struct):
    """Nothing: all past bids are open on the table."""


class Table:
    """The round as a game between the seats: what each combination of bids is worth to each."""

    def __init__(self, view: View) -> None:
        facts = view.facts
        self.seats = range(len(facts["scores"]))
        self.hands = [values(view.zone("hand", seat).cards) for seat in self.seats]
        self.pot: int = facts["offer_points"]
        self.to_come = values(facts["to_come"])
        self.totals: list[int] = facts["totals"]
        games_left = facts["games"] - facts["game"]
        spread = sum(value * value for value in self.to_come) + games_left * A_GAME
        self.spread = max(1.0, sqrt(spread) / 2)  # how far the lead may still move
        self.worth = cache(self._worth)

    def _worth(self, bids: Values) -> list[float]:
        """Return each seat's chance to win the match when these are the bids."""
        points = [float(total) for total in self.totals]
        top = max(bids)
        tied = bids.count(top) > 1
        if not tied:
            points[bids.index(top)] += self.pot
        hands = [without(hand, bid) for hand, bid in zip(self.hands, bids, strict=True)]
        hopes = [0.0] * len(hands)
        for prize, *cards in zip(self.to_come, *hands, strict=True):
            pulls = [PULL[card] for card in cards]
            whole = sum(pulls)
            for seat, pull in enumerate(pulls):
                points[seat] += prize * pull / whole
                hopes[seat] += pull / whole
        if tied and self.to_come:
            for seat, hope in enumerate(hopes):
                points[seat] += self.pot * hope / len(self.to_come)
        return [self.chance_to_win(points, seat) for seat in self.seats]

    def chance_to_win(self, points: list[float], seat: Seat) -> float:
        best_rival = max(points[other] for other in self.seats if other != seat)
        lead = (points[seat] - best_rival) / self.spread
        return 1 / (1 + exp(-max(-30.0, min(30.0, 1.7 * lead))))

    def answer(self, bids: Values, seat: Seat) -> list[float]:
        """Return what each card of a seat is worth to it against these bids of the others."""
        before, after = bids[:seat], bids[seat + 1 :]
        return [self.worth((*before, card, *after))[seat] for card in self.hands[seat]]


def values(cards: Sequence[Card]) -> Values:
    return tuple(sorted(VALUE[card] for card in cards))


def without(hand: Values, bid: int) -> Values:
    place = hand.index(bid)
    return hand[:place] + hand[place + 1 :]


def drawn(weights: Sequence[float], chance: Chance) -> int:
    """Return an index, each with a probability given by its weight."""
    sums = list(accumulate(weights))
    return bisect(sums, sums[-1] * chance.below(FINENESS) / FINENESS)


def careful(table: Table, chance: Chance) -> list[list[float]]:
    """Return how often each seat bids each of its cards when all play carefully.

    Regret matching: again and again each seat draws a bid in proportion to how much it regrets not
    having made it before; the average of these proportions approaches an equilibrium.
    """
    regrets = [[0.0] * len(hand) for hand in table.hands]
    sums = [[0.0] * len(hand) for hand in table.hands]
    for _ in range(TRIALS if len(table.hands) == 2 else TRIALS_OF_THREE):
        now = [[max(0.0, regret) for regret in mine] for mine in regrets]
        now = [mine if any(mine) else [1.0] * len(mine) for mine in now]
        bids = tuple(hand[drawn(mine, chance)] for hand, mine in zip(table.hands, now, strict=True))
        for seat, bid in enumerate(bids):
            worths = table.answer(bids, seat)
            reached = worths[table.hands[seat].index(bid)]
            whole = sum(now[seat])
            regrets[seat] = [r + w - reached for r, w in zip(regrets[seat], worths, strict=True)]
            sums[seat] = [s + n / whole for s, n in zip(sums[seat], now[seat], strict=True)]
    return [[part / sum(mine) for part in mine] for mine in sums]


def expected(view: View, table: Table, mixes: list[list[float]], seat: Seat) -> list[float]:
    """Return how likely a rival bids each of its cards: careful play, bent by its habit so far.

    The habit is by how much its bids of this game were above or below the prize turned up.
    """
    hand, history = table.hands[seat], view.facts["history"]
    trust = len(history) / (len(history) + DOUBT)
    guess = [(1 - trust) * part for part in mixes[seat]]
    prize = VALUE[view.zone("offer").cards[-1]]
    for past in history:
        aim = prize + VALUE[past["bids"][seat]] - VALUE[past["prizes"][-1]]
        nearest = min(range(len(hand)), key=lambda place: abs(hand[place] - aim))
        guess[nearest] += trust / len(history)
    return guess


def choose(memory: Memory, view: View, prompt: Prompt, chance: Chance) -> Move | None:
    me = prompt.seat
    if prompt.offer("ready"):
        return Move(me, "ready")
    offer = prompt.offer("bid")
    if offer is None:
        return None
    table = Table(view)
    mixes = careful(table, chance)
    hopes = against(table, me, [expected(view, table, mixes, seat) for seat in table.seats], chance)
    best = max(hopes)
    weights = [
        (part + 0.01) * exp(EAGER * (hope - best))
        for part, hope in zip(mixes[me], hopes, strict=True)
    ]
    value = table.hands[me][drawn(weights, chance)]
    card = next(card for card in offer.options if VALUE[card] == value)
    return Move(me, "bid", (card,))


def against(table: Table, me: Seat, guesses: list[list[float]], chance: Chance) -> list[float]:
    """Return what each of my cards is worth against such rivals."""
    hopes = [0.0] * len(table.hands[me])
    rivals = [seat for seat in table.seats if seat != me]
    bids = [hand[0] for hand in table.hands]
    for _ in range(ANSWERS):
        for seat in rivals:
            bids[seat] = table.hands[seat][drawn(guesses[seat], chance)]
        hopes = [h + w / ANSWERS for h, w in zip(hopes, table.answer(tuple(bids), me), strict=True)]
    return hopes


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Nothing needs to be remembered."""


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return what the bot would do."""
    return sure(choose(memory, view, prompt, chance))


BOT = Bot(Memory, notice, weigh)
