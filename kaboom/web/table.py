"""A table: its page, its fragment, its stream, and everything that can be done there.

Every POST is a plain form answered with 303; with htmx the same form is answered with the fragment.
A refusal carries its sentence, its status and the table as it is now.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from secrets import token_hex
from typing import Any

import segno
from flask import Blueprint, Response, current_app, g, make_response, redirect, request, url_for
from flask import render_template as render
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.core.engine import host_offers
from kaboom.core.language import say
from kaboom.core.moves import IllegalMove, NotOnOffer, Refusal, TooLate
from kaboom.core.options import BadOptions, described, read
from kaboom.games import GAMES
from kaboom.push import Hub, TooManyStreams
from kaboom.push.stream import MERGE, left
from kaboom.push.stream import events as stream
from kaboom.store.database import Busy
from kaboom.tables import chat, votes
from kaboom.tables.access import WrongPassword, enter
from kaboom.tables.conditions import must_be_free, must_be_readable
from kaboom.tables.errors import Locked, NoTable, NotNow, NotYours, TooOften
from kaboom.tables.names import CODE_LENGTH
from kaboom.tables.passwords import typed
from kaboom.tables.recovery import end_frozen
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators import DELAYS, let_watch
from kaboom.tables.timers import flows
from kaboom.web import limits
from kaboom.web.address import address
from kaboom.web.choices import choices
from kaboom.web.errors import locked_page, sentence_of, too_fast
from kaboom.web.fields import number
from kaboom.web.identity import command, cookie_name, ensure_key, key_hash
from kaboom.web.match_controls import proposals
from kaboom.web.room import anything_new, presence, room_number, room_of
from kaboom.web.rules import rules_of
from kaboom.web.show import (
    asked,
    browser_settings,
    invitation,
    keep_settings,
    offered,
    table_page,
)

bp = Blueprint("table", __name__, url_prefix="/t/<code>")
opening = Blueprint("tables", __name__)

WAIT = 25.0  # seconds a "wait for the next move" is held

STATUS: dict[type[Exception], int] = {
    NotYours: 403,
    WrongPassword: 403,
    TooLate: 409,
    NotNow: 422,
    NotOnOffer: 422,
    IllegalMove: 422,
    TooOften: 429,
    Busy: 503,
}


def tables() -> Tables:
    """Return the table service."""
    service: Tables = current_app.config["TABLES"]
    return service


def hub() -> Hub:
    """Return this process's hub of streams."""
    found: Hub = current_app.extensions["kaboom.hub"]
    return found


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a table's code as people type it; raises NoTable for what cannot be one."""
    if values is not None:
        code = values["code"].upper()
        if not re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH}}}", code):
            raise NoTable(values["code"])
        values["code"] = code


# Looking


@bp.get("")
def show(code: str) -> Response:
    """The table's page."""
    snapshot = tables().look(code, key_hash())
    return _page(snapshot, ask=asked(snapshot, request.args.get("ask", "")))


@bp.get("/view")
def view(code: str) -> AnyResponse:
    """The table's fragment; 204 when the browser has it already."""
    snapshot = tables().look(code, key_hash())
    if request.args.get("v") == str(snapshot.table.revision(snapshot.me)):
        return Response(status=204)
    ask = asked(snapshot, request.args.get("ask", ""))
    return _fragment(snapshot, ask=ask)


@bp.get("/wait")
def wait(code: str) -> AnyResponse:
    """Hold the request until something changes for this viewer (25 s at most), then show it."""
    known, key = request.args.get("v", ""), key_hash()
    service = tables()
    with suppress(TooManyStreams):  # then at once: asking again later is no worse
        hub().wait_until(
            code,
            lambda: str(service.revision(code, key)) != known,
            WAIT,
            browser=key,
            address=limits.stream_address(),
            gone=left(),
        )
    return _to_page(service.look(code, key))


@bp.get("/events")
def events(code: str) -> AnyResponse:
    """The stream of the viewer's own view revision: one number, nothing else."""
    service, key, present = tables(), key_hash(), presence()
    snapshot = service.look(code, key)
    nameless = f"-{token_hex(8)}"
    namings = present.namings(code)

    def revision() -> int | None:
        nonlocal snapshot
        try:
            snapshot = service.look(code, key)
        except (NoTable, Locked):
            return None
        present.stream(code, nameless if snapshot.player is None else snapshot.player)
        return snapshot.table.revision(snapshot.me)

    def alive() -> bool:
        # Somebody who gave a name meanwhile comes back under it.
        return snapshot.player is not None or present.namings(code) == namings

    try:
        answer = stream(
            hub(),
            code,
            revision,
            alive,
            rest=lambda: MERGE if flows(snapshot.table, MERGE) else 0.0,
            room=lambda: room_number(service, snapshot, present),
            browser=key,
            address=limits.stream_address(),
        )
    except TooManyStreams:
        return Response("Too many streams; the page looks by itself.", 503, {"Retry-After": "30"})
    answer.call_on_close(lambda: present.gone(code, nameless))
    return answer


@bp.get("/rules")
def rules(code: str) -> str:
    """The rules as they apply at this table."""
    page = table_page(tables().look(code, key_hash()))
    found = rules_of(page.game, page.options)
    options = described(page.options)
    return render("rules.html", game=page.game, rules=found, table=page, options=options)


@bp.get("/house")
def hosts_moves(code: str) -> AnyResponse:
    """What the game lets the host ask for at this moment; the host only."""
    snapshot = tables().look(code, key_hash())
    if not _is_host(snapshot):
        return _refused(code, NotYours(say("Only the host can do that.")))
    can_go_on = snapshot.table.playing and not snapshot.frozen
    offers = host_offers(snapshot.game, snapshot.state) if can_go_on else ()
    return make_response(render("hosts_moves.html", page=table_page(snapshot, hosts_moves=offers)))


@bp.get("/qr.svg")
def qr(code: str) -> Response:
    """The invitation as a QR code."""
    tables().look(code, key_hash())
    image = segno.make(invitation(code), error="m")
    svg = BytesIO()
    image.save(svg, kind="svg", xmldecl=False, scale=4, border=2, dark="#000", light="#fff")
    return Response(svg.getvalue(), mimetype="image/svg+xml")


# Doing


@opening.post("/tables")
@limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def open_table() -> AnyResponse:
    """Open a table; with `start` the match against bots begins at once."""
    form = request.form
    game = GAMES.get(form.get("game", ""))
    if game is None:
        return _no_game()
    wrong: dict[str, str] = {}
    field, status = "", 422
    name = form.get("name", "")
    try:
        options = read(game.options, form)
        field = "password"
        password = typed(form.get("password", ""))
        field = "name"
        shown = must_be_readable(name)  # else no key is made
        player, shown = tables().player(ensure_key(), shown)
        field = "bots"  # what the rest may refuse
        at_once = form.get("start") == "1"
        bots = number(form.get("bots") or "0")
        if at_once:  # as many bots as it takes to begin, and no more than there is room for
            possible = game.seats(options)
            bots = min(max(bots, possible[0] - 1), possible[-1] - 1)
        listed = form.get("listed") == "1"
        form_sent = command()
        code = tables().open(
            game.key, options, player, shown, bots, listed, password, once=form_sent
        )
        watch = form.get("watch", "0")
        if watch != "0" and watch in map(str, DELAYS):
            let_watch(tables(), code, player, int(watch))
        if at_once:
            tables().start(code, player, once=form_sent and form_sent.then("start"))
        return redirect(url_for("table.show", code=code), 303)
    except BadOptions as bad:
        wrong = bad.sentences
    except (NotNow, TooOften) as no:
        wrong, status = {field: str(no)}, STATUS[type(no)]
    page = render(
        "start.html",
        game=game,
        choices=choices(game, game.options(), typed=form),
        wrong=wrong,
        name=name,
    )
    return make_response(page, status)


def _no_game() -> Response:
    sentence = say("There is no game of that name here.")
    return make_response(render("error.html", status=422, sentence=sentence), 422)


@bp.post("/move")
def move(code: str) -> AnyResponse:
    """Play a move. One that needs confirming is asked about first, unless that is turned off or the
    others are all bots; a yes may turn it off (`confirm`).
    """
    form = request.form
    snapshot = tables().look(code, key_hash())
    if snapshot.me is None:
        return _refused(code, NotYours(say("You do not sit at this table.")))
    value = form.get("move") or " ".join([form.get("offer", ""), *form.getlist("pick")])
    cmd = form.get("cmd") or f"{form.get('v', '')} {form.get('match', '')}"
    if len(value) > 2000 or not re.fullmatch(r"[\x20-\x7e]{1,40}", cmd):
        return _refused(code, NotOnOffer(say("That is not a move.")), 400)
    settings = browser_settings()
    if form.get("sure") != "1" and settings.confirm and not snapshot.table.alone_with_bots():
        found = offered(snapshot, value)
        if found is not None and found[0].confirm:
            return _question(snapshot, value)
    token, _, text = value.partition(" ")
    answer = _do(
        code,
        lambda player: tables().submit(
            code, player, text, token, cmd, number(form.get("match")), number(form.get("v"))
        ),
        snapshot,
    )
    if form.get("confirm") == "0":
        keep_settings(answer, replace(settings, confirm=False))
    return answer


@bp.post("/sit")
@limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def sit(code: str) -> AnyResponse:
    """Take a chair, under a name."""
    asked_for = request.form.get("seat")
    seat = None if not asked_for else number(asked_for)
    try:
        found = tables().look(code, key_hash())
        if found.me is None:
            # As the server sees it: someone watching from far behind may sit down for the next
            # match.
            must_be_free(tables().look(code).table, seat)
        # Without a readable name no key is made.
        name = must_be_readable(request.form.get("name") or found.player_name)
        player, name = tables().player(ensure_key(), name)
        done = tables().sit(code, player, name, seat)
    except (Refusal, Busy) as no:
        return _refused(code, no)
    return _done(done.asked_by(player, name))


@bp.post("/bot")
def bot(code: str) -> AnyResponse:
    """Seat a bot on a free chair."""
    seat = request.form.get("seat")
    chair = None if not seat else number(seat)
    return _do(code, lambda p: tables().add_bot(code, p, chair, once=command()))


@bp.post("/remove")
def remove(code: str) -> AnyResponse:
    """Empty a chair; the host is asked again if a person sits there."""
    form, snapshot = request.form, tables().look(code, key_hash())
    seat = number(form.get("seat"))
    if form.get("sure") != "1" and asked(snapshot, f"remove {seat}"):
        return _question(snapshot, f"remove {seat}")
    return _do(code, lambda p: tables().remove(code, p, seat, form.get("name", "")), snapshot)


@bp.post("/ready")
def ready(code: str) -> AnyResponse:
    """Say that you are ready, or not yet after all."""
    yes = request.form.get("ready", "1") != "0"
    return _do(code, lambda p: tables().ready(code, p, yes))


@bp.post("/rematch")
def rematch(code: str) -> AnyResponse:
    """Play again: as ready as before a first match."""
    return _do(code, lambda p: tables().ready(code, p))


@bp.post("/cut")
def cut(code: str) -> AnyResponse:
    """Cut the next shuffle with a text of your own, or none."""
    return _do(code, lambda p: tables().cut(code, p, request.form.get("cut", "")))


@bp.post("/start")
def start(code: str) -> AnyResponse:
    """Start the match without waiting for everybody to be ready."""
    return _do(code, lambda p: tables().start(code, p))


@bp.post("/more")
def more(code: str) -> AnyResponse:
    """Ask for more time."""
    return _do(code, lambda p: tables().more_time(code, p))


@bp.post("/house")
def play_hosts_move(code: str) -> AnyResponse:
    """Let the house do what the game allows the host to ask for."""
    text, match = request.form.get("move", ""), number(request.form.get("match"))
    snapshot = tables().look(code, key_hash())
    if not _is_host(snapshot):
        return _refused(code, NotYours(say("Only the host can do that.")))
    if not re.fullmatch(r"[\x21-\x7e]{1,40} [\x21-\x7e]{1,40}", text):
        return _refused(code, NotOnOffer(say("That is not a move.")), 400)
    return _do(code, lambda p: tables().play_hosts_move(code, p, text, match), snapshot)


@bp.get("/leave")
def ways(code: str) -> AnyResponse:
    """What must not be pressed by accident: a pause, a bot for somebody, the end, resigning."""
    snapshot = tables().look(code, key_hash())
    if snapshot.me is None:
        return _to_page(snapshot)
    page = table_page(snapshot)
    return make_response(render("leave.html", page=page, proposals=proposals(snapshot)))


@bp.post("/leave")
def leave(code: str) -> AnyResponse:
    """Leave the table; during a match that means resigning, which is asked again."""
    snapshot = tables().look(code, key_hash())
    if snapshot.table.playing and snapshot.me is not None and request.form.get("sure") != "1":
        return redirect(url_for("table.ways", code=code), 303)
    return _do(code, lambda p: tables().leave(code, p), snapshot)


@bp.post("/end")
def end(code: str) -> AnyResponse:
    """End a match that cannot go on, without a result."""
    return _do(code, lambda p: end_frozen(tables(), code, p))


@bp.post("/hand-over")
def hand_over(code: str) -> AnyResponse:
    """Let a bot play your seat."""
    return _do(code, lambda p: tables().hand_over(code, p))


@bp.post("/take-over")
def take_over(code: str) -> AnyResponse:
    """Take over again after a bot played, or after leaving."""
    return _do(code, lambda p: tables().take_over(code, p))


@bp.post("/propose")
@limits.both(player="20 per minute", address="60 per minute")
def propose(code: str) -> AnyResponse:
    """Put something to the others: a bot for somebody, a pause, going on, the end."""
    snapshot = tables().look(code, key_hash())
    about, _, seat = request.form.get("about", "").partition(" ")
    if about == votes.END and snapshot.me is not None and request.form.get("sure") != "1":
        return redirect(url_for("table.ways", code=code), 303)
    of = number(seat) if seat else None
    return _do(code, lambda p: votes.propose(tables(), code, p, about, of, command()), snapshot)


@bp.post("/vote")
def vote(code: str) -> AnyResponse:
    """Agree to what was put to the table, or not."""
    form = request.form
    which, yes = number(form.get("vote")), form.get("answer") == "yes"
    return _do(code, lambda p: votes.answer(tables(), code, p, which, yes))


@bp.post("/enter")
@limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def give_password(code: str) -> AnyResponse:
    """Get in with the table's password."""
    try:
        enter(tables(), code, ensure_key, request.form.get("password", ""), address())
    except (WrongPassword, TooOften) as no:
        return make_response(locked_page(tables().look(code), str(no)), STATUS[type(no)])
    return redirect(url_for("table.show", code=code), 303)


def _is_host(snapshot: TableSnapshot) -> bool:
    return snapshot.player is not None and snapshot.player == snapshot.table.host


# Answers


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """Show the table as it is, and say that this was too fast."""
    code = (request.view_args or {})["code"]
    return too_fast(error, lambda: _refused(code, error, 429))


def _do(
    code: str, work: Callable[[int], TableSnapshot], asking: TableSnapshot | None = None
) -> AnyResponse:
    """Answer a change a player asks for (`asking`: the table as the player found it)."""
    try:
        asking = asking or tables().look(code, key_hash())
        if asking.player is None:
            raise NotYours(say("You do not sit at this table."))
        done = work(asking.player)
    except (Refusal, Busy) as no:
        return _refused(code, no)
    return _done(done.asked_by(asking.player, asking.player_name))


def _question(snapshot: TableSnapshot, value: str) -> AnyResponse:
    """Answer with the table and the question "are you sure" instead of doing it."""
    if _htmx():
        return _fragment(snapshot, ask=asked(snapshot, value), own_answer=True)
    page = url_for("table.show", code=snapshot.code, ask=value, v=request.form.get("v"))
    return redirect(page + "#status", 303)


def _done(snapshot: TableSnapshot) -> AnyResponse:
    answer = _fragment(snapshot, own_answer=True) if _htmx() else _to_page(snapshot)
    # A cookie that changes makes browsers drop the pages they keep for the back button: cards that
    # were shown for a moment must not come back that way where no script can hide them.
    seen = str(snapshot.table.revision(snapshot.me))
    name = cookie_name("kb-seen")
    answer.set_cookie(name, seen, httponly=True, samesite="Lax", secure=request.is_secure)
    return answer


def _refused(code: str, no: Exception, status: int | None = None) -> AnyResponse:
    g.refusal = type(no).__name__  # for the figures
    snapshot = tables().look(code, key_hash())
    sentence = sentence_of(no)
    more = {"notice": sentence, "rule": getattr(no, "rule", ""), "own_answer": True}
    response = _fragment(snapshot, **more) if _htmx() else _page(snapshot, **more)
    response.status_code = status or STATUS[type(no)]
    if isinstance(no, Busy):
        response.headers["Retry-After"] = "1"
    return response


def _to_page(snapshot: TableSnapshot) -> AnyResponse:
    # The changing query is needed: some text browsers show the old page for the same address.
    version = snapshot.table.revision(snapshot.me)
    return redirect(url_for("table.show", code=snapshot.code, v=version) + "#status", 303)


def _page(snapshot: TableSnapshot, **more: Any) -> Response:
    page = table_page(snapshot, **more)
    # Talk comes in a separate answer where cards are shown: compressed together, the length of the
    # answer would reveal something of both. A table without a match has no secrets.
    room = None if page.view or snapshot.closed else room_of(tables(), snapshot)
    new = anything_new(chat.heard_last(tables(), snapshot))
    return make_response(
        render("table.html", page=page, room=room, new_chat=new, phrases=chat.PHRASES)
    )


def _fragment(snapshot: TableSnapshot, **more: Any) -> Response:
    html: str = render("fragments/table.html", page=table_page(snapshot, **more))
    return make_response(html.strip())


def _htmx() -> bool:
    return request.headers.get("HX-Request") == "true"
