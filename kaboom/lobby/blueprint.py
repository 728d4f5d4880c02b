"""Home, the lobby and coming to a table: what this room adds to an application."""

from flask import Flask

from kaboom.lobby import (
    api_routes,
    home_routes,
    host_routes,
    hot_seat_routes,
    lobby_routes,
    meta_routes,
    operations,
    preset_routes,
    profile_routes,
    routes,
    seat_transfer_routes,
    turn_routes,
)
from kaboom.lobby.password_page import locked
from kaboom.tables.snapshot import PasswordRequired

__all__ = ["hot_seat_routes", "init_app", "operations", "turn_routes"]


def init_app(app: Flask) -> None:
    """Register the pages, and ask for the password of a table that has one."""
    app.register_error_handler(PasswordRequired, locked)
    app.jinja_env.globals["unfolded"] = meta_routes.unfolded
    for bp in (
        home_routes.bp,
        lobby_routes.bp,
        routes.opening,
        host_routes.bp,
        seat_transfer_routes.bp,
        api_routes.listings,
        meta_routes.bp,
        profile_routes.bp,
        preset_routes.bp,
    ):
        app.register_blueprint(bp)
