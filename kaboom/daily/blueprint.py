"""Registers the daily deal's pages with the application."""

from flask import Flask

from kaboom.daily import openapi, routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    app.register_blueprint(routes.bp)
