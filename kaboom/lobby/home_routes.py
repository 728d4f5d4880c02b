"""Pages that belong to no table: home, the options of a game, its rules, settings."""

import re
from datetime import UTC, datetime, timedelta

from flask import (
    Blueprint,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response

from kaboom.engine.i18n import say
from kaboom.games import GAMES
from kaboom.lobby import presets
from kaboom.tables.pages.options_form import choices, wished
from kaboom.tables.sittings import tables_of
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import limits
from kaboom.web.api import responses as lists
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.problems import problem
from kaboom.web.preferences import (
    browser_settings,
    keep_settings,
    possible_languages,
    settings_from,
)
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import key_hash

bp = Blueprint("pages", __name__)

ASK_AGAIN = timedelta(days=30)  # how long a contact may be relied on


@bp.get("/")
def home() -> str:
    """The home page: start a table, play now, join by code, the player's own tables."""
    mine = tables_of(current_app.config["TABLES"], key_hash())
    name = mine[0].player_name if mine else ""
    return render_template("lobby/home.html", name=name, mine=sorted(mine, key=_urgency))


def _urgency(mine: TableSnapshot) -> int:
    """Return in which order a player's tables are shown: first where it is their turn, then those
    being played, those not begun, and those that are over.
    """
    prompt = mine.prompt()
    if mine.table.playing:
        return 0 if prompt and prompt.waited_for else 1
    return 3 if mine.table.outcome else 2


@bp.get("/start/<key>")
def start(key: str) -> Response:
    """The options of a game, to start a table with them."""
    game = GAMES.get(key) or abort(404, say("There is no game of that name here."))
    mine = tables_of(current_app.config["TABLES"], key_hash(), 1)
    wish = wished(game, game.options())
    own = presets.own(current_app.config["TABLES"], key_hash(), game.key)
    page = render_template(
        "lobby/start.html",
        game=game,
        choices=choices(game, wish.options, own=own),
        wish=wish,
        wrong={},
        name=mine[0].player_name if mine else "",
    )
    return make_response(page, 422 if wish.wrong else 200)


@bp.get("/rules/<key>")
def rules(key: str) -> Response:
    """The rules of a game, in our own words, as usual or for the way to play that is asked for."""
    game = GAMES.get(key) or abort(404, say("There is no game of that name here."))
    wish = wished(game, game.options())
    own = rules_of(game, wish.options)
    if not by_page():
        if wish.wrong:
            return problem(422, "bad-options", wish.wrong)
        return lists.rules(game, wish.options, own)
    page = render_template("web/rules.html", game=game, rules=own, table=None, wrong=wish.wrong)
    return make_response(page, 422 if wish.wrong else 200)


@bp.get("/join")
def join() -> Response:
    """Go to the table whose code (or whole link) was typed in, or from there to a tournament; back
    to the field, if nothing was.
    """
    typed = request.args.get("code", "")
    code = re.split(r"[?#]", typed.strip())[0].rstrip("/").rsplit("/", 1)[-1]
    letters = "".join(c for c in code if c.isalnum())
    if not letters:
        return redirect(url_for("pages.home", _anchor="code"), 303)
    return redirect(url_for("table.show", code=letters), 303)


@bp.get("/.well-known/security.txt")
def security_txt() -> Response:
    """Where to report a weakness (RFC 9116), if the host has said so."""
    contact = current_app.config["SERVER"].contact
    if not contact:
        abort(404)
    until = (datetime.now(UTC) + ASK_AGAIN).strftime("%Y-%m-%dT00:00:00Z")
    return Response(f"Contact: {contact}\nExpires: {until}\n", mimetype="text/plain")


@bp.get("/settings")
def settings() -> str:
    """What a browser can set for itself; `next` is the page it came from."""
    return render_template("web/settings.html", back=_own_page(request.args.get("next", "/")))


@bp.post("/settings")
@limits.both(player="30 per minute", address="120 per minute")
def set_them() -> Response:
    """Keep what a browser sets for itself, and go back to the page it came from."""
    new = settings_from(dict(request.form.items()), browser_settings(), possible_languages())
    response = redirect(_own_page(request.form.get("next", "/")), 303)
    keep_settings(response, new)
    return response


def _own_page(path: str) -> str:
    """Return a path of ours, or that of the home page; browsers read \\ as /."""
    return path if re.fullmatch(r"/(?!/)[!-\[\]-~]*", path) else "/"
