"""The home page, the lobby and joining a table: what this room adds to the application."""

from flask import Flask

from kaboom.games import is_built_in
from kaboom.games.match_length import quick_length, usual_length
from kaboom.lobby import (
    account_routes,
    api_routes,
    home_routes,
    hot_seat_routes,
    open_routes,
    openapi,
    preset_routes,
    routes,
    seat_routes,
    table_settings_routes,
    turn_routes,
)
from kaboom.lobby.password_routes import locked
from kaboom.lobby.seat_transfer import routes as seat_transfer_routes
from kaboom.social.friends.routes import at_hand
from kaboom.tables.snapshot import PasswordRequired

__all__ = ["hot_seat_routes", "init_app", "openapi", "seat_routes", "turn_routes"]


def init_app(app: Flask) -> None:
    """Register the pages, and ask for the password of a table that has one."""
    app.register_error_handler(PasswordRequired, locked)
    app.jinja_env.tests["built_in"] = is_built_in
    app.jinja_env.globals |= {
        "usual_length": usual_length,
        "quick_length": quick_length,
        "friends_at_hand": at_hand,
    }
    for bp in (
        home_routes.bp,
        routes.bp,
        open_routes.bp,
        table_settings_routes.bp,
        seat_transfer_routes.bp,
        api_routes.listings,
        account_routes.bp,
        preset_routes.bp,
    ):
        app.register_blueprint(bp)
