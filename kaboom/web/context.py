"""Access to the services and to a table's code from the current request."""

from typing import Any

from flask import current_app, request

from kaboom.db.ids import can_be_code
from kaboom.db.services import Services
from kaboom.errors import TableNotFound

# The endpoints that show neither people nor tables.
IMPERSONAL = {
    "static.file", "health.alive", "health.ready", "metrics.show", "pages.settings",
    "pages.set_them", "sharing.manifest", "sharing.icon", "sharing.favicon", "sharing.robots",
}  # fmt: skip


def services() -> Services:
    """Return the services that a use case needs: the database and the time."""
    found: Services = current_app.config["TABLES"]
    return found


def code_asked() -> str:
    """Return the code in the requested URL; its route must have one."""
    assert request.view_args is not None
    code: str = request.view_args["code"]
    return code


def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Normalise a typed table code in the URL; raises TableNotFound if it cannot be one."""
    assert values is not None  # the URL matched a route for tables
    code = values["code"].upper()
    if not can_be_code(code):
        raise TableNotFound(values["code"])
    values["code"] = code
