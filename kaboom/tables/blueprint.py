"""Tables: what this room adds to an application."""

from flask import Flask

from kaboom.errors import AccessRequired, TableNotFound
from kaboom.tables.context import tables
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import DAYS
from kaboom.web import code_attempts
from kaboom.web.session import key_hash


def init_app(app: Flask) -> None:
    """Give templates what can be chosen for a table."""
    app.jinja_env.globals.update(delays=DELAYS, by_days=lambda: DAYS)
    app.jinja_env.globals["default_pace"] = lambda: app.config["TABLES"].pace


def sits_at(code: str) -> bool:
    """Return True if the player who asks sits at a table."""
    try:
        return tables().look(code, key_hash()).me is not None
    except (TableNotFound, AccessRequired):
        return False


code_attempts.belongs["code"] = sits_at
