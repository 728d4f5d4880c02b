"""Access to the table service from a request."""

from flask import current_app

from kaboom.tables.service import TableService


def tables() -> TableService:
    """Return the table service of the current application."""
    service: TableService = current_app.config["TABLES"]
    return service
