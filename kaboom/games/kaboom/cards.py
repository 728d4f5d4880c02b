"""The points of a card, and the ability it has when drawn."""

from kaboom.engine.toolkit.cards import Card, is_joker, is_red, rank_of

# Points that are always good to have, and points that are always bad.
LOW, HIGH = 3, 10


def points(card: Card) -> int:
    """Return the points of a card at the end of a round."""
    if is_joker(card):
        return 0
    rank = card[0]
    if rank == "K":
        return -1 if is_red(card) else 10
    return 1 if rank == "A" else 10 if rank in "TJQ" else int(rank)


def ability_of(card: Card) -> str | None:
    """Return the ability of a drawn card, or None: to look at a card of one's own, at another
    player's or at any two, or to swap two.
    """
    rank = rank_of(card)
    if rank == "K":
        return None if is_red(card) else "any"
    return {"7": "own", "8": "own", "9": "other", "T": "other", "J": "swap", "Q": "swap"}.get(rank)
