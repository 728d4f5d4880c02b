"""The format of a lesson: a file `lessons/<name>.toml` in the folder of a game.

A lesson is a fixed deal and a list of steps. Each step may `play` moves; then it either says
something (`say`) or asks the learner for a move (`ask`, with the moves to `expect`). The rules are
the engine's: a lesson only chooses moves and adds sentences. These are in English and are
translated in the game's catalogues.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, ValidationError, convert

from kaboom.engine.rng import SEED_BYTES
from kaboom.games import GAMES, folder

FOLDER = "lessons"
FIRST = "first"  # the name of the lesson that is a whole game, explained move by move
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
WORDS_A_MINUTE, DECISIONS_A_MINUTE = 180, 10  # a newcomer's pace for either alone
ANY = "*"  # stands for any other choices in a pattern of moves


class InvalidLesson(Exception):
    """A lesson that cannot be read or played; str() is a sentence in English for its author."""


class Why(NamedTuple):
    """A sentence about a move, and the heading of the rules page that it is about."""

    text: str
    rule: str


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a lesson. `play` lists moves made before it is shown: "1 bid KS", with the seat;
    "clock", which plays the clock's moves until the table waits for a seat; or "clock 5".

    `expect` lists the right moves, without the seat; the lesson continues with the first one.
    `wrong` explains poor legal moves, by move or by a pattern such as "flip *"; `allowed` explains
    those that are no worse than the expected one; `hint` is shown for all others. `marked` is True
    if the text names a place, "your bottom left card": what is to be pressed there is marked.
    """

    play: tuple[str, ...] = ()
    say: str = ""
    ask: str = ""
    expect: tuple[str, ...] = ()
    marked: bool = False
    hint: Why = Why("", "")
    wrong: Mapping[str, Why] = {}
    allowed: Mapping[str, Why] = {}

    @property
    def text(self) -> str:
        """Return the text that the step says or asks."""
        return self.ask or self.say

    @property
    def told(self) -> Sequence[Why]:
        """Return the sentences about moves that are not expected."""
        whys = (self.hint, *self.wrong.values(), *self.allowed.values())
        return [why for why in whys if why.text]


class File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """The contents of a lesson's TOML file. `teaches` is one sentence; `minutes` is how long
    the lesson takes.

    `seed` is the seed of the deal, hexadecimal, padded with zeros on the left. `order` sorts the
    lessons of a game. The learner has seat `me`. `chapters` are the headings of the rules page that
    link to the lesson.
    """

    title: str
    teaches: str
    minutes: int
    order: int = 0
    chapters: tuple[str, ...] = ()
    seats: int
    me: int = 0
    seed: str
    options: Mapping[str, Any] = {}
    step: tuple[Step, ...]


class Lesson(NamedTuple):
    """A lesson of a game, with its name in URLs."""

    game: str
    name: str
    file: File

    @property
    def id(self) -> str:
        """Return the name of the lesson among those of all games, "game.lesson"."""
        return f"{self.game}.{self.name}"

    @property
    def seed(self) -> bytes:
        """Return the seed of the deal, 32 bytes."""
        return bytes.fromhex(self.file.seed.zfill(2 * SEED_BYTES))

    @property
    def steps(self) -> Sequence[Step]:
        """Return the steps; URLs count them from 1."""
        return self.file.step

    @property
    def decisions(self) -> int:
        """Return the number of moves that the learner is asked for."""
        return sum(bool(step.ask) for step in self.steps)

    @property
    def length(self) -> float:
        """Return how many minutes the lesson takes, estimated from its English words and its
        decisions.
        """
        words = sum(len(step.text.split()) for step in self.steps)
        return words / WORDS_A_MINUTE + self.decisions / DECISIONS_A_MINUTE


class Found(NamedTuple):
    """The lessons of a game, its first game before the others, and why others are left out."""

    lessons: Sequence[Lesson]
    faults: Sequence[str]


def lesson_from(game: str, name: str, text: str) -> Lesson:
    """Return the lesson that a TOML text describes; raises InvalidLesson."""
    if not NAME.fullmatch(name):
        raise InvalidLesson(f"{name}.toml: name it with lower-case letters, digits and hyphens")
    try:
        file = convert(tomllib.loads(text), File)
        bytes.fromhex(file.seed.zfill(2 * SEED_BYTES))
    except (tomllib.TOMLDecodeError, ValidationError, ValueError) as bad:
        raise InvalidLesson(f"lesson {name!r}: {bad}") from None
    if not file.step:
        raise InvalidLesson(f"lesson {name!r} has no steps; write at least one [[step]]")
    for number, step in enumerate(file.step, 1):
        if why := _fault(step):
            raise InvalidLesson(f"lesson {name!r}, step {number}: {why}")
    return Lesson(game, name, file)


def _fault(step: Step) -> str:
    """Return the fault in a single step, or ""."""
    if bool(step.say) == bool(step.ask):
        return "write either `say` or `ask`"
    if step.ask and not (step.expect and step.told):
        return "write `expect` and `hint` for the move it asks for"
    if step.say and (step.expect or step.told):
        return "it asks for no move, so remove `expect`, `hint`, `wrong` and `allowed`"
    return ""


def files_of(key: str) -> Sequence[Path]:
    """Return the files of a game's lessons, by name."""
    return sorted((folder(key) / FOLDER).glob("*.toml"))


@cache
def found_of(key: str) -> Found:
    """Return the lessons of a game, cached; raises KeyError for an unknown game."""
    return found_in(key)


def found_in(key: str) -> Found:
    """Return the lessons of a game as its folder has them now."""
    lessons, faults = [], []
    for path in files_of(key):
        try:
            lessons.append(lesson_from(key, path.stem, path.read_text(encoding="utf-8")))
        except (InvalidLesson, UnicodeDecodeError) as bad:
            faults.append(f"{bad}; fix {FOLDER}/{path.name}")
    return Found(sorted(lessons, key=_place), faults)


def _place(lesson: Lesson) -> tuple[bool, int, str]:
    return lesson.name != FIRST, lesson.file.order, lesson.name


def lesson_of(key: str, name: str) -> Lesson | None:
    """Return a lesson of a game by its name, or None."""
    if key not in GAMES:
        return None
    return next((it for it in found_of(key).lessons if it.name == name), None)


def has_first(key: str) -> bool:
    """Return True if a game has a first lesson that is a whole game."""
    return key in GAMES and lesson_of(key, FIRST) is not None


def beside_rules(key: str) -> Mapping[str, str]:
    """Return the names of the lessons that the rules page of a game links to, by anchor. The first
    game has the empty anchor: its link is at the top.
    """
    found = {"": FIRST} if has_first(key) else {}
    for lesson in found_of(key).lessons:
        for chapter in lesson.file.chapters:
            found.setdefault(chapter, lesson.name)
    return found


def texts_of(file: File) -> Iterator[str]:
    """Yield every English sentence of a lesson."""
    yield file.title
    yield file.teaches
    for step in file.step:
        yield step.text
        yield from (why.text for why in step.told)
