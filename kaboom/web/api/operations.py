"""The registry of API operations. Each room registers its own in its openapi.py.

The OpenAPI description (openapi.py), the validation of JSON (sent.py), the scopes of keys
(kaboom.accounts.api_keys.scopes) and the API documentation page are generated from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from werkzeug.datastructures import ImmutableMultiDict

from kaboom.web.api.scopes import Scope
from kaboom.web.i18n import LANGUAGES

Others = Callable[[ImmutableMultiDict[str, str]], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class PostOperation:
    """A POST operation: its path, summary, fields, required fields, response type and scope.

    With `others`, undeclared fields may also be sent; this function returns the errors in them by
    field. `order` is the position among all operations.
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
        """Return True if undeclared fields may also be sent."""
        return self.others is not None


@dataclass(frozen=True, slots=True)
class GetOperation:
    """A GET operation: its path, summary, query parameters, response type and scope.

    With `etag`, it answers conditional requests. `order` is the position among all operations.
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

    def and_text(self) -> tuple["GetOperation", "GetOperation"]:
        """Return this operation, whose path ends in .json, and the same as plain text."""
        text = replace(
            self,
            path=f"{self.path.removesuffix('.json')}.txt",
            name=f"{self.name}_text",
            summary="The same, as plain text",
            answer="",
            media=PLAIN,
            query={**self.query, **BOTH},
            order=self.order + 1,
        )
        return self, text


@dataclass(frozen=True, slots=True)
class Tag:
    """A heading that groups operations, with its description."""

    name: str
    description: str
    order: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """A response type: a msgspec Struct."""

    type: Any
    order: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A path parameter, with its JSON schema."""

    name: str
    schema: Mapping[str, Any]


_registered: list[PostOperation | GetOperation | Tag | Shape] = []
parts: dict[str, Mapping[str, Any]] = {}


def register(*items: PostOperation | GetOperation | Tag | Shape | Part) -> None:
    """Register the operations of a room; `order` is the position among all of their kind."""
    for item in items:
        if isinstance(item, Part):
            parts[item.name] = item.schema
        else:
            _registered.append(item)
    _registered.sort(key=lambda item: item.order)


def post_operations() -> list[PostOperation]:
    """Return the POST operations."""
    return [item for item in _registered if isinstance(item, PostOperation)]


def get_operations() -> list[GetOperation]:
    """Return the GET operations."""
    return [item for item in _registered if isinstance(item, GetOperation)]


def tags() -> list[Tag]:
    """Return the headings that group operations of both kinds."""
    return [item for item in _registered if isinstance(item, Tag)]


def shapes() -> list[Any]:
    """Return the response types."""
    return [item.type for item in _registered if isinstance(item, Shape)]


# JSON schemas of fields that several rooms use.

YES = {"type": "boolean"}
TEXT = {"type": "string"}
# `maxLength` counts code points, of which one character may have several.
CHARACTERS = "x-characters"
WHOLE = {"type": "integer"}
NATURAL = WHOLE | {"minimum": 0}
SPOKEN = ", ".join(LANGUAGES)
LANGUAGE = {"lang": TEXT | {"description": f"One of {SPOKEN}; otherwise Accept-Language decides."}}
PAGE = {"page": {"type": "integer", "minimum": 0, "maximum": 1000}}
WIDTH = {"width": {"type": "integer", "minimum": 20, "maximum": 200}}
BOTH = LANGUAGE | WIDTH
SEAT = {"seat": {"type": "integer", "minimum": 0, "maximum": 99}}
CODE = {"type": "string", "pattern": "^[A-Za-z0-9]{8,9}$", "examples": ["K7M2Q4XA"]}
PLAIN = "text/plain"
CMD = {"type": "string", "pattern": "^[ -~]{1,40}$", "examples": ["bid 12"]}
# Accepted with every POST in addition to the declared fields: the client's own command id, and a
# confirmation. The description omits them.
ALWAYS: dict[str, Any] = {"cmd": CMD, "sure": YES}


def json_and_text(
    path: str,
    name: str,
    tag: str,
    summary: str,
    answer: str,
    query: Mapping[str, Any] | None = None,
    scope: str = Scope.LOOK,
    order: int = 0,
) -> tuple[GetOperation, GetOperation]:
    """Return the GET operations at `path`.json and `path`.txt, the second directly after the first.

    Both take a language besides the parameters in `query`, and the text also takes a width.
    """
    asked = {**(query or {}), **LANGUAGE}
    return (
        GetOperation(
            f"{path}.json", name, tag, summary, answer, query=asked, scope=scope, order=order
        ),
        GetOperation(
            f"{path}.txt",
            f"{name}_text",
            tag,
            "The same, as plain text",
            media=PLAIN,
            query=asked | WIDTH,
            scope=scope,
            order=order + 1,
        ),
    )


register(
    Part("code", CODE),
    Part("key", TEXT),
    Part("number", {"type": "integer", "minimum": 0, "maximum": 99999}),
)
