"""Registers link previews, QR codes and app icons with the application."""

from flask import Flask

from kaboom.sharing import routes
from kaboom.sharing.previews import link_preview
from kaboom.sharing.qr_codes import qr_code_of_table
from kaboom.web.api.scopes import FREE, let_read

let_read("sharing", FREE)


def init_app(app: Flask) -> None:
    """Register the pictures and icons, and what templates use."""
    app.jinja_env.globals.update(link_preview=link_preview, qr_code=qr_code_of_table)
    app.register_blueprint(routes.bp)
