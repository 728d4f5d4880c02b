"""Cards are short strings: rank and suit ("TS" is the ten of spades), or the jokers "BJ" and
"RJ".
"""

from collections.abc import Sequence
from functools import cache

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import isolated, spoken_now

Card = str

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKERS = ("BJ", "RJ")

AND, OR = N_("{first} and {last}"), N_("{first} or {last}")  # of the last of several words

RANK_NAMES = {
    "A": N_("Ace"),
    **{str(n): str(n) for n in range(2, 10)},
    "T": "10",
    "J": N_("Jack"),
    "Q": N_("Queen"),
    "K": N_("King"),
}
SUIT_NAMES = {
    "S": N_("Spades"),
    "H": N_("Hearts"),
    "D": N_("Diamonds"),
    "C": N_("Clubs"),
}
SUIT_SIGNS = {"S": "♠", "H": "♥\ufe0e", "D": "♦\ufe0e", "C": "♣"}  # as text, never as an emoji


def pack(jokers: bool = True) -> list[Card]:
    """Return one pack in a fixed order: 52 cards, or 54 with both jokers."""
    return [r + s for s in SUITS for r in RANKS] + (list(JOKERS) if jokers else [])


def whole_suit(suit: str) -> list[Card]:
    """Return the thirteen cards of a suit, ace first."""
    return [r + suit for r in RANKS]


def is_joker(card: Card) -> bool:
    """Return True if the card is one of the two jokers."""
    return card in JOKERS


def rank_of(card: Card) -> str:
    """Return the rank letter; both jokers have the rank "J*", so they match only each other."""
    return "J*" if card in JOKERS else card[0]


def suit_of(card: Card) -> str:
    """Return the suit letter; a joker is its own suit ("BJ" or "RJ")."""
    return card if card in JOKERS else card[1]


def is_red(card: Card) -> bool:
    """Return True if the card is printed red (hearts, diamonds, the red joker)."""
    return card == "RJ" or card[1] in "HD"


def rank_name(rank: str) -> str:
    """Return a rank in words: "Queen", "10"."""
    name = RANK_NAMES[rank]
    return name if name.isdigit() else _(name)


def suit_name(suit: str) -> str:
    """Return a suit in words: "Hearts"."""
    return _(SUIT_NAMES[suit])


def spoken(card: Card) -> str:
    """Return the card in words: "Queen of Hearts", "Red Joker"; a card that is only a number is
    left as it is.
    """
    return _spoken(card, spoken_now().code)


@cache  # there are few cards and languages
def _spoken(card: Card, language: str) -> str:
    if card.isdigit():
        return card
    if card in JOKERS:
        return _("Black Joker") if card == "BJ" else _("Red Joker")
    suit = suit_name(card[1])
    match card[0]:  # a text for each: other languages link rank and suit in other ways
        case "A":
            return _("Ace of {suit}", suit=suit)
        case "J":
            return _("Jack of {suit}", suit=suit)
        case "Q":
            return _("Queen of {suit}", suit=suit)
        case "K":
            return _("King of {suit}", suit=suit)
        case rank:
            return _("{rank} of {suit}", rank=rank_name(rank), suit=suit)


def sign(card: Card) -> str:
    """Return the card as a short sign: "Q♥", "10♠"; a joker is a star, as on its picture."""
    if card in JOKERS:
        return "☆" if card == "BJ" else "★"
    rank = "10" if card[0] == "T" else card[0]
    return f"{rank}{SUIT_SIGNS[card[1]]}"


def spoken_list(cards: Sequence[Card]) -> str:
    """Return the cards in words, as in a sentence: "2 of Clubs, 3 of Clubs and Red Joker"."""
    return joined([spoken(card) for card in cards])


def joined(words: Sequence[str], form: str = AND) -> str:
    """Return the words joined as in a sentence ("Ann, Ben and Cid"), or "nothing"; `form` is AND
    or OR.
    """
    if not words:
        return _("nothing")
    if len(words) == 1:
        return words[0]
    *first, last = map(isolated, words)
    return _(form).format(first=_(", ").join(first), last=last)
