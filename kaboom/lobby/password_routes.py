"""The page that asks for a table's password, and the form that submits it."""

from flask import Response, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import ensure_key
from kaboom.engine.i18n import gettext as _
from kaboom.errors import NotPermitted, RateLimited
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import service as friends
from kaboom.table_page.responses import bp
from kaboom.table_page.responses_api import opened
from kaboom.tables.access.service import WrongPassword, enter
from kaboom.tables.context import tables
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.client import address
from kaboom.web.session import key_hash


def locked(error: PasswordRequired) -> Response:
    """Ask for the table's password, and reveal nothing else about the table.

    The table's own URL responds with status 200, because messengers show no preview of an error.
    """
    if not wants_html():
        return problem(403, "locked", _("This table has a password."))
    status = 200 if request.endpoint == "table.show" else 403
    response = make_response(locked_page(error.snapshot), status)
    if request.headers.get("HX-Request") == "true":
        response.headers["HX-Refresh"] = "true"  # an open page reloads as a whole
    return response


def locked_page(snapshot: TableSnapshot, wrong: str = "") -> str:
    """Return the page that asks for a table's password; `wrong` is the error of a failed
    attempt.
    """
    table = snapshot.table
    hosts = [
        occupant.name for _unused, occupant in table.sitting() if occupant.player == table.host
    ]
    friend = table.friends and friends.is_friend(tables(), key_hash(), table.host)
    return render_template(
        "lobby/password.html",
        club=clubs.name_to(tables(), table.club, key_hash()),
        code=snapshot.code,
        game=snapshot.game,
        hosts=hosts,
        friend=friend,
        wrong=wrong,
    )


@bp.post("/enter")
@rate_limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def give_password(code: str) -> AnyResponse:
    """Enter a table with its password, as a member of its club, or as a friend of its host."""
    try:
        if request.form.get("member") == "1":
            clubs.enter(tables(), code, key_hash())
        elif request.form.get("friend") == "1":
            friends.enter_as_friend(tables(), code, key_hash())
        else:
            enter(tables(), code, ensure_key, request.form.get("password", ""), address())
    except (WrongPassword, NotPermitted, RateLimited) as no:
        if not wants_html():
            return problem(no.status, slug_of(no), str(no))
        return make_response(locked_page(tables().get(code), str(no)), no.status)
    return opened(code)
