"""The TakeN bot: tries its cards in imagined deals, which are played to the end.

An imagined deal gives the others ways to play as people have, the likelier the better they fit what
each has played (`habits`), and cards the bot has not seen: whoever always plays safe does not hold
what would have been safer before. All cards are tried in the same deals; after a while only the
better half is tried further. What counts is how many more points the bot takes than each of the
others.
"""

from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate
from math import ceil, log2
from random import Random
from typing import NamedTuple, TypeVar

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import WORD, Chance
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import Prompt, Saying, View
from kaboom.games.taken.habits import Past, believed, left_to, pasts, starts_of
from kaboom.games.taken.imagined import Deal, Rival, Way, cost_of_card, cost_of_row
from kaboom.games.taken.memory import Memory, notice
from kaboom.games.taken.rows import Risks, Rows, gap
from kaboom.games.taken.rules import appropriate_row, cost

T = TypeVar("T")

TRIALS = 170  # deals played out for one decision, over all cards
EFFORT = 14_000  # cards looked at meanwhile, at most; it bounds the time at large tables
SLIPS = 40  # of 100 rounds, in which a rival who goes by the risk plays anything
SLIP = 1.5  # points
CLEAR = 0.05  # points; less makes no difference worth words


class Character(NamedTuple):
    """How a rival seems to play: ways, how likely each is or one before it, and what the rival may
    hold if it always plays what looks safest.
    """

    ways: Sequence[str]
    likely: Sequence[float]
    could: Collection[int]

    def drawn(self, chance: Random) -> str:
        """Return one of the ways."""
        return self.ways[min(bisect(self.likely, chance.random()), len(self.ways) - 1)]


class Table:
    """What the bot's seat sees of the table, as numbers."""

    def __init__(self, view: View, memory: Memory | None = None) -> None:
        facts = view.facts
        me = view.viewer
        self.laid = [numbers(zone.cards) for zone in view.zones_named("row")]
        self.rows = Rows.of(self.laid, facts["row_size"])
        self.hand = numbers(view.zone("hand", me).cards) if me is not None else []
        self.queue = [int(played["card"]) for played in facts["queue"]]
        self.rivals = len(facts["scores"]) - 1
        seen = {int(card) for zone in view.zones for card in zone.cards if card.isdigit()}
        seen |= set(self.queue)
        self.unseen = [card for card in range(1, facts["highest"] + 1) if card not in seen]
        self.risks = Risks(self.unseen, self.rivals, facts["row_size"])
        self.characters = self._characters(view, memory) if memory else []

    def _characters(self, view: View, memory: Memory) -> list[Character]:
        """Return how each rival seems to play, and what it may hold if it always plays safe."""
        facts = view.facts
        sizes = self.rivals, facts["row_size"], facts["highest"]
        rounds = memory.rounds[: facts["round"] - 1]  # those that are over
        now = [*pasts(rounds, starts_of(memory.rounds, self.laid), *sizes)]
        old_starts = starts_of(memory.before, ())
        known = len(old_starts) == len(self.laid)  # of rows that nobody took it is not
        before: list[Past] = [*pasts(memory.before, old_starts, *sizes)] if known else []
        found = []
        for seat in range(self.rivals + 1):
            if seat != view.viewer:
                belief = believed((before, now), seat)
                could = left_to(now, seat, self.unseen)
                found.append(Character([*belief], [*accumulate(belief.values())], could))
        return found

    def trials(self) -> int:
        """Return how many deals can be played out."""
        size = len(self.hand)
        return min(TRIALS, EFFORT // max(1, (self.rivals + 1) * size * (size + 1) // 2))

    def costs(self) -> list[float]:
        """Return what each card of the hand may be expected to take at once."""
        return self.risks.costs(self.rows, self.risks.lines(self.rows), self.hand)

    def rivals_drawn(self, chance: Random) -> list[Rival]:
        """Return what the rivals might hold, and how they might play it."""
        size, cards = len(self.hand), self.unseen
        drawn = [it.drawn(chance) for it in self.characters]
        hands: dict[int, list[int]] = {}
        for rival, way in enumerate(drawn):
            if way == "sure":  # first what such a rival may hold, in any order
                could = self.characters[rival].could
                cards = sorted(cards, key=lambda card: chance.random() + (card not in could))
                hands[rival], cards = cards[:size], cards[size:]
        cards = chance.sample(cards, size * (self.rivals - len(hands)))
        for rival in range(self.rivals):
            if rival not in hands:
                hands[rival], cards = cards[:size], cards[size:]
        return [Rival(hands[rival], ways(way, size, chance)) for rival, way in enumerate(drawn)]


def numbers(cards: Iterable[Card]) -> list[int]:
    return [int(card) for card in cards]


def ways(way: str, rounds: int, chance: Random) -> list[Way]:
    """Return how a rival plays each round."""
    match way:
        case "nearest":
            return ["nearest"] * rounds
        case "sure":
            return ["risk"] * rounds
        case "risk":
            return ["random" if chance.random() * 100 < SLIPS else "risk" for _ in range(rounds)]
    return ["random"] * rounds


def by_halves(
    choices: Sequence[T], trials: int, costs: Callable[[Sequence[T]], list[float]]
) -> list[tuple[T, float]]:
    """Return the choices, best first, each with what it costs on average.

    `costs` tries the given ones in one more deal. In each round all that are left are tried
    equally often, and the better half stays; the last two are compared over all deals they saw.
    """
    sums = [0.0] * len(choices)
    left = list(range(len(choices)))
    out: list[tuple[T, float]] = []
    rounds = max(1, ceil(log2(len(choices))))
    deals = 0
    while len(left) > 1:
        more = max(1, trials // (rounds * len(left)))
        for _ in range(more):
            for number, points in zip(left, costs([choices[n] for n in left]), strict=True):
                sums[number] += points
        deals += more
        left.sort(key=sums.__getitem__)
        kept = (len(left) + 1) // 2
        out[:0] = [(choices[number], sums[number] / deals) for number in left[kept:]]
        left = left[:kept]
    return [(choices[left[0]], sums[left[0]] / max(1, deals)), *out]


def cards_by_trial(table: Table, chance: Chance) -> list[tuple[int, float]]:
    quick = Random(chance.below(WORD))

    def costs(cards: Sequence[int]) -> list[float]:
        deal = Deal.of(table.rivals_drawn(quick), table.rows, table.risks)
        return [cost_of_card(table.rows, table.risks, deal, table.hand, c) for c in cards]

    return by_halves(table.hand, table.trials(), costs)


def rows_by_trial(table: Table, chance: Chance) -> list[tuple[int, float]]:
    """Return the rows by place in the order of their last cards."""
    quick = Random(chance.below(WORD))
    hand, queue = table.hand, table.queue

    def costs(rows: Sequence[int]) -> list[float]:
        rivals = table.rivals_drawn(quick)
        return [cost_of_row(table.rows, table.risks, rivals, hand, row, queue) for row in rows]

    return by_halves(range(len(table.laid)), table.trials(), costs)


def cards_by_risk(table: Table) -> list[tuple[int, float]]:
    """Return the cards, each with what it may cost at once."""
    return sorted(zip(table.hand, table.costs(), strict=True), key=lambda each: each[1])


def cards_by_eye(table: Table, chance: Chance) -> list[tuple[int, float]]:
    """Return the cards as a beginner orders them, each with what it may cost at once.

    A beginner looks at half of them only, and goes by what lies nearest.
    """
    noticed = set(chance.sample(table.hand, (len(table.hand) + 1) // 2))
    return sorted(
        zip(table.hand, table.costs(), strict=True),
        key=lambda each: (each[0] not in noticed, gap(table.rows, each[0])),
    )


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return the cards or rows, the best first."""
    if prompt.offer("ready"):
        return sure(Move(prompt.seat, "ready"))
    known = memory if level is Level.HARD else None
    if prompt.offer("choose"):
        return cards_weighed(Table(view, known), prompt.seat, chance, level)
    if prompt.offer("take"):
        return rows_weighed(Table(view, known), prompt.seat, chance, level)
    return []


def cards_weighed(table: Table, me: int, chance: Chance, level: Level) -> list[Thought]:
    if len(table.hand) == 1:
        return sure(Move(me, "choose", (str(table.hand[0]),)))
    match level:
        case Level.EASY:
            found = cards_by_eye(table, chance)
        case Level.NORMAL:
            found = cards_by_risk(table)
        case Level.HARD:
            found = cards_by_trial(table, chance)
    thoughts = []
    for number, (card, points) in enumerate(found):
        why = why_card(table, card, beside(number, found))
        thoughts.append(Thought(Move(me, "choose", (str(card),)), 0 - points, why))
    return thoughts


def rows_weighed(table: Table, me: int, chance: Chance, level: Level) -> list[Thought]:
    points = table.rows.points
    if len(points) == 1:
        return sure(Move(me, "take", ("0",)))
    if level is Level.HARD:
        found = rows_by_trial(table, chance)
    else:
        found = sorted(((n, float(p)) for n, p in enumerate(points)), key=lambda each: each[1])
    ends = [row[-1] for row in table.laid]
    rows = [(ends.index(table.rows.ends[place]), points) for place, points in found]
    return [
        Thought(Move(me, "take", (str(row),)), 0 - points, why_row(table, row, beside(n, rows)))
        for n, (row, points) in enumerate(rows)
    ]


# Why a card or a row

Beside = tuple[T, float] | None  # another choice, and how much more it would cost


def beside(number: int, found: Sequence[tuple[T, float]]) -> Beside[T]:
    """Return the best other choice, when it is clearly worse."""
    other, points = found[1 if number == 0 else 0]
    more = points - found[number][1]
    return (other, more) if more >= CLEAR else None


def why_card(table: Table, card: int, other: Beside[int]) -> Saying:
    """Say where a card should come to lie, and what another would cost."""
    at = appropriate_row([row[-1] for row in table.laid], card)
    if at is None:
        kind = "think.below"
        facts: dict[str, float] = {"card": card, "points": min(table.rows.points)}
    else:
        row = table.laid[at]
        if len(row) == table.rows.full:
            kind, facts = "think.full", {"card": card, "end": row[-1], "points": cost(row)}
        else:
            kind, facts = "think.fits", {"card": card, "end": row[-1], "place": len(row) + 1}
    if other:
        kind, facts = f"{kind}_and", facts | {"other": other[0], "more": round(other[1], 1)}
    return Saying(kind, facts)


def why_row(table: Table, row: int, other: Beside[int]) -> Saying:
    facts = {"row": row, "points": cost(table.laid[row])}
    if other:
        return Saying("think.row_and", facts | {"other": other[0], "more": round(other[1], 1)})
    return Saying("think.row", facts)


BOT = Bot(Memory, notice, weigh, bound=SLIP, remembers=(Level.HARD,))
