"""Tournaments: a list, a page each, the forms of those who play, and an organiser's page.

One blueprint (reader.py), whose routes are in opening.py, playing.py, results.py and running.py.
What is the same for everybody is computed once for each version of a tournament, and drawn once for
each version and language (parts.py).
"""

from collections import OrderedDict
from typing import Any

from flask import Response

from kaboom.core.language import say
from kaboom.tables.seen_tournaments import NoTournament
from kaboom.web.errors import told
from kaboom.web.tournaments import opening, playing, results, running
from kaboom.web.tournaments.reader import bp

__all__ = ["bp", "init_app", "opening", "playing", "results", "running"]


def init_app(app: Any) -> None:
    """Keep what has been drawn and computed, and register the pages."""
    app.extensions["kaboom.drawn"] = OrderedDict()
    app.extensions["kaboom.computed"] = OrderedDict()
    app.jinja_env.filters["said_all"] = lambda values: [
        (key, say(it)) for key, it in values.items()
    ]
    app.jinja_env.filters["numbered"] = lambda values: [(it, it) for it in values]
    app.register_error_handler(NoTournament, _no_tournament)
    app.register_blueprint(bp)


def _no_tournament(error: NoTournament) -> Response:
    """No tournament has that code."""
    return told(error, 404, say("There is no tournament with that code. Ask for the link again."))
