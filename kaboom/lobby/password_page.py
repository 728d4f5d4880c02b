"""The page that asks for a table's password."""

from flask import Response, make_response, render_template, request

from kaboom.engine.i18n import say
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import service as people
from kaboom.tables.context import tables
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.problems import problem
from kaboom.web.session import key_hash


def locked(error: PasswordRequired) -> Response:
    """The table has a password: ask for it, and say nothing else about the table.

    Its page is then the question itself: messengers preview no link that answers with an error.
    """
    if not by_page():
        return problem(403, "locked", say("This table has a password."))
    status = 200 if request.endpoint == "table.show" else 403
    response = make_response(locked_page(error.snapshot), status)
    if request.headers.get("HX-Request") == "true":
        response.headers["HX-Refresh"] = "true"  # an open page asks as a whole
    return response


def locked_page(snapshot: TableSnapshot, wrong: str = "") -> str:
    """Return the page that asks for a table's password; `wrong` says what was wrong with a try."""
    table = snapshot.table
    hosts = [chair.name for _, chair in table.sitting() if chair.player == table.host]
    friend = table.friends and people.is_friend(tables(), key_hash(), table.host)
    return render_template(
        "lobby/password.html",
        club=clubs.name_to(tables(), table.club, key_hash()),
        code=snapshot.code,
        game=snapshot.game,
        hosts=hosts,
        friend=friend,
        wrong=wrong,
    )
