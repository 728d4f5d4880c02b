"""The application: settings, services, templates and blueprints put together."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from flask import Flask, Request
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined
from werkzeug.datastructures import MultiDict
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, IntegerConverter, Rule
from werkzeug.utils import cached_property

from kaboom import cli
from kaboom.accounts.api_keys import auth as api_auth
from kaboom.admin.cache import orders
from kaboom.cli.flask_run import settings_of_process
from kaboom.config import ROOT, InvalidSetting, ServerSettings, from_environment
from kaboom.db.database import Database, Unavailable
from kaboom.db.ids import AT_RANDOM, Ids
from kaboom.db.key_check import all_locked
from kaboom.db.migrate import NotMigrated, missing
from kaboom.db.signals import Signals
from kaboom.db.threads import bounded, threads
from kaboom.engine.i18n import figures
from kaboom.engine.options import limits as time_limits
from kaboom.engine.texts import in_points
from kaboom.features import FEATURES
from kaboom.games import FAULTS, GAMES, LEFT_OUT, folder
from kaboom.notifications.delivery import post_of
from kaboom.notifications.outbox import Outbox
from kaboom.realtime.connections import streams
from kaboom.realtime.hub import Hub
from kaboom.realtime.presence import Presence
from kaboom.records.service import MatchArchive
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.service import TableService
from kaboom.web import (
    assets,
    code_attempts,
    compression,
    errors,
    health,
    i18n,
    metrics,
    old_addresses,
    prefix,
    rate_limits,
    security,
)
from kaboom.web.api import docs_operations, docs_routes, requests
from kaboom.web.api.negotiation import SUFFIXES
from kaboom.web.links import absolute, asking, invitation, rooted
from kaboom.web.outgoing.url_policy import UrlPolicy
from kaboom.web.preferences import browser_settings
from kaboom.web.rules_pages import of_every_game
from kaboom.web.session import new_command
from kaboom.web.times import over_days

__all__ = ["create_app", "docs_operations", "serve_tables"]

log = logging.getLogger(__name__)

# All are imported before any is registered: a room may add routes to another one's blueprint.
ROOMS = [import_module(f"kaboom.{name}.blueprint") for name in FEATURES]
# Passwords being hashed or waiting to be hashed: two threads get through this many in about two
# seconds.
MOST_HASHED = 32

FIXED = {
    "MAX_CONTENT_LENGTH": 64 * 1024,
    "MAX_FORM_MEMORY_SIZE": 64 * 1024,
    "MAX_FORM_PARTS": 200,
}


class KaboomRequest(Request):
    """Flask's request; its query may be invalid."""

    @cached_property
    def args(self) -> MultiDict[str, str]:
        """Return the query parameters; empty if they are not UTF-8.

        kaboom.web.security refuses such a request, and its error page reads them.
        """
        try:
            return super().args
        except UnicodeDecodeError:
            return self.parameter_storage_class()


class Address(Rule):
    """A URL rule that compiles its URL builder on first use.

    Werkzeug compiles two functions for each of our hundreds of rules, which takes half of the
    startup time, and a server never builds most of these URLs.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        def first(rule: Rule, /, **values: Any) -> tuple[str, str]:
            build = Rule._compile_builder(rule, append_unknown)
            setattr(rule, "_build_unknown" if append_unknown else "_build", partial(build, rule))
            return build(rule, **values)

        return first


class Named(BaseConverter):
    """A part of a URL without a format's suffix. Otherwise a rule such as `/daily/<when>` would
    also seem to match `/daily/<when>.json`.
    """

    regex = "[^/]+" + "".join(rf"(?<!\{suffix})" for suffix in SUFFIXES)
    part_isolating = True


class Number(IntegerConverter):
    """A number of at most nine digits, which every database stores.

    With a maximum instead of a pattern, Werkzeug would respond with 405 where one path has two
    methods.
    """

    regex = "[0-9]{1,9}"


class KaboomFlask(Flask):
    """Flask with our request and URL rules."""

    request_class = KaboomRequest
    url_rule_class = Address


def create_app(settings: ServerSettings | None = None) -> Flask:
    """Return the application; raises NotMigrated or InvalidSetting if it cannot serve tables."""
    settings = settings or from_environment(settings_of_process())
    for name, why in LEFT_OUT.items():
        log.error("game %s is not loaded: %s", name, why)
    for key, sentences in FAULTS.items():
        for sentence in sentences:
            log.error("game %s is loaded without a faulty part: %s", key, sentence)
    app = KaboomFlask(__name__, root_path=str(ROOT), static_folder=None)
    app.config.update(FIXED, SERVER=settings, TRUSTED_HOSTS=list(settings.trusted_hosts) or None)
    if settings.proxies:
        hops = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops)  # type: ignore[method-assign]
    app.url_map.converters.update(default=Named, number=Number)
    health.trace_requests(app)  # before the database is opened
    serve_tables(app, settings)
    _prepare_templates(app)
    i18n.init_app(app, settings.pseudo_language)
    security.init_app(app, api_auth.init_app)
    requests.init_app(app)
    errors.init_app(app)
    compression.init_app(app)
    rate_limits.init_app(app)
    code_attempts.init_app(app)
    metrics.init_app(app)
    app.register_blueprint(health.bp)
    cli.init_app(app)
    app.register_blueprint(assets.bp)
    if app.debug:  # `make dev`: a changed style sheet takes effect at the next request
        app.before_request(assets.load.cache_clear)
    app.register_blueprint(docs_routes.bp)
    for room in ROOMS:
        room.init_app(app)
    old_addresses.init_app(app)
    prefix.init_app(app, settings.prefix)
    return app


def serve_tables(
    app: Flask,
    settings: ServerSettings,
    now: Callable[[], float] = time.time,
    ids: Ids = AT_RANDOM,
) -> None:
    """Give an app its table service, connected to streams, clock and background calls.

    `now()` is the time in seconds since 1970. `ids` generates seeds, cuts and codes.
    """
    hub = Hub(settings.redis_url or None, limit=streams(), channel=settings.channel)
    presence = Presence(hub, changed=hub.publish)
    url_policy = UrlPolicy()

    def here(code: str) -> set[int] | None:
        return None if presence.young else presence.here(code)

    def with_the_page_open(code: str) -> set[int] | None:
        return None if presence.young else presence.streaming(code)

    # The clock and the background calls need the table service, which notifies them.
    def changed(code: str, due_in: float | None) -> None:
        hub.publish(code)
        ticker.expect(due_in)

    def turns(code: str, players: Sequence[int]) -> None:
        calls.begun(code, players)

    tables = TableService(
        Database(settings.database_url, settings.secret_key),
        Signals(changed, metrics.moved, turns, metrics.late, orders(app, hub, presence)),
        now,
        pace=settings.bot_pace,
        run_in_thread=threads(),
        here=here,
        hashing=bounded(threads(2), MOST_HASHED),
        ids=ids,
        tournament_tables=settings.tournament_tables,
    )
    ticker = Ticker(tables, settings.expire_days)
    post = post_of(settings, tables.database, url_policy)
    # Tests replace the sender.
    calls = Outbox(tables, lambda it: app.extensions["kaboom.post"].send(it), with_the_page_open)
    app.config.update(TABLES=tables, LIBRARY=MatchArchive(tables))
    app.extensions.update(
        {
            "kaboom.hub": hub,
            "kaboom.presence": presence,
            "kaboom.clock": ticker,
            "kaboom.calls": calls,
            "kaboom.post": post,
            "kaboom.url_policy": url_policy,
        }
    )
    if settings.clock:
        _be_usable(tables.database)
        ticker.start()
        calls.start()


def _be_usable(database: Database) -> None:
    """Raise NotMigrated if every page would fail, or InvalidSetting if every table would.

    A database that does not respond now may respond later; until then, pages ask players to wait.
    """
    with suppress(Unavailable):
        if lacking := database.read(missing):
            raise NotMigrated(lacking)
        if database.read(all_locked):
            raise InvalidSetting(
                "SECRET_KEY (or the file .key beside the SQLite file) is not the key this database "
                "was encrypted with. Restore that key. To rotate keys, put the new one before it, "
                "separated by a space. Nothing has been changed."
            )


def _prepare_templates(app: Flask) -> None:
    """Load the templates of all games, and register the values that templates use."""
    own = {key: FileSystemLoader(folder(key) / "templates") for key in GAMES}
    app.jinja_env.loader = ChoiceLoader(
        [FileSystemLoader(ROOT / "templates"), PrefixLoader(own, delimiter="/")]
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        absolute=absolute,
        asking=asking,
        asset=assets.asset,
        game_sheet=assets.game_sheet,
        invitation=invitation,
        lesson_sheet=assets.lesson_sheet,
        new_command=new_command,
        of_every_game=of_every_game,
        over_days=over_days,
        rooted=rooted,
        time_limits=time_limits,
        words_of={key: game.words for key, game in GAMES.items()}.__getitem__,
    )
    app.jinja_env.filters.update(figures=figures, in_points=in_points)

    @app.context_processor
    def shared() -> dict[str, Any]:
        contact = app.config["SERVER"].contact
        return {"settings": browser_settings(), "games": GAMES, "contact": contact}
