"""Registers the review pages with the application."""

from flask import Flask

from kaboom.review import openapi, pages, people_routes, routes, stream

__all__ = ["init_app", "openapi", "people_routes", "stream"]


def init_app(app: Flask) -> None:
    """Register the routes, and show the remarks of reviews on replays."""
    app.register_blueprint(routes.bp)
    app.jinja_env.globals["remarks_at"] = pages.remarks_at
