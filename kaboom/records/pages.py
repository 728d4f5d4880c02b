"""The pages of a finished match: its replay step by step, from the point of view of any seat."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from msgspec import structs

from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.options import InvalidOptions, Option, described
from kaboom.engine.table_view import SeatLine, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.avatars import colours, face
from kaboom.engine.views import DOWN, OPEN, View, Zone
from kaboom.records.play_on_service import why_not
from kaboom.records.replay import Replay
from kaboom.records.service import Around
from kaboom.table_page.page_data import in_order
from kaboom.table_page.table_html import log_line
from kaboom.tables.match_record import Record, options_of
from kaboom.web.preferences import browser_settings

BEFORE = 15  # lines of the log before the current step
FURTHEST = 60  # steps searched for these lines: a long deal has none

MOMENTS = 60  # moments in a replay's list, at most; if there are more, it has only rounds
OF_INTEREST = ("round", "event", "result")
LONG_PARAGRAPH = 240  # characters after which the story goes on in a new paragraph
LONG_TEXT = 100  # characters beyond which a step's last sentence is set in smaller type

WRITTEN = ("code", "commitment", "seed", "chain", "digest")  # cleaned for display, as cuts are
FORGED = N_("Not genuine:")
LONGEST_SHOWN = 100  # characters of each


@dataclass(frozen=True, slots=True)
class Line:
    """A log line of a match: the step it belongs to, and its number on the page."""

    number: int
    step: int
    text: str


class Chapter(NamedTuple):
    """A round of a match: the step and the sentence in which it begins, and how it ended."""

    number: int
    step: int
    sentence: str
    result: str = ""


class Paragraph(NamedTuple):
    """A paragraph in the story of a match: a turn, a trick, or how a round ended."""

    step: int
    sentences: tuple[str, ...]
    is_result: bool = False


class Part(NamedTuple):
    """A round in the story of a match, or what came before the first one (without a heading)."""

    step: int
    heading: str
    paragraphs: list[Paragraph]


class StoryLine(NamedTuple):
    """A sentence of a match: its step, the number of its turn, and its event's landmark, or "";
    and the kind of the event.
    """

    step: int
    turn: int
    mark: str
    sentence: str
    kind: str = ""


def turns_of(replay: Replay, steps: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the steps with the number of the turn that they belong to.

    A step whose first event begins a turn belongs to the new turn. A step with such an event later
    on still belongs to the turn before, which it ends: a trick or a reveal.
    """
    turn = 0
    for step in steps:
        marks = [replay.game.landmarks.get(event.kind) for event in replay.steps[step].events]
        turn += marks[:1] == ["turn"]
        yield step, turn
        turn += "turn" in marks[1:]


def rounds_of(told: Iterable[StoryLine], first: int) -> list[tuple[StoryLine, list[StoryLine]]]:
    """Return the sentences by round, each with the sentence in which it began. What came before
    the first one has an empty sentence, at the step `first`.
    """
    rounds: list[tuple[StoryLine, list[StoryLine]]] = [(StoryLine(first, 0, "", ""), [])]
    for it in told:
        if it.mark == "round":
            rounds.append((it, []))
        else:
            rounds[-1][1].append(it)
    return rounds


def paragraphs_of(told: Iterable[StoryLine]) -> list[Paragraph]:
    """Return the sentences of a round as paragraphs: one for each result, and one for each turn,
    or several if it is long.
    """
    found: list[Paragraph] = []
    for (_turn, is_result), run in groupby(told, lambda it: (it.turn, it.mark == "result")):
        for together in [[it] for it in run] if is_result else split_by_length(run):
            sentences = tuple(it.sentence for it in together)
            found.append(Paragraph(together[0].step, sentences, is_result))
    return found


def split_by_length(told: Iterable[StoryLine]) -> list[list[StoryLine]]:
    """Return the sentences in runs; a run ends once it is as long as a long paragraph."""
    runs: list[list[StoryLine]] = []
    length = LONG_PARAGRAPH
    for it in told:
        if length >= LONG_PARAGRAPH:
            runs.append([])
            length = 0
        runs[-1].append(it)
        length += len(it.sentence)
    return runs


def retold(view: View, public: View) -> View:
    """Return a view whose status line is that of spectators: nobody is asked for a move."""
    return structs.replace(view, saying=public.saying)


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A finished match for its pages; `step` is the current one."""

    replay: Replay
    around: Around
    code: str
    at: str  # its URL
    seat: Seat | None = OPEN  # point of view: a seat, None for a spectator, OPEN for all cards
    step: int = 0

    @property
    def record(self) -> Record:
        """Return the record cleaned for display, because an uploaded file may contain any text."""
        held = self.replay.record
        plain = {name: cleaned(getattr(held, name), LONGEST_SHOWN) for name in WRITTEN}
        return structs.replace(
            held, **plain, cuts=[cleaned(cut, LONGEST_SHOWN) for cut in held.cuts]
        )

    @property
    def options(self) -> Sequence[tuple[Option, str]]:
        """Return each option with its value in words; none under rules that this server no longer
        has.
        """
        try:
            return described(options_of(self.replay.record, self.replay.game))
        except InvalidOptions:
            return []

    @property
    def names(self) -> Names:
        """Return the names by seat; only the player whose view it is, is called "you"."""
        own = self.around.seat if self.around.own is None else self.around.own
        return Names(tuple(self.record.names), self.seen_from if self.seen_from == own else None)

    @property
    def seen_from(self) -> Seat | None:
        """Return the seat from which the match is seen, or None for a spectator or open cards."""
        return self.seat if self.seat is not None and self.seat >= 0 else None

    def level(self, seat: Seat) -> str:
        """Return the level of the bot in that seat; "" for a person."""
        levels = self.record.levels or []
        return levels[seat] if seat < len(levels) else ""

    def face(self, seat: Seat) -> str:
        """Return the CSS classes of a player's face, as at the table."""
        colour = colours(self.names.seats, tuple(self.record.levels or ()))[seat]
        return face(self.names.name(seat), colour, self.level(seat))

    @property
    def eyes(self) -> str | None:
        """Return the query value of the point of view; None for all cards open."""
        return None if self.seat == OPEN else "watch" if self.seat is None else str(self.seat)

    @property
    def wrong(self) -> list[str]:
        """Return the faults of the record, as sentences."""
        return [_(text) for text in self.replay.wrong]

    def marked(self, text: str) -> str:
        """Return a text from the record, with a mark if the record is not genuine."""
        return f"{_(FORGED)} {text}" if self.wrong else text

    @property
    def places(self) -> list[str]:
        """Return the names in the order before the seats were drawn; empty if they were not
        drawn.
        """
        drawn = self.record.drawn or []
        return [self.record.names[drawn.index(place)] for place in range(len(drawn))]

    @property
    def cuts(self) -> list[tuple[str, str]]:
        """Return the non-empty cuts, each with the name of the player who made it."""
        record = self.record
        return [(name, cut) for name, cut in zip(record.names, record.cuts, strict=False) if cut]

    def link(self, step: int, suffix: str = "") -> str:
        """Return the URL of a step, or of another format of it, from the same point of view."""
        # Built by hand, because url_for would take half the time of a long page.
        return f"{self.at}/{step}{suffix}" + (f"?seat={self.eyes}" if self.eyes else "")

    def seen_by(self, eyes: str | None) -> str:
        """Return the URL of this step from another point of view."""
        return f"{self.at}/{self.step}" + (f"?seat={eyes}" if eyes else "")

    def at_step(self, step: int) -> "MatchPage":
        """Return the same page at another step."""
        return replace(self, step=step)

    def may_play_on(self, step: int) -> bool:
        """Return True if the reader may play on from a step."""
        return not why_not(self.replay, self.around, step)

    @property
    def may_be_coached(self) -> bool:
        """Return True if the reader may have their decisions in this match judged."""
        replay, mine = self.replay, self.around.mine and self.around.own is None
        return mine and replay.is_genuine and replay.game.bot is not None

    def near(self, kind: str) -> tuple[int | None, int | None]:
        """Return the nearest steps before and after this one with a landmark of a kind; None if
        there is none. The result of a round is an event, too.
        """
        marks = self.replay.landmarks(kind)
        if kind == "event":
            marks = sorted({*marks, *self.replay.landmarks("result")})
        before = [mark for mark in marks if mark < self.step]
        after = [mark for mark in marks if mark > self.step]
        return (before[-1] if before else None), (after[0] if after else None)

    def beside(self) -> tuple[int, int]:
        """Return the steps before and after this one, passing over those in which a player only got
        ready; -1 before the first step, and one more than the last after it.
        """
        quick, last = self.replay.game.quick, self.replay.last
        told = [
            number
            for number, step in enumerate(self.replay.steps)
            if number in (0, last)
            or not (kinds := {event.kind for event in step.events})
            or kinds - quick
        ]
        before = [-1, *(it for it in told if it < self.step)]
        after = [*(it for it in told if it > self.step), last + 1]
        return before[-1], after[0]

    def heard(self, step: int) -> Iterator[tuple[str, str]]:
        """Yield the kind and the sentence of each event of a step that the point of view includes.

        With all cards open, these include events that only one seat received. Another player's
        seat reads like that: nobody is called "you".
        """
        words, names = self.replay.game.words, self.names
        for event in self.replay.steps[step].events:
            sentence = None
            if self.seat != OPEN and not event.heard_by(self.seat):
                continue
            if self.seat == OPEN or (self.seen_from is not None and names.me is None):
                sentence = words.look_back(event.kind, event.facts, event.to, names)
            else:
                sentence = words.say(event.kind, event.facts, names)
            if sentence:
                yield event.kind, sentence

    def said(self, step: int) -> list[str]:
        """Return the sentences of a step from the current point of view."""
        return [sentence for _unused, sentence in self.heard(step)]

    def is_long(self) -> bool:
        """Return True if this step's last sentence needs smaller type on a phone."""
        return len("".join(self.said(self.step)[-1:])) > LONG_TEXT

    def chapters(self) -> list[Chapter]:
        """Return the rounds of the match."""
        marks, replay = self.replay.game.landmarks, self.replay
        found: list[Chapter] = []
        for step in sorted({*replay.landmarks("round"), *replay.landmarks("result")}):
            for kind, sentence in self.heard(step):
                if marks.get(kind) == "round":
                    found.append(Chapter(len(found) + 1, step, sentence))
                elif marks.get(kind) == "result" and found:
                    found[-1] = found[-1]._replace(result=sentence)
        return found

    def moments(self) -> list[tuple[int, str, str]]:
        """Return the steps in which a round began or something of interest happened, each with its
        sentence and the kind of its landmark. If there are too many for a page, only rounds are
        returned, or nothing if there are too many of those as well.
        """
        marks = self.replay.game.landmarks
        steps = {step for mark in OF_INTEREST for step in self.replay.landmarks(mark)}
        found = [
            (step, sentence, marks[kind])
            for step in sorted(steps)
            for kind, sentence in self.heard(step)
            if marks.get(kind) in OF_INTEREST
        ]
        if len(found) > MOMENTS:
            found = [moment for moment in found if moment[-1] == "round"]
        return found if len(found) <= MOMENTS else []

    def story(self, first: int, last: int) -> list[Part]:
        """Return the sentences of the steps from `first` to `last`, inclusive, as paragraphs under
        the headings of rounds, except those that only say that a player is ready.
        """
        # 1. The sentences that are told, each with its turn.
        steps = range(max(0, first), min(last, self.replay.last) + 1)
        told = [
            StoryLine(step, turn, self.replay.game.landmarks.get(kind, ""), sentence, kind)
            for step, turn in turns_of(self.replay, steps)
            for kind, sentence in self.heard(step)
            if kind not in self.replay.game.quick
        ]
        # 2. A round has a heading and paragraphs.
        return [
            Part(heading.step, heading.sentence, paragraphs_of(self._told_once(sentences)))
            for heading, sentences in rounds_of(told, first)
            if heading.sentence or sentences
        ]

    def _told_once(self, told: Sequence[StoryLine]) -> list[StoryLine]:
        """Return the sentences of a round without those that a later one of it says again."""
        again, kinds = self.replay.game.told_again, {it.kind for it in told}
        return [it for it in told if again.get(it.kind) not in kinds]

    def lines(self, first: int, last: int) -> list[Line]:
        """Return the sentences of the steps from `first` to `last`, inclusive."""
        found = []
        for step in range(max(0, first), min(last, self.replay.last) + 1):
            found += [(step, text) for text in self.said(step)]
        return [Line(number, step, text) for number, (step, text) in enumerate(found, 1)]

    def near_lines(self) -> list[Line]:
        """Return this step's sentences after the last ones before it: a replay tells no future."""
        before: list[Line] = []
        step = self.step
        while step > max(0, self.step - FURTHEST) and len(before) < BEFORE:
            step -= 1
            before = self.lines(step, step) + before
        own = self.lines(self.step, self.step)
        near = [*before[-BEFORE:], *own]
        return [replace(line, number=number) for number, line in enumerate(near, 1)]

    def view(self) -> View:
        """Return the view after this step from the current point of view."""
        return self.replay.game.view(self.replay.state(self.step), self.seat)

    def hidden(self) -> list[Zone]:
        """Return the zones that were hidden from spectators and that the table does not render."""
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

    def held(self) -> list[tuple[Zone, frozenset[str]]]:
        """Return the players' hidden zones, each with the cards in it that its owner has chosen: a
        chosen card that is still in a hand is not shown a second time. They are empty if the table
        shows the hands at their seats.
        """
        if self._hands_at_seats:
            return []
        zones = [zone for zone in self.hidden() if zone.owner is not None]
        rows = []
        for zone in zones:
            if any(_is_within(zone, other) for other in zones):
                continue
            chosen = [it for it in zones if _is_within(it, zone)]
            rows.append((zone, frozenset(card for it in chosen for card in it.cards)))
        return rows

    def lying(self) -> list[Zone]:
        """Return the other hidden zones: the stock, and piles beside hands shown at their seats."""
        if self._hands_at_seats:
            return [zone for zone in self.hidden() if not self._is_at_seat(zone)]
        return [zone for zone in self.hidden() if zone.owner is None]

    @property
    def _hands_at_seats(self) -> bool:
        """Return True if the table shows open hands at their seats, as the general table does."""
        game = self.replay.game
        return game.regions is None or bool(game.opened)

    def _is_at_seat(self, zone: Zone) -> bool:
        """Return whether the table shows this open zone at its owner's seat: the general table does
        so with cards that moves refer to.
        """
        game = self.replay.game
        if game.regions is not None:
            return zone.name in game.opened
        return zone.owner is not None and bool(zone.places)

    def _open_at_seats(self, opened: View, public: View) -> View:
        """Return a spectator's view with the hands face up that the table shows at the seats."""
        at_seats = {(it.name, it.owner): it for it in opened.zones if self._is_at_seat(it)}
        zones = tuple(at_seats.get((it.name, it.owner), it) for it in public.zones)
        return structs.replace(public, zones=zones)

    def table(self) -> TablePage:
        """Return this step as the game's own table shows it, without controls."""
        replay = self.replay
        record = self.record
        view = self.view()
        public = replay.game.view(replay.state(self.step), None)
        if self.seat == OPEN:
            open_view = view if replay.game.regions else self._open_at_seats(view, public)
            view = structs.replace(open_view, viewer=None)
        view = retold(view, public)
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
            me=self.seen_from,
            match=record.number,
            view=in_order(view, replay.game, browser_settings()),
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
            asks_nothing=True,
            replay=True,
            hands_open=self.seat == OPEN and self._hands_at_seats,
            heading=_("On the table"),
        )


def _is_within(zone: Zone, other: Zone) -> bool:
    """Return whether a zone holds what its owner has chosen from the other zone."""
    return (
        zone.name == "chosen" != other.name
        and zone.owner == other.owner
        and set(zone.cards) <= set(other.cards)
    )
