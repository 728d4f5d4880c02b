"""What use cases are given, and a table's code, as requests find them."""

from typing import Any

from flask import current_app, request

from kaboom.db.ids import can_be_code
from kaboom.db.services import Services
from kaboom.errors import TableNotFound


def services() -> Services:
    """Return what use cases are given: the database and the time."""
    found: Services = current_app.config["TABLES"]
    return found


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
