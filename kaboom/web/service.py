"""The table service, and a table's code, as requests find them."""

from typing import Any

from flask import current_app

from kaboom.tables.errors import NoTable
from kaboom.tables.names import can_be_code
from kaboom.tables.service import Tables


def tables() -> Tables:
    """Return the table service."""
    service: Tables = current_app.config["TABLES"]
    return service


def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a table's code as people type it; raises NoTable for what cannot be one."""
    if values is not None:
        code = values["code"].upper()
        if not can_be_code(code):
            raise NoTable(values["code"])
        values["code"] = code
