"""Registers the lesson pages with the application."""

import logging

from flask import Flask

from kaboom.games import GAMES
from kaboom.learn import openapi, progress, routes
from kaboom.learn.lessons import found_of, has_first

__all__ = ["init_app", "openapi"]

log = logging.getLogger(__name__)


def init_app(app: Flask) -> None:
    """Register the pages, and log which lessons are left out."""
    for key in GAMES:
        for fault in found_of(key).faults:
            log.error("the game %s is played without a lesson: %s", key, fault)
    app.register_blueprint(routes.bp)
    app.jinja_env.globals.update(has_first=has_first, new_to_all=progress.is_new_to_all)
