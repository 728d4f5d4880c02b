"""An author's bots: the list, a bot with its log, and inviting a bot to a table."""

from collections.abc import Mapping

from flask import Blueprint, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.accounts.current import ensure_player, known_player
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.remote_bots import api, service
from kaboom.remote_bots.runner import FAILURES
from kaboom.remote_bots.signature import SIGNATURE, TIMESTAMP
from kaboom.remote_bots.texts import RESULTS, state_of
from kaboom.table_page.responses_api import refusal, shown
from kaboom.tables.context import tables
from kaboom.tables.permissions import require_seat
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number
from kaboom.web.outgoing.url_policy import UrlPolicy
from kaboom.web.session import command, key_hash

bp = Blueprint("remote_bots", __name__)


@bp.get("/settings/bots")
def mine() -> Response:
    """Show the author's bots and the form to add one."""
    return _list()


@bp.post("/settings/bots")
@rate_limits.both(player="10 per minute; 40 per hour", address="20 per minute; 100 per hour")
def add() -> Response:
    """Add a bot. Its secret is only shown in this response."""
    form = request.form
    try:
        player, _name = ensure_player(form.get("name", ""))
        name, address = form.get("bot_name", ""), form.get("address", "")
        made, secret = service.add(tables(), player, name, address, _policy(), command())
    except Refusal as no:
        return _refused(no, form)
    return _show(made, player, secret)


@bp.get("/settings/bots/<number:bot>")
def show(bot: int) -> Response:
    """Show one of the author's bots: its state and its last calls."""
    return _show(bot, _me())


@bp.post("/settings/bots/<number:bot>")
@rate_limits.both(player="20 per minute; 100 per hour", address="40 per minute; 200 per hour")
def change(bot: int) -> Response:
    """Check a bot's endpoint, or pause, resume, share or delete the bot."""
    do = request.form.get("do", "")
    try:
        me = _me()
        if do == "delete":
            service.delete(tables(), me, bot)
            return redirect(url_for("remote_bots.mine"), 303) if wants_html() else _list()
        if do == "check":
            service.check(tables(), me, bot, _policy())
        elif do in service.CHANGES:
            service.change(tables(), me, bot, do)
    except Refusal as no:
        return _refused(no)
    if not wants_html():
        return _show(bot, me)
    return redirect(url_for("remote_bots.show", bot=bot), 303)


@bp.get("/t/<code>/invite-bot")
def invitable(code: str) -> Response:
    """Return the bots that a seated player may invite."""
    return _invite(code)


@bp.post("/t/<code>/invite-bot")
@rate_limits.both(player="20 per minute; 200 per hour", address="60 per minute; 600 per hour")
def invite(code: str) -> Response:
    """Seat a bot at the table."""
    snapshot = tables().get(code, key_hash())
    try:
        require_seat(snapshot.table, snapshot.player)
        assert snapshot.player is not None
        bot = number(request.form.get("bot"))
        service.invite(tables(), snapshot.code, snapshot.player, bot)
    except Refusal as no:
        if not wants_html():
            return refusal(snapshot, no)
        return _invite(code, sentence_of(no), no.status)
    if not wants_html():
        return shown(tables().get(snapshot.code, key_hash()))
    return redirect(url_for("table.show", code=snapshot.code), 303)


def _me() -> int:
    known = known_player()
    if known is None:
        raise NotPermitted(_("You have no such bot."))
    return known[0]


def _policy() -> UrlPolicy:
    policy: UrlPolicy = current_app.extensions["kaboom.url_policy"]
    return policy


def _refused(no: Refusal, typed: Mapping[str, str] | None = None) -> Response:
    """Return the author's bots with the reason for a refusal."""
    if not wants_html():
        raise no  # answered by the application's error handler
    return _list(sentence_of(no), no.status, typed)


def _list(wrong: str = "", status: int = 200, typed: Mapping[str, str] | None = None) -> Response:
    known = known_player()
    bots = service.mine(tables(), known[0]) if known else ()
    if not wants_html():
        return api.bots(bots)
    page = render(
        "remote_bots/list.html",
        bots=bots,
        known=bool(known and known[1]),
        wrong=wrong,
        typed=typed or {},
        most=service.MOST,
        failures=FAILURES,
        headers=(TIMESTAMP, SIGNATURE),
    )
    return make_response(page, status)


def _show(bot: int, owner: int, secret: str = "") -> Response:
    found = service.bot_of(tables(), owner, bot)
    calls = service.calls_of(tables(), found)
    if not wants_html():
        return api.bot(found, calls, secret, 201 if secret else 200)
    page = render(
        "remote_bots/show.html",
        bot=found,
        state=state_of(found),
        calls=calls,
        secret=secret,
        results=RESULTS,
    )
    return make_response(page)


def _invite(code: str, wrong: str = "", status: int = 200) -> Response:
    snapshot = tables().get(code, key_hash())
    require_seat(snapshot.table, snapshot.player)
    assert snapshot.player is not None
    bots = service.invitable(tables(), snapshot.player)
    welcome = snapshot.table.welcomes_programs(snapshot.listed)
    if not wants_html():
        return api.invitable(snapshot.code, bots, snapshot.player, welcome)
    page = render(
        "remote_bots/invite.html",
        code=snapshot.code,
        bots=bots,
        welcome=welcome,
        wrong=wrong,
        me=snapshot.player,
    )
    return make_response(page, status)
