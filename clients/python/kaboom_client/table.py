"""A table as one player sees it, as typed data. Fields are as in /openapi.json.

Later servers add fields. They are ignored here; `Table.raw` has everything.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Option:
    """An option of a move: its number in the list, its name in moves, and its label."""

    n: int = 0
    choice: str = ""
    label: str = ""
    short: str = ""
    preview: str = ""
    impossible: bool = False


@dataclass(frozen=True)
class Move:
    """A possible move; `some` lists legal choices, and `answers` is sent with the move."""

    verb: str
    label: str = ""
    answers: str = ""
    least: int = 0
    most: int = 0
    ordered: bool = False
    blocks: bool = False
    confirm: bool = False
    options: tuple[Option, ...] = ()
    some: tuple[tuple[str, ...], ...] = ()
    n: int | None = None
    rule: str = ""
    ask: str = ""
    preview: str = ""
    prepares: bool = False
    numbers: bool = False


@dataclass(frozen=True)
class Chair:
    """One seat at the table; `name` is empty while it is free."""

    seat: int
    name: str = ""
    bot: bool = False
    level: str = ""
    program: bool = False
    mine: bool = False
    host: bool = False
    ready: bool = False
    playing: str = ""
    page: str = ""


@dataclass(frozen=True)
class Zone:
    """A place with cards: `?` is a back, `_` an empty place."""

    name: str
    owner: int | None = None
    cards: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    marks: dict[str, str] = field(default_factory=dict)
    middle: bool = False


@dataclass(frozen=True)
class Scores:
    """Points by row and by column; None is a seat without a score."""

    headings: tuple[str, ...] = ()
    rows: tuple[tuple[float | None, ...], ...] = ()


@dataclass(frozen=True)
class Line:
    """A line of the log."""

    n: int
    kind: str
    text: str
    fresh: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Clock:
    """A clock: the seconds left, and the seconds given."""

    left: float = 0
    given: float = 0
    held: bool = False
    more: bool = False


@dataclass(frozen=True)
class Wait:
    """In correspondence play: a seat that the table waits for, and the seconds it has left."""

    seat: int
    left: float | None = None
    text: str = ""
    nudge: bool = False
    bank: float = 0


@dataclass(frozen=True)
class Vote:
    """An open vote."""

    number: int
    text: str = ""
    agreed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    mine: str = ""


@dataclass(frozen=True)
class HouseMove:
    """A move the host can request, and its label."""

    move: str
    label: str = ""


@dataclass(frozen=True)
class Affairs:
    """The state of the table apart from the game."""

    paused: bool = False
    vote: Vote | None = None
    away: bool = False
    done: tuple[str, ...] = ()
    hint: str = ""
    bots_for: tuple[str, ...] = ()
    may_propose: bool = False
    may_ask: bool = False
    frozen: str = ""
    late: bool = False
    plan: str = ""
    plan_comes: bool = False
    house: tuple[HouseMove, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The end of a match, by seat: 1 is the first place, and tied seats share a place."""

    scores: tuple[float, ...] = ()
    places: tuple[int, ...] = ()
    reason: str = "won"


@dataclass(frozen=True)
class Table:
    """A whole table. `stage` is open, playing, over or closed; `me` is your seat, or None."""

    code: str
    game: str
    game_version: int
    stage: str
    match: int
    revision: int
    me: int | None = None
    names: tuple[str, ...] = ()
    chairs: tuple[Chair, ...] = ()
    least: int = 0
    most: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    waited: bool = False
    waiting: tuple[int, ...] = ()
    menu: str = ""
    text: str = ""
    say: str = ""
    zones: tuple[Zone, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    scores: Scores | None = None
    moves: tuple[Move, ...] = ()
    log: tuple[Line, ...] = ()
    clocks: tuple[Clock, ...] = ()
    days: int = 0
    bank: int = 0
    waits: tuple[Wait, ...] = ()
    affairs: Affairs = Affairs()
    outcome: Outcome | None = None
    record: str = ""
    links: dict[str, str] = field(default_factory=dict)
    promise: str = ""
    commitment: str = ""
    programs: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Table:
        """Return the table that a server sent as JSON."""
        return dataclasses.replace(read(cls, data), raw=data)

    @property
    def blocking(self) -> tuple[Move, ...]:
        """Return the moves for which the table waits and which have a legal choice."""
        return tuple(move for move in self.moves if move.blocks and move.some)

    def offer(self, verb: str) -> Move | None:
        """Return the move with this verb, or None if it is not on offer."""
        return next((move for move in self.moves if move.verb == verb), None)

    def zone(self, name: str, owner: int | None = None) -> Zone | None:
        """Return the place with this name and owner, or None if there is none."""
        found = (it for it in self.zones if (it.name, it.owner) == (name, owner))
        return next(found, None)


NESTED = {Option, Move, Chair, Zone, Scores, Line, Clock, Wait, Vote, HouseMove, Affairs, Outcome}
FIELDS: dict[Any, dict[str, Any]] = {kind: get_type_hints(kind) for kind in (*NESTED, Table)}


def read(kind: type[Kind], data: dict[str, Any]) -> Kind:
    """Return JSON data as an object of a dataclass; raises TypeError if a field is missing."""
    return kind(
        **{name: _value(of, data[name]) for name, of in FIELDS[kind].items() if name in data}
    )


def _value(kind: Any, data: Any) -> Any:
    if get_origin(kind) in (UnionType, Union):  # a type, or None
        return None if data is None else _value(get_args(kind)[0], data)
    if get_origin(kind) is tuple:
        return tuple(_value(get_args(kind)[0], it) for it in data)
    return read(kind, data) if kind in NESTED else data
