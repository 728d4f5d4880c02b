"""The application for tests: without limits, with a store chosen by the test."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from flask import Flask
from flask.testing import FlaskClient

from kaboom.app import create_app, serve_tables
from kaboom.config import ServerSettings
from kaboom.db.ids import AT_RANDOM
from kaboom.tables.service import TableService
from kaboom.web.api.negotiation import FORMS
from tests.support.server import SECRET
from tests.support.statement_cache import prepared
from tests.support.template_cache import compiled_once


class Asking(FlaskClient):
    """A client that makes requests like browsers: POST bodies are forms, even empty ones."""

    def open(self, *args, **more):
        data = more.get("data") or b""  # Werkzeug sets other content types
        bare = "json" not in more and isinstance(data, bytes | str)
        if more.get("method") == "POST" and bare:
            more.setdefault("content_type", FORMS[0])
        return super().open(*args, **more)


def application(database_url: str, **settings) -> Flask:
    """Return an application without limits, or with these `settings`, that reuses templates
    compiled earlier in the run. The caller closes it.
    """
    unlimited = {"rate_limits": False, "clock": False}
    app = create_app(ServerSettings(database_url, SECRET, **(unlimited | settings)))
    app.testing = True
    app.test_client_class = Asking
    compiled_once(app)
    return app


def close(app) -> None:
    """Stop an application's background work; its store stays open."""
    app.extensions["kaboom.calls"].close()
    app.extensions["kaboom.hub"].close()
    app.config["TABLES"].database.close()


@contextmanager
def served(
    app, database_url, now=time.time, fake_ids=AT_RANDOM, **settings
) -> Iterator[TableService]:
    """Let the application use another store for a while."""
    kept = {name: app.config[name] for name in ("TABLES", "LIBRARY")}
    extensions = dict(app.extensions)
    settings = replace(app.config["SERVER"], database_url=database_url, **settings)
    serve_tables(app, settings, now, fake_ids)
    tables = app.config["TABLES"]
    prepared(tables.database)
    try:
        yield tables
    finally:
        close(app)
        app.config.update(kept)
        app.extensions.update(extensions)
