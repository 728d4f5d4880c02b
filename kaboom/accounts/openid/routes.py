"""Signing in through an OpenID provider: going there, coming back, and choosing a name.

Players leave through a link on a page, not by a redirect: browsers also apply `form-action` to
redirects.
"""

import re
import secrets

from flask import Blueprint, Flask, abort, current_app, g, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import credential_routes, routes
from kaboom.accounts.current import known_name
from kaboom.accounts.openid import service
from kaboom.accounts.openid.provider import Provider, sign_out_address
from kaboom.config import OpenId
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.web import rate_limits
from kaboom.web.context import IMPERSONAL, services
from kaboom.web.errors import on_refusal
from kaboom.web.links import absolute, rooted
from kaboom.web.session import bearer, cookie_name, keep_cookie, key_hash

bp = Blueprint("openid", __name__)

COOKIE = "kb-openid"
LOCAL = re.compile(r"/(?![/\\])[!-\[\]-~]{0,200}")  # a path on this server, without backslashes
# The endpoints that OPENID_ONLY leaves open.
OPEN = IMPERSONAL | {
    "login.show", "login.look_at_link", "login.by_link", "login.confirm",
    "openid.go", "openid.come_back", "openid.choose", "openid.signed_out",
}  # fmt: skip
# The ways to sign in that OPENID_ONLY closes, even to players who are signed in.
OTHER_WAYS = {
    "login.by_words", "login.by_password", "login.passkey", "login.by_passkey",
}  # fmt: skip


def init_app(app: Flask) -> None:
    """Register the routes and, if players must sign in with the provider, the check that requires
    it.
    """
    app.register_blueprint(bp)
    if (found := app.config["SERVER"].openid) is not None and found.only:
        app.before_request(require_provider)


def offered() -> OpenId | None:
    """Return the provider's settings, or None if there is none."""
    found: OpenId | None = current_app.config["SERVER"].openid
    return found


def require_provider() -> AnyResponse | None:
    """Redirect visitors who have not signed in through the provider to `/login`; raise Forbidden
    for programs and forms.
    """
    endpoint = request.endpoint
    if endpoint is None or endpoint in OPEN:
        return None
    if endpoint not in OTHER_WAYS and service.signs_in(services(), key_hash()):
        return None
    kinds = request.accept_mimetypes
    html = kinds.best_match(["text/html", "application/json"], "text/html") == "text/html"
    if request.method == "GET" and html and bearer() is None and endpoint not in OTHER_WAYS:
        wanted = request.path if LOCAL.fullmatch(request.path) else ""
        return redirect(url_for("login.show", next=wanted or None), 303)
    raise Forbidden(_("This server requires you to sign in with {name} first.", name=_of().of.name))


def _of() -> Provider:
    """Return the provider; abort the request with 404 if there is none."""
    found = offered()
    if found is None:
        abort(404)
    kept: Provider | None = current_app.extensions.get("kaboom.openid")
    if kept is None or kept.of != found:
        kept = current_app.extensions["kaboom.openid"] = Provider(found)
    return kept


def _redirect_uri() -> str:
    return absolute("openid.come_back")


@bp.post("/login/openid")
@rate_limits.both(player="20 per minute", address="120 per minute")
@on_refusal(routes.show, "openid")
def go() -> AnyResponse:
    """Show the page with the link to the provider, for signing in."""
    provider, wanted = _of(), request.form.get("next", "")
    trip = service.begin(
        services(), provider, _redirect_uri(), wanted=wanted if LOCAL.fullmatch(wanted) else ""
    )
    return _on_the_way(trip)


@bp.post("/settings/account/openid")
@rate_limits.both(player="20 per minute", address="120 per minute")
@on_refusal(credential_routes.show, "openid")
def link() -> AnyResponse:
    """Show the page with the link to the provider, for adding an identity to this browser's
    player.
    """
    trip = service.begin(services(), _of(), _redirect_uri(), key_hash() or abort(403))
    return _on_the_way(trip)


def _on_the_way(trip: service.Trip) -> AnyResponse:
    page = make_response(render("accounts/openid_go.html", address=trip.address, openid=offered()))
    keep_cookie(page, COOKIE, trip.cookie, service.MINUTES * 120)
    return page


@bp.get("/login/openid/return")
@rate_limits.both(player="20 per minute", address="120 per minute")
@on_refusal(routes.show, "openid")
def come_back() -> AnyResponse:
    """Handle the provider's response: sign in, add the identity, or ask for a name."""
    provider = _of()
    try:
        back = service.come_back(
            services(), provider, _redirect_uri(), _cookie(), key_hash(), request.args
        )
        if back.links:
            service.add(services(), provider, key_hash(), back.identity)
            return redirect(url_for("credentials.show"), 303)
    except service.IdentityTaken as no:
        return credential_routes.show(no.status, str(no), "openid")
    player = service.player_of(services(), back.identity)
    if player is not None:
        return routes.arrived(player, rooted(back.wanted) if back.wanted else "")
    secret = service.remember(services(), back.identity, _cookie(), back.wanted)
    return _name_page(secret, back.name)


@bp.post("/login/openid/account")
@rate_limits.both(player="20 per minute", address="120 per minute")
@on_refusal(routes.show, "openid")
def choose() -> AnyResponse:
    """Create an account for a new identity, or add it to this browser's player."""
    provider, form = _of(), request.form
    secret, new = form.get("secret", ""), secrets.token_urlsafe(32)
    identity, wanted = service.remembered(services(), secret, _cookie())
    try:
        if form.get("how") == "add":
            service.add(services(), provider, key_hash(), identity, secret)
        else:
            hashes = key_hash(), hash_of(new)
            name = form.get("name", "")
            service.make_account(services(), provider, identity, secret, name, *hashes)
            g.new_key = new
    except service.IdentityTaken:
        raise  # another name would not help
    except Refusal as no:
        return _name_page(secret, form.get("name", ""), str(no), no.status)
    return redirect(rooted(wanted) if wanted else url_for("me.show"), 303)


def _name_page(secret: str, name: str, wrong: str = "", status: int = 200) -> AnyResponse:
    page = render(
        "accounts/openid_new.html",
        secret=secret,
        name=name,
        other=known_name(),
        openid=offered(),
        wrong=wrong,
    )
    return make_response(page, status)


@bp.post("/settings/account/openid/remove")
@rate_limits.both(player="20 per hour", address="60 per hour")
@on_refusal(credential_routes.show, "openid")
def drop() -> AnyResponse:
    """Unlink this browser's player from the sign-in provider."""
    _of()
    service.drop(services(), key_hash())
    return redirect(url_for("credentials.show"), 303)


@bp.get("/login/openid/signed-out")
def signed_out() -> AnyResponse:
    """Show that the player may still be signed in at the provider, and where to sign out there."""
    address = sign_out_address(_of(), absolute("login.show"))
    page = render("accounts/openid_out.html", address=address, openid=offered())
    return make_response(page)


def after_sign_out() -> str:
    """Return the URL to which a player is redirected after signing out in this browser."""
    found = offered()
    return url_for("pages.home") if found is None else url_for("openid.signed_out")


def _cookie() -> str:
    return request.cookies.get(cookie_name(COOKIE), "")
