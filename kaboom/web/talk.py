"""Talk at a table: a fragment of its own, never in one answer with cards, and a plain page."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.core.language import mark, say
from kaboom.core.moves import Refusal
from kaboom.push.webhook import Caution, NotAllowed, checked
from kaboom.store.database import Busy
from kaboom.tables import calls, talk
from kaboom.tables.errors import NotYours
from kaboom.tables.loaded import Loaded
from kaboom.tables.watching import NOBODY, WATCHING, let_watch
from kaboom.web.errors import sentence_of
from kaboom.web.fields import number
from kaboom.web.identity import ensure_key, key_hash
from kaboom.web.limits import address as address_of_asker
from kaboom.web.limits import limiter
from kaboom.web.room import MONTH, READ_COOKIE, Room, anything_new, asked_by, room_of
from kaboom.web.show import invitation
from kaboom.web.table import STATUS, clean_code, tables

bp = Blueprint("talk", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)

LINES = "8 per 10 seconds; 100 per 10 minutes"  # of one person
CALLS = "20 per hour"  # addresses one person may try

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
    """The whole talk, a page of it at a time, and whatever one can set about it."""
    before = number(request.args.get("before"), otherwise=0)
    return _page(tables().look(code, key_hash()), before=before or talk.EVERY)


@bp.post("/talk")
def say_it(code: str) -> AnyResponse:
    """Say something: a text or a quick phrase. Whoever has no name yet gives one."""
    form = request.form
    text, phrase = form.get("text", ""), form.get("phrase", "")

    def work(loaded: Loaded) -> None:
        player, name = loaded.player, loaded.player_name
        if player is None or not name:  # whoever gave a password may have none yet
            player, name = tables().player(ensure_key(), form.get("name", ""))
        _limited(LINES, f"{player}", lambda: None)
        talk.speak(tables(), code, player, name, text, phrase)

    return _do(code, work, text)


@bp.post("/talk/delete")
def delete(code: str) -> AnyResponse:
    """Take the words out of a line."""
    return _do(code, lambda it: talk.take_back(tables(), code, _player(it), _line()))


@bp.post("/talk/mute")
def mute(code: str) -> AnyResponse:
    """Hear the writer of a line no more."""
    return _do(code, lambda it: talk.mute(tables(), code, _player(it), _line()))


@bp.post("/talk/unmute")
def unmute(code: str) -> AnyResponse:
    """Hear somebody again."""
    word = request.form.get("who", "")
    return _do(code, lambda it: talk.unmute(tables(), _player(it), word))


@bp.post("/watching")
def watching(code: str) -> AnyResponse:
    """Set who may watch, and what spectators may write; the host only."""
    form = request.form
    choice = form.get("watch", "")
    watch = int(choice) if choice in map(str, WATCHING) else 999
    hush, audience = form.get("hush") == "1", form.get("audience") == "1"
    return _do(code, lambda it: let_watch(tables(), code, _player(it), watch, hush, audience))


@bp.post("/call")
def call(code: str) -> AnyResponse:
    """Keep the address to be called at one's turn, or none any more."""
    address = request.form.get("address", "").strip()

    def work(loaded: Loaded) -> None:
        player = _player(loaded)
        if loaded.me is None:
            raise NotYours(say("You do not sit at this table."))
        if address:
            _limited(CALLS, address_of_asker(), lambda: checked(address, caution()))
        text = say("It is your turn")
        calls.keep(tables(), code, player, address, invitation(code), text)

    return _do(code, work)


def caution() -> Caution:
    """Return what addresses may be called from here."""
    found: Caution = current_app.extensions["kaboom.caution"]
    return found


class TooFast(Exception):
    """Somebody asked for more than anybody needs in so short a time."""


def _limited(limit: str, who: str, work: Callable[[], object]) -> None:
    try:
        with limiter.limit(limit, key_func=lambda: who):
            work()
    except RateLimitExceeded:
        raise TooFast from None


def _player(loaded: Loaded) -> int:
    if loaded.player is None:
        raise NotYours(say("Nobody here knows you yet. Sit down or say something first."))
    return loaded.player


def _line() -> int:
    return number(request.form.get("line"), otherwise=0)


def _do(code: str, work: Callable[[Loaded], object], typed: str = "") -> AnyResponse:
    """Answer what somebody asked for in the room: the room as it is then, or why it was not done.

    What was typed is kept for another try.
    """
    by_script = request.headers.get("HX-Request") == "true"
    loaded = tables().look(code, key_hash())
    status, notice = 200, ""
    try:
        work(loaded)
        loaded, typed = tables().look(code, key_hash()), ""
    except TooFast:
        status, notice = 429, say(TOO_FAST)
    except NotAllowed as no:
        status, notice = 422, say("This address cannot be called. {why}", why=say(str(no)))
    except (Refusal, Busy) as no:
        status, notice = STATUS[type(no)], sentence_of(no)
    if status == 200 and not by_script:
        return redirect(url_for("talk.page", code=code) + "#said", 303)
    more = {"notice": notice, "typed": typed, "own_answer": True}
    response = _fragment(_room(loaded, **more)) if by_script else _page(loaded, **more)
    response.status_code = status
    return response


def _room(loaded: Loaded, **more: Any) -> Room:
    asked_by(loaded)
    return room_of(tables(), loaded, **more)


def _fragment(found: Room) -> Response:
    return make_response(render("fragments/room.html", room=found, phrases=talk.PHRASES).strip())


def _page(loaded: Loaded, **more: Any) -> Response:
    found = _room(loaded, **more)
    service, player, table = tables(), loaded.player, loaded.table
    seated = player is not None and loaded.me is not None
    response = make_response(
        render(
            "talk.html",
            room=found,
            phrases=talk.PHRASES,
            game=loaded.game,
            table=table,
            choices=WATCHING,
            nobody=NOBODY,
            muted=talk.muted(service, player) if player is not None else [],
            call=calls.kept(service, loaded.code, player) if seated and player else None,
            most_failures=calls.FAILURES,
        )
    )
    if found.last and anything_new(found.last):
        path = url_for("table.show", code=loaded.code)
        response.set_cookie(
            READ_COOKIE,
            str(found.last),
            max_age=MONTH,
            path=path,
            samesite="Lax",
            secure=request.is_secure,
        )
    return response
