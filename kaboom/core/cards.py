"""Cards are short texts: rank and suit ("TS" is the ten of spades), the jokers "BJ" and "RJ"."""

from collections.abc import Sequence

Card = str

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKERS = ("BJ", "RJ")

RANK_NAMES = {
    "A": "Ace",
    **{str(n): str(n) for n in range(2, 10)},
    "T": "10",
    "J": "Jack",
    "Q": "Queen",
    "K": "King",
}
SUIT_NAMES = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def pack(jokers: bool = True) -> list[Card]:
    """Return one pack in a fixed order: 52 cards, or 54 with both jokers."""
    return [r + s for s in SUITS for r in RANKS] + (list(JOKERS) if jokers else [])


def whole_suit(suit: str) -> list[Card]:
    """Return the thirteen cards of a suit, ace first."""
    return [r + suit for r in RANKS]


def is_joker(card: Card) -> bool:
    """Say whether the card is one of the two jokers."""
    return card in JOKERS


def rank_of(card: Card) -> str:
    """Return the rank letter; both jokers have the rank "J*", so they match each other only."""
    return "J*" if card in JOKERS else card[0]


def suit_of(card: Card) -> str:
    """Return the suit letter; a joker is a suit of its own ("BJ" or "RJ")."""
    return card if card in JOKERS else card[1]


def is_red(card: Card) -> bool:
    """Say whether the card is printed red (hearts, diamonds, the red joker)."""
    return card == "RJ" or card[1] in "HD"


def spoken(card: Card) -> str:
    """Return the card in words: "Queen of Hearts", "Red Joker"; a number card stays its number."""
    if card.isdigit():
        return card
    if card in JOKERS:
        return "Black Joker" if card == "BJ" else "Red Joker"
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


def spoken_list(cards: Sequence[Card]) -> str:
    """Return the cards in words, as in a sentence: "2 of Clubs, 3 of Clubs and Red Joker"."""
    return joined([spoken(card) for card in cards])


def joined(words: Sequence[str]) -> str:
    """Return the words joined as in a sentence ("Ann, Ben and Cid"), or "nothing"."""
    if not words:
        return "nothing"
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"
