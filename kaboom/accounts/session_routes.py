"""The devices on which a player is signed in: list, rename and sign out."""

from collections.abc import Callable

from flask import Blueprint, Flask, Response, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players, sessions
from kaboom.accounts.openid.routes import after_sign_out
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY
from kaboom.web import rate_limits
from kaboom.web.context import services
from kaboom.web.errors import on_refusal
from kaboom.web.session import key_hash, take_key_away

bp = Blueprint("devices", __name__, url_prefix="/settings/devices")

KEPT = 10_000  # browsers that a process remembers as seen
MINUTE = 60.0

# Names in user agents, in order of precedence.
BROWSERS = ("Lynx", "w3m", "ELinks", "Links", "Edg", "OPR", "Firefox", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "CrOS", "Linux")
PLAINLY = {"Edg": "Edge", "OPR": "Opera", "Mac OS": "Mac", "CrOS": "Chromebook"}


def init_app(app: Flask) -> None:
    """Record each browser's last successful POST: its day once per day and process, its time once
    per minute and process.
    """
    days: dict[str, float] = {}
    minutes: dict[str, float] = {}

    def note(response: Response) -> Response:
        if request.method != "POST" or response.status_code >= 400 or not (key := key_hash()):
            return response
        service = services()
        if _is_new(days, key, service.now() // DAY):
            agent = program(request.headers.get("User-Agent", ""))
            _try(lambda: sessions.seen(service, key, agent))
        if _is_new(minutes, key, service.now() // MINUTE):
            _try(lambda: players.note_active(service, key))
        return response

    app.after_request(note)


def _is_new(noted: dict[str, float], key: str, period: float) -> bool:
    """Return True if nothing has been recorded for a browser in this period yet."""
    if noted.get(key) == period:
        return False
    if len(noted) >= KEPT:
        noted.clear()
    noted[key] = period
    return True


def _try(record: Callable[[], object]) -> None:
    try:
        record()
    except Unavailable:
        pass  # already logged by the database
    except Exception:  # the request has succeeded, and a missing time does no harm
        current_app.logger.exception("could not record a device")


def program(agent: str) -> str:
    """Return the browser and system that a user agent names, such as "Firefox, Android"; "" if
    unknown.
    """
    found = [next((name for name in names if name in agent), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(PLAINLY.get(name, name) for name in found if name)


@bp.get("")
def show(status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the devices on which the player is signed in."""
    found = sessions.devices(services(), key_hash())
    return make_response(render("accounts/sessions.html", devices=found, wrong=wrong), status)


@bp.post("/name")
@rate_limits.both(player="20 per minute", address="60 per minute")
@on_refusal(show)
def call() -> AnyResponse:
    """Rename a device."""
    form = request.form
    sessions.call(services(), key_hash(), form.get("device", ""), form.get("name", ""))
    return redirect(url_for("devices.show"), 303)


@bp.post("/sign-out")
@rate_limits.both(player="20 per minute", address="60 per minute")
@on_refusal(show)
def sign_out() -> AnyResponse:
    """Sign out one device, or all other devices."""
    word = request.form.get("device", "")
    if word == "others":
        sessions.sign_others_out(services(), key_hash())
    elif sessions.sign_out(services(), key_hash(), word):
        gone = redirect(after_sign_out(), 303)
        take_key_away(gone)
        return gone
    return redirect(url_for("devices.show"), 303)
