"""The feedback for a learner's answer. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kaboom.engine.engine import find
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Move, Refusal
from kaboom.engine.views import Prompt
from kaboom.learn.course import Course
from kaboom.learn.lessons import ANY

GOOD, ALSO, ALLOWED, POOR = "good", "also", "allowed", "poor"
REFUSED, EMPTY = "refused", "empty"
VERDICTS = {  # msgids in English, for gettext
    GOOD: N_("Right."),
    ALSO: N_("That is good, too. The lesson goes on with “{move}”."),
    ALLOWED: N_("That is allowed, but the lesson needs another move."),
    POOR: N_("Not quite."),
    REFUSED: N_("The rules do not allow that."),
    EMPTY: N_("Choose a card first."),
}


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


def feedback(course: Course, number: int, text: str, made: Sequence[str] = ()) -> Answer:
    """Return the feedback for a move ("bid KS") at a step that asks for one; nothing is changed.

    `made` lists the moves that prepared it.
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
        if own.are_same(move, Move.parse(f"{me} {expected}")) or (
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
    """Return True if a move after its preparatory moves leads to the same state as `other`
    alone.
    """
    try:
        return course.reached(number, made, text) == course.reached(number, (), other)
    except Refusal:
        return False


def _matches(own: Prompt, made: Move, pattern: str) -> bool:
    words = pattern.split()
    if words == [ANY]:
        return True
    if words[-1] == ANY:
        offer = own.offer(made.verb)
        return fits(pattern, str(made).split(" ", 1)[1], offer is not None and offer.ordered)
    return own.are_same(made, Move.parse(f"{made.seat} {pattern}"))


def fits(pattern: str, move: str, ordered: bool) -> bool:
    """Return True if a move ("bury 3H 7H") begins as a pattern does ("bury 7H *") or, where the
    order of choices does not count, contains the pattern's choices.
    """
    verb, *named = pattern.removesuffix(ANY).split()
    own, *choices = move.split()
    if ordered:
        return [own, *choices][: 1 + len(named)] == [verb, *named]
    return own == verb and not Counter(named) - Counter(choices)
