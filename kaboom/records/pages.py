"""A finished match as its pages show it: step by step, through anybody's eyes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flask import url_for
from msgspec import structs

from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import mark, say
from kaboom.engine.moves import Seat
from kaboom.engine.options import Option
from kaboom.engine.table_view import SeatLine, TablePage, colours, face
from kaboom.engine.texts import Names
from kaboom.engine.views import DOWN, OPEN, View, Zone
from kaboom.play.fragments import log_line
from kaboom.records.replay import Replay
from kaboom.records.service import Around
from kaboom.tables.match_record import Record, options_of
from kaboom.web.preferences import browser_settings

BEFORE, AFTER = 10, 5  # lines shown before and after those of the current step
FURTHEST = 60  # steps from which they are taken: in a long deal nothing is said

WRITTEN = ("code", "commitment", "seed", "chain", "digest")  # of a record, besides names and cuts
FORGED = mark("Not genuine:")
LONGEST_SHOWN = 100  # characters of each


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
        return face(self.names.name(seat), colours(self.names.seats)[seat], self.level(seat))

    @property
    def eyes(self) -> str | None:
        """Return how an address says whose eyes are used; None for all cards open."""
        return None if self.seat == OPEN else "watch" if self.seat is None else str(self.seat)

    @property
    def wrong(self) -> list[str]:
        """Return what in the record is not true, in sentences."""
        return [say(text) for text in self.replay.wrong]

    def marked(self, text: str) -> str:
        """Return a text of a record, with a mark where that is not true."""
        return f"{say(FORGED)} {text}" if self.wrong else text

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
                log_line(
                    line.number,
                    self.marked(line.text),
                    line.step == self.step,
                    "",
                    self.link(line.step),
                )
                for line in self.near_lines()
            ),
            replay=True,
        )
