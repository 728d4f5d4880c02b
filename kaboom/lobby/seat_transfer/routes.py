"""Moving a seat to another device: a one-use link, or its QR code, valid for ten minutes.

Opening the link only shows a button: programs that preview links in messages must not move seats.
The URL contains `carry`, as in earlier versions.
"""

from flask import Blueprint, make_response, redirect, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import ensure_key
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.lobby.seat_transfer import service as seat_transfer
from kaboom.sharing.qr_codes import qr_code
from kaboom.tables.context import tables
from kaboom.tables.permissions import require_seat
from kaboom.web import rate_limits
from kaboom.web.context import clean_code
from kaboom.web.links import absolute
from kaboom.web.session import command, key_hash

bp = Blueprint("seat_transfer", __name__, url_prefix="/t/<code>/carry")
bp.url_value_preprocessor(clean_code)


@bp.get("")
def offer(code: str) -> AnyResponse:
    """Show what moving a seat means, and the button that creates a link."""
    snapshot = tables().get(code, key_hash())
    try:
        require_seat(snapshot.table, snapshot.player)
        seat_transfer.require_unrated(snapshot.table)
    except (NotPermitted, InvalidState) as no:
        return _refused(code, str(no), no.status)
    return make_response(render("lobby/seat_transfer.html", code=code, game=snapshot.game))


@bp.post("")
@rate_limits.both(player="5 per minute", address="20 per minute")
def make(code: str) -> AnyResponse:
    """Create a one-use link. It is shown only once, because only its hash is stored."""
    snapshot = tables().get(code, key_hash())
    try:
        if snapshot.player is None:
            raise NotPermitted(_("You are not seated at this table."))
        secret = seat_transfer.new_transfer(tables(), code, snapshot.player, command())
    except (NotPermitted, InvalidState) as no:
        return _refused(code, str(no), no.status)
    link = absolute("seat_transfer.show", code=code, secret=secret)
    page = render(
        "lobby/seat_transfer.html",
        code=code,
        game=snapshot.game,
        link=link,
        qr=qr_code(link),
        minutes=seat_transfer.MINUTES,
    )
    return make_response(page)


@bp.get("/<secret>")
def show(code: str, secret: str) -> AnyResponse:
    """Show the button that moves the seat here. Opening the link changes nothing."""
    try:
        snapshot, name = seat_transfer.find_transfer(tables(), code, secret)
    except seat_transfer.TransferLinkExpired as no:
        return _refused(code, str(no), 410)
    page = render(
        "lobby/seat_transfer.html", code=code, game=snapshot.game, secret=secret, name=name
    )
    return make_response(page)


@bp.post("/<secret>")
@rate_limits.both(player="10 per minute", address="20 per minute")
def take(code: str, secret: str) -> AnyResponse:
    """Move the seat to this browser."""
    try:
        seat_transfer.use_transfer(tables(), code, secret, ensure_key(), command())
    except (seat_transfer.TransferLinkExpired, InvalidState) as no:
        return _refused(code, str(no), no.status)
    return redirect(url_for("table.show", code=code), 303)


def _refused(code: str, sentence: str, status: int) -> AnyResponse:
    page = render("web/error.html", status=status, sentence=sentence, back=code)
    return make_response(page, status)
