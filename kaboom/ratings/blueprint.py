"""Registers the pages of ratings and leaderboards with the application."""

from flask import Flask

from kaboom.ratings import openapi, routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    app.register_blueprint(routes.bp)
