"""The numbered list of a seat's possible moves, the same in every format.

The list is computed once from a prompt. Offers keep the game's order, and options the offer's; two
identical cards have a number each. An offer that needs no choice, or allows an empty one, has one
more number. Where a whole number is chosen, such as a bid, it is its own number in the list, so
that 3 bids 3; everything else is numbered from the next higher number on.
"""

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import TOLD, Choices, NotOnOffer, moved_on
from kaboom.engine.views import Offer, token_of


class Numbered(NamedTuple):
    """One line of the list: its number, the offer, and what it chooses (None: nothing)."""

    number: int
    offer: Offer
    option: str | None = None


def numbered(offers: Sequence[Offer]) -> list[Numbered]:
    """Return the numbered options of these offers, from 1. The options of the first offer of whole
    numbers keep their own numbers.
    """
    own = next((offer for offer in offers if offer.numbers), None)
    free = count(1 + max(map(int, own.options), default=0) if own else 1)
    found = []
    for offer in offers:
        for option in offer.options:
            number = int(option) if offer is own else next(free)
            found.append(Numbered(number, offer, option))
        if not offer.least:
            found.append(Numbered(next(free), offer))
    return found


def menu_of(match: int, offers: Sequence[Offer]) -> str:
    """Return a hash of a numbered list; while it is the same, each number keeps its meaning."""
    return token_of(
        (match, *((it.token, it.verb, it.options, it.least, it.most, it.ordered) for it in offers))
    )


def answers_of(match: int, offer: Offer) -> str:
    """Return a hash of one offer in a match, for answers in words."""
    return token_of((match, offer.token))


def chosen(match: int, offers: Sequence[Offer], answers: str, text: str) -> tuple[Offer, Choices]:
    """Return the offer and the choices of a typed move, such as "7 8" or "lay 8S JS".

    `answers` is the hash of what is answered: of the menu or, for words, of one offer. The choice
    may still break a rule. Raises StaleMove if the hash is outdated, and NotOnOffer if the text is
    not a move on offer.
    """
    words = text.split()
    if not words:
        raise NotOnOffer(_("That is not a move."))
    if all(map(str.isdigit, words)):
        if answers == menu_of(match, offers):
            return _by_number(offers, words)
        if any(answers == answers_of(match, offer) for offer in offers):
            sentence = _(
                "Numbers refer to the whole list: send the list’s “answers”, not those of an offer."
            )
            raise NotOnOffer(sentence)
        raise moved_on()
    verb, *choices = words
    if answers == menu_of(match, offers):
        named = [offer for offer in offers if offer.verb == verb]
    else:
        meant = [offer for offer in offers if answers == answers_of(match, offer)]
        if not meant:
            raise moved_on()
        named = [offer for offer in meant if offer.verb == verb]
    if not named:
        raise NotOnOffer(_("You cannot do that now."))
    holding = [offer for offer in named if set(choices) <= set(offer.options)]
    return (holding or named)[0], tuple(choices)


def as_called(offers: Sequence[Offer], text: str, labels: Callable[[Offer], Sequence[str]]) -> str:
    """Return a move that a person has typed, in the form that `chosen` expects.

    The choice may be named as in the list, such as "take row 2"; `labels` returns the list's names
    for the options of an offer. The list counts rows from 1, so "take 2" is Row 2; programs count
    from 0.

    Raises NotOnOffer if the number after a word is not a possible choice, even if the list has such
    a number.
    """
    verb, _unused, rest = text.strip().partition(" ")
    called = [
        (option, label)
        for offer in offers
        if offer.verb == verb
        for option, label in zip(offer.options, labels(offer), strict=True)
    ]
    for option, label in called:
        if _squeezed(label) == _squeezed(rest):
            return f"{verb} {option}"
    meant = {_number_in(label): option for option, label in called if option.isdecimal()}
    choices = [meant.get(int(it)) if it.isdecimal() else it for it in rest.split()]
    if not called:
        return text
    known = [it for it in choices if it is not None]
    if len(known) == len(choices):
        return " ".join((verb, *known))
    sentence = _(
        "{choice} cannot be chosen now. Send a number from the list on its own, without a word.",
        choice=rest[:TOLD],
    )
    raise NotOnOffer(sentence)


def _number_in(label: str) -> int | None:
    """Return the only number in a label, such as 2 in "Row 2", or None."""
    found = re.findall(r"\d+", label)
    return int(found[0]) if len(found) == 1 else None


def is_bare_number(option: str, label: str) -> bool:
    """Return True if an option is a number, but its label is not that number alone."""
    return option.isdecimal() and option != label


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _by_number(offers: Sequence[Offer], words: Sequence[str]) -> tuple[Offer, Choices]:
    known = {str(it.number): it for it in numbered(offers)}
    if len(set(words)) < len(words) or not known.keys() >= set(words):
        raise NotOnOffer(_("Choose numbers from the list, each only once."))
    lines = [known[word] for word in words]
    first = lines[0].offer
    if any(line.offer is not first for line in lines):
        raise NotOnOffer(_("These numbers belong to different moves. Choose a single move."))
    choices = tuple(line.option for line in lines if line.option is not None)
    if len(choices) < len(lines) > 1:
        raise NotOnOffer(_("Choose numbers from the list, each only once."))
    return first, choices
