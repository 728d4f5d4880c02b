"""The API operation that creates a guest with a first API key."""

from kaboom.accounts.api_keys.service import DAYS as KEY_DAYS
from kaboom.accounts.names import LONGEST as LONGEST_NAME
from kaboom.web.api import schemas
from kaboom.web.api.operations import TEXT, PostOperation, Shape, Tag, register
from kaboom.web.api.scopes import NEVER, USUAL, Scope

NAME = TEXT | {
    "description": f"A person's name, of which the first {LONGEST_NAME} characters (grapheme "
    "clusters) are kept."
}
SCOPES = {
    "type": "array",
    "items": {"type": "string", "enum": list(map(str, Scope))},
    "default": list(map(str, USUAL)),
    "description": f"The scopes of the key, which is valid for {KEY_DAYS} days.",
}

register(
    Tag("guests", "A name and a first key", order=10),
    Shape(schemas.Guest, order=100),
    PostOperation(
        "/guests",
        "make_guest",
        "guests",
        "Create a guest with a first key, for a program without a browser",
        {"name": NAME, "key_name": TEXT, "scopes": SCOPES},
        ("name",),
        answer="Guest",
        status=201,
        scope=NEVER,
        order=10,
    ),
)
