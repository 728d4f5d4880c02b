"""The lesson pages: every step has a URL, and only a cookie records which lessons were finished."""

from functools import partial

from flask import Blueprint, abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.accounts.current import name_in_header
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.games import GAMES
from kaboom.learn import api, progress
from kaboom.learn.answers import REFUSED, Answer, feedback
from kaboom.learn.course import Course, course_of
from kaboom.learn.lessons import FIRST, InvalidLesson, Lesson, found_of, lesson_of
from kaboom.learn.pages import LessonPage, names_of
from kaboom.table_page.exercise_forms import LONGEST, made_in_form, made_in_query, sent_move
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html

bp = Blueprint("learn", __name__)

NAMED = 3  # most choices of a move that are named; if there are more, they are shown ticked


@bp.get("/learn")
@bp.get("/learn.json", endpoint="index_json")
@bp.get("/learn.txt", endpoint="index_text")
def index() -> Response:
    """List the lessons of all games, with what they teach and how long they take."""
    shelf = {key: _playable(key) for key in GAMES}
    if not wants_html():
        rate_limits.count_request()
        return api.index({key: lessons for key, lessons in shelf.items() if lessons})
    return make_response(render("learn/index.html", shelf=shelf, done=progress.finished()))


@bp.get("/learn/<key>")
@bp.get("/learn/<key>.json", endpoint="game_json")
@bp.get("/learn/<key>.txt", endpoint="game_text")
def game(key: str) -> Response:
    """List the lessons of a game."""
    found = GAMES.get(key) or abort(404, _("There is no game with that name."))
    lessons = _playable(key)
    if not wants_html():
        rate_limits.count_request()
        return api.index({key: lessons})
    page = render("learn/game.html", game=found, lessons=lessons, done=progress.finished())
    return make_response(page)


def _playable(key: str) -> list[Lesson]:
    """Return the lessons of a game that can be played to the end."""
    return [it for it in found_of(key).lessons if _course(it) is not None]


def _course(lesson: Lesson | None) -> Course | None:
    if lesson is None:
        return None
    try:
        return course_of(lesson)
    except InvalidLesson:
        return None


def _found(key: str, lesson: str) -> Course:
    found: Course = _course(lesson_of(key, lesson)) or abort(404, _("There is no such lesson."))
    return found


@bp.get("/learn/<key>/<lesson>")
def begin(key: str, lesson: str) -> Response:
    """Redirect to the first step of a lesson."""
    found = _found(key, lesson).lesson
    return redirect(url_for("learn.step", key=found.game, lesson=found.name, number=1), 303)


@bp.get("/learn/<key>/<lesson>/<int(max=999):number>")
@bp.get("/learn/<key>/<lesson>/<int(max=999):number>.json", endpoint="step_json")
@bp.get("/learn/<key>/<lesson>/<int(max=999):number>.txt", endpoint="step_text")
def step(key: str, lesson: str, number: int) -> Response:
    """Show a step of a lesson. `tried` is the move that was tried, and `after` is how the previous
    step ended; with `show`, the right move is shown.
    """
    page = _page(_found(key, lesson), number, request.args.get("tried", ""), made_in_query())
    if not wants_html():
        rate_limits.count_request()
        return api.step(page)
    return _drawn(page)


def _page(course: Course, number: int, tried: str = "", made: tuple[str, ...] = ()) -> LessonPage:
    if not 1 <= number <= len(course.lesson.steps):
        abort(404, _("This lesson has no such step."))
    at = url_for("learn.begin", key=course.lesson.game, lesson=course.lesson.name)
    asks = bool(course.lesson.steps[number - 1].ask)
    made = made if asks else ()
    answer = feedback(course, number, tried[:LONGEST], made) if tried and asks else None
    named = _in_words(course, number, tried, made)
    # A card chosen after the named one, which the rules allowed, would be added to it.
    stays = answer and (answer.kind == REFUSED or not named)
    return LessonPage(
        course,
        at,
        number,
        answer,
        tried=named,
        show="show" in request.args,
        after=request.args.get("after", ""),
        choices=tuple(tried[:LONGEST].split()[1:]) if stays else (),
        made=made,
        name=name_in_header(),
    )


def _in_words(course: Course, number: int, tried: str, made: tuple[str, ...]) -> str:
    """Return, in words, the move that was tried, or "" if it is not on offer."""
    verb, *choices = tried[:LONGEST].split() or [""]
    offer = course.prompt(number, made).offer(verb)
    if offer is None or not set(choices) <= set(offer.options) or len(choices) > NAMED:
        return ""
    words, names = course.game.words, names_of(course, name_in_header())
    return words.move(verb, choices, names, offer.about)


def _drawn(page: LessonPage, status: int = 200) -> Response:
    return make_response(render("learn/step.html", page=page, table=page.table()), status)


@bp.post("/learn/<key>/<lesson>/<int(max=999):number>/move")
@rate_limits.both(player="120 per minute", address="600 per minute")
def move(key: str, lesson: str, number: int) -> Response:
    """Try a move: redirect to the next step if it is right, else show the feedback."""
    page = _page(_found(key, lesson), number, made=made_in_form())
    if not page.asks:
        return redirect(page.next, 303) if wants_html() else api.step(page)
    try:
        own = page.course.prompt(number, page.made)
        text = sent_move(page.table(pieces=wants_html()), own)
    except Refusal as no:
        refused = Answer(REFUSED, str(no), no.rule)
        page = LessonPage(page.course, page.at, number, refused)
        return _drawn(page, no.status) if wants_html() else api.answered(page, refused)
    answer = feedback(page.course, number, text, page.made)
    again = partial(url_for, "learn.step", key=key, lesson=lesson, number=number)
    if not wants_html():
        return api.answered(page, answer)
    if text.split(" ")[0] in page.course.game.pieces and answer.kind != REFUSED:
        return redirect(again(made=[*page.made, text]), 303)
    if answer.right:
        return redirect(f"{page.next}?after={answer.kind}", 303)
    return redirect(again(tried=text, made=page.made), 303)


@bp.get("/learn/<key>/<lesson>/done")
@bp.get("/learn/<key>/<lesson>/done.json", endpoint="done_json")
@bp.get("/learn/<key>/<lesson>/done.txt", endpoint="done_text")
def done(key: str, lesson: str) -> Response:
    """Show the end of a lesson, and mark it as finished."""
    found = _found(key, lesson).lesson
    lessons = _playable(key)
    place = lessons.index(found)
    onward = [*lessons[place + 1 :], *lessons[:place]]
    after = next((it for it in onward if not progress.is_finished(it)), None)
    if not wants_html():
        rate_limits.count_request()
        return api.done(found, after)
    page = render(
        "learn/done.html",
        game=GAMES[key],
        lesson=found,
        after=after,
        first=found.name == FIRST,
    )
    response = make_response(page)
    progress.keep(response, found)
    return response
