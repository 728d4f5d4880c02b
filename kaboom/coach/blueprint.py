"""Registers the coach's routes with the application."""

from flask import Flask

from kaboom.coach import openapi, routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    app.register_blueprint(routes.bp)
