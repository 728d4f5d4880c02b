"""Registers the host's pages with the application."""

from datetime import UTC, datetime

from flask import Flask

from kaboom.admin import cache, metrics, notices, routes
from kaboom.admin.texts import ago, sentence_of_act

__all__ = ["init_app", "metrics"]


def utc(seconds: float, form: str = "%Y-%m-%d\u00a0%H:%M\u00a0UTC") -> str:
    """Return a time (seconds since 1970) as text in UTC that does not break across lines."""
    return datetime.fromtimestamp(seconds, UTC).strftime(form).replace("-", "-\u2060")


def size(count: int) -> str:
    """Return a number of bytes as text with a unit."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def init_app(app: Flask) -> None:
    """Register the pages, and the check that refuses players who are kept out."""
    cache.init_app(app)
    app.before_request(notices.refuse_kept_out)
    app.register_error_handler(notices.KeptOut, notices.kept_out)
    app.jinja_env.globals.update(told_by_host=notices.told_by_host, by_host=routes.by_host)
    app.jinja_env.globals.update(taken_out=routes.taken_out)
    app.jinja_env.globals.update(utc=utc, size=size, ago=ago, sentence_of_act=sentence_of_act)
    app.register_blueprint(routes.bp)
    app.register_blueprint(notices.bp)
