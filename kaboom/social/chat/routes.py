"""Chat at a table: a fragment, never in the same response as cards, and a page of its own.

Its paths have historical names, `talk` and `watching`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import spoken_now
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidFields, NotPermitted
from kaboom.notifications import channels
from kaboom.notifications.webhook_payloads import SERVICES
from kaboom.social.chat import api
from kaboom.social.chat import service as chat
from kaboom.social.chat.room import Room, arranged, asked_by, note_read, room_of
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators import open_hands
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.context import clean_code, code_asked
from kaboom.web.errors import sentence_of, too_fast
from kaboom.web.forms import number
from kaboom.web.links import invitation
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy, checked
from kaboom.web.session import command, key_hash

bp = Blueprint("chat", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)

NO_DELAY = 999  # not a valid number of minutes, and therefore refused

TOO_FAST = N_("You are sending messages too fast. Please wait a moment and try again.")


@bp.get("/room")
def room(code: str) -> AnyResponse:
    """Return the room as a fragment, or 204 if it has not changed."""
    found = _room(tables().get(code, key_hash()))
    if request.args.get("n") == str(found.number):
        return Response(status=204)
    return _fragment(found)


@bp.get("/talk")
def page(code: str) -> Response:
    """Show a page of the chat and its settings."""
    before = number(request.args.get("before"), otherwise=0) or chat.EVERY
    show = _page if wants_html() else _in_voice
    return show(tables().get(code, key_hash()), before=before)


@bp.post("/talk")
@rate_limits.both(
    player="8 per 10 seconds; 100 per 10 minutes", address="40 per 10 seconds; 500 per 10 minutes"
)
def say_it(code: str) -> AnyResponse:
    """Send a message or a quick phrase. A player without a name must enter one."""
    form = request.form
    text, phrase = form.get("text", ""), form.get("phrase", "")

    def work(snapshot: TableSnapshot) -> None:
        player, name = snapshot.player, snapshot.player_name
        chat.may_say(snapshot.table, player, text, phrase)  # checked before a player is stored
        if player is None or not name:  # who has entered a table's password may have none yet
            name = require_readable_name(form.get("name", ""))  # checked before a key is created
            player, name = players.player(tables(), ensure_key(), name)
        chat.speak(tables(), code, player, name, text, phrase, command())

    return _do(code, work, text)


@bp.post("/talk/delete")
def delete(code: str) -> AnyResponse:
    """Remove the text of a line."""
    return _do(code, lambda it: chat.delete(tables(), code, _player(it), _line()))


@bp.post("/talk/mute")
def mute(code: str) -> AnyResponse:
    """Mute the author of a line."""
    return _do(code, lambda it: chat.mute(tables(), code, _player(it), _line()))


@bp.post("/talk/unmute")
def unmute(code: str) -> AnyResponse:
    """Unmute a player."""
    word = request.form.get("who", "")
    return _do(code, lambda it: chat.unmute(tables(), _player(it), word))


@bp.post("/watching")
def spectators(code: str) -> AnyResponse:
    """Set who may watch, and what spectators may write; only the host may."""
    form = request.form
    choice = form.get("watch", "")
    watch = int(choice) if choice in map(str, DELAYS) else NO_DELAY
    hush, audience = form.get("hush") == "1", form.get("audience") == "1"
    return _do(code, lambda it: let_watch(tables(), code, _player(it), watch, hush, audience))


@bp.post("/hands")
@rate_limits.both(player="20 per minute", address="60 per minute")
def hands(code: str) -> AnyResponse:
    """Store whether the player agrees to show spectators all hands of the next match."""
    yes, minutes = request.form.get("answer") == "yes", number(request.form.get("minutes"))
    return _do(code, lambda it: open_hands.answer(tables(), code, _player(it), yes, minutes))


@bp.post("/call")
@rate_limits.both(player="20 per hour", address="60 per hour")
def call(code: str) -> AnyResponse:
    """Store or remove the webhook that is called when it is the player's turn."""
    address, shape = request.form.get("address", "").strip(), request.form.get("shape", "")

    def work(snapshot: TableSnapshot) -> None:
        player = _player(snapshot)
        if snapshot.me is None:
            raise NotPermitted(_("You are not seated at this table."))
        if address:
            checked(address, url_policy())
        spoken, base = spoken_now().code, invitation(code).removesuffix(f"/t/{code}")
        channels.keep_hook(tables(), code, player, address, spoken, base, shape)

    return _do(code, work)


def url_policy() -> UrlPolicy:
    """Return the policy for webhook URLs."""
    found: UrlPolicy = current_app.extensions["kaboom.url_policy"]
    return found


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """Refuse a player who sends too many messages in a short time. The typed text is kept."""
    code, typed = code_asked(), request.form.get("text", "")
    return too_fast(
        error,
        lambda: _answer(tables().get(code, key_hash()), 429, _(TOO_FAST), typed, "too-fast"),
    )


def _player(snapshot: TableSnapshot) -> int:
    if snapshot.player is None:
        raise NotPermitted(_("You are new here. Take a seat or say something first."))
    return snapshot.player


def _line() -> int:
    return number(request.form.get("line"), otherwise=0)


def _do(code: str, work: Callable[[TableSnapshot], object], typed: str = "") -> AnyResponse:
    """Carry out a request in the room, and return the room afterwards, or the reason for a refusal.

    The typed text is kept for another attempt.
    """
    snapshot = tables().get(code, key_hash())
    status, notice, slug, fields = 200, "", "not-now", None
    try:
        work(snapshot)
        snapshot, typed = tables().get(code, key_hash()), ""
    except NotAllowed as no:
        status, notice = 422, _("This URL cannot be used. {why}", why=_(str(no)))
    except (Refusal, Unavailable) as no:
        status, notice = no.status, sentence_of(no)
        slug = slug_of(no, status)
        fields = no.fields if isinstance(no, InvalidFields) else None
    return _answer(snapshot, status, notice, typed, slug, fields)


def _answer(
    snapshot: TableSnapshot,
    status: int,
    notice: str,
    typed: str,
    slug: str = "not-now",
    fields: Mapping[str, str] | None = None,
) -> AnyResponse:
    if not wants_html():
        if status == 200:
            return _in_voice(snapshot)
        return problem(status, slug, notice, fields=fields)
    by_script = request.headers.get("HX-Request") == "true"
    if status == 200 and not by_script:
        return redirect(url_for("chat.page", code=snapshot.code) + "#h-said", 303)
    more = {"notice": notice, "typed": typed, "own_answer": True}
    response = _fragment(_room(snapshot, **more)) if by_script else _page(snapshot, **more)
    response.status_code = status
    return response


def _in_voice(snapshot: TableSnapshot, **more: Any) -> Response:
    return api.talk(_room(snapshot, **more), arranged(tables(), snapshot))


def _room(snapshot: TableSnapshot, **more: Any) -> Room:
    asked_by(snapshot)
    return room_of(tables(), snapshot, **more)


def _fragment(found: Room) -> Response:
    html = render("social/chat/fragments/room_and_faces.html", room=found, phrases=chat.PHRASES)
    return make_response(html.strip())


def _page(snapshot: TableSnapshot, **more: Any) -> Response:
    found, settled = _room(snapshot, **more), arranged(tables(), snapshot)
    response = make_response(
        render(
            "social/chat/chat.html",
            room=found,
            phrases=chat.PHRASES,
            game=snapshot.game,
            table=snapshot.table,
            choices=DELAYS,
            seated=snapshot.me is not None,
            least_hands=open_hands.LEAST,
            nobody=WATCHED_BY_NOBODY,
            muted=settled.muted,
            call=settled.call,
            most_failures=channels.FAILURES,
            shapes=SERVICES,
        )
    )
    note_read(response, found)
    return response
