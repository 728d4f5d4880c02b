"""The TakeN bot: tries its cards in imagined deals, which are played to the end.

In an imagined deal, each rival has a way of playing, drawn by how well it fits the rival's cards in
this match (`habits`), and random unseen cards. Cards that such a rival would rather have kept are
more likely to be in its hand. The bot's own later plays are random among equally safe cards: in one
deal the highest first, in another the lowest. All cards are tried in the same deals; a hard bot
then tries the best third in further ones. The value of a card is how many points fewer the bot
takes than each of the others, on average.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, partial
from itertools import accumulate
from math import fsum
from random import Random
from typing import NamedTuple

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.bots.evaluate import interval
from kaboom.engine.moves import Move
from kaboom.engine.rng import WORD, Rng
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import Prompt, Saying, View
from kaboom.games.taken.habits import (
    STEADY,
    Way,
    believed,
    believed_before,
    pasts,
    starts_of,
    urn,
)
from kaboom.games.taken.imagined import KEEPS, Deal, Looks, Rival, in_order, played
from kaboom.games.taken.memory import Memory, notice
from kaboom.games.taken.risks import Risks, Rows, gap
from kaboom.games.taken.rules import HIGHEST, appropriate_row, cost

# Maximum number of deals in which all moves are tried; a hard bot tries the best in as many more.
DEALS = {Level.NORMAL: 8, Level.HARD: 32}
EFFORT = 60_000  # maximum number of cards considered; limits the time at large tables
EACH = 40  # the additional cost of each deal, in the same unit
COMPARED = 400  # fresh deals to compare the best two for a reason, free of selection bias
PATIENCE = 4  # effort of a comparison, as a multiple of a decision's
HIGH_FIRST = 2 / 3  # share of deals in which the bot plays the highest of equally safe cards first
SLIP = 1.5  # points


class Character(NamedTuple):
    """A model of a rival: the possible ways of playing with their cumulative probabilities.

    `urn` returns the unseen cards for a way, repeated in proportion to how likely the rival is to
    hold them.
    """

    ways: Sequence[Way]
    likely: Sequence[float]
    urn: Callable[[Way], Sequence[int]]

    def drawn(self, rng: Random) -> Way:
        """Return a random way of playing."""
        return self.ways[bisect(self.likely, rng.random(), hi=len(self.ways) - 1)]


class Table:
    """What the bot's seat sees of the table, as numbers."""

    def __init__(self, view: View, memory: Memory | None = None, level: Level = Level.EASY) -> None:
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
        self.level = level
        plans = level in DEALS
        self.characters = self._characters(view, memory or Memory()) if plans else []

    def _characters(self, view: View, memory: Memory) -> list[Character]:
        """Return a model of each rival."""
        facts = view.facts
        sizes = self.rivals, facts["row_size"], facts["highest"]
        rounds = memory.rounds[: facts["round"] - 1]  # the finished ones
        now = [*pasts(rounds, starts_of(memory.rounds, self.laid), *sizes)]
        earlier = tuple(tuple(map(tuple, game)) for game in memory.before)
        found = []
        for seat in range(self.rivals + 1):
            if seat != view.viewer:
                before = believed_before(earlier, len(self.laid), sizes, seat)
                belief = believed([now], seat, before)
                held = cache(partial(urn, now, seat, unseen=self.unseen))
                found.append(Character([*belief], [*accumulate(belief.values())], held))
        return found

    def deals(self, moves: int) -> int:
        """Return the number of deals in which this many moves are tried."""
        return max(1, min(DEALS[self.level], self.lanes(EFFORT) // moves))

    def lanes(self, effort: int) -> int:
        """Return the number of deals that can be played with this effort, each with one move."""
        size = len(self.hand) or 1
        return effort // (EACH + (self.rivals + 1) * size * (size + 1) // 2)

    def costs(self) -> list[float]:
        """Return the expected immediate cost of each card in the hand."""
        return self.risks.costs(self.rows, self.risks.lines(self.rows), self.hand)

    @cached_property
    def looks(self) -> Looks:
        """Return how each card looks to a rival now."""
        cards = range(HIGHEST + 1)
        costs = self.risks.costs(self.rows, self.risks.lines(self.rows), cards)
        return Looks(costs, [gap(self.rows, card) for card in cards])

    def deal(self, rng: Random, now: bool) -> Deal:
        """Return an imagined deal. With `now`, the rivals still choose a card for this round."""
        rivals = self.rivals_drawn(rng)
        high_first = rng.random() < HIGH_FIRST
        first = [played(rival, self.looks) for rival in rivals] if now else []
        return Deal(rivals, first, high_first)

    def rivals_drawn(self, rng: Random) -> list[Rival]:
        """Return sampled hands and ways of playing for the rivals."""
        size, chance = len(self.hand), rng.random
        found: list[Rival] = []
        used: set[int] = set()
        for it in rng.sample(range(self.rivals), self.rivals):  # earlier hands have more choice
            character = self.characters[it]
            way = character.drawn(rng)
            cards = character.urn(way)
            count = len(cards)
            hand: list[int] = []
            while len(hand) < size:
                card = cards[int(chance() * count)]
                if card not in used:
                    used.add(card)
                    hand.append(card)
            slips = [KEEPS] * size
            if way != "random":
                steady = STEADY[way]
                slips = [KEEPS if chance() < steady else chance() for _ in slips]
            found.append(Rival(in_order(hand, way), way, slips))
        return found


def numbers(cards: Iterable[Card]) -> list[int]:
    return [int(card) for card in cards]


# Returns, by choice, the costs of these choices in this number of further deals, which are the same
# for all choices.
Trial = Callable[[Sequence[int], int], list[list[float]]]


def by_trial(choices: Sequence[int], table: Table, costs: Trial) -> list[tuple[int, float]]:
    """Return the choices, best first, with their mean costs.

    All are tried equally often. A hard bot then tries the best of them again, and compares these
    over all their deals.
    """
    deals = table.deals(len(choices))
    seen = costs(choices, deals)
    order = sorted(range(len(choices)), key=lambda n: fsum(seen[n]))
    if table.level is Level.HARD:
        finalists = order[: max(2, (len(choices) + 2) // 3)]
        again = costs([choices[n] for n in finalists], table.deals(len(finalists)))
        for n, more in zip(finalists, again, strict=True):
            seen[n] += more
        finalists.sort(key=lambda n: fsum(seen[n]))
        order[: len(finalists)] = finalists
    return [(choices[n], fsum(seen[n]) / len(seen[n])) for n in order]


def trial_of_cards(table: Table, rng: Rng) -> Trial:
    """Return the trial of cards from the hand."""
    from kaboom.games.taken.playouts import cards_tried  # imports numpy, only when needed

    quick = Random(rng.randrange(WORD))

    def costs(cards: Sequence[int], count: int) -> list[list[float]]:
        deals = [table.deal(quick, now=True) for _ in range(count)]
        return cards_tried(table.rows, table.risks, table.hand, cards, deals)

    return costs


def trial_of_rows(table: Table, rng: Rng) -> Trial:
    """Return the trial of rows to take for the first card of the queue."""
    from kaboom.games.taken.playouts import rows_tried

    quick = Random(rng.randrange(WORD))
    after: list[Rows] = []
    at_once: list[float] = []
    for laid in table.laid:
        rows = table.rows.copy()
        lead = float(rows.take(rows.ends.index(laid[-1]), table.queue[0]))
        _, others = rows.place(table.queue[1:])
        after.append(rows)
        at_once.append(lead - others / table.rivals)

    def costs(rows: Sequence[int], count: int) -> list[list[float]]:
        deals = [table.deal(quick, now=False) for _ in range(count)]
        found = rows_tried([after[row] for row in rows], table.risks, table.hand, deals)
        return [
            [at_once[row] + later for later in each] for row, each in zip(rows, found, strict=True)
        ]

    return costs


def cards_by_eye(table: Table, rng: Rng) -> list[tuple[int, float]]:
    """Return the cards in a beginner's order, each with its possible immediate cost.

    A beginner considers only half of them, and prefers the nearest.
    """
    noticed = set(rng.sample(table.hand, (len(table.hand) + 1) // 2))
    return sorted(
        zip(table.hand, table.costs(), strict=True),
        key=lambda each: (each[0] not in noticed, gap(table.rows, each[0])),
    )


def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> Sequence[Thought]:
    """Return the cards or rows, best first; the reason for the first states how much more the
    second would cost.
    """
    table = seen(memory, view, level)
    found = considered(table, prompt, rng)
    if len(found) < 2 or level not in DEALS:
        return found
    first, second, *others = found
    return [compared(table, first, second, rng), second, *others]


def decide(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> Sequence[Thought]:
    """Return the cards or rows, best first."""
    return considered(seen(memory, view, level), prompt, rng)


def seen(memory: Memory, view: View, level: Level) -> Table:
    """Return the table as a bot of this level sees it."""
    return Table(view, memory if level is Level.HARD else None, level)


def considered(table: Table, prompt: Prompt, rng: Rng) -> list[Thought]:
    """Return the thoughts about what a prompt offers, best first."""
    me = prompt.seat
    if prompt.offer("ready"):
        return sure(Move(me, "ready"))
    if prompt.offer("choose"):
        if len(table.hand) == 1:
            return sure(Move(me, "choose", (str(table.hand[0]),)))
        return [
            Thought(Move(me, "choose", (str(card),)), 0 - points, why_card(table, card))
            for card, points in cards_ranked(table, rng)
        ]
    if prompt.offer("take"):
        if len(table.laid) == 1:
            return sure(Move(me, "take", ("0",)))
        return [
            Thought(Move(me, "take", (str(row),)), 0 - points, why_row(table, row))
            for row, points in rows_ranked(table, rng)
        ]
    return []


def cards_ranked(table: Table, rng: Rng) -> list[tuple[int, float]]:
    """Return the cards, best first, with what they cost."""
    if table.level in DEALS:
        return by_trial(table.hand, table, trial_of_cards(table, rng))
    return cards_by_eye(table, rng)


def rows_ranked(table: Table, rng: Rng) -> list[tuple[int, float]]:
    """Return the rows, best first, with what they cost."""
    rows = sorted(range(len(table.laid)), key=lambda row: table.laid[row][-1])
    if table.level in DEALS:
        return by_trial(rows, table, trial_of_rows(table, rng))
    return sorted(((row, float(cost(table.laid[row]))) for row in rows), key=lambda each: each[1])


# The reason for a card or a row


def compared(table: Table, first: Thought, second: Thought, rng: Rng) -> Thought:
    """Return the first thought with the extra cost of the second choice, if it is significant.

    Both are tried in fresh deals, which were not used to select them.
    """
    assert first.move and first.reason and second.move
    trial = trial_of_cards if first.move.verb == "choose" else trial_of_rows
    other = int(second.move.choices[0])
    deals = max(1, min(COMPARED, table.lanes(PATIENCE * EFFORT) // 2))
    costs, of_other = trial(table, rng)([int(first.move.choices[0]), other], deals)
    more, margin = interval([two - one for one, two in zip(costs, of_other, strict=True)])
    if more <= margin or round(more, 1) == 0:
        return first
    facts = {**first.reason.facts, "other": other, "more": round(more, 1)}
    return Thought(first.move, first.worth, Saying(f"{first.reason.kind}_and", facts))


def why_card(table: Table, card: int) -> Saying:
    """Return a sentence about where a card should land."""
    at = appropriate_row([row[-1] for row in table.laid], card)
    if at is None:
        return Saying("think.below", {"card": card, "points": min(table.rows.points)})
    row = table.laid[at]
    if len(row) == table.rows.full:
        return Saying("think.full", {"card": card, "end": row[-1], "points": cost(row)})
    return Saying("think.fits", {"card": card, "end": row[-1], "place": len(row) + 1})


def why_row(table: Table, row: int) -> Saying:
    """Return a sentence about what a row costs."""
    return Saying("think.row", {"row": row, "points": cost(table.laid[row])})


def prepare() -> None:
    """Load numpy."""
    from kaboom.games.taken import playouts

    assert playouts


BOT = Bot(
    Memory, notice, weigh, bound=SLIP, decide=decide, remembers=(Level.HARD,), prepare=prepare
)
