"""Section 2, deck and values: what a card counts, and what drawing it lets you do."""

from kaboom.engine.toolkit.cards import Card, is_joker, is_red, rank_of

# Points that one is glad of, and points to be rid of, whatever else one holds.
LOW, HIGH = 3, 10


def points(card: Card) -> int:
    """Return what a card counts at the end of a round."""
    if is_joker(card):
        return 0
    rank = card[0]
    if rank == "K":
        return -1 if is_red(card) else 10
    return 1 if rank == "A" else 10 if rank in "TJQ" else int(rank)


def ability_of(card: Card) -> str | None:
    """Return what a drawn card lets you do: own, other, swap, any (whose cards), or None."""
    rank = rank_of(card)
    if rank == "K":
        return None if is_red(card) else "any"
    return {"7": "own", "8": "own", "9": "other", "T": "other", "J": "swap", "Q": "swap"}.get(rank)
