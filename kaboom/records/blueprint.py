"""Finished matches: what this room adds to an application."""

from flask import Flask

from kaboom.records import feed_routes, note_routes, operations, routes

__all__ = ["init_app", "note_routes", "operations"]


def init_app(app: Flask) -> None:
    """Register the pages; those of a record are found under two addresses."""
    for bp in (routes.files, routes.visits, feed_routes.bp):
        app.register_blueprint(bp)
    app.register_blueprint(routes.bp, url_prefix="/m/<code>")
    app.register_blueprint(routes.bp, url_prefix="/look/<code>", name="look")
