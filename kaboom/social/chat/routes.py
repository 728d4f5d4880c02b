"""Chat at a table: a separate fragment, never in one answer with cards, and a plain page.

Its addresses say `talk` and `watching`, as they always have.
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
from kaboom.engine.i18n import mark, say, spoken_now
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidFields, NotPermitted
from kaboom.notifications import channels as ways
from kaboom.notifications.webhook import Caution, NotAllowed, checked
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
from kaboom.web import limits
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.context import clean_code, code_asked
from kaboom.web.errors import sentence_of, too_fast
from kaboom.web.forms import number
from kaboom.web.links import invitation
from kaboom.web.session import command, key_hash

bp = Blueprint("chat", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)

NO_DELAY = 999  # minutes that nobody can choose: they are refused as any others are

TOO_FAST = mark("That was a little fast. Please wait a moment and send it again.")


@bp.get("/room")
def room(code: str) -> AnyResponse:
    """The room as a fragment; 204 when the browser has it already."""
    found = _room(tables().look(code, key_hash()))
    if request.args.get("n") == str(found.number):
        return Response(status=204)
    return _fragment(found)


@bp.get("/talk")
def page(code: str) -> Response:
    """The whole chat, a page at a time, and its settings."""
    before = number(request.args.get("before"), otherwise=0)
    if not by_page():
        return _in_voice(tables().look(code, key_hash()), before=before or chat.EVERY)
    return _page(tables().look(code, key_hash()), before=before or chat.EVERY)


@bp.post("/talk")
@limits.both(
    player="8 per 10 seconds; 100 per 10 minutes", address="40 per 10 seconds; 500 per 10 minutes"
)
def say_it(code: str) -> AnyResponse:
    """Say something: a text or a quick phrase. Somebody without a name gives one."""
    form = request.form
    text, phrase = form.get("text", ""), form.get("phrase", "")

    def work(snapshot: TableSnapshot) -> None:
        player, name = snapshot.player, snapshot.player_name
        chat.may_say(snapshot.table, player, text, phrase)  # otherwise nobody need be stored
        if player is None or not name:  # somebody who gave a password may have none yet
            name = require_readable_name(form.get("name", ""))  # otherwise no key is made
            player, name = players.player(tables(), ensure_key(), name)
        chat.speak(tables(), code, player, name, text, phrase, command())

    return _do(code, work, text)


@bp.post("/talk/delete")
def delete(code: str) -> AnyResponse:
    """Remove the words from a line."""
    return _do(code, lambda it: chat.delete(tables(), code, _player(it), _line()))


@bp.post("/talk/mute")
def mute(code: str) -> AnyResponse:
    """Mute the writer of a line."""
    return _do(code, lambda it: chat.mute(tables(), code, _player(it), _line()))


@bp.post("/talk/unmute")
def unmute(code: str) -> AnyResponse:
    """Unmute somebody."""
    word = request.form.get("who", "")
    return _do(code, lambda it: chat.unmute(tables(), _player(it), word))


@bp.post("/watching")
def spectators(code: str) -> AnyResponse:
    """Set who may watch, and what spectators may write; the host only."""
    form = request.form
    choice = form.get("watch", "")
    watch = int(choice) if choice in map(str, DELAYS) else NO_DELAY
    hush, audience = form.get("hush") == "1", form.get("audience") == "1"
    return _do(code, lambda it: let_watch(tables(), code, _player(it), watch, hush, audience))


@bp.post("/hands")
@limits.both(player="20 per minute", address="60 per minute")
def hands(code: str) -> AnyResponse:
    """Say whether spectators may see all hands of the next match."""
    yes, minutes = request.form.get("answer") == "yes", number(request.form.get("minutes"))
    return _do(code, lambda it: open_hands.answer(tables(), code, _player(it), yes, minutes))


@bp.post("/call")
@limits.both(player="20 per hour", address="60 per hour")
def call(code: str) -> AnyResponse:
    """Keep the address to be called at the player's turn, or none any longer."""
    address, shape = request.form.get("address", "").strip(), request.form.get("shape", "")

    def work(snapshot: TableSnapshot) -> None:
        player = _player(snapshot)
        if snapshot.me is None:
            raise NotPermitted(say("You do not sit at this table."))
        if address:
            checked(address, caution())
        spoken, base = spoken_now().code, invitation(code).removesuffix(f"/t/{code}")
        ways.keep_hook(tables(), code, player, address, spoken, base, shape)

    return _do(code, work)


def caution() -> Caution:
    """Return what addresses may be called from here."""
    found: Caution = current_app.extensions["kaboom.caution"]
    return found


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """More was sent than anyone needs in so short a time. What was typed is kept."""
    code, typed = code_asked(), request.form.get("text", "")
    return too_fast(
        error,
        lambda: _answer(tables().look(code, key_hash()), 429, say(TOO_FAST), typed, "too-fast"),
    )


def _player(snapshot: TableSnapshot) -> int:
    if snapshot.player is None:
        raise NotPermitted(say("Nobody here knows you yet. Sit down or say something first."))
    return snapshot.player


def _line() -> int:
    return number(request.form.get("line"), otherwise=0)


def _do(code: str, work: Callable[[TableSnapshot], object], typed: str = "") -> AnyResponse:
    """Answer a request in the room: the room as it is afterwards, or why it was not done.

    What was typed is kept for another try.
    """
    snapshot = tables().look(code, key_hash())
    status, notice, slug, fields = 200, "", "not-now", None
    try:
        work(snapshot)
        snapshot, typed = tables().look(code, key_hash()), ""
    except NotAllowed as no:
        status, notice = 422, say("This address cannot be called. {why}", why=say(str(no)))
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
    if not by_page():
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
            most_failures=ways.FAILURES,
            shapes=SERVICES,
        )
    )
    note_read(response, found)
    return response
