"""A player's presets: options saved under a name, used again, shared as a link."""

from typing import Any

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.accounts.current import ensure_key
from kaboom.db.database import Unavailable
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import InvalidOptions, described, from_short, short
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import presets
from kaboom.tables.context import tables
from kaboom.tables.forms.options_form import differing, query_of, wished
from kaboom.web import rate_limits
from kaboom.web.errors import sentence_of
from kaboom.web.links import absolute, asking
from kaboom.web.session import key_hash

START = "start"  # the page that opens a table

bp = Blueprint("own_rules", __name__, url_prefix="/settings/presets")


@bp.get("")
def show() -> Response:
    """Show all the player's presets; with `game` and `set`, the form that saves one."""
    game = GAMES.get(request.args.get("game", ""))
    if game is None:
        return _page()
    asked = wished(game, game.options())
    if asked.wrong:
        return _page(asked.wrong)
    return _page("", game, asked.options, asked.called)


@bp.post("")
@rate_limits.both(player="20 per minute; 200 per hour", address="60 per minute; 600 per hour")
def keep() -> Response:
    """Save a preset, and redirect to the page that the player came from, with the preset selected
    there.
    """
    form = request.form
    game = GAMES.get(form.get("game", ""))
    if game is None:
        return _page(_("There is no game with that name."))
    try:
        options = from_short(game.options, form.get("set", ""))
    except InvalidOptions as bad:
        return _page(str(bad))
    called = form.get("called", "")
    try:
        called = presets.shown(called)  # refuses before a key is created
        presets.keep(tables(), ensure_key(), game.key, options, called)
    except InvalidState as no:
        return _page(str(no), game, options, called)
    except Unavailable as busy:
        return _page(sentence_of(busy), game, options, called, status=503)
    query = query_of(short(options), called)
    at = _came_from(form.get("at"))
    if at == START:
        return redirect(asking(url_for("pages.new_table", key=game.key), query), 303)
    if at:
        return redirect(f"{url_for('host.options', code=at)}?{query}#options", 303)
    return redirect(url_for("own_rules.show"), 303)


@bp.post("/<number:number>")
@rate_limits.both(player="30 per minute; 300 per hour", address="60 per minute; 600 per hour")
def change(number: int) -> Response:
    """Rename or delete a preset."""
    try:
        if request.form.get("do") == "delete":
            presets.forget(tables(), key_hash(), number)
        else:
            presets.rename(tables(), key_hash(), number, request.form.get("called", ""))
    except InvalidState as no:
        return _page(str(no))
    return redirect(url_for("own_rules.show"), 303)


def to_name(game: Game[Any], options: Any, at: str = START) -> Response:
    """Redirect from an options form to the page that asks for a name. `at` says to which page that
    one returns: START or the code of a table.
    """
    page = url_for("own_rules.show", game=game.key, at=at)
    called = request.form.get("called", "")
    return redirect(asking(page, query_of(short(options), called)), 303)


def link(game: str, written: str, called: str) -> str:
    """Return the absolute link that shares a preset with another player."""
    return asking(absolute("pages.new_table", key=game), query_of(written, called))


def _came_from(text: str | None) -> str:
    """Return the origin of an options form, START or a table's code, if the text is valid."""
    at = text or ""
    return at if at.isascii() and at.isalnum() and len(at) <= 16 else ""


def _page(
    wrong: str = "",
    game: Game[Any] | None = None,
    options: Any = None,
    called: str = "",
    status: int = 422,
) -> Response:
    page = render(
        "lobby/presets.html",
        sets=presets.own(tables(), key_hash()),
        link=link,
        query_of=query_of,
        differing=differing,
        wrong=wrong,
        game=game,
        short=game and short(options),
        described=described(options) if game else (),
        called=called,
        at=_came_from(request.values.get("at")),
    )
    return make_response(page, status if wrong else 200)
