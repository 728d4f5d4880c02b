"""Registers the pages of puzzles with the application."""

from flask import Flask

from kaboom.puzzles import openapi, routes
from kaboom.puzzles.service import of_day

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the routes, and provide the puzzle of the day to the home page."""
    app.register_blueprint(routes.bp)
    app.jinja_env.globals.update(puzzle_of_day=lambda: of_day(routes.today()))
