"""Players and how they sign in: what this room adds to an application."""

from flask import Flask

from kaboom.accounts import credential_routes, operations, routes, session_routes
from kaboom.accounts.api_keys import routes as api_key_routes
from kaboom.accounts.names import units

__all__ = ["init_app", "operations"]


def init_app(app: Flask) -> None:
    """Register the pages, and note which devices are used."""
    session_routes.init_app(app)
    app.jinja_env.globals["units"] = units
    for bp in (session_routes.bp, api_key_routes.bp, credential_routes.bp, routes.bp):
        app.register_blueprint(bp)
