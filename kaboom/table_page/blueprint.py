"""Registers the pages of a match.

The blueprint of a table (responses.py) has routes in view_routes.py, routes.py and
premove_routes.py here; records/note_routes.py, lobby/seat_routes.py and others add more.
"""

from flask import Flask

from kaboom.table_page import (
    api_routes,
    hot_seat,
    openapi,
    premove_routes,
    routes,
    status,
    table_html,
    tips,
    tv,
    updates,
    view_routes,
)
from kaboom.table_page.page_data import day, expires
from kaboom.table_page.responses import bp

__all__ = ["init_app", "openapi", "premove_routes", "routes", "view_routes"]


def init_app(app: Flask) -> None:
    """Register the pages, and the check that shows the curtain of a shared browser while it is
    down.
    """
    table_html.init_app(app)
    tips.init_app(app)
    updates.init_app(app)
    hot_seat.init_app(app)
    app.jinja_env.globals["expires"] = expires
    app.jinja_env.filters["day"] = day
    for each in (bp, hot_seat.bp, tv.bp, api_routes.bp, status.bp):
        app.register_blueprint(each)
