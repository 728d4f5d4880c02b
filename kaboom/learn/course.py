"""A lesson played out: the table at each step, and the feedback for an answer. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import find, must_answer, prompt, start, step, timed
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import CLOCK, Move, Refusal
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, View
from kaboom.games import GAMES
from kaboom.learn.lessons import ANY, InvalidLesson, Lesson, Step

BY_ITSELF = "clock"
MOST = 1000  # most moves of the clock in a row
COURSES = 64  # cached by a worker process, some 50 kB each
GOOD, ALSO, ALLOWED, POOR = "good", "also", "allowed", "poor"
REFUSED, EMPTY = "refused", "empty"
VERDICTS = {  # in English, for gettext
    GOOD: N_("Right."),
    ALSO: N_("That is good, too. The lesson goes on with “{move}”."),
    ALLOWED: N_("That is allowed, but the lesson needs another move."),
    POOR: N_("Not quite."),
    REFUSED: N_("The rules do not allow that."),
    EMPTY: N_("Tap a card first."),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """The table when a step is shown: its state as JSON, and the events since the previous step.

    `number` counts the moves so far.
    """

    state: bytes
    events: Sequence[Event]
    number: int


@dataclass(frozen=True, slots=True)
class Course:
    """A lesson with the table at each step and at its end."""

    lesson: Lesson
    game: Game[Any]
    options: Any
    moments: Sequence[Moment]

    def state(self, number: int) -> Any:
        """Return the state at a step, counted from 1; after the last step, the state at the end."""
        return from_json(self.moments[number - 1].state, self.game.state)

    def prepared(self, number: int, made: Sequence[str] = ()) -> Any:
        """Return the state at a step after moves that prepare another one, such as a card put into
        a row. An impossible move is left out, and so are all after it.
        """
        state = self.state(number)
        for text in made:
            try:
                move = Move.parse(f"{self.lesson.file.me} {text}")
                if move.verb in self.game.pieces:
                    state = step(self.game, state, move, self._rng(number)).state
            except Refusal:
                break
        return state

    def reached(self, number: int, made: Sequence[str], text: str) -> bytes:
        """Return the state after a move, as JSON; raises a Refusal."""
        move = Move.parse(f"{self.lesson.file.me} {text}")
        state = self.prepared(number, made)
        return to_json(step(self.game, state, move, self._rng(number)).state)

    def _rng(self, number: int) -> Rng:
        return Rng(self.lesson.seed, self.moments[number - 1].number + 1)

    def view(self, number: int, made: Sequence[str] = ()) -> View:
        """Return what the learner sees at a step."""
        return self.game.view(self.prepared(number, made), self.lesson.file.me)

    def prompt(self, number: int, made: Sequence[str] = ()) -> Prompt:
        """Return what the learner may do at a step."""
        return prompt(self.game, self.prepared(number, made), self.lesson.file.me)

    def heard(self, number: int) -> list[Event]:
        """Return the events since the previous step that the learner was told."""
        events = self.moments[number - 1].events
        return [event for event in events if event.heard_by(self.lesson.file.me)]


@dataclass(frozen=True, slots=True)
class Answer:
    """The feedback for a move: good, also (good, but the lesson continues with another), allowed
    (no worse, but the lesson needs another), poor, refused by the rules, or empty (nothing was
    chosen); with a sentence, in English or from the engine, and a heading of the rules.
    """

    kind: str
    text: str = ""
    rule: str = ""

    @property
    def right(self) -> bool:
        """Return True if the lesson continues."""
        return self.kind in (GOOD, ALSO)


@lru_cache(maxsize=COURSES)
def course_of(lesson: Lesson) -> Course:
    """Return a lesson played to its end, cached; raises InvalidLesson if it cannot be played."""
    return played(lesson, GAMES[lesson.game])


def played(lesson: Lesson, game: Game[Any]) -> Course:
    """Return a lesson played by the rules of this game; raises InvalidLesson."""
    if lesson.file.seats not in game.seats(game.options()):
        seats = lesson.file.seats
        raise InvalidLesson(f"lesson {lesson.name!r}: the game cannot have {seats} seats")
    try:
        options = game.options(**lesson.file.options)
    except TypeError as bad:
        raise InvalidLesson(f"lesson {lesson.name!r}: {bad}") from None
    return Course(lesson, game, options, list(_moments(lesson, game, options)))


def _moments(lesson: Lesson, game: Game[Any], options: Any) -> Iterator[Moment]:
    me, done = lesson.file.me, start(game, lesson.file.seats, options, lesson.seed)
    state, events, number = done.state, list(done.events), 0

    def play(move: Move) -> None:
        nonlocal state, number
        done = step(game, state, move, Rng(lesson.seed, number + 1))
        state, number = done.state, number + 1
        events.extend(done.events)

    for place, it in enumerate(lesson.steps, 1):
        try:
            for text in it.play:
                if text.split()[0] == BY_ITSELF:
                    for _unused in range(_times(text)):
                        move = next_by_itself(game, state)
                        if move is None:
                            break
                        play(move)
                else:
                    play(Move.parse(text))
            yield Moment(to_json(state), events, number)
            events = []
            if it.ask:
                play(Move.parse(f"{me} {it.expect[0]}"))
        except Refusal as no:
            raise InvalidLesson(f"lesson {lesson.name!r}, step {place}: {no}") from None
    yield Moment(to_json(state), events, number)


def _times(text: str) -> int:
    _unused, _unused, count = text.partition(" ")
    return int(count) if count.isdecimal() else MOST


def next_by_itself(game: Game[Any], state: Any) -> Move | None:
    """Return the next move of the clock if the table waits for no seat, else None."""
    if must_answer(game, state):
        return None
    due = [it for it in timed(game.listeners(state)) if it.seat == CLOCK]
    return min(due, key=lambda it: it.after or 0).clock_move if due else None


def answer_to(course: Course, number: int, text: str, made: Sequence[str] = ()) -> Answer:
    """Return the feedback for a move ("bid KS") at a step that asks for one; nothing is changed.

    `made` are the moves that prepared it.
    """
    asked, me = course.lesson.steps[number - 1], course.lesson.file.me
    own = course.prompt(number, made)
    if any(it.verb == text.strip() and it.least == 1 for it in own.offers):
        return Answer(EMPTY)
    try:
        move = Move.parse(f"{me} {text}")
        find(course.game, course.prepared(number, made), move)
    except Refusal as no:
        verb = text.split(" ")[0]
        return Answer(REFUSED, str(no), no.rule or course.game.words.rules.get(verb, ""))
    for place, expected in enumerate(asked.expect):
        if same(own, move, Move.parse(f"{me} {expected}")) or (
            made and _leads_to(course, number, made, text, expected)
        ):
            return Answer(ALSO if place else GOOD)
    for kind, told in ((POOR, asked.wrong), (ALLOWED, asked.allowed)):
        for pattern, why in told.items():
            if _matches(own, move, pattern) or (
                made and ANY not in pattern and _leads_to(course, number, made, text, pattern)
            ):
                return Answer(kind, why.text, why.rule)
    return Answer(POOR, asked.hint.text, asked.hint.rule)


def _leads_to(course: Course, number: int, made: Sequence[str], text: str, other: str) -> bool:
    """Return True if a move after its preparing moves reaches the same state as `other` alone."""
    try:
        return course.reached(number, made, text) == course.reached(number, (), other)
    except Refusal:
        return False


def same(own: Prompt, made: Move, other: Move) -> bool:
    """Return True if two moves are equal; the order of choices counts only where the game
    says so.
    """
    if made.verb != other.verb:
        return False
    if _is_ordered(own, made.verb):
        return made.choices == other.choices
    return sorted(made.choices) == sorted(other.choices)


def _is_ordered(own: Prompt, verb: str) -> bool:
    return any(it.ordered for it in own.offers if it.verb == verb)


def _matches(own: Prompt, made: Move, pattern: str) -> bool:
    words = pattern.split()
    if words == [ANY]:
        return True
    if words[-1] == ANY:
        return fits(pattern, str(made).split(" ", 1)[1], _is_ordered(own, made.verb))
    return same(own, made, Move.parse(f"{made.seat} {pattern}"))


def fits(pattern: str, move: str, ordered: bool) -> bool:
    """Return True if a move ("bury 3H 7H") begins as a pattern does ("bury 7H *") or, where the
    order of choices does not count, contains the pattern's choices.
    """
    verb, *named = pattern.removesuffix(ANY).split()
    own, *choices = move.split()
    if ordered:
        return [own, *choices][: 1 + len(named)] == [verb, *named]
    return own == verb and not Counter(named) - Counter(choices)


def shown_move(course: Course, asked: Step, own: Prompt, names: Any) -> str:
    """Return the expected move in words: the label of its button, and its choices."""
    verb, *choices = asked.expect[0].split()
    offer = next((it for it in own.offers if it.verb == verb), None)
    words = course.game.words
    return words.move(verb, choices, names, offer.about if offer else "")
