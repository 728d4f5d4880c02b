"""A table as speech: a few sentences of letters, digits and full stops, at most 60 words.

Pronunciation is left to screen readers and smart speakers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from kaboom.engine.i18n import figures, ngettext
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.menu import Numbered, numbered
from kaboom.engine.premoves import decides_ahead
from kaboom.engine.table_view import TablePage, in_a_sentence
from kaboom.engine.toolkit.cards import joined, spoken
from kaboom.engine.views import DOWN, EMPTY, Offer, Saying, Zone
from kaboom.table_page.table_html import said_of_the_end
from kaboom.web.api.spoken import WORDS, cut, plain

# Spoken with an introduction after the moves, because these are not moves to make now.
PREPARES = N_("The following only prepares a move; no one else sees it.")
AHEAD = N_("You can plan the following in advance.")


def said(page: TablePage) -> str:
    """Return the current situation as speech."""
    return cut(plain(told(page)))


def told(page: TablePage) -> str:
    """Return the situation: the last event, whose turn it is, the cards on the table, the moves.

    As many cards as fit are included, and the moves are summarised if necessary. The event and the
    turn are always included.
    """
    text = " ".join(filter(None, (last_heard(page), turn(page))))
    moves = made_now(page)
    whole, short = possible(page, moves), counted(page, moves)
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
    """Return the number of spoken words of a text."""
    return len(plain(text).split())


def about(page: TablePage, what: str, number: int) -> str:
    """Return one page of the answer to a question: hand, table, moves, last, clock, score, or the
    effects of the moves.
    """
    if what not in ABOUT:
        return said(page)
    pages = list(paged(_plain_part(it) for it in ABOUT[what](page) if it))
    if not pages:
        return plain(_("There is nothing to say about that now."))
    at = max(1, min(number, len(pages)))
    more = _("More on page {number}.", number=at + 1) if at < len(pages) else ""
    return f"{pages[at - 1]} {more}".strip()


class Part(NamedTuple):
    """Spoken items in a list; `again` introduces them at the start of a further page."""

    text: str
    again: str = ""


def _plain_part(part: str | Part) -> Part:
    return Part(plain(part)) if isinstance(part, str) else Part(*map(plain, part))


def paged(said: Iterable[Part]) -> Iterator[str]:
    """Yield pages of sentences, each with room for the words that announce another page."""
    page: list[str] = []
    for text, again in said:
        for part in _parts(text, WORDS - MORE):
            if page and length(" ".join((*page, part))) > WORDS - MORE:
                yield " ".join(page)
                page = [again] if again else []
                part = f"{part[:1].upper()}{part[1:]}" if again else part
            page.append(part)
    if page:
        yield " ".join(page)


MORE = 6  # number of words that announce another page


def turn(page: TablePage) -> str:
    """Return the sentence that says what is happening and for whom the table waits, after any
    result that is shown.
    """
    if page.closed:
        return _("A match is being played at this table, and you cannot watch it.")
    if page.frozen:
        return _(page.frozen)
    if page.view is None:
        taken = joined([f"{it.name} ({_('bot')})" if it.bot else it.name for it in page.taken])
        return " ".join((_("The match has not begun."), _("At the table: {names}.", names=taken)))
    return f"{page.result} {page.saying}".lstrip()


def last_heard(page: TablePage) -> str:
    """Return the last log line that says more than whose turn it is."""
    return next((line.text for line in reversed(page.log) if line.text != page.saying), "")


def now(page: TablePage) -> Sequence[str]:
    """Return the sentences of the game about the cards that matter now."""
    if page.view is None:
        return []
    if end := said_of_the_end(page):
        return [end]
    return in_words(page, page.game.now(page.view))


Made = Sequence[Numbered]  # a possible move, as the numbers that some legal choice contains


def possible(page: TablePage, moves: Sequence[Made]) -> str:
    """Return each of the viewer's possible moves once, and the awaited players."""
    return " ".join(filter(None, (_waiting(page), _asked(page, moves), _besides(page))))


def _asked(page: TablePage, moves: Sequence[Made]) -> str:
    if not moves:
        return ""
    labels = (_in_short(page, move) for move in moves)
    return ngettext(
        "You have {count} move: {moves}.",
        "You have {count} moves: {moves}.",
        len(moves),
        moves="; ".join(labels),
    )


def _moves_of(offers: Sequence[Offer]) -> Iterator[Made]:
    """Yield each move that can be made."""
    for offer, run in groupby(numbered(offers), key=lambda line: line.offer):
        legal = [it for it in run if it.option is None or it.option in offer.playable]
        if legal:
            yield legal


def made_now(page: TablePage) -> Sequence[Made]:
    """Return the moves that can be made now, except those that only prepare another."""
    offers = page.prompt.offers if page.prompt else ()
    return [move for move in _moves_of(offers) if not _lead(page, move[0].offer)]


def _lead(page: TablePage, offer: Offer) -> str:
    """Return the words that introduce a move not to be made now, or ""."""
    if offer.verb in page.game.pieces:
        return PREPARES
    return AHEAD if decides_ahead(offer.verb) else ""


def _label(page: TablePage, offer: Offer) -> str:
    """Return the label of a move; for a premove, only what it decides."""
    return page.decided(offer) if decides_ahead(offer.verb) else page.label(offer)


def _in_short(page: TablePage, move: Made) -> str:
    """Return the label of a move, and the number of its options."""
    offer = move[0].offer
    if len(move) == 1:
        return _named(page, move[0])
    if offer.most == 1:
        return _("{what}, one of {count}", what=_label(page, offer), count=len(move))
    choices = [it for it in move if it.option is not None]
    most = min(offer.most, len(choices))
    amount = (
        str(most) if offer.least == most else _("{least} to {most}", least=offer.least, most=most)
    )
    return _(
        "{what}, {amount} of {count}",
        what=_label(page, offer),
        amount=amount,
        count=len(choices),
    )


def _named(page: TablePage, line: Numbered) -> str:
    """Return the label of a move that leaves no choice, with its only option, if it has one."""
    label = _label(page, line.offer)
    return label if line.option is None else f"{label}, {page.choice(line.offer, line.option)}"


def _besides(page: TablePage) -> str:
    """Return the other things that the viewer may do; for all premoves, only one word."""
    if not page.besides:
        return ""
    named = [
        _("Move in advance") if decides_ahead(it.verb) else page.label(it) for it in page.besides
    ]
    return _("Also: {what}.", what="; ".join(dict.fromkeys(named)))


def counted(page: TablePage, moves: Sequence[Made]) -> str:
    """Return a summary: the number of moves, or the players awaited."""
    if not moves:
        return _waiting(page)
    return ngettext("You have {count} move.", "You have {count} moves.", len(moves))


def _waiting(page: TablePage) -> str:
    if not page.playing or not page.waiting or page.my_turn or page.waiting_is_said:
        return ""
    return _("Waiting for {names}.", names=", ".join(page.waiting_names))


def in_words(page: TablePage, sayings: Iterable[Saying]) -> Sequence[str]:
    """Return the game's sentences about the current moment."""
    return [in_a_sentence(it, page.game.words, page.names) for it in sayings]


# What can be asked about


def whose(page: TablePage, zone: Zone) -> str:
    """Return the title of a zone with its owner."""
    title = _(zone.name.replace("_", " ").capitalize())
    if zone.owner is None or zone.owner >= len(page.names.seats):
        return title
    if zone.owner == page.viewer:
        return _("{zone}, yours", zone=title)
    return _("{zone}, {name}", zone=title, name=page.names.name(zone.owner))


def _lying(page: TablePage, zone: Zone) -> str:
    marks = [zone.marks.get(place, "") for place in zone.places] or [""] * len(zone.cards)
    groups = []
    for (card, remark), run in groupby(zip(zone.cards, marks, strict=True)):
        count = len(list(run))
        if card == DOWN:
            text = ngettext("{count} face down", "{count} face down", count)
        elif card == EMPTY:
            text = ngettext("{count} empty place", "{count} empty places", count)
        else:
            text = ", ".join([spoken(card)] * count)
        groups.append(f"{text}, {_(remark)}" if remark else text)
    return f"{whose(page, zone)}: {', '.join(groups) or _('nothing')}."


def _hand(page: TablePage) -> Iterator[str]:
    for zone in page.view.zones if page.view else ():
        if zone.owner is not None and zone.owner == page.viewer:
            yield _lying(page, zone)


def _table(page: TablePage) -> Iterator[str]:
    yield from now(page)
    for zone in page.view.zones if page.view else ():
        if zone.cards and (zone.owner is None or zone.owner != page.viewer):
            yield _lying(page, zone)
    yield bots(page)


def bots(page: TablePage) -> str:
    """Return the names of the built-in bots; a player's own bot is labelled by its name."""
    names = [line.name for line in page.seats if line.bot]
    return _("Bots: {names}.", names=joined(names)) if names else ""


def _moves(page: TablePage) -> Iterator[str | Part]:
    """Yield the moves, then those that only prepare another, and premoves."""
    asked = page.prompt and page.prompt.offers
    yield counted(page, made_now(page)) if asked else turn(page)
    moves = list(_moves_of(page.offers))
    for lead in ("", PREPARES, AHEAD):
        those = [move for move in moves if _lead(page, move[0].offer) == lead]
        if those and lead:
            yield _(lead)
        for move in those:
            yield from _read_out(page, move)


def _read_out(page: TablePage, move: Made) -> Iterator[str | Part]:
    """Yield a move. With options it is a list: the label and how many to choose, then each option
    with its number, with “or” before the last.

    Options that no legal choice contains are only counted.
    """
    offer = move[0].offer
    if len(move) == 1:
        yield f"{move[0].number}: {_named(page, move[0])}."
    else:
        yield f"{_in_short(page, move)}."
        again = _("{what}, continued.", what=_label(page, offer))
        names = [_numbered(page, it) for it in move]
        yield from (Part(f"{it};", again) for it in names[:-1])
        yield Part(f"{_('or {choice}', choice=names[-1])}.", again)
    others = len(offer.options) - sum(it.option is not None for it in move)
    if others:
        yield ngettext(
            "{count} other is not possible now.", "{count} others are not possible now.", others
        )


def _numbered(page: TablePage, line: Numbered) -> str:
    name = _("nothing") if line.option is None else page.choice(line.offer, line.option)
    return name if name == str(line.number) == line.option else f"{line.number}: {name}"


def _last(page: TablePage) -> Iterator[str]:
    fresh = [line.text for line in page.log if line.fresh]
    yield from fresh or [last_heard(page)]


def _clock(page: TablePage) -> Iterator[str]:
    if not page.clocks and not page.waits:
        yield _("No clock is running.")
    yield from clocks(page)


def clocks(page: TablePage) -> Iterator[str]:
    """Yield the time that is left, by seconds or days."""
    for clock in page.clocks:
        yield ngettext("{count} second left.", "{count} seconds left.", int(clock.left))
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
                f"{_(heading)} {figures(points)}"
                for heading, points in zip(scores.headings, row, strict=True)
            )
            yield f"{page.names.name(seat)}: {told}."
        if page.game.lowest_wins:
            yield _("The fewest points win.")
    yield from in_words(page, page.game.standing(page.view))


def _would(page: TablePage) -> Iterator[str]:
    """Yield what each of the viewer's moves would do; for moves without a preview, their labels. If
    no move has a preview, the question comes first.
    """
    moves = made_now(page)
    if not any(page.previews_of(move[0].offer) for move in moves):
        yield turn(page)
    said = [
        sentence
        for move in moves
        for sentence in page.previews_of(move[0].offer) or [f"{_in_short(page, move)}."]
    ]
    yield from dict.fromkeys(said)


def _parts(sentence: str, most: int) -> Iterator[str]:
    """Yield a sentence in parts of at most `most` words, broken after a comma or semicolon if
    possible.
    """
    words = sentence.split()
    while len(words) > most:
        pauses = [n for n in range(1, most + 1) if words[n - 1].endswith((",", ";"))]
        end = pauses[-1] if pauses else most
        yield " ".join(words[:end])
        words = words[end:]
    yield " ".join(words)


ABOUT: dict[str, Callable[[TablePage], Iterable[str | Part]]] = {
    "hand": _hand,
    "table": _table,
    "moves": _moves,
    "last": _last,
    "clock": _clock,
    "score": _score,
    "would": _would,
}
