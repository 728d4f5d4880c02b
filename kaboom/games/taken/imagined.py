"""A deal as a bot imagines it: the cards and the ways of the others, and how it would end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kaboom.games.taken.rows import Lines, Risks, Rows, gap

Way = Literal["random", "nearest", "risk"]


@dataclass(frozen=True)
class Rival:
    """What a rival holds in an imagined deal, in any order, and how it plays in each round."""

    hand: list[int]
    ways: Sequence[Way]  # the last one is for the first round


@dataclass(frozen=True)
class Deal:
    """One imagined deal; `first` is what the rivals play while my card is the one to be tried."""

    rivals: list[Rival]
    first: list[int]

    @classmethod
    def of(cls, rivals: list[Rival], rows: Rows, risks: Risks) -> "Deal":
        """Return the deal whose rivals choose now, before these rows."""
        lines = risks.lines(rows)
        first = [played(rival.hand, rival.ways[-1], rows, risks, lines) for rival in rivals]
        return cls(rivals, first)


def played(hand: list[int], way: Way, rows: Rows, risks: Risks, lines: Lines) -> int:
    """Take the card out of a hand that is played there this way, and return it."""
    if way == "random" or len(hand) == 1:
        return hand.pop()
    if way == "risk":
        costs = risks.costs(rows, lines, hand)
    else:
        costs = [float(gap(rows, card)) for card in hand]
    return hand.pop(costs.index(min(costs)))


def cost_of_card(rows: Rows, risks: Risks, deal: Deal, mine: Sequence[int], card: int) -> float:
    """Return my points minus a rival's if I play this card of mine now and safely afterwards."""
    rows = rows.copy()
    left = [other for other in mine if other != card]
    lead = placed(rows, card, deal.first)
    return lead + played_out(rows, risks, deal.rivals, left)


def cost_of_row(
    rows: Rows,
    risks: Risks,
    rivals: Sequence[Rival],
    mine: Sequence[int],
    row: int,
    queue: Sequence[int],
) -> float:
    """Return the same if the first card of the queue, mine, takes this row."""
    rows = rows.copy()
    lead = float(rows.take(row, queue[0]))
    _, others = rows.place(queue[1:])
    lead -= others / len(rivals)
    return lead + played_out(rows, risks, rivals, list(mine))


def played_out(rows: Rows, risks: Risks, rivals: Sequence[Rival], mine: list[int]) -> float:
    """Return my points minus a rival's when all hands are played to the end.

    The rows and my hand are used up, the rivals' hands are not.
    """
    lead = 0.0
    hands = [(rival.hand.copy(), rival.ways) for rival in rivals]
    for number in range(len(mine) - 1, 0, -1):
        lines = risks.lines(rows)
        theirs = [
            hand.pop()
            if ways[number] == "random"
            else played(hand, ways[number], rows, risks, lines)
            for hand, ways in hands
        ]
        costs = risks.costs(rows, lines, mine)
        lead += placed(rows, mine.pop(costs.index(min(costs))), theirs)
    return lead + placed(rows, mine[0], [hand[0] for hand, _ in hands]) if mine else lead


def placed(rows: Rows, mine: int, theirs: Sequence[int]) -> float:
    """Place the cards of a round, and return my points minus a rival's."""
    own, others = rows.place(sorted([mine, *theirs]), mine)
    return own - others / len(theirs)
