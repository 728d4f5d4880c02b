"""A table for the ear: a few sentences of letters, digits and stops, 60 words at most.

People have much better screen readers than we could make: nothing here says how it is to be spoken.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from kaboom.core.cards import joined, spoken
from kaboom.core.ending import summary
from kaboom.core.language import say, say_counted, spoken_now
from kaboom.core.numbered import how_many, numbered
from kaboom.core.page import TablePage
from kaboom.core.views import DOWN, EMPTY, Offer, Saying, Zone

WORDS = 60
APART = {"(": ", ", ")": " ", "/": " ", "–": ", ", "—": ", ", "…": ".", "-": " ", "+": " + "}
BELOW_ZERO = re.compile(r"(?<!\S)[-−](\d+)")
PER_CENT = re.compile(r"(\d+(?:[.,]\d+)?)\s?%")
LOOSE = re.compile(r"\s+([.,;:?!])")
DOUBLED = re.compile(r"[,;:]+([.,;:?!])")
SILENT = re.compile(r"[^\w\s.,;:?!’']|_")


def said(page: TablePage) -> str:
    """Return in the voice for the ear what is going on."""
    return cut(plain(told(page)))


def told(page: TablePage) -> str:
    """Return what is going on: the last event, whose turn it is, what lies there, what to do.

    What lies there is told as far as it fits, and what to do in short if it must be. The event and
    the turn stay.
    """
    text = " ".join(filter(None, (last_heard(page), turn(page))))
    whole, short = possible(page), counted(page)
    words = length(text)
    for part in now(page):
        words += length(part)
        if words + length(short) > WORDS:
            words -= length(part)
            break
        text = f"{text} {part}"
    end = whole if words + length(whole) <= WORDS else short
    return f"{text} {end}".strip()


def length(text: str) -> int:
    """Return the number of words of a text as it is said."""
    return len(plain(text).split())


def about(page: TablePage, what: str, number: int = 1) -> str:
    """Return the answer to one question: hand, table, moves, last, clock, score, or what
    one's moves would do; in pages.
    """
    sentences = ABOUT[what](page) if what in ABOUT else [said(page)]
    pages = list(paged([plain(it) for it in sentences if it]))
    if not pages:
        return plain(say("There is nothing to say about that now."))
    at = max(1, min(number, len(pages)))
    more = say("More on page {number}.", number=at + 1) if at < len(pages) else ""
    return f"{pages[at - 1]} {more}".strip()


def paged(sentences: Iterable[str]) -> Iterator[str]:
    """Yield sentences joined to pages, with room for saying that there are more."""
    page: list[str] = []
    for sentence in sentences:
        for part in _parts(sentence, WORDS - MORE):
            if page and length(" ".join((*page, part))) > WORDS - MORE:
                yield " ".join(page)
                page = []
            page.append(part)
    if page:
        yield " ".join(page)


MORE = 6  # words that say that there is more


def plain(text: str) -> str:
    """Return a text without signs: letters, digits and stops."""
    return _plain(text, spoken_now().code)


@lru_cache(maxsize=10_000)  # a sentence stands in several answers about a table
def _plain(text: str, language: str) -> str:
    text = BELOW_ZERO.sub(lambda found: say("minus {number}", number=found[1]), text)
    text = PER_CENT.sub(lambda found: say("{number} percent", number=found[1]), text)
    for sign, spoken_as in APART.items():
        text = text.replace(sign, spoken_as)
    text = " ".join(SILENT.sub(" ", text).split())
    return DOUBLED.sub(r"\1", LOOSE.sub(r"\1", text))


def cut(text: str) -> str:
    """Return as much of a text as may be said at once."""
    words = text.split()
    return text if len(words) <= WORDS else " ".join(words[:WORDS]).rstrip(".,;:") + "."


def turn(page: TablePage) -> str:
    """Return the sentence that says what is happening, and who is waited for."""
    if page.closed:
        return say("A match is on at this table, and you may not see it.")
    if page.frozen:
        return say(page.frozen)
    if page.view is None:
        taken = joined([line.name for line in page.taken])
        return " ".join(
            (say("The match has not begun."), say("At the table: {names}.", names=taken))
        )
    return page.saying


def last_heard(page: TablePage) -> str:
    """Return the last line of the log."""
    return page.log[-1].text if page.log else ""


def now(page: TablePage) -> Sequence[str]:
    """Return what lies on the table that decides the moment, in the game's own sentences."""
    if page.view is None:
        return []
    if page.outcome and page.outcome.reason != "stopped":
        return [summary(page.outcome, page.names)]
    return _in_words(page, page.game.now(page.view))


def possible(page: TablePage) -> str:
    """Return what the viewer may do, each thing once, and whom the table waits for."""
    offers = page.prompt.offers if page.prompt else ()
    return " ".join(filter(None, (_waiting(page), _asked(page, offers), _besides(page))))


def _asked(page: TablePage, offers: Sequence[Offer]) -> str:
    if not offers:
        return ""
    labels = []
    for offer in offers:
        label = page.label(offer)
        if offer.most == 1 and len(offer.options) > 1:
            label = say("{what}, one of {count}", what=label, count=len(offer.options))
        elif offer.most > 1:
            amount = (
                str(offer.most)
                if offer.least == offer.most
                else say("{least} to {most}", least=offer.least, most=offer.most)
            )
            label = say(
                "{what}, {amount} of {count}", what=label, amount=amount, count=len(offer.options)
            )
        elif offer.options:
            label = f"{label}, {page.choice(offer, offer.options[0])}"
        labels.append(label)
    return say_counted(
        "You have {count} move: {moves}.",
        "You have {count} moves: {moves}.",
        how_many(offers),
        moves="; ".join(labels),
    )


def _besides(page: TablePage) -> str:
    if not page.besides:
        return ""
    return say("Besides: {what}.", what="; ".join(map(page.label, page.besides)))


def counted(page: TablePage) -> str:
    """Return the same in short: how many moves the viewer has, or whom the table waits for."""
    offers = page.prompt.offers if page.prompt else ()
    if not offers:
        return _waiting(page)
    return say_counted("You have {count} move.", "You have {count} moves.", how_many(offers))


def _waiting(page: TablePage) -> str:
    if not page.playing or not page.waiting or page.my_turn:
        return ""
    return say("Waiting for {names}.", names=", ".join(page.waiting_names))


def _in_words(page: TablePage, sayings: Iterable[Saying]) -> Sequence[str]:
    words = page.game.words
    return [words.say(it.kind, it.facts, page.names) or "" for it in sayings]


# What can be asked about


def zone_title(zone: Zone) -> str:
    """Return what a zone is called."""
    return say(zone.name.replace("_", " ").capitalize())


def whose(page: TablePage, zone: Zone) -> str:
    """Return the title of a zone, with whose it is."""
    name = zone_title(zone)
    if zone.owner is None or zone.owner >= len(page.names.seats):
        return name
    if zone.owner == page.viewer:
        return say("{zone}, yours", zone=name)
    return say("{zone}, {name}", zone=name, name=page.names.name(zone.owner))


def _lying(page: TablePage, zone: Zone) -> str:
    marks = [zone.marks.get(place, "") for place in zone.places] or [""] * len(zone.cards)
    groups = []
    for (card, mark), run in groupby(zip(zone.cards, marks, strict=True)):
        count = len(list(run))
        if card == DOWN:
            text = say_counted("{count} face down", "{count} face down", count)
        elif card == EMPTY:
            text = say_counted("{count} empty place", "{count} empty places", count)
        else:
            text = ", ".join([spoken(card)] * count)
        groups.append(f"{text}, {say(mark)}" if mark else text)
    return f"{whose(page, zone)}: {', '.join(groups) or say('nothing')}."


def _hand(page: TablePage) -> Iterator[str]:
    for zone in page.view.zones if page.view else ():
        if zone.owner is not None and zone.owner == page.viewer:
            yield _lying(page, zone)


def _table(page: TablePage) -> Iterator[str]:
    yield from now(page)
    for zone in page.view.zones if page.view else ():
        if zone.cards and (zone.owner is None or zone.owner != page.viewer):
            yield _lying(page, zone)


def _moves(page: TablePage) -> Iterator[str]:
    offers = page.offers
    if not offers:
        yield turn(page)
        return
    lines = numbered(offers)
    for offer, run in groupby(lines, key=lambda line: line.offer):
        label = page.label(offer)
        if offer.options and not offer.simple:
            least, most = offer.least, offer.most
            label = (
                say("{what}, choose {count}", what=label, count=most)
                if least == most
                else say("{what}, choose {least} to {most}", what=label, least=least, most=most)
            )
        for place, (number, _, option) in enumerate(run):
            name = "" if option is None else page.choice(offer, option)
            if option is None and offer.options:
                name = say("nothing")
            heading = label if place == 0 else ""
            yield f"{number}: {', '.join(filter(None, (heading, name)))}."


def _last(page: TablePage) -> Iterator[str]:
    fresh = [line.text for line in page.log if line.fresh]
    yield from fresh or [last_heard(page)]


def _clock(page: TablePage) -> Iterator[str]:
    if not page.clocks and not page.waits:
        yield say("No time runs.")
    for clock in page.clocks:
        yield say_counted("{count} second left.", "{count} seconds left.", int(clock.left))
    yield from (it.sentence for it in page.waits)


def _score(page: TablePage) -> Iterator[str]:
    if page.outcome and page.view is not None:
        yield from now(page)
    if page.view is None:
        return
    scores = page.view.scores
    if scores is not None:
        for seat, row in enumerate(scores.rows):
            told = ", ".join(
                f"{say(heading)} {points}"
                for heading, points in zip(scores.headings, row, strict=True)
            )
            yield f"{page.names.name(seat)}: {told}."
    yield from _in_words(page, page.game.standing(page.view))


def _parts(sentence: str, most: int) -> Iterator[str]:
    words = sentence.split()
    for first in range(0, len(words), most):
        yield " ".join(words[first : first + most])


ABOUT: dict[str, Callable[[TablePage], Iterable[str]]] = {
    "hand": _hand,
    "table": _table,
    "moves": _moves,
    "last": _last,
    "clock": _clock,
    "score": _score,
    "would": TablePage.previews,
}
