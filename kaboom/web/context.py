"""The table service, who asks it, and a table's code, as requests find them."""

from typing import Any

from flask import current_app, request

from kaboom.accounts import players
from kaboom.db.ids import can_be_code
from kaboom.errors import TableNotFound
from kaboom.tables.service import Tables
from kaboom.web.session import key_hash


def tables() -> Tables:
    """Return the table service."""
    service: Tables = current_app.config["TABLES"]
    return service


def known_player() -> tuple[int, str] | None:
    """Return id and name of the player who asks; None for a stranger."""
    return players.known(tables(), key_hash())


def code_asked() -> str:
    """Return the code that the requested address names; its route has one."""
    assert request.view_args is not None
    code: str = request.view_args["code"]
    return code


def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a table's code as people type it; raises TableNotFound for what cannot be one."""
    assert values is not None  # an address of a table was found
    code = values["code"].upper()
    if not can_be_code(code):
        raise TableNotFound(values["code"])
    values["code"] = code
