"""Tournaments: a list, a page each, the forms of those who play, and an organiser's page.

One blueprint (reader.py), whose routes are in create_routes.py, routes.py, results_routes.py and
organizer_routes.py.
What is the same for everybody is computed once for each version of a tournament, and drawn once for
each version and language (pages.py).
"""

from collections import OrderedDict
from typing import Any

from flask import Response, url_for

from kaboom.engine.i18n import say
from kaboom.tables.context import tables
from kaboom.tournaments import (
    create_routes,
    operations,
    organizer_routes,
    results_routes,
    routes,
    service,
)
from kaboom.tournaments.cache import TournamentNotFound
from kaboom.tournaments.daily import operations as daily_operations
from kaboom.tournaments.daily import routes as daily
from kaboom.tournaments.reader import bp
from kaboom.web.errors import elsewhere, told

__all__ = [
    "create_routes", "daily_operations", "init_app", "operations", "organizer_routes",
    "results_routes", "routes",
]  # fmt: skip


def init_app(app: Any) -> None:
    """Keep what has been drawn and computed, and register the pages."""
    app.extensions["kaboom.drawn"] = OrderedDict()
    app.extensions["kaboom.computed"] = OrderedDict()
    app.jinja_env.filters["said_all"] = lambda values: [
        (key, say(it)) for key, it in values.items()
    ]
    app.jinja_env.filters["numbered"] = lambda values: [(it, it) for it in values]
    app.register_error_handler(TournamentNotFound, _no_tournament)
    app.register_blueprint(bp)
    app.register_blueprint(daily.bp)


def _no_tournament(error: TournamentNotFound) -> Response:
    """No tournament has that code."""
    return told(error, 404, say("There is no tournament with that code. Ask for the link again."))


def _address(code: str) -> str:
    """Return the address of the tournament with a code; nothing if there is none."""
    return url_for("tournaments.show", code=code) if service.is_there(tables(), code) else ""


elsewhere.append(_address)
