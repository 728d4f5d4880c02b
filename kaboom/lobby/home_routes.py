"""Pages that belong to no table: home, the options and rules of a game, settings."""

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

from kaboom.accounts.current import known_name
from kaboom.engine.i18n import gettext as _
from kaboom.games import GAMES
from kaboom.learn.lessons import beside_rules
from kaboom.tables.forms.options_form import wished
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.api import responses
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import problem
from kaboom.web.links import own_page, typed_code
from kaboom.web.preferences import (
    browser_settings,
    keep_settings,
    possible_languages,
    settings_from,
)
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import key_hash

bp = Blueprint("pages", __name__)

ASK_AGAIN = timedelta(days=30)  # validity of the contact in security.txt


@bp.get("/")
def home() -> str:
    """Show the home page: start a table, play now, join by code, the player's own tables."""
    mine = tables_of(current_app.config["TABLES"], key_hash())
    name = mine[0].player_name if mine else known_name()
    return render_template("lobby/home.html", name=name, mine=sorted(mine, key=_urgency))


def _urgency(mine: TableSnapshot) -> int:
    """Return the sort key of a player's tables: first those where it is their turn, then running
    ones, those not begun, and finished ones.
    """
    prompt = mine.prompt()
    if mine.table.playing:
        return 0 if prompt and prompt.waited_for else 1
    return 3 if mine.table.outcome else 2


@bp.get("/rules/<key>")
def rules(key: str) -> Response:
    """Show the rules of a game, with its defaults or the requested preset."""
    game = GAMES.get(key) or abort(404, _("There is no game with that name."))
    wish = wished(game, game.options())
    own = rules_of(game, wish.options)
    if not wants_html():
        if wish.wrong:
            return problem(422, "bad-options", wish.wrong)
        return responses.rules(game, wish.options, own)
    page = render_template(
        "web/rules.html",
        game=game,
        rules=own,
        table=None,
        wrong=wish.wrong,
        learn=beside_rules(game.key),
    )
    return make_response(page, 422 if wish.wrong else 200)


@bp.get("/join")
def join() -> Response:
    """Redirect to the table or tournament whose code or link was typed, or to the empty field if
    nothing was.
    """
    code = typed_code(request.args.get("code", ""))
    if not code:
        return redirect(url_for("pages.home", _anchor="code"), 303)
    return redirect(url_for("table.show", code=code), 303)


@bp.get("/.well-known/security.txt")
def security_txt() -> Response:
    """Return the host's contact for security reports (RFC 9116), if there is one."""
    contact = current_app.config["SERVER"].contact
    if not contact:
        abort(404)
    until = (datetime.now(UTC) + ASK_AGAIN).strftime("%Y-%m-%dT00:00:00Z")
    return Response(f"Contact: {contact}\nExpires: {until}\n", mimetype="text/plain")


@bp.get("/settings")
def settings() -> str:
    """Show the settings of a browser; `next` is the page it came from."""
    return render_template("web/settings.html", back=own_page(request.args.get("next", "")))


@bp.post("/settings")
@rate_limits.both(player="30 per minute", address="120 per minute")
def set_them() -> Response:
    """Store the settings of a browser, and redirect to the page it came from."""
    new = settings_from(dict(request.form.items()), browser_settings(), possible_languages())
    response = redirect(own_page(request.form.get("next", "")), 303)
    keep_settings(response, new)
    return response
