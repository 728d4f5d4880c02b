"""Challenge pages: create a challenge from a step of a match, show it, and open the player's
attempt.
"""

from flask import Blueprint, Response, abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import require_person
from kaboom.accounts.current import ensure_key, known_name
from kaboom.challenges import api, service
from kaboom.challenges.pages import beside, lines_of
from kaboom.challenges.service import ChallengeNotFound
from kaboom.db.database import Unavailable
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.records.play_on_routes import at_step, submitted_name, wish_page, wished
from kaboom.records.routes import library
from kaboom.table_page.responses_api import opened
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of, told
from kaboom.web.links import absolute
from kaboom.web.session import command, key_hash

bp = Blueprint("challenges", __name__)


@bp.app_errorhandler(ChallengeNotFound)
def no_challenge(error: ChallengeNotFound) -> Response:
    """Return the page that says that there is no challenge with that code."""
    return told(error, 404, str(error))


# From a match


@bp.get("/m/<code>/challenge-friends")
def form(code: str) -> Response:
    """Show the form that creates a challenge from a step of a match: seat and opponents."""
    return wish_page("challenges/make.html", at_step(code))


@bp.post("/m/<code>/challenge")
@rate_limits.both(player="10 per minute; 60 per hour", address="20 per minute; 120 per hour")
def make(code: str) -> AnyResponse:
    """Create a challenge, and redirect to its page."""
    page = at_step(code)
    try:
        wish = wished(page)
        player, _unused = players.player(tables(), ensure_key(), submitted_name())
        made = service.make(tables(), page.replay, page.around, wish, player, command())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise  # answered by the application's error handler
        return wish_page("challenges/make.html", page, no.status, sentence_of(no))
    if not wants_html():
        return api.challenge(service.find(tables(), made, key_hash()), (), 201)
    return redirect(url_for("challenges.show", code=made), 303)


# Playing it


@bp.get("/challenge/<code>")
@bp.get("/challenge/<code>.json", endpoint="show_json")
@bp.get("/challenge/<code>.txt", endpoint="show_text")
def show(code: str) -> Response:
    """Show a challenge: the match it comes from, the players, and how their results compare."""
    return _page(_code(code))


@bp.post("/challenge/<code>/play")
@rate_limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def play(code: str) -> AnyResponse:
    """Redirect to the player's own table, opened if needed; or, with `again`, to another one, which
    does not count.
    """
    code = _code(code)
    service.find(tables(), code, key_hash())  # checked before a session key is created
    try:
        require_person()
        player, name = players.player(tables(), ensure_key(), submitted_name())
        again = request.form.get("again") == "1"
        at = service.play(tables(), code, player, name, again, command())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise  # answered by the application's error handler
        return _page(code, no.status, sentence_of(no))
    return opened(at)


def _code(code: str) -> str:
    code = code.upper()
    if not can_be_code(code):
        abort(404, _("There is no challenge with that code."))
    return code


def _page(code: str, status: int = 200, wrong: str = "") -> Response:
    if not wants_html():
        rate_limits.count_request()
    it = service.find(tables(), code, key_hash())
    lines = lines_of(library(), it.lines, it.seat, key_hash())
    if not wants_html():
        return api.challenge(it, lines)
    page = render(
        "challenges/show.html",
        it=it,
        lines=lines,
        beside=beside(it),
        name=known_name(),
        link=absolute("challenges.show", code=code),
        wrong=wrong,
    )
    return make_response(page, status)
