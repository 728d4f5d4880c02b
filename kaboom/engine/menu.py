"""All that a seat may do, under one number each: the same list in every voice.

It is made from a prompt once. Offers keep the order of the game, options that of the offer; of two
equal cards each has its number. What needs no choice, or allows an empty one, has one number more.
Where a whole number is chosen (a bid) it is its own number in the list, so that 3 bids 3, and all
else is numbered after the greatest of them.
"""

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

from kaboom.engine.i18n import say
from kaboom.engine.moves import TOLD, Choices, NotOnOffer, moved_on
from kaboom.engine.views import Offer, token_of


class Numbered(NamedTuple):
    """One line of the list: its number, the offer, and what it chooses (None: nothing)."""

    number: int
    offer: Offer
    option: str | None = None


def numbered(offers: Sequence[Offer]) -> list[Numbered]:
    """Return what these offers allow: numbered from 1, but for the first that asks for a number."""
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
    """Return what stands for all the numbers of a list: while it stays, each means the same."""
    return token_of(
        (match, *((it.token, it.verb, it.options, it.least, it.most, it.ordered) for it in offers))
    )


def answers_of(match: int, offer: Offer) -> str:
    """Return what stands for one offer of a match, for whoever answers it in words."""
    return token_of((match, offer.token))


def chosen(match: int, offers: Sequence[Offer], answers: str, text: str) -> tuple[Offer, Choices]:
    """Return which offer a move is about and what it chooses: "7 8", or "lay 8S JS".

    `answers` says what was answered: the menu, or for words one offer's own. What is chosen may
    break a rule still. Raises StaleMove where that is not asked any more, NotOnOffer for nonsense.
    """
    words = text.split()
    if not words:
        raise NotOnOffer(say("That is not a move."))
    if all(map(str.isdigit, words)):
        if answers == menu_of(match, offers):
            return _by_number(offers, words)
        if any(answers == answers_of(match, offer) for offer in offers):
            sentence = say("Numbers are those of the whole list: send its answers, not an offer’s.")
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
        raise NotOnOffer(say("That cannot be done now."))
    holding = [offer for offer in named if set(choices) <= set(offer.options)]
    return (holding or named)[0], tuple(choices)


def as_called(offers: Sequence[Offer], text: str, labels: Callable[[Offer], Sequence[str]]) -> str:
    """Return a move that a person has typed in the words of `chosen`: what is chosen may be called
    as the list calls it, "take row 2", where `labels` are what it calls the options of an offer.
    There rows are counted from 1, so that "take 2" is Row 2; in the words of programs from 0.

    Raises NotOnOffer for a number after a word that is nothing which can be chosen, even where the
    list has such a number.
    """
    verb, _, rest = text.strip().partition(" ")
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
    sentence = say(
        "{choice} cannot be chosen now. A number of the list is sent alone, without a word.",
        choice=rest[:TOLD],
    )
    raise NotOnOffer(sentence)


def _number_in(label: str) -> int | None:
    """Return the only number in what people call something: 2 of "Row 2"; else None."""
    found = re.findall(r"\d+", label)
    return int(found[0]) if len(found) == 1 else None


def is_bare_number(option: str, label: str) -> bool:
    """Say whether an option is written as a number that is not what people call it."""
    return option.isdecimal() and option != label


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _by_number(offers: Sequence[Offer], words: Sequence[str]) -> tuple[Offer, Choices]:
    known = {str(it.number): it for it in numbered(offers)}
    if len(set(words)) < len(words) or not known.keys() >= set(words):
        raise NotOnOffer(say("Choose from the numbers of the list, each once."))
    lines = [known[word] for word in words]
    first = lines[0].offer
    if any(line.offer is not first for line in lines):
        raise NotOnOffer(say("These numbers belong to different moves. Choose one move."))
    choices = tuple(line.option for line in lines if line.option is not None)
    if len(choices) < len(lines) > 1:
        raise NotOnOffer(say("Choose from the numbers of the list, each once."))
    return first, choices
