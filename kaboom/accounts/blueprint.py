"""Registers the account pages with the application."""

from flask import Flask

from kaboom.accounts import credential_routes, openapi, routes, session_routes
from kaboom.accounts.api_keys import routes as api_key_routes
from kaboom.accounts.current import name_in_header
from kaboom.accounts.names import units
from kaboom.accounts.openid import routes as openid_routes

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the routes, and record which devices are used."""
    session_routes.init_app(app)
    app.jinja_env.globals |= {"units": units, "name_in_header": name_in_header}
    for bp in (session_routes.bp, api_key_routes.bp, credential_routes.bp, routes.bp):
        app.register_blueprint(bp)
    openid_routes.init_app(app)
