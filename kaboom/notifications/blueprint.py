"""Registers the notification pages with the application."""

from flask import Flask

from kaboom.notifications import routes


def init_app(app: Flask) -> None:
    """Register the pages."""
    app.register_blueprint(routes.bp)
