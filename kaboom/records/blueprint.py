"""Registers the pages of finished matches with the application."""

from flask import Flask

from kaboom.records import feed_routes, note_routes, openapi, play_on_routes, routes

__all__ = ["init_app", "note_routes", "openapi"]


def init_app(app: Flask) -> None:
    """Register the pages; those of a record have two URLs."""
    for bp in (routes.files, routes.visits, feed_routes.bp, play_on_routes.bp):
        app.register_blueprint(bp)
    app.register_blueprint(routes.bp, url_prefix="/m/<code>")
    app.register_blueprint(routes.bp, url_prefix="/replay/<code>", name="look")
