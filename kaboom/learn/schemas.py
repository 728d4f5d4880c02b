"""The published schemas of lessons; docs/api.md lists the guarantees."""

from typing import Any

from msgspec import Struct

from kaboom.engine.views import Zone
from kaboom.web.api.schemas import VERSION, Move, Told


class LessonLine(Struct, kw_only=True):
    """A lesson: what it teaches, its length in minutes, and the number of moves it asks for."""

    game: str
    lesson: str
    title: str
    teaches: str
    minutes: int
    steps: int
    decisions: int
    finished: bool
    links: dict[str, str]


class Lessons(Struct, kw_only=True):
    """The lessons of one or all games; each game's first lesson before its others."""

    format: str = "kaboom lessons"
    version: int = VERSION
    lessons: list[LessonLine]


class LessonAnswer(Struct, kw_only=True):
    """The feedback for a move: good, also (good, but the lesson continues with another), allowed
    (no worse, but the lesson needs another), poor, refused by the rules, or empty (nothing was
    chosen). `rule` is a heading of the rules page. `next` is the next step after a right one.
    """

    format: str = "kaboom lesson answer"
    version: int = VERSION
    kind: str
    right: bool
    text: str
    rule: str
    next: str


class LessonStep(Struct, kw_only=True):
    """A step of a lesson: its text, the table, and the possible moves. `solution` is the right
    move, if it was requested with `show`.
    """

    format: str = "kaboom lesson step"
    version: int = VERSION
    game: str
    lesson: str
    title: str
    step: int
    last: int
    text: str
    asks: bool
    saying: str
    names: list[str]
    me: int
    zones: tuple[Zone, ...]
    facts: dict[str, Any]
    said: list[Told]
    moves: list[Move]
    menu: str
    solution: str
    links: dict[str, str]


class LessonDone(Struct, kw_only=True):
    """The end of a lesson, and links to continue."""

    format: str = "kaboom lesson done"
    version: int = VERSION
    game: str
    lesson: str
    text: str
    links: dict[str, str]
