"""Ratings and leaderboards: what this room adds to an application."""

from flask import Flask

from kaboom.ratings import operations, routes

__all__ = ["init_app", "operations"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    app.register_blueprint(routes.bp)
