"""Registers the template values for tables with the application."""

from flask import Flask

from kaboom.errors import AccessRequired, TableNotFound
from kaboom.tables.access import reliability
from kaboom.tables.context import tables
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import BANKS, DAYS
from kaboom.web import code_attempts
from kaboom.web.session import key_hash


def init_app(app: Flask) -> None:
    """Register the choices that tables offer as template values."""
    app.jinja_env.globals.update(delays=DELAYS, by_days=lambda: DAYS, banks=lambda: BANKS)
    app.jinja_env.globals["manner_words"] = reliability.in_words
    app.jinja_env.globals["default_pace"] = lambda: app.config["TABLES"].pace


def sits_at(code: str) -> bool:
    """Return True if the current player sits at a table."""
    try:
        return tables().get(code, key_hash()).me is not None
    except (TableNotFound, AccessRequired):
        return False


code_attempts.belongs["code"] = sits_at
