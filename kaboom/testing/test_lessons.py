"""Lessons: each can be read and played to its end."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice

from kaboom.games.trial import Trial
from kaboom.learn.answers import feedback
from kaboom.learn.course import Course, played
from kaboom.learn.lessons import ANY, FIRST, InvalidLesson, Lesson, Step, found_in
from kaboom.testing.cases import once_a_game
from kaboom.web.rules_pages import rules_of

LONGEST_SAID = 330  # characters of a step: with the table, it must fit on the screen of a phone
FIRST_DECISIONS = range(4, 16)  # in a first game
FIRST_MINUTES = 5


@once_a_game
def test_lessons_can_be_read_and_played_to_the_end(trial: Trial) -> None:
    for fault in found_in(trial.game.key).faults:
        trial.fail(fault)
    for lesson in found_in(trial.game.key).lessons:
        _course(trial, lesson)


def _course(trial: Trial, lesson: Lesson) -> Course:
    try:
        return played(lesson, trial.game)
    except InvalidLesson as bad:
        trial.fail(f"{bad}; fix it, or rewrite the lesson for these rules")


def _courses(trial: Trial) -> Iterator[Course]:
    for lesson in found_in(trial.game.key).lessons:
        yield _course(trial, lesson)


@once_a_game
def test_lessons_accept_only_the_expected_moves(trial: Trial) -> None:
    for course in _courses(trial):
        for number, asked in enumerate(course.lesson.steps, 1):
            for move in asked.expect:
                if not feedback(course, number, move).right:
                    trial.fail(
                        f"lesson {course.lesson.name!r}, step {number} expects {move!r}, which the "
                        "rules do not allow there; remove it from `expect`"
                    )
            _check_wrong(trial, course, number, asked)


def _check_wrong(trial: Trial, course: Course, number: int, asked: Step) -> None:
    """Fail if a pattern in `wrong` or `allowed` explains no legal move, or only right ones."""
    legal = {
        " ".join((offer.verb, *choices))
        for offer in course.prompt(number).offers
        for choices in islice(_selections(course, number, offer.verb), TRIES_OF_A_VERB)
    }
    for pattern, why in {**asked.wrong, **asked.allowed}.items():
        named = [pattern]
        if ANY in pattern:
            named = [it for it in legal if _fits(pattern, it)]
            named += _completions(course, number, pattern)
        told = [feedback(course, number, move) for move in named]
        if not any(not it.right and it.text == why.text for it in told):
            trial.fail(
                f"lesson {course.lesson.name!r}, step {number} says why {pattern!r} is wrong, "
                "but no legal move matches it; use a legal move that is not expected"
            )


TRIES_OF_A_VERB = 200


def _selections(course: Course, number: int, verb: str) -> Iterator[tuple[str, ...]]:
    me, state = course.lesson.file.me, course.state(number)
    for listener in course.game.listeners(state):
        if listener.seat == me and listener.verb == verb:
            yield from listener.pick.legal()


def _fits(pattern: str, move: str) -> bool:
    words = pattern.removesuffix(ANY).split()
    return move.split()[: len(words)] == words


def _completions(course: Course, number: int, pattern: str) -> Iterator[str]:
    """Yield moves with the choices of a pattern and others: those of the expected move, or any."""
    words, expected = pattern.split()[:-1], course.lesson.steps[number - 1].expect[0].split()
    for offer in course.prompt(number).offers:
        if offer.verb not in words or (more := offer.least - len(words) + 1) < 0:
            continue
        for others in (expected[1:], offer.options[::-1]):
            rest = list((Counter(others) - Counter(words[1:])).elements())
            for found in islice(combinations(rest, more), TRIES_OF_A_VERB):
                yield " ".join([*words, *found])


@once_a_game
def test_lessons_cite_existing_rules_in_short_sentences(trial: Trial) -> None:
    for course in _courses(trial):
        file, name = course.lesson.file, course.lesson.name
        rules = rules_of(trial.game, course.options).contents
        anchors = {anchor for _level, anchor, _heading in rules}
        cited = {why.rule for it in file.step for why in it.told}
        for rule in sorted({*cited, *file.chapters} - {""} - anchors):
            trial.fail(
                f"lesson {name!r} cites the rule {rule!r}, which is not a heading of rules.md"
            )
        if not 1 <= file.minutes <= 10:
            trial.fail(f"lesson {name!r} takes {file.minutes} minutes; it should take 1 to 10")
        most = min(file.minutes, FIRST_MINUTES) if name == FIRST else file.minutes
        if course.lesson.length > most + 0.5:
            trial.fail(
                f"lesson {name!r} takes {course.lesson.length:.1f} minutes by its words and moves, "
                f"more than {most}; shorten it, or change `minutes` (a first game: at most "
                f"{FIRST_MINUTES})"
            )
        for number, said in enumerate(file.step, 1):
            if len(said.text) > LONGEST_SAID:
                trial.fail(
                    f"lesson {name!r}, step {number} has {len(said.text)} characters; it may have "
                    f"at most {LONGEST_SAID}, so shorten it or make it two steps"
                )
        if name == FIRST and course.lesson.decisions not in FIRST_DECISIONS:
            trial.fail(
                f"the first game asks for {course.lesson.decisions} moves; it should ask for "
                f"{FIRST_DECISIONS[0]} to {FIRST_DECISIONS[-1]}"
            )
