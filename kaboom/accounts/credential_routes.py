"""Account credentials: recovery words, username and password, passkeys. Playing never requires
them.
"""

import json

from flask import Blueprint, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import credentials, passkeys, players, recovery_words
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.errors import InvalidState
from kaboom.sharing.qr_codes import qr_code
from kaboom.web import rate_limits
from kaboom.web.context import services
from kaboom.web.errors import on_refusal
from kaboom.web.session import key_hash

bp = Blueprint("credentials", __name__, url_prefix="/settings/account")

# Changes and taken usernames count towards the limit, because no player needs many of them. Other
# errors do not.
few = rate_limits.limiter.limit(
    "10 per hour", deduct_when=lambda response: response.status_code in (303, 409)
)


def public_url() -> str:
    """Return the URL to which passkeys are bound, or "" if browsers do not support them on this
    server.
    """
    public: str = current_app.config["SERVER"].public_url
    return public if passkeys.possible(public) else ""


@bp.get("")
def show(status: int = 200, wrong: str = "", field: str = "") -> AnyResponse:
    """Show the player's credentials and what can be added, and any error beside its field."""
    page = render(
        "accounts/credentials.html",
        kept=credentials.kept(services(), key_hash()),
        right=request.args.get("right") == "1",
        wrong=wrong,
        field=field,
        handle=request.form.get("handle", ""),
        passkeys_possible=bool(public_url()),
        shortest=credentials.SHORTEST,
        openid=current_app.config["SERVER"].openid,
    )
    return make_response(page, status)


@bp.post("")
@rate_limits.both(player="20 per hour", address="60 per hour")
@on_refusal(show, "name")
def begin() -> AnyResponse:
    """Create a named player for this browser, without a seat at a table."""
    name = require_readable_name(request.form.get("name", ""))
    players.player(services(), ensure_key(), name)
    return redirect(url_for("credentials.show"), 303)


@bp.post("/recovery-words")
@rate_limits.both(player="10 per hour", address="30 per hour")
@on_refusal(show)
def words() -> AnyResponse:
    """Create nine recovery words. They are only shown in this response."""
    words = recovery_words.create(services(), key_hash())
    page = render("accounts/recovery_words.html", words=words, qr=qr_code(" ".join(words)))
    return make_response(page)


@bp.get("/recovery-words")
@on_refusal(show)
def ask_back(wrong: str = "") -> AnyResponse:
    """Ask for three of the new recovery words, to check that they were written down correctly."""
    asked = recovery_words.asked_back(services(), key_hash())
    page = render("accounts/recovery_words.html", words=None, asked=asked, wrong=wrong)
    return make_response(page, 422 if wrong else 200)


@bp.post("/recovery-words/check")
@rate_limits.both(player="20 per hour", address="60 per hour")
@on_refusal(show)
def try_words() -> AnyResponse:
    """Check three of the new recovery words."""
    three = [request.form.get(f"word{number}", "")[:40] for number in (1, 2, 3)]
    try:
        recovery_words.check(services(), key_hash(), three)
    except InvalidState as no:
        return ask_back(str(no))
    return redirect(url_for("credentials.show", right=1), 303)


@bp.post("/password")
@rate_limits.both(player="20 per hour", address="60 per hour")
@few
@on_refusal(show, "password")
def password() -> AnyResponse:
    """Set a username and password or, with `drop`, remove them."""
    form = request.form
    if form.get("drop") == "1":
        credentials.drop_password(services(), key_hash())
    else:
        fields = [form.get(name, "") for name in ("handle", "password", "again")]
        credentials.keep_by_password(services(), key_hash(), *fields)
    return redirect(url_for("credentials.show"), 303)


@bp.post("/passkey")
@rate_limits.both(player="20 per hour", address="60 per hour")
@on_refusal(show, "passkey")
def passkey() -> AnyResponse:
    """Show the page whose script asks the browser for a passkey."""
    if not public_url():
        raise InvalidState(passkeys.why_not())
    secret, asked = passkeys.ask_to_keep(services(), public_url(), key_hash())
    page = render("accounts/passkey.html", secret=secret, asked=json.dumps(asked), new=True)
    return make_response(page)


@bp.post("/passkey/save")
@rate_limits.both(player="20 per hour", address="60 per hour")
@on_refusal(show, "passkey")
def keep_passkey() -> AnyResponse:
    """Store the passkey that the browser created."""
    fields = [request.form.get(name, "") for name in ("secret", "answer", "label")]
    passkeys.keep(services(), public_url(), key_hash(), *fields)
    return redirect(url_for("credentials.show"), 303)


@bp.post("/passkey/remove")
@rate_limits.both(player="20 per hour", address="60 per hour")
@on_refusal(show, "passkey")
def drop_passkey() -> AnyResponse:
    """Delete a passkey."""
    passkeys.drop(services(), key_hash(), request.form.get("passkey", "")[: passkeys.LONGEST_ID])
    return redirect(url_for("credentials.show"), 303)
