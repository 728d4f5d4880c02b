"""Ways to play a whole hand together, for bots and for suggestions to players."""

from collections.abc import Iterator, Sequence

from kaboom.engine.toolkit.cards import Card, rank_of
from kaboom.games.karata.house import House
from kaboom.games.karata.legal_plays import link_breaks, may_declare

MOST_STEPS = 200  # rows tried in search of a way to play the whole hand

Row = tuple[Card, ...]


def closing(house: House, hand: Sequence[Card]) -> list[Card]:
    """Return the cards that can start a winning play of the whole hand."""
    if house.call != "none" and not may_declare(house, hand):
        return []
    return list(ways_out(house, hand))


def ways_out(house: House, hand: Sequence[Card]) -> dict[Card, Row]:
    """Return rows of the whole hand that end in a winning card, by their first card.

    Such a row is a chain of questions followed by cards of one rank. It is built from its end, so
    that a hand without such a row is quickly rejected.
    """
    ending = [card for card in hand if card in house.endings]
    questions = [card for card in hand if card in house.questions]
    together = {rank_of(card) for card in ending} if house.in_sets else ending
    if len(ending) + len(questions) < len(hand) or len(together) != 1:
        return {}
    found: dict[Card, Row] = {}
    for first in ending:
        group = (first, *(card for card in ending if card != first))
        for steps, row in enumerate(chains(house, group, questions)):
            if row:
                found.setdefault(row[0], row)
            if steps >= MOST_STEPS:
                break
    return found


def chains(house: House, row: Row, questions: Sequence[Card]) -> Iterator[Row]:
    """Yield the rows that put all these questions before this row; an empty row for each search
    step.
    """
    yield () if questions else row
    for card in questions:
        if link_breaks(house, card, row[0]) is None:
            yield from chains(house, (card, *row), [other for other in questions if other != card])
