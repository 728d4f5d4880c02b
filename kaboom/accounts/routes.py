"""Coming in on another device: `/in`. Whoever is let in gets a fresh key."""

import json
import secrets

from flask import Blueprint, g, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import login as coming_in
from kaboom.accounts import merge, passkeys
from kaboom.accounts.credential_routes import public_url
from kaboom.accounts.login import LinkExpired
from kaboom.db.encryption import hash_of
from kaboom.engine.moves import Refusal
from kaboom.web import limits
from kaboom.web.client import address
from kaboom.web.context import services
from kaboom.web.links import absolute, qr_code
from kaboom.web.session import key_hash

bp = Blueprint("coming_in", __name__)


@bp.get("/in")
def show() -> AnyResponse:
    """The ways in."""
    return _page()


@bp.post("/in/words")
@limits.both(player="20 per minute", address="30 per minute")
def by_words() -> AnyResponse:
    """Come in by nine words."""
    try:
        return _arrived(coming_in.by_words(services(), request.form.get("words", ""), address()))
    except Refusal as no:
        return _page(no.status, str(no), "words")


@bp.post("/in/password")
@limits.both(player="20 per minute", address="30 per minute")
def by_password() -> AnyResponse:
    """Come in by a handle and a password. What was wrong is not said, nor how near it was."""
    handle, password = request.form.get("handle", ""), request.form.get("password", "")
    try:
        return _arrived(coming_in.by_password(services(), handle, password, address()))
    except Refusal as no:
        return _page(no.status, str(no), "password")


@bp.post("/in/passkey")
@limits.both(player="20 per minute", address="30 per minute")
def passkey() -> AnyResponse:
    """Ask the browser for a passkey: a script on the page that answers does."""
    if not public_url():
        return _page(422, passkeys.why_not(), "passkey")
    secret, asked = passkeys.ask_to_come_in(services(), public_url())
    page = render("accounts/passkey.html", secret=secret, asked=json.dumps(asked), new=False)
    return make_response(page)


@bp.post("/in/passkey/answer")
@limits.both(player="20 per minute", address="30 per minute")
def by_passkey() -> AnyResponse:
    """Come in by a passkey."""
    secret, answer = request.form.get("secret", ""), request.form.get("answer", "")
    try:
        return _arrived(passkeys.by_passkey(services(), public_url(), secret, answer))
    except Refusal as no:
        return _page(no.status, str(no), "passkey")


@bp.post("/me/devices/link")
@limits.both(player="10 per minute", address="20 per minute")
def link() -> AnyResponse:
    """Make a link for another device. It is shown only this once: only its hash is kept."""
    try:
        secret = coming_in.new_link(services(), key_hash())
    except Refusal as no:
        return _page(no.status, str(no))
    found = absolute("coming_in.look_at_link", secret=secret)
    qr, minutes = qr_code(found), coming_in.LINK_MINUTES
    return make_response(render("accounts/session_link.html", link=found, qr=qr, minutes=minutes))


@bp.get("/in/<secret>")
def look_at_link(secret: str) -> AnyResponse:
    """Show the button that lets this device in. Looking changes nothing."""
    try:
        name = coming_in.name_on_link(services(), secret)
    except LinkExpired as no:
        return _page(410, str(no))
    return make_response(render("accounts/session_link.html", secret=secret, name=name))


@bp.post("/in/<secret>")
@limits.both(player="10 per minute", address="20 per minute")
def by_link(secret: str) -> AnyResponse:
    """Let this device in."""
    try:
        return _arrived(coming_in.by_link(services(), secret))
    except LinkExpired as no:
        return _page(410, str(no))


@bp.post("/in/as")
@limits.both(player="10 per minute", address="20 per minute")
def confirm() -> AnyResponse:
    """Sign in where somebody else was known, who is left behind or comes along."""
    secret, old = request.form.get("secret", ""), key_hash()
    new = secrets.token_urlsafe(32)
    try:
        if request.form.get("how") == "along":
            if not merge.bring_along(services(), secret, old):
                return make_response(render("accounts/login_link.html", arrival=None))
            coming_in.renew(services(), old, hash_of(new))
        else:
            coming_in.come_in(services(), secret, old, hash_of(new))
    except Refusal as no:
        return _page(no.status, str(no))
    g.new_key = new
    return redirect(url_for("me.show"), 303)


def _arrived(player: int) -> AnyResponse:
    """Let a player in; where somebody else is known in this browser, ask first."""
    old, new = key_hash(), secrets.token_urlsafe(32)
    arrival = coming_in.arrive(services(), player, old, hash_of(new))
    if arrival is not None:
        return make_response(render("accounts/login_link.html", arrival=arrival))
    g.new_key = new
    return redirect(url_for("me.show"), 303)


def _page(status: int = 200, wrong: str = "", field: str = "") -> AnyResponse:
    page = render(
        "accounts/login.html",
        wrong=wrong,
        field=field,
        passkeys_possible=bool(public_url()),
        arrival=None,
    )
    return make_response(page, status)
