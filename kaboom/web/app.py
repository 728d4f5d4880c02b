"""The application: settings, services, templates and blueprints put together."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, url_for
from flask_compress import Compress
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from kaboom import cli
from kaboom.games import GAMES
from kaboom.push.hub import Hub
from kaboom.settings import ROOT, ServerSettings, from_environment
from kaboom.store.database import Database
from kaboom.store.threads import one_thread
from kaboom.tables.clock import Ticker
from kaboom.tables.service import Tables
from kaboom.web import errors, guard, limits, pages, table
from kaboom.web.show import browser_settings

GAMES_FOLDER = Path(__file__).parents[1] / "games"


def create_app(settings: ServerSettings | None = None) -> Flask:
    """Return the application. The database must have been migrated (kaboom.store.migrate)."""
    settings = settings or from_environment()
    app = Flask(__name__, root_path=str(ROOT))
    app.config.update(
        SERVER=settings,
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_MEMORY_SIZE=64 * 1024,
        MAX_FORM_PARTS=200,
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_MIMETYPES=[
            "text/html",
            "text/css",
            "text/javascript",
            "application/javascript",
            "image/svg+xml",
        ],
        COMPRESS_STREAMS=False,
    )
    if settings.proxies:
        hops = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops)  # type: ignore[method-assign]
    _serve_tables(app, settings)
    _draw_pages(app)
    guard.init_app(app)
    errors.init_app(app)
    Compress(app)
    limits.init_app(app)
    cli.init_app(app)
    for blueprint in (pages.bp, table.opening, table.bp):
        app.register_blueprint(blueprint)
    return app


def _serve_tables(app: Flask, settings: ServerSettings) -> None:
    """Connect the table service with the store, the streams and the clock."""
    hub = Hub(settings.redis_url or None)
    tables = Tables(
        Database(settings.database_url), bot_seconds=settings.bot_seconds, aside=one_thread()
    )
    ticker = Ticker(tables)

    def changed(code: str) -> None:
        hub.publish(code)
        ticker.wake()

    tables.changed = changed
    app.config["TABLES"] = tables
    app.extensions["kaboom.hub"] = hub
    app.extensions["kaboom.clock"] = ticker
    if settings.clock:
        ticker.start()


def _draw_pages(app: Flask) -> None:
    """Let games bring templates of their own, and give every template what it needs."""
    own = {key: FileSystemLoader(GAMES_FOLDER / key / "templates") for key in GAMES}
    app.jinja_env.loader = ChoiceLoader(
        [FileSystemLoader(ROOT / "templates"), PrefixLoader(own, delimiter="/")]
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @cache
    def asset(name: str) -> str:
        """Return the address of a static file, with a version that changes with its content."""
        digest = sha256((ROOT / "static" / name).read_bytes()).hexdigest()[:8]
        return url_for("static", filename=name, v=digest)

    @app.context_processor
    def shared() -> dict[str, Any]:
        return {"settings": browser_settings(), "games": GAMES, "asset": asset}
