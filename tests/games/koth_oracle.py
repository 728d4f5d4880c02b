"""King of the Hill's following and winning, implemented independently from the rules.

It shares no code or method with the game: cards are compared one by one, and plays are found by
trying every selection. It is slow and simple enough to be trusted.
"""

from itertools import combinations

PLAIN_ORDER = "AKQJT98765432"


def is_trump(card, rank, suit):
    return card in ("RJ", "BJ") or card[0] == rank or card[1] == suit


def effective_suit(card, rank, suit):
    return "trumps" if is_trump(card, rank, suit) else card[1]


def is_higher(a, b, rank, suit):
    """Return True if a is higher than b; both are of one effective suit."""
    order = ["RJ", "BJ"]
    if not is_trump(a, rank, suit):
        return PLAIN_ORDER.index(a[0]) < PLAIN_ORDER.index(b[0])

    def group(card):
        if card in order:
            return order.index(card)
        if card == rank + suit:
            return 2
        if card[0] == rank:
            return 3  # the trump rank in other suits: all equal
        return 4 + PLAIN_ORDER.index(card[0])

    return group(a) < group(b)


def is_pair(cards):
    return len(cards) == 2 and cards[0] == cards[1]


def allowed(cards, hand, lead, rank, suit, literal):
    """Return True if these cards of the hand may follow the lead (or lead, if there is none)."""
    if not lead:
        return len(cards) == 1 or is_pair(cards)
    if len(cards) != len(lead):
        return False
    led = effective_suit(lead[0], rank, suit)
    mine = [card for card in hand if effective_suit(card, rank, suit) == led]
    of_suit = [card for card in cards if effective_suit(card, rank, suit) == led]
    if len(lead) == 1:
        return bool(of_suit) or not mine
    has_pair = any(is_pair(two) for two in combinations(mine, 2))
    if has_pair:  # 1.
        return is_pair(cards) and len(of_suit) == 2
    if literal:
        return True
    if len(mine) >= 2:  # 2.
        return len(of_suit) == 2
    if len(mine) == 1:  # 3.
        return len(of_suit) == 1
    return True  # 4.


def all_allowed(hand, lead, rank, suit, literal):
    """Return the set of allowed plays, each as a sorted tuple."""
    plays = set()
    for size in (1, 2):
        for cards in combinations(hand, size):
            if allowed(cards, hand, lead, rank, suit, literal):
                plays.add(tuple(sorted(cards)))
    return plays


def winner(plays, rank, suit):
    """Return the index of the winning play; plays are in playing order."""
    lead = plays[0]
    best = 0
    for index in range(1, len(plays)):
        cards = plays[index]
        if len(lead) == 2 and not is_pair(cards):
            continue
        mine = effective_suit(cards[0], rank, suit)
        theirs = effective_suit(plays[best][0], rank, suit)
        if mine == theirs:
            if is_higher(cards[0], plays[best][0], rank, suit):
                best = index
        elif mine == "trumps":
            best = index
    return best


def points(cards):
    return 5 * sum(c[0] == "5" for c in cards) + 10 * sum(c[0] in "TK" for c in cards)
