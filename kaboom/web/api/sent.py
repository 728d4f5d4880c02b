"""What JSON may hold, door by door, and what may be asked in an address, as the description says:
what it does not say is refused.

Forms and addresses of pages are not asked here: what they hold and nobody knows is as if it was not
sent.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from werkzeug.datastructures import MultiDict

from kaboom.engine.graphemes import characters
from kaboom.engine.i18n import say
from kaboom.web.api.negotiation import Voice
from kaboom.web.api.operations import ALWAYS, CHARACTERS, TEXT, Door, Sight, doors, sights

WHOLE = re.compile(r"-?[0-9]+")
ENOUGH = 10  # digits: no number of ours has as many


@cache
def door_at(rule: str) -> Door | None:
    """Return the door with that rule of ours ("/t/<code>/move"); None if it is not described."""
    path = rule.replace("<", "{").replace(">", "}")
    return next((door for door in doors() if door.path == path), None)


def wrong_in(door: Door, sent: MultiDict[str, str]) -> dict[str, str]:
    """Return what cannot be sent to a door, and why: a sentence for each field.

    An empty text is a field that is not sent, as in forms.
    """
    return dict(_wrong_in(door, sent))


def _wrong_in(door: Door, sent: MultiDict[str, str]) -> Iterator[tuple[str, str]]:
    for name in door.must:
        # Of an empty text, such as a name, the door itself says more.
        if name not in sent or not (sent[name] or door.fields[name] == TEXT):
            yield name, say("This has to be sent.")
    for name, texts in sent.lists():
        field = name.removesuffix(".asked")
        schema = door.fields.get(field) or ALWAYS.get(field)
        if schema is not None:
            why = "" if name.endswith(".asked") else _why_not(schema, texts)
        else:
            why = "" if door.open else say("There is no such field.")
        if why:
            yield name, why


@cache
def sight_at(rule: str, spoken: Voice) -> Sight | None:
    """Return what is looked at by that rule of ours in a voice; None if it is not described."""
    path = rule.replace("<", "{").replace(">", "}").removesuffix(f".{spoken}")
    return next((sight for sight in sights() if sight.path == f"{path}.{spoken}"), None)


def wrong_questions(sight: Sight, asked: MultiDict[str, str]) -> dict[str, str]:
    """Return what cannot be asked where something is looked at, and why: a sentence for each.

    What has no name here may be there for somebody else, such as a cache.
    """
    return {
        name: why
        for name, texts in asked.lists()
        if name in sight.query and (why := _why_not(sight.query[name], texts))
    }


def _why_not(schema: Mapping[str, Any], texts: Sequence[str]) -> str:
    """Return in a sentence why texts cannot be a field, or nothing."""
    if schema["type"] == "array":
        return next(filter(None, (_why_not(schema["items"], [text]) for text in texts)), "")
    if len(texts) > 1:
        return say("Send one value, not a list.")
    text = "".join(texts)
    if not text:
        return ""
    if schema["type"] == "boolean":
        return "" if text in ("0", "1") else say("Send true or false.")
    if known := list(map(str, schema.get("enum", ()))):
        return "" if text in known else say("Send one of these: {values}.", values=", ".join(known))
    if schema["type"] == "integer":
        return _why_no_number(schema, text)
    points = schema.get("maxLength", len(text))
    most = schema.get(CHARACTERS, points)
    if len(text) > points or len(characters(text)) > most:
        return say("At most {count} characters, please.", count=most)
    if not re.fullmatch(schema.get("pattern", ".*"), text, re.DOTALL):
        examples = ", ".join(map(str, schema["examples"]))
        return say("Send something such as: {examples}.", examples=examples)
    return ""


def _why_no_number(schema: Mapping[str, Any], text: str) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if WHOLE.fullmatch(text):
        number = int(text[:ENOUGH])
        if (least is None or number >= least) and (most is None or number <= most):
            return ""
    if least is None or most is None:
        return say("Send a whole number.")
    return say("Send a whole number from {least} to {most}.", least=least, most=most)
