"""Registers the vacation page with the application."""

from flask import Flask

from kaboom.correspondence import routes


def init_app(app: Flask) -> None:
    """Register the page."""
    app.register_blueprint(routes.bp)
