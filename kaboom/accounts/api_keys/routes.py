"""API keys: the page to create and revoke them, and guests created with their first key."""

import re
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.api_keys import service as api_keys
from kaboom.accounts.api_keys.scopes import GOOD_FOR
from kaboom.accounts.api_keys.service import DAYS, MOST
from kaboom.accounts.current import ensure_player, known_name
from kaboom.accounts.names import require_readable_name
from kaboom.db.times import DAY
from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted, invalid_field
from kaboom.web import rate_limits
from kaboom.web.api.schemas import Guest
from kaboom.web.api.scopes import USUAL, Scope
from kaboom.web.context import services
from kaboom.web.links import absolute
from kaboom.web.session import command, key_hash

GUESTS = 5  # guests per minute and IP address

bp = Blueprint("programs", __name__)

SHOWN = 12  # characters of a key's hash that identify the key in forms


@bp.get("/settings/api-keys")
def show(wrong: str = "", status: int = 200, key: str = "", typed: Any = None) -> Response:
    """Show the player's keys and the form to create one."""
    name = known_name()
    page = render(
        "accounts/api_keys.html",
        mine=api_keys.keys_of(services(), key_hash()),
        name=name,
        known=bool(name),
        key=key,
        wrong=wrong,
        typed=typed or {},
        scopes={scope.value: _(what) for scope, what in GOOD_FOR.items()},
        ticked=set(typed.getlist("scope")) if typed is not None else {*map(str, USUAL)},
        usual=USUAL,
        days=DAYS,
        most=MOST,
        shown=SHOWN,
        home=absolute("pages.home"),
    )
    return make_response(page, status)


@bp.post("/settings/api-keys")
@rate_limits.both(player="10 per minute; 40 per hour", address="20 per minute; 100 per hour")
def make() -> Response:
    """Create a key. It is only shown in this response, because only its hash is stored."""
    form = request.form
    scopes = [scope for scope in Scope if scope in form.getlist("scope")]
    try:
        label = api_keys.require_valid(form.get("key_name", ""), scopes)
        player, _name = ensure_player(form.get("name", ""))
        key = api_keys.make(services(), player, label, scopes, form.get("table", ""), command())
    except InvalidState as no:
        return show(str(no), no.status, typed=form)
    return show(key=key)


@bp.post("/settings/api-keys/revoke")
@rate_limits.both(player="60 per minute", address="120 per minute")
def revoke() -> AnyResponse:
    """Revoke a key."""
    mark = request.form.get("key", "")
    mine = api_keys.keys_of(services(), key_hash()) if re.fullmatch(r"[0-9a-f]+", mark) else ()
    try:
        found = [row.key_hash for row in mine if row.key_hash[:SHOWN] == mark]
        api_keys.revoke(services(), key_hash(), found[0] if found else "")
    except NotPermitted as no:
        return show(str(no), no.status)
    return redirect(url_for("programs.show"), 303)


@bp.post("/guests")
@rate_limits.limiter.limit(
    f"{GUESTS} per minute; 30 per hour; 100 per day",
    error_message=lambda: _(
        "Each IP address can create at most {count} guests a minute, with a further limit per "
        "hour. Keep the key you have: one is enough for all tables.",
        count=GUESTS,
    ),
)
def guest() -> Response:
    """Create a guest with a first API key, for an API client without a browser."""
    form = request.form
    wished = " ".join(form.getlist("scopes") if "scopes" in form else USUAL).split()
    if not set(wished) <= {*Scope}:
        sentence = _("Choose from these scopes: {scopes}.", scopes=" ".join(Scope))
        raise invalid_field("scopes", sentence)
    scopes = [scope for scope in Scope if scope in wished]
    name, label = form.get("name", ""), form.get("key_name", "first")
    key = api_keys.first_guest(services(), name, label, scopes, command())
    until = datetime.fromtimestamp(services().now() + DAYS * DAY, UTC).isoformat(timespec="seconds")
    made = Guest(require_readable_name(name), key, list(map(str, scopes)), until)
    return Response(to_json(made), 201, mimetype="application/json")
