"""Registers the puzzle pages with the application."""

from flask import Flask

from kaboom.puzzles import openapi, routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the routes."""
    app.register_blueprint(routes.bp)
