"""Registers the challenge pages with the application."""

from flask import Flask

from kaboom.challenges import day_comparison_routes, openapi, round_routes, routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    app.register_blueprint(routes.bp)
    app.register_blueprint(day_comparison_routes.bp)
    app.register_blueprint(round_routes.bp)
