"""Lessons as JSON, as text and as speech."""

from collections.abc import Iterator, Mapping, Sequence

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.games import GAMES
from kaboom.learn import progress
from kaboom.learn.answers import Answer
from kaboom.learn.lessons import Lesson
from kaboom.learn.pages import LessonPage
from kaboom.learn.schemas import LessonAnswer, LessonDone, LessonLine, Lessons, LessonStep
from kaboom.table_page.api import moves_of
from kaboom.table_page.text import text_of
from kaboom.web.api.negotiation import columns
from kaboom.web.api.responses import answer
from kaboom.web.api.schemas import Told
from kaboom.web.links import rooted


def index(shelf: Mapping[str, Sequence[Lesson]]) -> Response:
    """Return the response with the lessons of these games."""
    lessons = [lesson for each in shelf.values() for lesson in each]
    return answer(Lessons(lessons=[_line(it) for it in lessons]), _listed(shelf))


def _line(lesson: Lesson) -> LessonLine:
    at = rooted(f"/learn/{lesson.game}/{lesson.name}")
    return LessonLine(
        game=lesson.game,
        lesson=lesson.name,
        title=_(lesson.file.title),
        teaches=_(lesson.file.teaches),
        minutes=lesson.file.minutes,
        steps=len(lesson.steps),
        decisions=lesson.decisions,
        finished=progress.is_finished(lesson),
        links={"self": f"{at}/1.json", "text": f"{at}/1.txt", "page": at},
    )


def _listed(shelf: Mapping[str, Sequence[Lesson]]) -> Iterator[str]:
    yield _("Lessons")
    for key, lessons in shelf.items():
        yield GAMES[key].name
        if not lessons:
            yield _("There are no lessons for this game yet.")
        for it in lessons:
            yield f"- {_(it.file.title)}: {_(it.file.teaches)} {minutes(it)}"
            yield f"GET {rooted(f'/learn/{it.game}/{it.name}')}/1.txt"


def minutes(lesson: Lesson) -> str:
    """Return the length of a lesson in words."""
    return ngettext("About {count} minute.", "About {count} minutes.", lesson.file.minutes)


def step(page: LessonPage) -> Response:
    """Return the response with a step of a lesson."""
    table, lesson = page.table(pieces=False), page.course.lesson
    at = f"{page.at}/{page.number}"
    links = {"self": f"{at}.json", "text": f"{at}.txt", "page": at, "next": f"{page.next}.json"}
    if page.asks:
        links |= {"move": f"{at}/move", "show": f"{at}.json?show=1"}
    view = table.seen
    found = LessonStep(
        game=lesson.game,
        lesson=lesson.name,
        title=page.title,
        step=page.number,
        last=page.last,
        text=page.text,
        asks=page.asks,
        saying=table.saying,
        names=list(page.names.seats),
        me=lesson.file.me,
        zones=view.zones,
        facts=view.facts,
        said=[Told(line.kind, line.text) for line in table.log if line.fresh],
        moves=moves_of(table),
        menu=table.menu,
        solution=page.solution,
        links=links,
    )
    return answer(found, _told(page))


def _told(page: LessonPage) -> Iterator[str]:
    """Yield the lines of a step: first what it says or asks, then the table."""
    where = _("step {number} of {last}", number=page.number, last=page.last)
    yield f"{page.course.game.name}: {page.title}, {where}"
    yield page.text
    if page.said:
        yield page.said
    if page.solution:
        yield _("The right move: {move}", move=page.solution)
    yield from text_of(page.table(pieces=False), columns()).splitlines()[1:]
    if page.asks:
        yield f"show: GET {page.at}/{page.number}.txt?show=1"
    yield f"next: GET {page.next}.txt"


def answered(page: LessonPage, found: Answer) -> Response:
    """Return the response to a move that the learner tried."""
    said = LessonPage(page.course, page.at, page.number, found, name=page.name)
    text, onward = said.said, page.next if found.right else ""
    rule, heading = said.rule
    shape = LessonAnswer(
        kind=found.kind,
        right=found.right,
        text=text,
        rule=rule,
        next=f"{onward}.json" if onward else "",
    )
    lines = [text]
    if rule:
        lines.append(_("The rule: {heading}", heading=heading))
    lines.append(
        f"next: GET {onward}.txt" if onward else f"again: POST {said.at}/{said.number}/move"
    )
    return answer(shape, lines, 200)


def done(lesson: Lesson, after: Lesson | None) -> Response:
    """Return the response at the end of a lesson."""
    text = _("Well done! You have finished “{title}”.", title=_(lesson.file.title))
    links = {"lessons": rooted(f"/learn/{lesson.game}.json")}
    lines = [text]
    if after is not None:
        at = rooted(f"/learn/{after.game}/{after.name}/1")
        links["next"] = f"{at}.json"
        lines.append(f"next: GET {at}.txt")
    shape = LessonDone(game=lesson.game, lesson=lesson.name, text=text, links=links)
    return answer(shape, lines)
