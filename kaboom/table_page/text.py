"""A table as plain text: short lines for terminals, text browsers and braille displays."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from kaboom.engine.i18n import figures, ngettext
from kaboom.engine.i18n import gettext as _
from kaboom.engine.menu import Numbered, is_bare_number, numbered
from kaboom.engine.table_view import TablePage
from kaboom.engine.toolkit.cards import spoken
from kaboom.engine.views import DOWN, EMPTY, Outcome, Saying, Zone
from kaboom.table_page import speech
from kaboom.table_page.api import CARDS, impossible
from kaboom.table_page.table_html import REVISION, said_of_the_end
from kaboom.web.api.columns import WIDTH, width_of, wrapped
from kaboom.web.links import rooted


def text_of(page: TablePage, width: int = WIDTH, words: bool = False, would: bool = False) -> str:
    """Return a table as lines of at most this many columns, with cards as codes or in words; with
    `would`, also the effects of each move.
    """
    lines = [line for part in _parts(page, words, would) for line in _wrapped(part, width)]
    return "\n".join(lines) + "\n"


def lines_of(page: TablePage) -> Iterator[str]:
    """Yield the lines of a step of a finished match: its log lines and the cards on the table."""
    yield speech.turn(page)
    yield from (f"- {line.text}" for line in page.log if line.fresh)
    yield from zone_lines(page, words=False)


@lru_cache(maxsize=10_000)  # most lines recur between requests and viewers
def _wrapped(text: str, width: int) -> Sequence[str]:
    """Return a line wrapped to the width, with the following lines indented. Items separated by two
    spaces are kept whole.
    """
    if width_of(text) <= width:
        return [text]
    if "  " not in text:
        return wrapped(text, width) or [""]
    lines, line = [], ""
    for item in text.split("  "):
        longer = f"{line}  {item}" if line else item
        if width_of(longer) > width and line:
            lines.append(line)
            longer = f"  {item}"
        line = longer
    found: list[str] = []
    for each in (*lines, line):
        found += wrapped(each, width, "    ")
    return found


def _parts(page: TablePage, words: bool, would: bool) -> Iterator[str]:
    match = f", {_('match {number}', number=page.match)}" if page.match else ""
    yield f"{page.game.name} {page.code}{match}"
    yield speech.turn(page)
    if not page.closed and (end := said_of_the_end(page)):
        yield end
    if page.tip:
        yield f"{page.tip.text}"
    fresh = [line.text for line in page.log if line.fresh and line.text != page.saying]
    yield from (f"- {it}" for it in fresh or filter(None, [speech.last_heard(page)]))
    if page.view is None and not page.closed:
        yield from _chairs(page)
    yield from zone_lines(page, words)
    if page.view is not None and (bots := speech.bots(page)):
        yield bots
    yield from _going_on(page)
    yield from _affairs(page)
    yield from speech.clocks(page)  # before the moves, whose lines also begin with numbers
    yield from _moves(page, words, would)
    yield from _doors(page)


def _chairs(page: TablePage) -> Iterator[str]:
    for line in page.seats:
        about = [line.name or _("free")]
        about += [_("host")] if line.host else []
        about += [_("bot")] if line.bot else []
        about += [_("you")] if line.mine else []
        about += [_("ready")] if line.ready else []
        yield f"{line.seat + 1}: {', '.join(about)}"


def zone_lines(page: TablePage, words: bool) -> Iterator[str]:
    """Yield the cards on a table, zone by zone; with `words`, cards are named in words."""
    shown = page.view.zones if page.view else ()
    # Short zones share a line: those of one player, or the same zone of each player.
    line: list[str] = []
    last: Zone | None = None
    for zone in shown:
        text = f"{speech.whose(page, zone)}: {_cards(zone, words)}"
        another = last is not None and zone.owner != last.owner and zone.name != last.name
        if line and (another or width_of(text) > 24):
            yield "  ".join(line)
            line = []
        last = zone
        if width_of(text) > 24:
            yield text
        else:
            line.append(text)
    if line:
        yield "  ".join(line)


def _going_on(page: TablePage) -> Iterator[str]:
    """Yield a line with the state apart from the cards, and how each player stands. After a match,
    this is already in the first lines of the text.
    """
    if page.view is None or page.closed or page.outcome:
        return
    game, view = page.game, page.view
    lying = {card for zone in view.zones for card in zone.cards}
    now = [it for it in game.now(view) if lying.isdisjoint(_names_in(it))]
    told = speech.in_words(page, [*now, *game.standing(view)])
    if told:
        yield _("As it stands: {what}", what=" ".join(dict.fromkeys(told)))


def _names_in(it: Saying) -> set[str]:
    """Return the strings in a saying, such as card names."""
    found = set()
    for fact in it.facts.values():
        found |= {str(each) for each in (fact if isinstance(fact, (list, tuple)) else (fact,))}
    return found


def _cards(zone: Zone, words: bool) -> str:
    if not zone.cards:
        return "-"
    if set(zone.cards) == {DOWN} and not zone.places and len(zone.cards) > 1:
        return ngettext("{count} face down", "{count} face down", len(zone.cards))
    between = ", " if words else " "
    shown = []
    for place, card in enumerate(zone.cards):
        name = spoken(card) if words and card not in (DOWN, EMPTY) else card
        mark = zone.marks.get(zone.places[place], "") if zone.places else ""
        shown.append(f"{name} ({_(mark)})" if mark else name)
    return between.join(shown)


def _affairs(page: TablePage) -> Iterator[str]:
    controls = page.controls
    if controls.vote:
        yield controls.vote.text
    if controls.hint:
        yield controls.hint
    if controls.away:
        yield _("You are not playing yourself now.")
    yield from controls.done
    yield from (_("A bot plays for {name}.", name=name) for name in controls.bots_for)


def _moves(page: TablePage, words: bool, would: bool) -> Iterator[str]:
    """Yield the numbered moves: a paragraph for each that has options, a line for each of the
    others.
    """
    for offer, run in groupby(numbered(page.offered), key=lambda line: line.offer):
        lines = list(run)
        if not offer.options:
            yield f"{lines[0].number} {offer.verb}: {page.label(offer)}"
            yield from _previews(page, lines) if would else ()
            continue
        amount = (
            _("choose {count}", count=offer.most)
            if offer.least == offer.most
            else _("choose {least} to {most}", least=offer.least, most=offer.most)
        )
        ordered = f", {_('in order')}" if offer.ordered and offer.most > 1 else ""
        yield f"{offer.verb}: {page.label(offer)} ({amount}{ordered})"
        if offer.verb in page.game.pieces:
            yield f"({_('only prepares a move')})"
        labels = (*page.choices(offer), "")  # and one for choosing nothing, which has its own label
        yield "  ".join(_choice(*it, words) for it in zip(lines, labels, strict=False))
        yield from _impossible(lines)
        yield from _previews(page, lines) if would else ()


def _impossible(lines: Sequence[Numbered]) -> Iterator[str]:
    """Yield the options that no legal choice contains, if only some of them are impossible."""
    numbers = [it.number for it in lines if impossible(it.offer, it.option)]
    if numbers:
        yield f"({_('not possible now: {numbers}', numbers=', '.join(map(str, numbers)))})"


def _previews(page: TablePage, lines: Sequence[Numbered]) -> Iterator[str]:
    """Yield the effects of a move: for each option by its number, or once for all."""
    offer = lines[0].offer
    by_number = [(it.number, it.option) for it in lines if offer.chooses_one and it.option]
    told = [(number, page.preview(offer, option)) for number, option in by_number]
    found = [f"({number}) {does}" if offer.simple else does for number, does in told if does]
    if not found and (does := page.preview(offer)):
        found = [f"({lines[0].number}) {does}" if offer.simple and not by_number else does]
    yield from found


def _choice(line: Numbered, label: str, words: bool) -> str:
    if line.option is None:
        return f"{line.number} {_('nothing')}"
    if line.option in CARDS:
        return f"{line.number} {label if words else line.option}"
    if label == str(line.number) == line.option:
        return label
    if label.isdecimal():  # two bare numbers would be ambiguous; "3 choose 57" can be typed
        return f"{line.number} {line.offer.verb} {label}"
    if label == line.option or is_bare_number(line.option, label):
        return f"{line.number} {label}"
    return f"{line.number} {line.option} {label}"


def _doors(page: TablePage) -> Iterator[str]:
    if page.closed:
        return
    if page.menu:
        yield f"move: POST {page.at}/move"
        yield f"answers={page.menu} move="
    if page.outcome:
        yield _outcome(page.outcome)
    if page.record:
        yield f"record: GET {rooted(f'/m/{page.record}')}.txt"
    if page.playing:
        yield f"wait: GET {page.at}.txt?wait=25&v={page.marks.get(REVISION, '')}"
    elif page.me is None and page.has_free_seat:
        yield f"sit: POST {page.at}/sit name="
    elif page.me is not None and not page.seats[page.me].ready:
        door = "rematch" if page.outcome else "ready"
        yield f"{door}: POST {page.at}/{door}"


def _outcome(outcome: Outcome) -> str:
    """Return the outcome for programs that read text, in the words of the JSON."""
    places, scores = (",".join(map(figures, it)) for it in (outcome.places, outcome.scores))
    return f"outcome={outcome.reason} places={places} scores={scores}"
