"""Simple TakeN players, and a population of rivals. All but the first take the cheapest row."""

from bisect import bisect
from collections.abc import Callable, Mapping
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, View
from kaboom.games.taken.bot import Table
from kaboom.games.taken.memory import Memory, notice
from kaboom.games.taken.risks import gap
from kaboom.games.taken.rules import HIGHEST, POINTS, cheapest_row
from tests.baseline_bots import any_option
from tests.baseline_bots.population import Idea


def choosing(card: Callable[[Table], int]) -> Bot[Memory]:
    """Return a player who chooses cards with this function."""
    return drawing(lambda table, rng: card(table))


def drawing(card: Callable[[Table, Rng], int]) -> Bot[Memory]:
    """Return a player who chooses cards with this function, which may use randomness."""

    def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
        table = Table(view)
        if prompt.offer("choose"):
            return sure(Move(prompt.seat, "choose", (str(card(table, rng)),)))
        if prompt.offer("take"):
            return sure(Move(prompt.seat, "take", (str(cheapest_row(table.laid)),)))
        return sure(Move(prompt.seat, "ready"))

    return Bot(Memory, notice, weigh)


def nearest(table: Table) -> int:
    """Return the card nearest above the end of a row with room."""
    return min(table.hand, key=lambda card: gap(table.rows, card))


def safest(table: Table) -> int:
    """Return the card with the lowest expected cost in this round, one step ahead."""
    costs = table.costs()
    return table.hand[costs.index(min(costs))]


ANYTHING = Bot(Memory, notice, any_option)
NEAREST_FIT = choosing(nearest)
HIGHEST_CARD = choosing(lambda table: table.hand[-1])
ONE_STEP_RISK = choosing(safest)


# The population. Each player has its own weights and tie-breaking, and sometimes errs.

TIES: Mapping[str, Callable[[Table, int, Rng], float]] = {
    "low": lambda table, card, rng: card,
    "high": lambda table, card, rng: -card,
    "near": lambda table, card, rng: gap(table.rows, card),
    "points": lambda table, card, rng: -POINTS[card],
    "any": lambda table, card, rng: rng.randrange(HIGHEST),
}
SLIPS = (0, 0, 5, 10, 20)  # percentages of cards
TIE = 1e-6


def least(
    value: Callable[[Table, int], float], tie: str, slips: int
) -> Callable[[Table, Rng], int]:
    """Return a player of the least valuable card, apart from occasional errors."""

    def card(table: Table, rng: Rng) -> int:
        if rng.randrange(100) < slips:
            return rng.choice(table.hand)
        worths = [value(table, it) + TIE * TIES[tie](table, it, rng) for it in table.hand]
        return table.hand[worths.index(min(worths))]

    return card


def by_lot(draw: Random) -> Bot[Memory]:
    """Play a random card. Some pick the lowest or highest of a few."""
    seen, high = draw.choice((1, 1, 1, 2)), draw.random() < 0.5

    def card(table: Table, rng: Rng) -> int:
        some = rng.sample(table.hand, min(seen, len(table.hand)))
        return max(some) if high else min(some)

    return drawing(card)


def by_eye(draw: Random) -> Bot[Memory]:
    """Play the card nearest to a row's end, avoiding full rows; some prefer low or high cards."""
    fear, tilt = draw.choice((0, 2, 5, 10)), draw.choice((-20, 0, 0, 10))

    def value(table: Table, card: int) -> float:
        row = bisect(table.rows.ends, card) - 1
        size = table.rows.sizes[row] if row >= 0 else 0
        return gap(table.rows, card) + fear * size + tilt * card / HIGHEST

    return drawing(least(value, draw.choice((*TIES,)), draw.choice(SLIPS)))


def by_risk(draw: Random) -> Bot[Memory]:
    """Minimise the estimated cost of this round, with weights for free places and for low or high
    cards.
    """
    place, tilt = draw.choice((-1.7, -1.2, 0, 1.3)), draw.choice((-3, -1, 0, 0, 0, 1))
    below = draw.choice((0.7, 1, 1, 1.5))  # penalty for taking a row with a low card

    def value(table: Table, card: int) -> float:
        lines = table.risks.lines(table.rows)
        row = bisect(table.rows.ends, card) - 1
        cost = table.risks.costs(table.rows, lines, [card])[0] * (below if row < 0 else 1)
        if row >= 0 and lines[row + 1][2]:  # weight of the free places
            free = table.rows.full - table.rows.sizes[row]
            cost *= 1 + place * free / lines[row + 1][2]
        return cost + tilt * card / HIGHEST

    return drawing(least(value, draw.choice((*TIES,)), draw.choice(SLIPS)))


def by_search(draw: Random) -> Bot[Memory]:
    """Play the best card of a few imagined deals that are continued at random."""
    deals, envy = draw.choice((2, 4, 8, 12)), draw.choice((0, 0.5, 1))

    def value(table: Table, card: int) -> float:
        quick, total = Random(card * 1000 + len(table.unseen)), 0.0
        size = len(table.hand)
        left = [it for it in table.hand if it != card]
        for _ in range(deals):
            cards = quick.sample(table.unseen, size * table.rivals)
            mine = [card, *quick.sample(left, len(left))]
            rows = table.rows.copy()
            for number, it in enumerate(mine):
                theirs = cards[number * table.rivals : (number + 1) * table.rivals]
                own, others = rows.place(sorted([it, *theirs]), it)
                total += own - envy * others / table.rivals
        return total / deals

    return drawing(least(value, draw.choice((*TIES,)), draw.choice(SLIPS)))


IDEAS: Mapping[str, Idea] = {
    "random": by_lot,
    "eye": by_eye,
    "risk": by_risk,
    "search": by_search,
}
