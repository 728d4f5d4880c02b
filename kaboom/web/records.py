"""After the match: its record, its replay step by step, its check, its file.

The same pages show the matches of this server (/m/CODE) and records brought from elsewhere
(/look/CODE). They are plain pages of plain links.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from kaboom.core.ending import how as ending_how
from kaboom.core.ending import title as ending_title
from kaboom.core.language import say
from kaboom.core.moves import Seat
from kaboom.core.options import BadOptions, Option, described
from kaboom.core.page import SeatLine, TablePage, face
from kaboom.core.views import DOWN, OPEN, View, Zone
from kaboom.core.words import Names
from kaboom.store.database import Busy
from kaboom.tables.errors import NotYours
from kaboom.tables.history.library import IMPORT_CODE, Around, Library, NoRecord
from kaboom.tables.history.record import LARGEST, BadRecord, Record, options_of, text_of
from kaboom.tables.history.replay import Replay
from kaboom.tables.names import CODE_LENGTH, cleaned
from kaboom.web import limits
from kaboom.web.errors import told
from kaboom.web.fields import number
from kaboom.web.identity import command, key_hash
from kaboom.web.regions import log_line, shown_of
from kaboom.web.rules import rules_of
from kaboom.web.show import browser_settings
from kaboom.web.voices import lists
from kaboom.web.voices.choice import by_page

# One set of pages under two addresses: this server's matches, and records from elsewhere.
bp = Blueprint("record", __name__)
files = Blueprint("record_files", __name__)
visits = Blueprint("visits", __name__)

BEFORE, AFTER = 10, 5  # lines shown before and after those of the current step
FURTHEST = 60  # steps from which they are taken: in a long deal nothing is said
PRINTED = 500  # steps on one printable page
KINDS = ("round", "turn", "event")
FORM = 100_000  # bytes of an upload besides the record itself

WRITTEN = ("code", "commitment", "seed", "chain", "digest")  # of a record, besides names and cuts
LONGEST_SHOWN = 100  # characters of each

CODES = {"record": CODE_LENGTH, "look": IMPORT_CODE}


def library() -> Library:
    """Return the records of this server."""
    found: Library = current_app.config["LIBRARY"]
    return found


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a record's code as people type it."""
    if values is not None:
        values["code"] = values["code"].upper()


@visits.url_value_preprocessor
def allow_a_file(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Let a whole record be sent here, where other forms must be short."""
    request.max_content_length = LARGEST + FORM
    request.max_form_memory_size = LARGEST + FORM


@bp.app_errorhandler(NoRecord)
def no_record(error: NoRecord) -> Response:
    """No match with that code may be shown."""
    return told(error, 404, str(error))


def _found(code: str, kind: str | None = None) -> tuple[Replay, Around]:
    kind = kind or request.blueprint
    assert kind is not None
    if not re.fullmatch(rf"[A-Z0-9]{{{CODES[kind]}}}", code):
        raise _no_match()
    if kind == "look":
        return library().brought(code)
    return library().find(code, key_hash())


def _no_match() -> NoRecord:
    return NoRecord(say("There is no match with that code."))


# What is drawn


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a match: the step in which it was said, and its number on the page."""

    number: int
    step: int
    text: str


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A finished match as its pages show it; `step` is the one being looked at."""

    replay: Replay
    around: Around
    code: str
    at: str  # its address
    options: Sequence[tuple[Option, str]]
    seat: Seat | None = OPEN  # whose eyes: a seat's, None for a spectator's, OPEN for all cards
    step: int = 0

    @property
    def record(self) -> Record:
        """Return the record as it is shown: a file from elsewhere may hold any text at all."""
        held = self.replay.record
        plain = {name: cleaned(getattr(held, name), LONGEST_SHOWN) for name in WRITTEN}
        return structs.replace(
            held, **plain, cuts=[cleaned(cut, LONGEST_SHOWN) for cut in held.cuts]
        )

    @property
    def names(self) -> Names:
        """Return the names by seat, read by the seat whose eyes are used."""
        seat = self.seat if self.seat is not None and self.seat >= 0 else None
        return Names(tuple(self.record.names), seat)

    def level(self, seat: Seat) -> str:
        """Return how well the bot played that sat there; nothing for a person."""
        levels = self.record.levels or []
        return levels[seat] if seat < len(levels) else ""

    def face(self, seat: Seat) -> str:
        """Return the classes that draw somebody's face, as at the table."""
        return face(self.names.name(seat), seat, self.level(seat))

    @property
    def eyes(self) -> str | None:
        """Return how an address says whose eyes are used; None for all cards open."""
        return None if self.seat == OPEN else "watch" if self.seat is None else str(self.seat)

    @property
    def wrong(self) -> list[str]:
        """Return what in the record is not true, in sentences."""
        return [say(text) for text in self.replay.wrong]

    @property
    def places(self) -> list[str]:
        """Return the names as people sat before the seats were drawn; none without a lot."""
        drawn = self.record.drawn or []
        return [self.record.names[drawn.index(place)] for place in range(len(drawn))]

    @property
    def cuts(self) -> list[tuple[str, str]]:
        """Return the cuts that were given, with the names of those who gave them."""
        record = self.record
        return [(name, cut) for name, cut in zip(record.names, record.cuts, strict=False) if cut]

    def link(self, step: int) -> str:
        """Return the address of a step, seen by the same eyes."""
        # Put together by hand: on a long page, building a thousand addresses takes half the time.
        return f"{self.at}/{step}" + (f"?seat={self.eyes}" if self.eyes else "")

    def voice(self, step: int, suffix: str) -> str:
        """Return the address of a step in another voice, seen by the same eyes."""
        return f"{self.at}/{step}.{suffix}" + (f"?seat={self.eyes}" if self.eyes else "")

    def seen_by(self, eyes: str | None) -> str:
        """Return the address of this step seen by other eyes."""
        return url_for(".step", code=self.code, number=self.step, seat=eyes)

    def near(self, kind: str) -> tuple[int | None, int | None]:
        """Return the nearest steps before and after this one where a round, a turn begins."""
        marks = self.replay.landmarks(kind)
        before = [mark for mark in marks if mark < self.step]
        after = [mark for mark in marks if mark > self.step]
        return (before[-1] if before else None), (after[0] if after else None)

    def heard(self, step: int) -> Iterator[tuple[str, str]]:
        """Yield the events of a step that these eyes heard of: their kinds and sentences.

        With all cards open, what was told to one seat is heard too.
        """
        words, names = self.replay.game.words, self.names
        for event in self.replay.steps[step].events:
            sentence = None
            if self.seat == OPEN:
                sentence = words.look_back(event.kind, event.facts, event.to, names)
            elif event.heard_by(self.seat):
                sentence = words.say(event.kind, event.facts, names)
            if sentence:
                yield event.kind, sentence

    def said(self, step: int) -> list[str]:
        """Return the sentences of a step, as these eyes heard them."""
        return [sentence for _, sentence in self.heard(step)]

    def chapters(self) -> list[tuple[int, str]]:
        """Return the steps in which a round begins, each with the sentence that says so."""
        marks = self.replay.game.landmarks
        return [
            (step, sentence)
            for step in self.replay.landmarks("round")
            for kind, sentence in self.heard(step)
            if marks.get(kind) == "round"
        ]

    def lines(self, first: int, last: int) -> list[Line]:
        """Return the sentences of some steps, the last one included."""
        found = []
        for step in range(max(0, first), min(last, self.replay.last) + 1):
            found += [(step, text) for text in self.said(step)]
        return [Line(number, step, text) for number, (step, text) in enumerate(found, 1)]

    def near_lines(self) -> list[Line]:
        """Return this step's sentences, with some from before and after it."""
        before: list[Line] = []
        step = self.step
        while step > max(0, self.step - FURTHEST) and len(before) < BEFORE:
            step -= 1
            before = self.lines(step, step) + before
        own = self.lines(self.step, self.step)
        after: list[Line] = []
        step = self.step
        while step < min(self.replay.last, self.step + FURTHEST) and len(after) < AFTER:
            step += 1
            after += self.lines(step, step)
        near = [*before[-BEFORE:], *own, *after[:AFTER]]
        return [replace(line, number=number) for number, line in enumerate(near, 1)]

    def view(self) -> View:
        """Return what these eyes saw after this step."""
        return self.replay.game.view(self.replay.state(self.step), self.seat)

    def hidden(self) -> list[Zone]:
        """Return what was hidden from all watchers and the table does not draw by itself."""
        if self.seat != OPEN:
            return []
        game, state = self.replay.game, self.replay.state(self.step)
        public = {(zone.name, zone.owner): zone for zone in game.view(state, None).zones}
        return [
            zone
            for zone in game.view(state, OPEN).zones
            if zone.name not in game.drawn
            and set(zone.cards) - {DOWN}
            and (
                (zone.name, zone.owner) not in public or DOWN in public[zone.name, zone.owner].cards
            )
        ]

    def table(self) -> TablePage:
        """Return this step as the game's own table draws it: nothing can be pressed."""
        replay = self.replay
        record = self.record
        view = self.view()
        if self.seat == OPEN:
            view = structs.replace(view, viewer=None)
        return TablePage(
            code=self.code,
            at=self.at,
            game=replay.game,
            options=options_of(record, replay.game),
            revision=str(self.step),
            seats=[SeatLine(seat, name) for seat, name in enumerate(record.names)],
            names=self.names,
            levels=record.levels or [],
            settings=browser_settings(),
            me=self.names.me,
            match=record.number,
            view=view,
            log=tuple(
                log_line(line.number, line.text, line.step == self.step, "", self.link(line.step))
                for line in self.near_lines()
            ),
            replay=True,
        )


def _page(code: str) -> MatchPage:
    replay, around = _found(code)
    try:
        options = described(options_of(replay.record, replay.game))
    except BadOptions:  # of rules this server no longer has
        options = []
    return MatchPage(replay, around, code, url_for(".show", code=code), options)


def _eyes(replay: Replay) -> Seat | None:
    asked = request.args.get("seat", "")
    if asked == "watch":
        return None
    seats = {str(seat): seat for seat in range(len(replay.record.names))}
    return seats.get(asked, OPEN)


# Looking back


@bp.get("")
def show(code: str) -> str | Response:
    """A match: who played what, when, how it ended, and whether its record is true."""
    page = _page(code)
    if not by_page():
        return in_voice(page)
    outcome, counted = page.record.outcome, _counted(page)
    return render(
        "record.html",
        page=page,
        record=page.record,
        title=ending_title(outcome, page.names),
        how=ending_how(outcome, page.names, counted),
        counted=counted,
    )


def _counted(page: MatchPage) -> Sequence[str]:
    """Return what each seat had in the end, in words, where the game counts not only points."""
    if page.replay.wrong or not page.replay.steps:
        return ()
    last = replace(page, step=page.replay.last).table()
    return shown_of(replace(last, outcome=page.record.outcome)).counted


def in_voice(page: MatchPage) -> Response:
    """Return a match as its record, or in all its sentences."""
    page = replace(page, seat=_eyes(page.replay))
    title = f"{page.replay.game.name} {page.code}: {', '.join(page.record.names)}"
    said = (line.text for line in page.lines(0, page.replay.last))
    return lists.match(page.replay.record, title, said)


@bp.get("/<int(max=99999):number>")
def step(code: str, number: int) -> str | Response:
    """The table after a step of the match; 0 is the deal."""
    page = _at(_page(code), number)
    if not by_page():
        return lists.step(page)
    return render("record_step.html", page=page, record=page.record, table=page.table())


def _at(page: MatchPage, step: int) -> MatchPage:
    if step > page.replay.last:
        abort(404, say("This match has no such step."))
    return replace(page, seat=_eyes(page.replay), step=step)


@bp.get("/go")
def go(code: str) -> AnyResponse:
    """Go to the step whose number was typed in; past the end, to the last."""
    replay, _ = _found(code)
    step = min(number(request.args.get("step"), otherwise=0, digits=5), replay.last)
    seat = request.args.get("seat") or None
    return redirect(url_for(".step", code=code, number=max(0, step), seat=seat), 303)


@bp.get("/print")
@limits.limiter.limit("30 per minute")
def printed(code: str) -> str:
    """The whole match in sentences, for paper."""
    page = _page(code)
    page = replace(page, seat=_eyes(page.replay))
    pages = max(1, -(-len(page.replay.steps) // PRINTED))
    shown = max(1, min(number(request.args.get("page"), digits=5), pages))
    lines = page.lines((shown - 1) * PRINTED, shown * PRINTED - 1)
    return render(
        "record_print.html",
        page=page,
        record=page.record,
        lines=lines,
        number=shown,
        pages=pages,
    )


@bp.get("/verify")
def verify(code: str) -> str:
    """Whether the record is true, and what that proves."""
    page = _page(code)
    board = page.record.board or None  # unset where no other tables played this deal
    return render("record_verify.html", page=page, record=page.record, board=board)


@bp.get("/rules")
def rules(code: str) -> str:
    """The rules as they were in this match."""
    page = _page(code)
    game = page.replay.game
    if not page.replay.steps:
        abort(404, say("These rules are no longer here."))
    found = rules_of(game, options_of(page.replay.record, game))
    back = url_for(".show", code=code)
    return render("rules.html", game=game, rules=found, table=None, back=back)


def _file(code: str, kind: str) -> Response:
    replay, _ = _found(code.upper(), kind)
    name = f"kaboom-{replay.record.code}.json"
    return Response(
        text_of(replay.record),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@files.get("/m/<code>.json")
def record_file(code: str) -> Response:
    """The record of a match of this server, as a file."""
    return _file(code, "record")


@files.get("/m/<code>.txt")
@limits.limiter.limit("30 per minute")
def record_text(code: str) -> Response:
    """A match of this server in all its sentences."""
    return in_voice(_of_this_server(code.upper()))


@files.get("/m/<code>/<int(max=99999):number>.json", endpoint="step_json")
@files.get("/m/<code>/<int(max=99999):number>.txt", endpoint="step_text")
def step_in_voice(code: str, number: int) -> Response:
    """The table after a step of a match of this server; 0 is the deal."""
    limits.another_look()
    return lists.step(_at(_of_this_server(code.upper()), number))


def _of_this_server(code: str) -> MatchPage:
    replay, around = _found(code, "record")
    return MatchPage(replay, around, code, f"/m/{code}", [])


@bp.post("/hide")
def hide(code: str) -> AnyResponse:
    """Take the match out of public view, or show it again; for those who played it."""
    if request.blueprint != "record":
        abort(404)
    if not re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH}}}", code):
        raise _no_match()
    try:
        library().hide(code, key_hash(), request.form.get("hidden", "1") != "0")
    except NotYours as no:
        return make_response(render("error.html", status=403, sentence=str(no)), 403)
    except Busy:
        abort(503)
    return redirect(url_for(".show", code=code), 303)


# Records from elsewhere


@visits.get("/look")
def look() -> str:
    """Where a record from elsewhere is opened."""
    return render("look.html", wrong="")


@visits.post("/look")
@limits.both(player="6 per minute; 60 per hour", address="10 per minute; 100 per hour")
def open_record() -> AnyResponse:
    """Open a record's file, or its pasted text, and go to its pages."""
    sent = request.files.get("file")
    try:
        raw = sent.read() if sent else b""
        text = raw.decode() or request.form.get("text", "")
        code = library().bring(text, command())
    except (BadRecord, UnicodeDecodeError) as bad:
        sentence = str(bad) if isinstance(bad, BadRecord) else say("This is not a record.")
        return make_response(render("look.html", wrong=sentence), 422)
    return redirect(url_for("look.show", code=code), 303)
