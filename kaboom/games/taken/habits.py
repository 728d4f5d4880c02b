"""How the rivals of a TakeN bot seem to choose their cards, and which cards that leaves them.

A card that was played later lay in the same hand before. So past rounds tell whether somebody has
always chosen what looked safest then; and of whoever does, that what is left looked less safe.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from kaboom.engine.moves import Seat
from kaboom.games.taken.memory import Round
from kaboom.games.taken.rows import Risks, Rows, gap

# How often people choose how: anything, what lies nearest, what looks safest but for slips, and
# always what looks safest.
BEFOREHAND = {"random": 0.3, "nearest": 0.15, "risk": 0.35, "sure": 0.2}
STEADY = {"random": 0.0, "nearest": 0.9, "risk": 0.6, "sure": 0.95}  # so often they keep to it
ABOUT = 0.25  # points; two cards whose costs differ by less look alike
KEPT = 512  # rounds of which it is known how each card looked

Rowful = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # ends, sizes and points


class Looked(NamedTuple):
    """How each card looked before a round, by its number less one: its cost, and how far it is."""

    costs: Sequence[float]
    gaps: Sequence[int]


class Past(NamedTuple):
    """A round that was played: how cards looked before, and who played which."""

    looked: Looked
    played: Mapping[Seat, int]


@lru_cache(maxsize=KEPT)
def looked(rows: Rowful, seen: frozenset[int], rivals: int, full: int, highest: int) -> Looked:
    """Return how each card looked before these rows, after this many cards had been seen."""
    ends, sizes, points = map(list, rows)
    before = Rows(ends, sizes, points, full)
    cards = range(1, highest + 1)
    risks = Risks([card for card in cards if card not in seen], rivals, full)
    costs = risks.costs(before, risks.lines(before), cards)
    return Looked(costs, [gap(before, card) for card in cards])


def pasts(
    rounds: Sequence[Round], starts: Mapping[int, int], rivals: int, full: int, highest: int
) -> Iterator[Past]:
    """Yield the rounds of a game; `starts` are the cards with which its rows began, by row."""
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


def starts_of(rounds: Sequence[Round], now: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the cards with which the rows of a game began; `now` are its rows as they lie."""
    found: dict[int, int] = {}
    for laid in rounds:
        for each in laid:
            if each.first:
                found.setdefault(each.row, each.first)
    return {row: cards[0] for row, cards in enumerate(now)} | found


def believed(games: Sequence[Sequence[Past]], seat: Seat) -> dict[str, float]:
    """Return how likely a rival chooses its cards in each way, after these games."""
    belief = dict(BEFOREHAND)
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


def likely(way: str, how: Looked, hand: Sequence[int]) -> float:
    """Return how likely it is that of this hand the first card is one of those such a way plays."""
    by = how.gaps if way == "nearest" else how.costs
    values = [by[card - 1] for card in hand]
    fine = min(values) + ABOUT
    share = sum(value <= fine for value in values) / len(hand)
    steady = STEADY[way]
    played = steady + (1 - steady) * share
    return played if values[0] <= fine else 1 - played


def left_to(game: Sequence[Past], seat: Seat, unseen: Collection[int]) -> set[int]:
    """Return the cards that may still be held by a rival who always plays what looks safest."""
    found = set(unseen)
    for past in game:
        card = past.played.get(seat)
        if card is not None:
            costs = past.looked.costs
            fine = costs[card - 1] - ABOUT
            found = {other for other in found if costs[other - 1] >= fine}
    return found
