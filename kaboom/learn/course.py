"""A lesson played out: the table at each step. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import must_answer, prepared, prompt, start, step, timed
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK, Move, Refusal
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, View
from kaboom.games import GAMES
from kaboom.learn.lessons import InvalidLesson, Lesson, Step

BY_ITSELF = "clock"
MOST = 1000  # most moves of the clock in a row
COURSES = 64  # cached by a worker process, about 50 kB each


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
        """Return the state at a step after moves that prepare another one."""
        me = self.lesson.file.me
        return prepared(self.game, self.state(number), me, made, self._rng(number))

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


def shown_move(course: Course, asked: Step, own: Prompt, names: Any) -> str:
    """Return the expected move in words: the label of its button, and its choices."""
    verb, *choices = asked.expect[0].split()
    offer = next((it for it in own.offers if it.verb == verb), None)
    words = course.game.words
    return words.move(verb, choices, names, offer.about if offer else "")
