"""The table service, as requests find it."""

from flask import current_app

from kaboom.tables.service import Tables


def tables() -> Tables:
    """Return the table service."""
    service: Tables = current_app.config["TABLES"]
    return service
