"""Signing in on another device: `/login`. A player who signs in gets a new session key."""

import json
import secrets

from flask import Blueprint, current_app, g, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import login, merge, passkeys, recovery_words
from kaboom.accounts.credential_routes import public_url
from kaboom.db.encryption import hash_of
from kaboom.sharing.qr_codes import qr_code
from kaboom.web import rate_limits
from kaboom.web.client import address
from kaboom.web.context import services
from kaboom.web.errors import on_refusal
from kaboom.web.links import absolute
from kaboom.web.session import key_hash

bp = Blueprint("login", __name__)


@bp.get("/login")
def show(status: int = 200, wrong: str = "", field: str = "") -> AnyResponse:
    """Show the ways to sign in, and any error beside its field."""
    page = render(
        "accounts/login.html",
        wrong=wrong,
        field=field,
        handle=request.form.get("handle", "")[:100],
        passkeys_possible=bool(public_url()),
        arrival=None,
        openid=current_app.config["SERVER"].openid,
        wanted=request.values.get("next", "")[:200],
    )
    return make_response(page, status)


@bp.post("/login/recovery-words")
@rate_limits.both(player="20 per minute", address="30 per minute")
@on_refusal(show, "words")
def by_words() -> AnyResponse:
    """Sign in with nine recovery words."""
    return arrived(recovery_words.sign_in(services(), request.form.get("words", ""), address()))


@bp.post("/login/password")
@rate_limits.both(player="20 per minute", address="30 per minute")
@on_refusal(show, "password")
def by_password() -> AnyResponse:
    """Sign in with a username and password. The error does not say which of them was wrong."""
    handle, password = request.form.get("handle", ""), request.form.get("password", "")
    return arrived(login.by_password(services(), handle, password, address()))


@bp.post("/login/passkey")
@rate_limits.both(player="20 per minute", address="30 per minute")
def passkey() -> AnyResponse:
    """Show the page whose script asks the browser for a passkey."""
    if not public_url():
        return show(422, passkeys.why_not(), "passkey")
    secret, asked = passkeys.ask_to_come_in(services(), public_url())
    page = render("accounts/passkey.html", secret=secret, asked=json.dumps(asked), new=False)
    return make_response(page)


@bp.post("/login/passkey/answer")
@rate_limits.both(player="20 per minute", address="30 per minute")
@on_refusal(show, "passkey")
def by_passkey() -> AnyResponse:
    """Sign in with a passkey."""
    secret, answer = request.form.get("secret", ""), request.form.get("answer", "")
    return arrived(passkeys.by_passkey(services(), public_url(), secret, answer))


@bp.post("/settings/devices/link")
@rate_limits.both(player="10 per minute", address="20 per minute")
@on_refusal(show)
def link() -> AnyResponse:
    """Create a link for another device. It is only shown in this response."""
    secret = login.new_link(services(), key_hash())
    found = absolute("login.look_at_link", secret=secret)
    qr, minutes = qr_code(found), login.LINK_MINUTES
    return make_response(render("accounts/session_link.html", link=found, qr=qr, minutes=minutes))


@bp.get("/login/<secret>")
@on_refusal(show)
def look_at_link(secret: str) -> AnyResponse:
    """Show the button that signs this device in. Opening the link changes nothing."""
    name = login.name_on_link(services(), secret)
    return make_response(render("accounts/session_link.html", secret=secret, name=name))


@bp.post("/login/<secret>")
@rate_limits.both(player="10 per minute", address="20 per minute")
@on_refusal(show)
def by_link(secret: str) -> AnyResponse:
    """Sign this device in."""
    return arrived(login.by_link(services(), secret))


@bp.post("/login/confirm")
@rate_limits.both(player="10 per minute", address="20 per minute")
@on_refusal(show)
def confirm() -> AnyResponse:
    """Sign in, in a browser that belonged to another player, who is signed out here or merged."""
    secret, old = request.form.get("secret", ""), key_hash()
    new = secrets.token_urlsafe(32)
    if request.form.get("how") == "along":
        if not merge.merge_guest(services(), secret, old):
            return make_response(render("accounts/login_link.html", arrival=None))
        login.renew(services(), old, hash_of(new))
    else:
        login.come_in(services(), secret, old, hash_of(new))
    g.new_key = new
    return redirect(url_for("me.show"), 303)


def arrived(player: int, wanted: str = "") -> AnyResponse:
    """Sign in a player and redirect to the requested page, or ask first if the browser belongs to
    another player.
    """
    old, new = key_hash(), secrets.token_urlsafe(32)
    arrival = login.arrive(services(), player, old, hash_of(new))
    if arrival is not None:
        return make_response(render("accounts/login_link.html", arrival=arrival))
    g.new_key = new
    return redirect(wanted or url_for("me.show"), 303)
