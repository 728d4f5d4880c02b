"""Registers the matchmaking pages with the application."""

from flask import Flask

from kaboom.matchmaking import api_routes, openapi, routes
from kaboom.web.times import span

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    for bp in (routes.bp, api_routes.bp):
        app.register_blueprint(bp)
    app.jinja_env.filters["span"] = span
