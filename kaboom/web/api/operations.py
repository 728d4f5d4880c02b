"""What programs can look at and do: each room registers its own in its operations.py.

The description (openapi.py), what JSON may hold (sent.py), what a key must be good for (scopes.py)
and the page for those who write programs are made from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from werkzeug.datastructures import ImmutableMultiDict

from kaboom.web.api.scopes import Scope
from kaboom.web.i18n import LANGUAGES

Others = Callable[[ImmutableMultiDict[str, str]], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Door:
    """An address where something can be done: what that is called, its fields, which of them must
    be sent, what is answered, and what a key must be good for. `others`: fields that are not named
    may be sent, too, and this says what is wrong with them, by name. `order`: its place among all.
    """

    path: str
    name: str
    tag: str
    summary: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    must: tuple[str, ...] = ()
    answer: str = "Table"
    status: int = 200
    others: Others | None = None
    scope: str = Scope.PLAY
    order: int = 0

    @property
    def open(self) -> bool:
        """Return True if fields that are not named may be sent, too."""
        return self.others is not None


@dataclass(frozen=True, slots=True)
class Sight:
    """An address where something can be looked at: what that is called, its question, what is
    answered, and what a key must be good for. `etag`: who has it already is told so. `order`: its
    place among all.
    """

    path: str
    name: str
    tag: str
    summary: str
    answer: str = ""
    media: str = "application/json"
    query: Mapping[str, Any] = field(default_factory=dict)
    scope: str = Scope.LOOK
    etag: bool = False
    order: int = 0


@dataclass(frozen=True, slots=True)
class Tag:
    """A heading under which operations are sorted, and what stands below it."""

    name: str
    description: str
    order: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """A type that is answered: a msgspec Struct."""

    type: Any
    order: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """What stands in an address under a name, as a JSON schema."""

    name: str
    schema: Mapping[str, Any]


_registered: list[Door | Sight | Tag | Shape] = []
parts: dict[str, Mapping[str, Any]] = {}


def register(*items: Door | Sight | Tag | Shape | Part) -> None:
    """Add what a room tells programs; `order` is the place among all of its kind."""
    for item in items:
        if isinstance(item, Part):
            parts[item.name] = item.schema
        else:
            _registered.append(item)
    _registered.sort(key=lambda item: item.order)


def doors() -> list[Door]:
    """Return where something can be done."""
    return [item for item in _registered if isinstance(item, Door)]


def sights() -> list[Sight]:
    """Return where something can be looked at."""
    return [item for item in _registered if isinstance(item, Sight)]


def tags() -> list[Tag]:
    """Return the headings under which both are sorted."""
    return [item for item in _registered if isinstance(item, Tag)]


def shapes() -> list[Any]:
    """Return the types that are answered."""
    return [item.type for item in _registered if isinstance(item, Shape)]


# Fields that several rooms have, as JSON schemas.

YES = {"type": "boolean"}
TEXT = {"type": "string"}
# `maxLength` counts code points, of which a character may have several.
CHARACTERS = "x-characters"
WHOLE = {"type": "integer"}
NATURAL = WHOLE | {"minimum": 0}
SPOKEN = ", ".join(LANGUAGES)
LANGUAGE = {"lang": TEXT | {"description": f"One of {SPOKEN}; else Accept-Language decides."}}
PAGE = {"page": {"type": "integer", "minimum": 0, "maximum": 1000}}
WIDTH = {"width": {"type": "integer", "minimum": 20, "maximum": 200}}
BOTH = LANGUAGE | WIDTH
SEAT = {"seat": {"type": "integer", "minimum": 0, "maximum": 99}}
CODE = {"type": "string", "pattern": "^[A-Za-z0-9]{8,9}$", "examples": ["K7M2Q4XA"]}
PLAIN = "text/plain"
CMD = {"type": "string", "pattern": "^[ -~]{1,40}$", "examples": ["bid 12"]}
# With every POST, besides what a door names: a mark of the program's own, and that people were
# asked. They are left out of the description.
ALWAYS: dict[str, Any] = {"cmd": CMD, "sure": YES}

register(
    Part("code", CODE),
    Part("key", TEXT),
    Part("number", {"type": "integer", "minimum": 0, "maximum": 99999}),
)
