"""Registers the tournament pages: the list, each tournament, and the organiser's page.

There is one blueprint (reader.py), with routes in create_routes.py, routes.py, results_routes.py
and organizer_routes.py. Whatever is the same for all viewers is computed once per version of a
tournament, and rendered once per version and language (pages.py).
"""

from collections import OrderedDict
from typing import Any

from flask import Response, url_for

from kaboom.engine.i18n import gettext as _
from kaboom.tables.context import tables
from kaboom.tournaments import (
    create_routes,
    openapi,
    organizer_routes,
    results_routes,
    routes,
    service,
)
from kaboom.tournaments.cache import TournamentNotFound
from kaboom.tournaments.reader import bp
from kaboom.web.errors import elsewhere, told

__all__ = [
    "create_routes", "init_app", "openapi", "organizer_routes", "results_routes", "routes",
]  # fmt: skip


def init_app(app: Any) -> None:
    """Create the page cache, and register the pages."""
    app.extensions["kaboom.computed"] = OrderedDict()
    app.jinja_env.filters["said_all"] = lambda values: [(key, _(it)) for key, it in values.items()]
    app.jinja_env.filters["numbered"] = lambda values: [(it, it) for it in values]
    app.register_error_handler(TournamentNotFound, _no_tournament)
    app.register_blueprint(bp)


def _no_tournament(error: TournamentNotFound) -> Response:
    """Return the error page for an unknown code, with status 404."""
    return told(error, 404, _("There is no tournament with that code. Ask for the link again."))


def _address(code: str) -> str:
    """Return the URL of the tournament with a code; empty if there is none."""
    return url_for("tournaments.show", code=code) if service.is_there(tables(), code) else ""


elsewhere.append(_address)
