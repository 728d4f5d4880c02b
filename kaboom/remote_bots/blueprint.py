"""Registers the pages and the API for remote bots with the application."""

from flask import Flask

from kaboom.remote_bots import api_routes, openapi, routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages."""
    for bp in (routes.bp, api_routes.bp):
        app.register_blueprint(bp)
