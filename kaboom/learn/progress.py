"""The lessons finished in this browser, kept in a cookie: "kaboom.first&gops.ties"."""

from collections.abc import Set
from functools import cache

from flask import request
from werkzeug.wrappers import Response

from kaboom.games import GAMES
from kaboom.learn.lessons import FIRST, Lesson, found_of
from kaboom.web.session import cookie_name, keep_cookie

COOKIE = "kb-lessons"


def finished() -> Set[str]:
    """Return the finished lessons that still exist, as "game.lesson"."""
    return frozenset(request.cookies.get(cookie_name(COOKIE), "").split("&")) & _all()


@cache
def _all() -> Set[str]:
    return frozenset(lesson.id for key in GAMES for lesson in found_of(key).lessons)


def is_finished(lesson: Lesson) -> bool:
    """Return True if the lesson has been finished in this browser."""
    return lesson.id in finished()


def keep(response: Response, lesson: Lesson) -> None:
    """Set the cookie that marks a lesson as finished."""
    keep_cookie(response, COOKIE, "&".join(sorted(finished() | {lesson.id})))


def is_new_to_all() -> bool:
    """Return True if there are first games and this browser has finished none."""
    firsts = {name for name in _all() if name.endswith(f".{FIRST}")}
    return bool(firsts) and firsts.isdisjoint(finished())
