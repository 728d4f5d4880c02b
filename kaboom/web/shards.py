"""Halls: several whole card rooms behind one name, each with a database of its own.

The proxy in front leads a request to a hall by the code in its address, else by `hall=` in it, else
by a cookie (docs/decisions/0025-halls.md). So every link without a code says of which hall it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from kaboom.config import FIRST_HALL
from kaboom.db.ids import can_be_code, can_be_import_code, hall_of
from kaboom.engine.i18n import say
from kaboom.web.assets import SAME_FOR_ALL
from kaboom.web.errors import told
from kaboom.web.session import hall, halls_known

MISDIRECTED = 421
# An address with one of these leads to its hall by itself.
TELLING = {"code", "club", "secret"}


@dataclass(frozen=True, slots=True)
class Hall:
    """A hall as its link is drawn: what addresses call it, its name; is it this one, and has the
    browser a key there?
    """

    key: str
    name: str
    here: bool
    known: bool


def init_app(app: Flask) -> None:
    """Let pages name the halls, links stay in this one, and refuse what belongs to another one."""
    app.jinja_env.globals.update(halls=halls, this_page=this_page)
    if app.config["SERVER"].halls:
        app.url_defaults(staying(app))
        app.before_request(refuse_other_halls)


def halls() -> list[Hall]:
    """Return all halls of this card room; none where there is only this one."""
    others: str = current_app.config["SERVER"].halls
    known = set(halls_known()) if others else set()
    return [
        Hall(
            letter or FIRST_HALL,
            say("Hall {letter}", letter=letter) if letter else say("First hall"),
            letter == hall(),
            letter in known,
        )
        for letter in (["", *others] if others else [])
    ]


def this_page() -> str:
    """Return the address of this page, to come back to."""
    asked = request.args.get("hall", "")
    return f"{request.path}?hall={asked}" if asked.isalpha() and asked.isascii() else request.path


def staying(app: Flask) -> Callable[[str, dict[str, Any]], None]:
    """Return what adds this hall to the values of an address that does not lead to it itself."""
    telling = {rule.endpoint for rule in app.url_map.iter_rules() if TELLING & set(rule.arguments)}

    def stay(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint not in telling and endpoint.partition(".")[0] not in SAME_FOR_ALL:
            values.setdefault("hall", hall() or FIRST_HALL)

    return stay


def refuse_other_halls() -> Response | None:
    """Refuse an address with a code of another hall: only a proxy that is set wrongly sends it
    here, and the database here knows nothing of it.
    """
    values = request.view_args or {}
    code = str(values.get("code") or values.get("club") or "").upper()
    if not (can_be_code(code) or can_be_import_code(code)) or hall_of(code) == hall():
        return None
    if hall_of(code) not in ("", *current_app.config["SERVER"].halls):
        return None  # of none: there is nothing at this address
    sentence = say(
        "This belongs to another hall. Whoever runs this server must let its proxy lead there."
    )
    return told(HTTPException(), MISDIRECTED, sentence)
