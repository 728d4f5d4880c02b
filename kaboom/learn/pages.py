"""What a step's page shows: the game's own table, and the lesson's texts beside it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.outcome_text import title
from kaboom.engine.play import Event
from kaboom.engine.table_view import LogLine, MatchControls, SeatLine, TablePage
from kaboom.engine.texts import Names, Words
from kaboom.learn.answers import ALSO, EMPTY, GOOD, VERDICTS, Answer
from kaboom.learn.course import Course, shown_move
from kaboom.table_page.exercise_forms import revision_of
from kaboom.table_page.table_html import log_line
from kaboom.web.preferences import browser_settings
from kaboom.web.rules_pages import rules_of

LINES = 8  # log lines shown beside a step
# The players at the table of a lesson, by seat; lessons name them.
HOUSE = ("Robin", "Juma", "Wanja", "Zuri", "Otto", "Vera", "Felix", "Ines", "Chip", "Olga")
MATCH = 1  # the match number of a lesson
SKIP = "skip"  # left by the link to the next step
LEFT = {  # how the step before was left, in English
    GOOD: VERDICTS[GOOD],
    ALSO: VERDICTS[ALSO],
    SKIP: N_("Done for you: “{move}”."),
}


@dataclass(frozen=True, slots=True)
class LessonPage:
    """A step of a lesson as one reader sees it, counted from 1; after the last comes the end.

    `answer` is the feedback for the move that was tried. With `show`, the right move is shown.
    """

    course: Course
    at: str  # the URL of the lesson
    number: int
    answer: Answer | None = None
    tried: str = ""  # the move that was tried, in words
    show: bool = False
    after: str = ""  # how the step before was left: a key of LEFT
    choices: tuple[str, ...] = ()  # the choices of the move that was tried, if they stay ticked
    made: tuple[str, ...] = ()  # moves that only prepare another one
    name: str = ""  # the reader's, or "" for an unknown visitor

    @property
    def last(self) -> int:
        """Return the number of the last step."""
        return len(self.course.lesson.steps)

    @property
    def title(self) -> str:
        """Return the title of the lesson."""
        return _(self.course.lesson.file.title)

    @property
    def text(self) -> str:
        """Return the text that the step says or asks."""
        return _(self.course.lesson.steps[self.number - 1].text)

    @property
    def asks(self) -> bool:
        """Return True if the step asks for a move."""
        return bool(self.course.lesson.steps[self.number - 1].ask)

    @property
    def won(self) -> str:
        """Return who has won if the match is over, else ""."""
        outcome = self.course.game.outcome(self.course.state(self.number))
        return title(outcome, self.names) if outcome else ""

    @property
    def names(self) -> Names:
        """Return the names at the table: the reader's and those of the bots."""
        return names_of(self.course, self.name)

    @property
    def next(self) -> str:
        """Return the URL of the next step."""
        return f"{self.at}/{self.number + 1}" if self.number < self.last else f"{self.at}/done"

    @property
    def onward(self) -> str:
        """Return the URL of the next step, which then states what was played here if this step asks
        for a move.
        """
        return f"{self.next}?after={SKIP}" if self.asks and self.number < self.last else self.next

    @property
    def left(self) -> str:
        """Return the sentence about the answer to the previous step, or ""."""
        before = self.number - 1
        if self.after not in LEFT or not before or not self.course.lesson.steps[before - 1].ask:
            return ""
        return _(LEFT[self.after], move=self._expected(before))

    def _expected(self, number: int) -> str:
        asked, own = self.course.lesson.steps[number - 1], self.course.prompt(number)
        return shown_move(self.course, asked, own, self.names)

    @property
    def said(self) -> str:
        """Return the feedback for the move that was tried, or ""."""
        if self.answer is None:
            return ""
        move = self._expected(self.number) if self.answer.kind == ALSO else ""
        return f"{_(VERDICTS[self.answer.kind], move=move)} {_(self.answer.text)}".strip()

    @property
    def chose_nothing(self) -> bool:
        """Return True if the button was pressed with no card chosen."""
        return self.answer is not None and self.answer.kind == EMPTY

    @property
    def rule(self) -> tuple[str, str]:
        """Return the anchor of the rule that the feedback or the solution is about, and its
        translated heading.
        """
        hint = self.course.lesson.steps[self.number - 1].hint
        about = self.answer.rule if self.answer else hint.rule if self.show else ""
        found = rules_of(self.course.game, self.course.options).contents if about else ()
        heading = next((text for _level, slug, text in found if slug == about), "")
        return (about, heading) if heading else ("", "")

    @property
    def solution(self) -> str:
        """Return the right move in words if it is to be shown, else ""."""
        return self._expected(self.number) if self.show and self.asks else ""

    def table(self, pieces: bool = True) -> TablePage:
        """Return the table of this step as the game renders it, with moves if the step asks for
        one.

        Without `pieces`, moves that only prepare another one are left out, and the log has all
        events since the previous step.
        """
        course, names = self.course, self.names
        lines = LINES if pieces else max(LINES, len(course.heard(self.number)))
        prompt = course.prompt(self.number, self.made) if self.asks else None
        if prompt and not pieces:
            prompt = prompt.without(course.game.pieces)
        asked = course.lesson.steps[self.number - 1]
        advised: Sequence[str] = ()
        if asked.ask and (self.show or asked.marked):
            advised = asked.expect[0].split()
        return TablePage(
            code="",
            at=f"{self.at}/{self.number}",
            game=course.game,
            options=course.options,
            revision=revision_of(self.number, self.made),
            seats=[SeatLine(seat, name, ready=True) for seat, name in enumerate(names.seats)],
            names=names,
            levels=levels_at(names),
            settings=browser_settings(),
            me=names.me,
            match=MATCH,
            view=course.view(self.number, self.made),
            waiting=[names.me] if prompt and names.me is not None else (),
            log=log_lines(self._told(), course.game.words, names, lines),
            controls=MatchControls(advised=advised),
            prompt=prompt,
            ticked=self.choices or None,
            replay=True,
            teaches=True,
            beside_text=True,
        )

    def _told(self) -> Iterator[tuple[Event, bool]]:
        """Yield the events that the reader was told, oldest first, each with True if it is fresh:
        from this step.
        """
        for number in range(1, self.number + 1):
            yield from ((event, number == self.number) for event in self.course.heard(number))


def log_lines(
    told: Iterable[tuple[Event, bool]], words: Words, names: Names, most: int
) -> tuple[LogLine, ...]:
    """Return the log lines of the last events that have sentences, at most `most`; `told` has True
    with each fresh event.
    """
    said = [
        (event, fresh, text)
        for event, fresh in told
        if (text := words.say(event.kind, event.facts, names))
    ]
    lines = []
    for number, (event, fresh, text) in enumerate(said[-most:], 1):
        line = log_line(number, text, fresh, event.kind, "")
        lines.append(line._replace(facts=to_json(words.told(event.kind, event.facts, names))))
    return tuple(lines)


def names_of(course: Course, name: str = "") -> Names:
    """Return the names at the table of a lesson, as the learner with that name reads them."""
    return names_at(course.lesson.file.seats, course.lesson.file.me, name)


def levels_at(names: Names) -> list[str]:
    """Return the levels of the players at a lesson's table: bots are of no level that is said."""
    return ["" if seat == names.me else "bot" for seat in range(len(names.seats))]


def names_at(seats: int, me: Seat, name: str = "") -> Names:
    """Return the names of the reader, at seat `me`, and of the bots at the other seats.

    A reader without a name, or with that of a bot, is called a guest.
    """
    house = list(HOUSE[:seats])
    house[me] = name if name and name not in HOUSE else _("Guest")
    return Names(tuple(house), me)
