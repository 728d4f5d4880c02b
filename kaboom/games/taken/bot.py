"""The TakeN bot: tries each card in many imagined deals and plays the least costly.

An imagined deal gives the others any cards the bot has not seen. In this round most of them play
the card that fits closest, as people do; after it everybody plays at random for a while. What
counts is how many more points the bot's seat takes than the others do.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.cards import Card
from kaboom.core.chance import Chance
from kaboom.core.moves import Move
from kaboom.core.play import Event
from kaboom.core.views import Prompt, View
from kaboom.games.taken.rules import HIGHEST, POINTS, cost

EFFORT = 6000  # imagined cards placed for one decision; a few milliseconds
DEPTH = 2  # rounds played out; what comes later is noise
LEAST_DEALS = 12
SENSIBLE = 70  # times in 100 that a rival is assumed to play the card that fits closest


class Memory(Struct):
    """Nothing: all that was played in this game is open."""


class Rows:
    """What matters of the rows: last card, number of cards and points of each."""

    __slots__ = ("ends", "points", "sizes")

    def __init__(self, ends: list[int], sizes: list[int], points: list[int]) -> None:
        self.ends = ends
        self.sizes = sizes
        self.points = points

    @classmethod
    def of(cls, rows: Iterable[list[int]]) -> "Rows":
        rows = list(rows)
        return cls([row[-1] for row in rows], [len(row) for row in rows], [cost(r) for r in rows])

    def copy(self) -> "Rows":
        return Rows(self.ends.copy(), self.sizes.copy(), self.points.copy())

    def row_for(self, card: int) -> int:
        """Return the row where a card belongs, or -1 when it is below all rows."""
        best, end = -1, 0
        for row, last in enumerate(self.ends):
            if end < last < card:
                best, end = row, last
        return best

    def gap(self, card: int, row_size: int) -> int:
        """Return how far a card is from its row; a row it would take counts as farthest."""
        row = self.row_for(card)
        if row < 0 or self.sizes[row] == row_size:
            return HIGHEST
        return card - self.ends[row]

    def place(self, card: int, row_size: int) -> int:
        """Place a card and return the points it takes; below all rows it takes the cheapest."""
        best = self.row_for(card)
        if best < 0:
            return self.start_anew(self.points.index(min(self.points)), card)
        if self.sizes[best] == row_size:
            return self.start_anew(best, card)
        self.ends[best] = card
        self.sizes[best] += 1
        self.points[best] += POINTS[card]
        return 0

    def start_anew(self, row: int, card: int) -> int:
        """Give the row away for this card and return its points."""
        taken = self.points[row]
        self.ends[row], self.sizes[row], self.points[row] = card, 1, POINTS[card]
        return taken


class Table:
    """What the bot's seat sees of the table, as numbers."""

    def __init__(self, view: View) -> None:
        facts = view.facts
        me = view.viewer
        self.rows = Rows.of(numbers(zone.cards) for zone in view.zones_named("row"))
        self.row_size: int = facts["row_size"]
        self.hand = numbers(view.zone("hand", me).cards) if me is not None else []
        self.queue = [int(played["card"]) for played in facts["queue"]]
        others = [zone for zone in view.zones_named("hand") if zone.owner != me]
        self.rivals = len(others)
        seen = {int(card) for zone in view.zones for card in zone.cards if card.isdigit()}
        seen |= set(self.queue)
        self.unseen = [card for card in range(1, facts["highest"] + 1) if card not in seen]

    def others(self, depth: int, chance: Chance) -> list[int]:
        """Return what the others play in an imagined deal, round after round."""
        size = len(self.hand)
        unseen = drawn(self.unseen, self.rivals * size, chance)
        hands = [unseen[start : start + size] for start in range(0, len(unseen), size)]
        for hand in hands:
            if chance.below(100) < SENSIBLE:
                hand.sort(key=lambda card: self.rows.gap(card, self.row_size))
        return [hand[number] for number in range(depth) for hand in hands]

    def deals(self, choices: int) -> int:
        """Return how many deals can be imagined for each of this many choices."""
        placed = (self.rivals + 1) * min(DEPTH, max(1, len(self.hand)))
        return max(LEAST_DEALS, EFFORT // (placed * choices))

    def played_out(self, rows: Rows, mine: list[int], others: list[int]) -> float:
        """Return my points minus a rival's when these cards are played from front to back."""
        own = theirs = 0
        for number, card in enumerate(mine):
            start = number * self.rivals
            for played in sorted([card, *others[start : start + self.rivals]]):
                taken = rows.place(played, self.row_size)
                if played == card:
                    own += taken
                else:
                    theirs += taken
        return own - theirs / self.rivals


def numbers(cards: Iterable[Card]) -> list[int]:
    return [int(card) for card in cards]


def drawn(cards: Sequence[int], count: int, chance: Chance) -> list[int]:
    """Return that many different cards in random order, with no more draws than cards."""
    left = list(cards)
    for place in range(count):
        other = place + chance.below(len(left) - place)
        left[place], left[other] = left[other], left[place]
    return left[:count]


def best_card(table: Table, chance: Chance) -> int:
    """Return the card of the hand that costs least over the imagined deals."""
    hand = table.hand
    if len(hand) == 1:
        return hand[0]
    depth = min(DEPTH, len(hand))
    costs = dict.fromkeys(hand, 0.0)
    for _ in range(table.deals(len(hand))):
        others = table.others(depth, chance)
        later = chance.shuffled(hand)
        for card in hand:
            mine = [card, *(other for other in later if other != card)][:depth]
            costs[card] += table.played_out(table.rows.copy(), mine, others)
    return min(hand, key=costs.__getitem__)


def best_row(table: Table, chance: Chance) -> int:
    """Return the row that costs least to take, counting what happens on the table it leaves."""
    card, *queue = table.queue
    choices = range(len(table.rows.ends))
    costs = [0.0 for _ in choices]
    depth = min(DEPTH - 1, len(table.hand))
    for _ in range(table.deals(len(choices))):
        others = drawn(table.unseen, depth * table.rivals, chance)
        mine = drawn(table.hand, depth, chance)
        for row in choices:
            rows = table.rows.copy()
            costs[row] += rows.start_anew(row, card)
            for waiting in queue:
                costs[row] -= rows.place(waiting, table.row_size) / table.rivals
            costs[row] += table.played_out(rows, mine, others)
    return min(choices, key=costs.__getitem__)


def choose(memory: Memory, view: View, prompt: Prompt, chance: Chance) -> Move | None:
    if prompt.offer("ready"):
        return Move(prompt.seat, "ready")
    if prompt.offer("choose"):
        return Move(prompt.seat, "choose", (str(best_card(Table(view), chance)),))
    if prompt.offer("take"):
        return Move(prompt.seat, "take", (str(best_row(Table(view), chance)),))
    return None


def notice(memory: Memory, event: Event, seat: int) -> None:
    """Nothing needs to be remembered."""


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return what the bot would do."""
    return sure(choose(memory, view, prompt, chance))


BOT = Bot(Memory, notice, weigh)
