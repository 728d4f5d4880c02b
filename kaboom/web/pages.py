"""Pages that belong to no table: home, the options of a game, its rules, settings."""

import re

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from kaboom.core.language import say
from kaboom.core.options import declared
from kaboom.games import GAMES
from kaboom.web.identity import cookie_name, key_hash
from kaboom.web.rules import rules_of
from kaboom.web.show import SETTINGS_COOKIE, browser_settings, settings_from, settings_text

bp = Blueprint("pages", __name__)

YEAR = 365 * 24 * 3600


@bp.get("/")
def home() -> str:
    """The home page: start a table, play now, join by code, the tables one sits at."""
    mine = current_app.config["TABLES"].tables_of(key_hash()) if key_hash() else []
    return render_template("home.html", name=mine[0].player_name if mine else "", mine=mine)


@bp.get("/start/<key>")
def start(key: str) -> str:
    """The options of a game, to start a table with them."""
    game = GAMES.get(key) or abort(404, say("There is no game of that name here."))
    mine = current_app.config["TABLES"].tables_of(key_hash(), 1) if key_hash() else []
    return render_template(
        "start.html",
        game=game,
        options=declared(game.options),
        values={},
        wrong={},
        name=mine[0].player_name if mine else "",
    )


@bp.get("/rules/<key>")
def rules(key: str) -> str:
    """The rules of a game, in our own words."""
    game = GAMES.get(key) or abort(404, say("There is no game of that name here."))
    page = rules_of(game, game.options())
    return render_template("rules.html", game=game, rules=page, table=None)


@bp.get("/join")
def join() -> Response:
    """Go to the table whose code (or whole link) was typed in."""
    typed = request.args.get("code", "")
    code = re.split(r"[?#]", typed.strip())[0].rstrip("/").rsplit("/", 1)[-1]
    letters = "".join(c for c in code if c.isalnum())[:16]
    return redirect(url_for("table.show", code=letters or "none"), 303)


@bp.post("/settings")
def settings() -> Response:
    """Keep what a browser sets for itself, and go back to the page it came from."""
    new = settings_from(dict(request.form.items()), browser_settings())
    back = request.form.get("next", "/")
    if not re.fullmatch(r"/(?!/)[!-\[\]-~]*", back):  # a path of ours; browsers read \ as /
        back = "/"
    response = redirect(back, 303)
    response.set_cookie(
        cookie_name(SETTINGS_COOKIE),
        settings_text(new),
        max_age=YEAR,
        samesite="Lax",
        httponly=True,
        secure=request.is_secure,
    )
    return response
