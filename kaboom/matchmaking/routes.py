"""Matchmaking pages: the form, the waiting page, and the redirect to the table."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import is_bot
from kaboom.accounts.current import ensure_key, known_name, known_player, name_in_form
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidFields, NotPermitted, invalid_field
from kaboom.matchmaking import api, service
from kaboom.matchmaking.service import HOURS, PACES, Wait, Wanted
from kaboom.matchmaking.texts import pace_of, said_of, wanted_of
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number
from kaboom.web.session import key_hash

bp = Blueprint("matchmaking", __name__, url_prefix="/play")

RATED = {"": None, "1": True, "0": False}
REFRESH = 5  # seconds between reloads of a page without scripts; less than service.HEARD


@bp.get("")
def show() -> Response:
    """Show the form and the waiting players. A waiting player is redirected to the waiting page."""
    if not wants_html():
        return overview()
    if request.method == "GET" and _my_wait() is not None:
        return redirect(url_for("matchmaking.wait"), 303)
    return _form()


@bp.get("/waiting")
def waiting() -> Response:
    """Return the list of waiting players, a part of the form's page."""
    facts = {"sought": service.sought(tables(), key_hash()), "wanted_of": wanted_of}
    return make_response(
        render("matchmaking/fragments/sought.html", name=known_name(), **facts).strip()
    )


def overview() -> Response:
    """Return the waiting players, for programs."""
    return api.overview(service.sought(tables(), key_hash()))


@bp.post("")
@rate_limits.both(player="20 per minute; 200 per hour", address="60 per minute; 600 per hour")
def join() -> Response:
    """Wait for opponents, or go to the table if there are enough."""
    try:
        _require_person()
        what = _wanted()
        name = name_in_form(known_name())
        player, name = players.player(tables(), ensure_key(), name)
        found = service.join(tables(), player, name, what)
    except (Refusal, Unavailable) as no:
        return _refused(no)
    return _led(found) if wants_html() else api.request(found)


@bp.get("/wait")
def wait() -> Response:
    """Show the waiting page; each request confirms that the player is still there."""
    found = _my_wait()
    if not wants_html():
        return api.request(found)
    if found is None or found.code:
        return _led(found)
    return _waiting(found)


@bp.get("/now")
def now() -> Response:
    """Return the part of the waiting page that changes; it reloads the page when the player is
    seated.
    """
    found = _my_wait()
    if found is None or found.code:
        return make_response("", 200, {"HX-Refresh": "true"})
    return make_response(
        render("matchmaking/fragments/now.html", it=found, said=list(said_of(found))).strip()
    )


@bp.post("/bots")
@rate_limits.both(player="20 per minute; 200 per hour", address="60 per minute; 600 per hour")
def bots() -> Response:
    """Begin with bots in the empty seats."""
    try:
        found = service.accept_bots(tables(), _me())
    except (Refusal, Unavailable) as no:
        return _refused(no)
    return _led(found) if wants_html() else api.request(found)


@bp.post("/leave")
@rate_limits.both(player="60 per minute; 600 per hour", address="120 per minute; 1200 per hour")
def leave() -> Response:
    """Stop waiting."""
    service.leave(tables(), _me())
    return redirect(url_for("matchmaking.show"), 303) if wants_html() else api.request(None)


@bp.post("/notify")
@rate_limits.both(player="20 per minute; 100 per hour", address="60 per minute; 600 per hour")
def notify() -> Response:
    """Turn on notifications about waiting players for a number of hours; 0 turns them off."""
    try:
        what = _wanted()
        known = known_player()
        if known is None:
            raise NotPermitted(_("First, choose how you want to be notified."))
        service.notify(tables(), known[0], what, number(request.form.get("hours")))
    except (Refusal, Unavailable) as no:
        return _refused(no)
    if not wants_html():
        return api.request(_my_wait())
    return redirect(url_for("matchmaking.wait" if _my_wait() else "matchmaking.show"), 303)


def _me() -> int:
    """Return the id of the requesting player, or 0 if unknown."""
    known = known_player()
    return known[0] if known else 0


def _my_wait() -> Wait | None:
    me = _me()
    return service.beat(tables(), me) if me else None


def _alert_facts() -> dict[str, Any]:
    """Return the template values about the player's notifications."""
    alert, reachable = service.alert_of(tables(), _me())
    return {
        "alert": alert,
        "reachable": reachable,
        "hours": HOURS,
        "left": alert.until - tables().now() if alert else 0.0,
        "what": wanted_of(Wanted(alert.game, alert.days, alert.rated)) if alert else "",
    }


def _require_person() -> None:
    """Raise NotPermitted for a player's bot: only people are matched."""
    if is_bot():
        raise NotPermitted(_("Players’ bots are not matched with people."))


def _wanted() -> Wanted:
    """Return the request in the form; raises InvalidFields."""
    form = request.form
    rated = form.get("rated", "")
    if rated not in RATED:
        raise invalid_field("rated", _("That choice is not available."))
    return service.wanted(form.get("game", ""), number(form.get("days") or "0"), RATED[rated])


def _led(found: Wait | None) -> Response:
    """Redirect to the table, the waiting page or the form."""
    if found is None:
        return redirect(url_for("matchmaking.show"), 303)
    if found.code:
        return redirect(url_for("table.show", code=found.code), 303)
    return redirect(url_for("matchmaking.wait"), 303)


def _refused(no: Refusal | Unavailable) -> Response:
    """Return the waiting page or the form with the reason for a refusal."""
    if not wants_html():
        raise no  # answered by the application's error handler
    found = None if isinstance(no, Unavailable) else _my_wait()
    if found is not None and not found.code:
        return _waiting(found, no.status, str(no))
    wrong = no.fields if isinstance(no, InvalidFields) else {}
    return _form(no.status, sentence_of(no), wrong)


def _waiting(it: Wait, status: int = 200, sentence: str = "") -> Response:
    page = render(
        "matchmaking/wait.html",
        it=it,
        known_as=known_name() or _("Guest"),
        said=list(said_of(it)),
        sentence=sentence,
        refresh=REFRESH,
        **_alert_facts(),
    )
    return make_response(page, status)


def _form(
    status: int = 200, sentence: str = "", wrong: Mapping[str, str] | None = None
) -> Response:
    values = request.form if request.method == "POST" else request.args
    page = render(
        "matchmaking/form.html",
        name=values.get("name") or known_name(),
        values=values,
        sentence=sentence,
        wrong=wrong or {},
        sought=service.sought(tables(), key_hash()),
        wanted_of=wanted_of,
        paces=[(str(days), pace_of(days)) for days in PACES],
        **_alert_facts(),
    )
    return make_response(page, status)
