"""The HTML of a table's page, assembled from regions: parts that are each rendered once for all
viewers for whom they are the same.

A region is a macro of a template that sees only its arguments (a macro called from here has no
context). It is cached by its name, its arguments and the language, so it can never show what is not
part of that key. The arguments are immutable: strings, numbers, and tuples of them.

A region may contain others. These are rendered first and leave placeholders in it, so that the
region around them can be cached whatever they contain.

The tokens of offers and the revision of the view change with nearly every move, though no player
reads them. A page is rendered with marks in their place, which `filled` replaces at the end.

Elements that change independently are between the marks `part` and `part_ends`. At these marks, a
page is split into the fragments from which an update is made (kaboom.table_page.updates).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import Any
from zlib import crc32

from flask import Flask, current_app, render_template
from jinja2.runtime import Macro
from markupsafe import Markup
from msgspec import structs

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import spoken_now
from kaboom.engine.outcome_text import how as ending_how
from kaboom.engine.outcome_text import place_of
from kaboom.engine.outcome_text import title as ending_title
from kaboom.engine.table_view import Draw, LogLine, Shown, TablePage
from kaboom.engine.views import Outcome, Prompt

MOST = 6_000  # regions kept by a worker process, some 10 MB
ASKED = "asks"  # the id of a question, which is read out together with what is happening
RECENT = 3  # log lines in the rail of a viewer who waits
TOLD = "told"  # the id of a game's line that is read out together with what is happening
# No text from users contains the NUL character of the marks, and HTML does not use it.
REVISION, SIGHT = "\0v\0", "\0s\0"
PART, PART_ENDS = "\0(\0", "\0)\0"
HOLE = re.compile("\0([0-9]+)\0")  # in place of the part with this number
BUTTON = re.compile('<button[^>]* name="move"[^>]*>|<button name="move"[^>]*>')
SHEET = re.compile('<link rel="stylesheet" href="[^"]+">')


def init_app(app: Flask) -> None:
    """Create the cache of rendered regions, `extensions["kaboom.regions"]`."""
    # Typed: a Markup text must not be confused with the same characters as plain text.
    app.extensions["kaboom.regions"] = lru_cache(maxsize=MOST, typed=True)(_rendered)
    app.extensions["kaboom.drawing"] = cache(partial(_drawing, app))
    app.jinja_env.globals.update(
        drawing=drawing,
        game_table=game_table,
        sheets_first=sheets_first,
        part=Markup(PART),
        part_ends=Markup(PART_ENDS),
    )


def _rendered(region: Macro, language: str, *values: Any) -> str:
    html: str = region(*values)
    return html


def drawing(template: str) -> Draw:
    """Return a renderer of a template's macros for the viewer."""
    draw: Draw = current_app.extensions["kaboom.drawing"](template, spoken_now().code)
    return draw


def _drawing(app: Flask, template: str, language: str) -> Draw:
    macros: Any = app.jinja_env.get_template(template).module

    def kept(region: str, *values: Any) -> str:
        frozen = [tuple(value) if type(value) is list else value for value in values]
        html: str = app.extensions["kaboom.regions"](getattr(macros, region), language, *frozen)
        return html

    def around(region: str, *values: Any) -> str:
        parts: list[str] = []
        pieces = HOLE.split(kept(region, *_with_holes(values, parts)))
        for place in range(1, len(pieces), 2):
            pieces[place] = parts[int(pieces[place])]
        return Markup("".join(pieces))

    def anew(region: str, *values: Any) -> str:
        html: str = getattr(macros, region)(*values)
        return html

    return Draw(kept, around, anew)


def _with_holes(values: Iterable[Any], parts: list[str]) -> Iterator[Any]:
    """Yield the values; already rendered ones are moved to `parts`, with a placeholder in their
    place.
    """
    for value in values:
        if type(value) is Markup and value:
            yield Markup(f"\0{len(parts)}\0")
            parts.append(value)
        elif type(value) in (list, tuple):
            yield tuple(_with_holes(value, parts))
        else:
            yield value


def marked_table(page: TablePage) -> Markup:
    """Return the table as rendered for the viewer, with its marks not yet filled in."""
    if page.closed:
        inside = render_template("table_page/fragments/closed.html", page=page, at=page.at)
    elif page.frozen:
        inside = render_template("table_page/fragments/frozen.html", page=page, at=page.at)
    elif page.view is None:
        inside = render_template("lobby/fragments/table.html", page=page, at=page.at)
    else:
        inside = _game_table(page)
    return framed(page, inside)


def framed(page: TablePage, inside: str) -> Markup:
    """Return a rendered part of a page inside the table's element."""
    draw, late = drawing("macros/frame.html"), page.view and page.me is None and page.late
    html = draw.around(
        "frame",
        page.view is not None,
        bool(page.dealt),
        page.my_turn,
        page.revision,
        SIGHT,
        page.watch if late else 0,
        Markup(inside),
        draw.anew("hands", page) if page.hands else "",
    )
    return Markup(html)


def shown_of(page: TablePage) -> Shown:
    """Return the game's own regions, or those of the general table layout."""
    game = page.game
    if game.regions is not None:
        shown: Shown = game.regions(page, drawing(f"{game.key}/regions.html"))
        return shown
    draw = drawing("table_page/general_table.html")
    lifted = None if page.several else page.lifted
    ended, reached = _ended(page), page.limit_reached
    return Shown(
        kind="any hands-open" if page.hands_open else "any",
        board=draw.anew("board", page),
        standing=draw.anew("standing", page) if page.viewer is not None else "",
        lifting=page.label(lifted) if lifted else "",
        beside=draw.anew("points", page),
        names_waited_for=not page.waiting_is_said,
        how=f"{ending_how(ended, page.names)} {reached}" if ended and reached else "",
        final=Markup(draw.anew("final", page)) if page.outcome else "",
    )


def game_table(page: TablePage) -> Markup:
    """Return the table of a game: status, cards and the column beside them."""
    return Markup(uncut(_game_table(page)))


def sheets_first(table: Markup) -> tuple[Markup, Markup]:
    """Return the style sheets that a table links to, and the table without them.

    A whole page links to them in its head. A browser would render what precedes such a link, and
    move it when the sheet and the rest arrive.
    """
    sheets = dict.fromkeys(SHEET.findall(table))
    return Markup("").join(map(Markup, sheets)), Markup(SHEET.sub("", table))


def _game_table(page: TablePage) -> str:
    shown = shown_of(page)
    table, forms = drawing("table_page/macros.html"), drawing("macros/forms.html")
    rail, note = _rail(page, shown), _note(page, shown)
    ended = _ended(page)
    if ended:
        ending = table.anew(
            "ending",
            page,
            ending_title(ended, page.names),
            _how(shown, ended, page),
            shown.last,
            shown.counted,
            shown.final,
            shown.behind,
        )
        beside = _beside(page, shown)
        return table.around("over", shown.kind, rail, note, ending, shown.board, beside)
    vote = Markup(forms.anew("vote", page, page.at)) if page.controls.vote else ""
    board = _scrolling(shown.board) if note or vote or page.ask or page.beside_text else shown.board
    if page.controls.advised and not page.ask:
        rail, board = _lit(page, rail, board)
    return table.around("table", shown.kind, rail, vote, note, board, _beside(page, shown))


def _lit(page: TablePage, *parts: str) -> tuple[Markup, ...]:
    """Return parts of a page with a mark on what a hint points to: the button of the move, or else
    each card that it chooses, or the place that its reason names. Cards chosen in order are
    numbered, and no other button is highlighted as the primary one.
    """
    verb, *choices = page.controls.advised
    offer = page.offer(verb)
    move = f'value="{page.value(offer, " ".join(choices))}"' if offer else ""
    meant, order = Counter([move]), dict[str, int]()
    if not (move and any(move in part for part in parts)):
        picks = Counter(choices) | Counter({" ".join(choices): len(choices)})  # a pair may be one
        meant = Counter({f'name="pick" value="{it}"': times for it, times in picks.items()})
        presses = page.presses_on((*choices, *page.controls.about))
        meant.update(f'value="{it.value}"' for it in presses)
        if len(presses) > 1:
            order = {f'value="{it.value}"': number for number, it in enumerate(presses, 1)}
    found = []
    for html in map(str, parts):
        for text, times in meant.items():
            html = html.replace(text, f"{text} data-best", times)
        for text, number in order.items():
            after = rf'\1 <small class="mark">{number}</small>'
            html = re.sub(rf"({re.escape(text)} data-best.*?</button>)", after, html, count=1)
        html = BUTTON.sub(_weighed, html)
        # An update leaves a form that is being filled in as it is, unless the form has another id.
        for form in ("own", "f"):
            html = html.replace(f'id="{form}-', f'id="{form}-hint-')
        found.append(Markup(html))
    return tuple(found)


def _weighed(button: re.Match[str]) -> str:
    """Return the start of a move's button: primary if a hint points to it, otherwise secondary."""
    html = button[0]
    if " data-best" in html:
        return html.replace(' class="btn-secondary"', "")
    html = html.replace(' must"', ' may"')
    return html if " class=" in html else html.replace("<button", '<button class="btn-secondary"')


def _how(shown: Shown, ended: Outcome, page: TablePage) -> str:
    return shown.how or ending_how(ended, page.names, shown.counted)


def said_of_the_end(page: TablePage) -> str:
    """Return the sentence that names the winner; "" before the match has ended."""
    ended = _ended(page)
    if ended is None:
        return ""
    who = ending_title(ended, page.names)
    return f"{who if who.endswith('!') else f'{who}.'} {_how(shown_of(page), ended, page)}".strip()


def _scrolling(board: str) -> Markup:
    """Return a board whose middle can be scrolled with the keyboard, because a text beside it takes
    up room.

    The attributes are added afterwards, because they are not arguments of the games' regions, which
    are cached. A form already has a role.
    """
    role = "" if '<form class="table-area"' in board else Markup(' role="group"')
    within = Markup('class="table-area" tabindex="0"{} aria-label="{}"')
    named = within.format(role, _("In the middle"))
    return Markup(str(board).replace('class="table-area"', named, 1))


def _ended(page: TablePage) -> Outcome | None:
    """Return the end of the match, or None if the page does not show it."""
    found = page.outcome
    return None if found is None or found.reason == "stopped" else found


def _rail(page: TablePage, shown: Shown) -> str:
    """Return the rail: what is happening, what the viewer may do, and whom the table waits for."""
    forms, over = drawing("macros/forms.html"), _ended(page) is not None
    says = Markup("".join(_said(page, shown, forms)))
    acts = Markup("".join(_to_do(page, shown, forms)))
    clocks = ""
    if page.clocks and shown.clocks:
        more = forms.kept("more_time", page.at, page.can_have_more_time, page.my_turn)
        clocks = forms.anew("clocks", page, more)
    plate = ""
    if page.viewer is not None:
        name = "" if page.addressed == page.viewer else page.names.name(page.viewer)
        plate = forms.kept("own_plate", page.face(page.viewer), name, shown.standing)
    return forms.around("rail", page.my_turn, says, acts, clocks, plate, over)


def _said(page: TablePage, shown: Shown, forms: Draw) -> Iterator[str]:
    """Yield the lines of the rail; once the match is over, most are left to its ending.

    A replayed match has a heading instead: it waits for nobody.
    """
    if page.heading:
        yield forms.kept("heading", page.heading, False)
        yield shown.told
        return
    ended, saying = _ended(page), page.saying
    over = ended is not None
    if ended:
        place = place_of(page.viewer, ended, page.names, shown.counted)
        saying = place or _("The match is over.")
    heard, told = "" if over else shown.heard, _with_it(page, shown, over)
    # Two rounds may have the same result.
    rounds = page.view.facts.get("round") if page.view else None
    number = crc32(f"{rounds} {page.result}".encode())
    yield forms.kept("heading", saying, page.own_answer, heard, told, page.result, number)
    if page.notice:
        yield forms.anew("notice", page)
    if page.tip:
        yield forms.kept("tip", page.at, page.game.key, page.tip)
    if page.ask:
        yield forms.anew("question", page.ask)
    elif not over:
        if page.controls.hint:
            hint, marked = page.controls.hint, page.controls.marked
            yield forms.kept("advice", page.revision, marked or hint, hint if marked else "")
        yield shown.told
    if _has_buttons(page, shown):
        for row in page.number_rows(shown.on_board):
            yield forms.kept("number_label", row)
        if shown.told or page.notice or page.result:
            pass  # these say enough
        elif shown.lifting:
            yield forms.kept("lift", shown.lifting)
        else:
            yield forms.kept("hint", page.pressed())
    if shown.lately and page.my_turn and not page.ask:
        yield forms.kept("lately", shown.lately)
    if page.controls.done:
        yield forms.kept("done", tuple(page.controls.done))
    if _waits(page):
        names = page.waiting_names if shown.names_waited_for else None
        yield forms.kept("waiting", page.at, page.revision, names)
    if _watches(page):
        yield forms.kept("watching", page.has_free_seat and not page.by_house)
    if page.waits and not page.ask and (page.waits[0].mine or not shown.told):
        yield forms.kept("own_days", page.waits[0].sentence)
    if _waits(page) and page.log:
        # The status line may have told the last event already.
        told_now = (saying, page.result)
        lines = [line.text for line in page.log[-RECENT - 1 :] if line.text not in told_now]
        latest = tuple(lines[: -RECENT - 1 : -1])
        yield forms.kept("lately", shown.lately or latest)


def _to_do(page: TablePage, shown: Shown, forms: Draw) -> Iterator[str]:
    """Yield the buttons of the rail."""
    at = page.at
    if page.controls.away:
        yield forms.anew("away", page, at)
    if page.ask:
        yield forms.anew("sure", page, at)
    else:
        seen, own = forms.kept("seen", page.match, page.revision), page.taking_back()
        if _has_buttons(page, shown):
            for row in page.number_rows(shown.on_board):
                yield forms.kept("numbers", at, seen, page.revision, row)
            buttons = page.buttons(shown.quiet, shown.on_board)
            yield forms.kept("presses", at, seen, buttons + own)
        else:
            yield from shown.prompt or ()
            if own:
                yield forms.kept("presses", at, seen, own, "own-last")
    if page.may_ask_hint and not page.ask and _plays(page):
        yield forms.kept("ask_hint", at, page.revision)
    elif page.controls.hint and not page.ask:
        yield forms.kept("hinted")
    if page.plan and not page.ask:
        yield forms.kept("planned", at, page.match, page.plan)
    elif page.may_plan and not page.my_turn:
        yield forms.kept("plan", at)
    if page.controls.paused and page.controls.may_propose:
        yield forms.anew("go_on", page, at)
    if page.outcome:
        yield drawing("table_page/macros.html").anew("again", page, at)


def _plays(page: TablePage) -> bool:
    """Return True if the viewer is playing now, and no bot plays for them."""
    here = page.me is not None and not page.controls.away
    return page.playing and here and not page.replay


def _has_buttons(page: TablePage, shown: Shown) -> bool:
    """Return True if the viewer's offers are buttons in the rail, not part of the game's
    own table.
    """
    return bool(page.prompt) and shown.prompt is None and not page.ask


def _waits(page: TablePage) -> bool:
    """Return True if the viewer is waiting while it is others' turn."""
    return page.playing and not page.my_turn and not page.ask


def _watches(page: TablePage) -> bool:
    """Return True if the viewer has no seat in the match that is played."""
    return page.playing and page.me is None and not (page.replay or page.on_tv)


def _with_it(page: TablePage, shown: Shown, over: bool) -> str:
    """Return the id of what a screen reader reads together with the heading, or "".

    After a refusal the screen reader reads the notice, and nothing that it has read before.
    """
    if page.ask:
        return ASKED
    if page.notice:
        return ""
    if page.controls.hint:
        return f"hint-{page.revision}"
    return TOLD if f'id="{TOLD}"' in shown.told and not over else ""


def _note(page: TablePage, shown: Shown) -> str:
    """Return a text too long for the rail, such as the points of a round."""
    return drawing("macros/forms.html").around("note", Markup(shown.note)) if shown.note else ""


def _beside(page: TablePage, shown: Shown) -> str:
    """Return the column beside a table: points, log, and the way to leave."""
    if page.board_only:
        return Markup()
    at, log, table = page.at, drawing("table_page/log.html"), drawing("table_page/macros.html")
    lines = Markup("".join([line.html for line in page.log]))
    parts = [shown.beside, log.around("lines", lines, log.anew("since", page.fresh))]
    if page.controls.bots_for:
        parts.append(table.kept("bots_for", page.controls.bots_for))
    if not page.replay:
        if page.waits:
            sentences = [it.sentence for it in page.waits]
            late = [(it.seat, it.name) for it in page.waits if it.nudge]
            parts.append(table.kept("over_days", at, sentences, late, page.keep))
        if _plays(page) and (not page.by_house or page.tournament):
            parts.append(table.kept("hand_over", at))
        match = (page.match, page.me, page.playing, page.commitment, page.seed)
        last = (page.record, page.before, page.by_house)
        parts.append(table.kept("way_out", at, *match, *last))
        if page.promise:
            parts.append(table.anew("cutting", page, at))
    return Markup("".join(parts))


@lru_cache(maxsize=10_000, typed=True)  # most viewers read the same
def log_line(number: int, text: str, fresh: bool, kind: str, href: str, sound: str = "") -> LogLine:
    """Return a log line as HTML; `sound` names its sound, if sounds are on."""
    html = drawing("table_page/log.html").anew("line", number, text, fresh, href, sound)
    return LogLine(number, text, fresh, kind, href, html)


def marked(prompt: Prompt) -> Prompt:
    """Return a prompt with marks instead of tokens: the verb, and the number of the offer."""
    offers, seen = [], dict[str, int]()
    for offer in prompt.offers:
        seen[offer.verb] = count = seen.get(offer.verb, 0) + 1
        offers.append(structs.replace(offer, token=f"\0{offer.verb}{count}\0"))
    return Prompt(prompt.seat, tuple(offers))


def marks(revision: int, prompt: Prompt | None, shown: Prompt | None) -> Mapping[str, str]:
    """Return the values of a page's marks; `shown` is the prompt with marks."""
    found = {REVISION: str(revision), SIGHT: ""}
    if prompt and shown:
        for offer, mark in zip(prompt.offers, shown.offers, strict=True):
            found[mark.token] = offer.token
    return found


def filled(html: str, marks: Mapping[str, str]) -> str:
    """Return a page with its marks filled in."""
    html = uncut(html)
    for mark, text in marks.items():
        html = html.replace(mark, text)
    return html


def as_rendered(html: str) -> Markup:
    """Return rendered HTML as it is, for use in a page."""
    return Markup(html)


def uncut(html: str) -> str:
    """Return a page without the marks of its fragments."""
    # As Markup each mark would be escaped, and the page copied once more.
    return str(html).replace(PART, "").replace(PART_ENDS, "")
