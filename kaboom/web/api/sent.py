"""Validates JSON bodies and query strings against the OpenAPI operations. Unknown fields in a body
are rejected.

HTML forms and the query strings of pages are not validated here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from werkzeug.datastructures import MultiDict

from kaboom.engine.graphemes import characters
from kaboom.engine.i18n import gettext as _
from kaboom.web.api.negotiation import Format
from kaboom.web.api.operations import (
    ALWAYS,
    CHARACTERS,
    TEXT,
    GetOperation,
    PostOperation,
    get_operations,
    post_operations,
)

WHOLE = re.compile(r"-?[0-9]+")
ENOUGH = 10  # maximum number of digits


@cache
def post_operation_at(rule: str) -> PostOperation | None:
    """Return the POST operation with that URL rule ("/t/<code>/move", "/m/<code>/<int:step>"),
    or None if it is not described.
    """
    path = re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule)
    return next((operation for operation in post_operations() if operation.path == path), None)


def field_errors(operation: PostOperation, sent: MultiDict[str, str]) -> dict[str, str]:
    """Return the errors in a JSON body, one sentence per field.

    An empty string counts as a field that is not sent, as in forms.
    """
    return dict(_wrong_in(operation, sent))


def _wrong_in(operation: PostOperation, sent: MultiDict[str, str]) -> Iterator[tuple[str, str]]:
    for name in operation.must:
        # The endpoint itself has better messages for an empty string, such as an empty name.
        if name not in sent or not (sent[name] or operation.fields[name] == TEXT):
            yield name, _("This is required.")
    for name, texts in sent.lists():
        field = name.removesuffix(".asked")
        schema = operation.fields.get(field) or ALWAYS.get(field)
        if schema is not None:
            why = "" if name.endswith(".asked") else _why_not(schema, texts)
        else:
            why = "" if operation.open else _("There is no such field.")
        if why:
            yield name, why


@cache
def get_operation_at(rule: str, spoken: Format) -> GetOperation | None:
    """Return the GET operation with that URL rule in a format, or None if it is not described."""
    path = rule.replace("<", "{").replace(">", "}").removesuffix(f".{spoken}") + f".{spoken}"
    return next((operation for operation in get_operations() if operation.path == path), None)


def parameter_errors(operation: GetOperation, asked: MultiDict[str, str]) -> dict[str, str]:
    """Return the errors in a query string, one sentence per parameter.

    Undeclared parameters are ignored, because they may be meant for another program, such as a
    cache.
    """
    return {
        name: why
        for name, texts in asked.lists()
        if name in operation.query and (why := _why_not(operation.query[name], texts))
    }


def _why_not(schema: Mapping[str, Any], texts: Sequence[str]) -> str:
    """Return the reason why these texts are invalid for a field, or ""."""
    if schema["type"] == "array":
        return next(filter(None, (_why_not(schema["items"], [text]) for text in texts)), "")
    if len(texts) > 1:
        return _("Send one value, not a list.")
    text = "".join(texts)
    if not text:
        return ""
    if schema["type"] == "boolean":
        return "" if text in ("0", "1") else _("Send true or false.")
    if known := list(map(str, schema.get("enum", ()))):
        return "" if text in known else _("Send one of these: {values}.", values=", ".join(known))
    if schema["type"] == "integer":
        return _why_no_number(schema, text)
    points = schema.get("maxLength", len(text))
    most = schema.get(CHARACTERS, points)
    if len(text) > points or len(characters(text)) > most:
        return _("At most {count} characters, please.", count=most)
    if not re.fullmatch(schema.get("pattern", ".*"), text, re.DOTALL):
        examples = ", ".join(map(str, schema["examples"]))
        return _("Send a value such as: {examples}.", examples=examples)
    return ""


def _why_no_number(schema: Mapping[str, Any], text: str) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if WHOLE.fullmatch(text):
        number = int(text[:ENOUGH])
        if (least is None or number >= least) and (most is None or number <= most):
            return ""
    if least is None or most is None:
        return _("Send a whole number.")
    return _("Send a whole number from {least} to {most}.", least=least, most=most)
