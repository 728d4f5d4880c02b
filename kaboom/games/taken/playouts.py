"""Parallel playouts of many imagined deals of TakeN, to compare the costs of moves.

A lane is one deal with one of the moves. All lanes are played round by round with array operations.
The lanes are the last axis of the rows, so that an operation on one row reads memory in order. Only
integers are added, so sums are identical on all machines. This file imports numpy, so it is
only imported when a bot has to decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kaboom.games.taken.imagined import KEEPS, Deal
from kaboom.games.taken.risks import Risks, Rows
from kaboom.games.taken.rules import HIGHEST, POINTS

Whole = NDArray[np.intp]
Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

OF_CARD = np.array(POINTS, np.intp)
BY_LOT = ("random", "lowest", "highest")  # these play the first card of the sorted hand


@dataclass
class Lanes:
    """The rows of each lane, ordered by their last cards, and the points taken since the start."""

    ends: Whole  # by row and lane
    sizes: Whole
    points: Whole
    full: int
    risks: Risks

    def __post_init__(self) -> None:
        self.count = self.ends.shape[1]
        self.all = np.arange(self.count)
        self.own = np.zeros(self.count, np.intp)
        self.total = np.zeros(self.count, np.intp)  # taken by all players
        self.more = np.array(self.risks.more)
        # The probability that a row is taken, by free places and unseen cards in between
        self.table = np.array(self.risks.by_size[::-1])
        # The number of unseen cards that are not higher, by card
        self.below = np.array(self.risks.unseen_below, np.intp)

    @classmethod
    def of(cls, starts: Sequence[Rows], deals: int, risks: Risks) -> "Lanes":
        """Return lanes for this many deals from each of the starts, one start after the other."""
        ends, sizes, points = (
            np.repeat(np.array(values, np.intp).T, deals, axis=1)
            for values in (
                [rows.ends for rows in starts],
                [rows.sizes for rows in starts],
                [rows.points for rows in starts],
            )
        )
        return cls(ends, sizes, points, starts[0].full, risks)

    def places(self, cards: Whole) -> Whole:
        """Return, by player, lane and card, the position of its row plus one; 0 is below all
        rows.
        """
        found = np.zeros(cards.shape, np.intp)
        for ends in self.ends:
            found += cards > ends[:, None]
        return found

    def costs(self, cards: Whole, places: Whole) -> Numbers:
        """Return the expected immediate cost of each card."""
        prices = np.concatenate([self.points.min(0)[None], self.points + self.more[self.sizes]])
        first = (self.full - self.sizes) * self.table.shape[1] - self.below[self.ends]
        bases = np.concatenate([np.zeros((1, self.count), np.intp), first])
        at = places * self.count + self.all[:, None]
        chances = self.table.ravel().take(bases.ravel().take(at) + self.below.take(cards))
        costs: Numbers = chances * prices.ravel().take(at)
        return costs

    def gaps(self, cards: Whole, places: Whole, lanes: Whole) -> Whole:
        """Return the distance of each card from its row, for these hands and their lanes."""
        ends = np.where(self.sizes < self.full, self.ends, -HIGHEST)
        ends = np.concatenate([np.full((1, self.count), -HIGHEST), ends])
        gaps: Whole = np.minimum(HIGHEST, cards - ends[places, lanes[:, None]])
        return gaps

    def place(self, cards: Whole) -> None:
        """Place the cards of a round, indexed by player and lane; the bot's own card is first."""
        marked = cards * 2
        marked[0] += 1
        marked.sort(axis=0)
        ordered, mine = marked >> 1, marked & 1
        self.take_for(ordered[0], mine[0])
        worths = OF_CARD.take(ordered)
        ends, sizes, points = (each.reshape(-1) for each in (self.ends, self.sizes, self.points))
        for card, own, worth in zip(ordered, mine, worths, strict=True):
            at = (self.ends[1:] < card).sum(0) * self.count + self.all
            size, lying = sizes.take(at), points.take(at)
            over = size >= self.full
            taken = lying * over
            ends[at] = card
            sizes[at] = np.where(over, 1, size + 1)
            points[at] = lying - taken + worth
            self.total += taken
            self.own += taken * own

    def take_for(self, lowest: Whole, mine: Whole) -> None:
        """Take the cheapest row where the lowest card of the round is below all rows.

        The row taken becomes empty and the first one, for the lowest card; then all higher cards
        have a row.
        """
        low = np.flatnonzero(lowest < self.ends[0])
        if not len(low):
            return
        cheapest = self.points[:, low].argmin(0)
        taken = self.points[cheapest, low]
        self.total[low] += taken
        self.own[low] += taken * mine[low]
        rows = np.arange(len(self.ends))[:, None]
        source = np.where(rows <= cheapest, rows - 1, rows)
        for values in (self.ends, self.sizes, self.points):
            values[:, low] = values[source, low]
            values[0, low] = 0


def cards_tried(
    rows: Rows, risks: Risks, hand: Sequence[int], cards: Sequence[int], deals: Sequence[Deal]
) -> list[list[float]]:
    """Return, by card and deal, the bot's points minus its rivals' average if it plays this card
    first.
    """
    lanes = Lanes.of([rows] * len(cards), len(deals), risks)
    mine = np.repeat(np.array(cards, np.intp), len(deals))
    theirs = np.array([deal.first for deal in deals], np.intp).T
    lanes.place(np.concatenate([mine[None], np.tile(theirs, len(cards))]))
    left = [sorted(it for it in hand if it != card) for card in cards]
    return played_out(lanes, left, deals)


def rows_tried(
    starts: Sequence[Rows], risks: Risks, hand: Sequence[int], deals: Sequence[Deal]
) -> list[list[float]]:
    """Return, by start and deal, the bot's further points minus its rivals' average."""
    lanes = Lanes.of(starts, len(deals), risks)
    return played_out(lanes, [sorted(hand)] * len(starts), deals)


def played_out(lanes: Lanes, left: Sequence[list[int]], deals: Sequence[Deal]) -> list[list[float]]:
    """Return, by move and deal, the bot's points minus its rivals' average.

    `left` is the bot's remaining hand by move.
    """
    moves, size, rivals = len(left), len(left[0]), len(deals[0].rivals)
    if size:
        both = np.array([[cards, cards[::-1]] for cards in left], np.intp)
        high = np.array([int(deal.high_first) for deal in deals])
        mine = both[:, high].reshape(1, -1, size)
        by_rival = [[deal.rivals[number] for deal in deals] for number in range(rivals)]
        held = np.array([[it.hand for it in each] for each in by_rival], np.intp)
        slips = np.array([[it.slips[:size] for it in each] for each in by_rival])
        lot = np.array([[it.way in BY_LOT for it in each] for each in by_rival])
        near = np.array([[it.way == "nearest" for it in each] for each in by_rival])
        steady = (1, lanes.count)
        rest(
            lanes,
            np.concatenate([mine, np.tile(held, (1, moves, 1))]),
            np.concatenate([np.zeros(steady, bool), np.tile(lot, moves)]),
            np.concatenate([np.zeros(steady, bool), np.tile(near, moves)]),
            np.concatenate([np.full((*steady, size), KEEPS), np.tile(slips, (1, moves, 1))]),
        )
    found = lanes.own - (lanes.total - lanes.own) / rivals
    by_move: list[list[float]] = found.reshape(moves, len(deals)).tolist()
    return by_move


def rest(lanes: Lanes, hands: Whole, lot: Mask, near: Mask, slip: Numbers) -> None:
    """Play the hands out, by player and lane: as sorted, nearest first, or by risk."""
    players, count, whole = hands.shape
    of_hand = np.arange(players * count).reshape(players, count)
    player, lane = np.nonzero(near)
    for size in range(whole, 1, -1):
        places = lanes.places(hands)
        values = lanes.costs(hands, places)
        values[player, lane] = lanes.gaps(hands[player, lane], places[player, lane], lane)
        chosen = values.argmin(2)
        chosen[lot] = 0
        slips = slip[:, :, size - 1]
        chosen = np.where(slips >= 0, (slips * size).astype(np.intp), chosen)
        lanes.place(hands.ravel().take(of_hand * size + chosen))
        kept = np.arange(size - 1) >= chosen[:, :, None]
        hands = np.where(kept, hands[:, :, 1:], hands[:, :, :-1])
    lanes.place(hands[:, :, 0])
