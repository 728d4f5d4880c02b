"""A model of how the rivals of a TakeN bot choose their cards, and which cards they may hold.

A card that is played later was already in the hand before. So past rounds show which way of
choosing fits a rival, including the choice among equally good cards. A card that the rival would
have played earlier is unlikely to be in the hand now.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Literal, NamedTuple

from kaboom.engine.moves import Seat
from kaboom.games.taken.memory import Laid
from kaboom.games.taken.risks import Risks, Rows, gap

# Any card; the nearest; the safest, and of equally safe cards the lowest, the highest or any;
# always the lowest; always the highest.
Way = Literal["random", "nearest", "low", "high", "any", "lowest", "highest"]

# The probability of each way before any observation
BEFOREHAND: dict[Way, float] = {
    "random": 0.2,
    "nearest": 0.15,
    "low": 0.15,
    "high": 0.17,
    "any": 0.28,
    "lowest": 0.02,
    "highest": 0.03,
}
# The probability that a rival follows its way; otherwise it plays any card
STEADY: dict[Way, float] = {
    "random": 1.0,
    "nearest": 0.9,
    "low": 0.85,
    "high": 0.85,
    "any": 0.8,
    "lowest": 0.9,
    "highest": 0.9,
}
TIE = 1e-7  # points per step of a card, to decide between equally safe cards
ABOUT = 0.02  # points; costs that differ by less look equal
DENSE = (9, 3, 1)  # weight of a held card passed over never, once, or more often
KEPT = 512  # cached rounds

Rowful = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # ends, sizes and points


class Looked(NamedTuple):
    """The cost each card seemed to have before a round: for each way of choosing, a list indexed by
    the card's number minus 1.
    """

    values: Mapping[Way, Sequence[float]]

    @staticmethod
    def margin(way: Way) -> float:
        """Return the largest difference between values that a rival who plays this way ignores."""
        return ABOUT if way == "any" else 0.0


class Past(NamedTuple):
    """A finished round: the estimated value of each card before it, and the card each player
    played.
    """

    looked: Looked
    played: Mapping[Seat, int]


@lru_cache(maxsize=KEPT)
def looked(rows: Rowful, seen: frozenset[int], rivals: int, full: int, highest: int) -> Looked:
    """Return how all cards looked with these rows, to players who had seen these cards."""
    ends, sizes, points = map(list, rows)
    before = Rows(ends, sizes, points, full)
    cards = range(1, highest + 1)
    risks = Risks([card for card in cards if card not in seen], rivals, full)
    costs = risks.costs(before, risks.lines(before), cards)
    return Looked(
        {
            "nearest": [gap(before, card) for card in cards],
            "low": [cost + TIE * card for cost, card in zip(costs, cards, strict=True)],
            "high": [cost - TIE * card for cost, card in zip(costs, cards, strict=True)],
            "any": costs,
            "lowest": [*cards],
            "highest": [-card for card in cards],
        }
    )


def pasts(
    rounds: Sequence[Sequence[Laid]],
    starts: Mapping[int, int],
    rivals: int,
    full: int,
    highest: int,
) -> Iterator[Past]:
    """Yield the finished rounds of a game; `starts` maps each of its rows to its first card."""
    rows = {row: [card] for row, card in starts.items()}
    seen = set(starts.values())
    for laid in rounds:
        at = Rows.of(rows.values(), full)
        how = looked(
            (tuple(at.ends), tuple(at.sizes), tuple(at.points)),
            frozenset(seen), rivals, full, highest,
        )  # fmt: skip
        yield Past(how, {each.seat: each.card for each in laid})
        for each in laid:
            rows[each.row] = [each.card] if each.first else [*rows[each.row], each.card]
            seen.add(each.card)


def starts_of(rounds: Sequence[Sequence[Laid]], now: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the first card of each row of a game; `now` has its current rows."""
    found: dict[int, int] = {}
    for laid in rounds:
        for each in laid:
            if each.first:
                found.setdefault(each.row, each.first)
    return {row: cards[0] for row, cards in enumerate(now)} | found


def believed(
    games: Sequence[Sequence[Past]], seat: Seat, before: Mapping[Way, float] = BEFOREHAND
) -> dict[Way, float]:
    """Return the probability of each of a rival's ways of choosing, after these games."""
    belief = dict(before)
    for game in games:
        later: list[int] = []
        for past in reversed(game):
            card = past.played.get(seat)
            if card is None:
                continue
            if later:
                hand = [card, *later]
                for way in belief:
                    belief[way] *= likely(way, past.looked, hand)
            later.append(card)
        whole = fsum(belief.values())
        belief = {way: share / whole for way, share in belief.items()}
    return belief


@lru_cache(maxsize=KEPT)
def believed_before(
    games: tuple[tuple[tuple[Laid, ...], ...], ...],
    rows: int,
    sizes: tuple[int, int, int],
    seat: Seat,
) -> Mapping[Way, float]:
    """Return the probability of each of a rival's ways of choosing, after games with `rows` rows.

    `sizes` are the number of rivals, the cards a row holds, and the highest card.
    """
    known = []
    for rounds in games:
        starts = starts_of(rounds, ())
        if len(starts) == rows:  # the start of a row that was never taken is unknown
            known.append([*pasts(rounds, starts, *sizes)])
    return believed(known, seat)


def likely(way: Way, how: Looked, hand: Sequence[int]) -> float:
    """Return the probability that a rival who plays this way plays the first card of this hand."""
    if way == "random":
        return 1 / len(hand)
    looks = how.values[way]
    values = [looks[card - 1] for card in hand]
    fine = min(values) + how.margin(way)
    steady, share = STEADY[way], 1 / sum(value <= fine for value in values)
    return (1 - steady) / len(hand) + (steady * share if values[0] <= fine else 0.0)


def urn(game: Sequence[Past], seat: Seat, way: Way, unseen: Sequence[int]) -> list[int]:
    """Return the unseen cards, repeated in proportion to the probability that a rival who plays
    this way holds them.

    A rival is unlikely to hold a card that it would have preferred in an earlier round.
    """
    if way == "random":
        return list(unseen)
    bars = [
        (looks, looks[card - 1] - past.looked.margin(way))
        for past in game
        if (card := past.played.get(seat)) is not None and (looks := past.looked.values[way])
    ]
    if not bars:
        return [card for card in unseen for _ in range(DENSE[0])]
    # For each bar, whether a card would have been preferred; then how often it was passed over.
    preferred = [[looks[card - 1] < bar for card in unseen] for looks, bar in bars]
    found: list[int] = []
    last = len(DENSE) - 1
    for card, passed_over in zip(unseen, map(sum, zip(*preferred, strict=True)), strict=True):
        found += [card] * DENSE[min(last, passed_over)]
    return found
