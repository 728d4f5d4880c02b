"""The responses of a table's routes: the table as it is now, for the viewer.

Every POST is a plain form answered with 303; with htmx, the same form is answered with the changed
parts of the page (updates.py). A refusal carries its sentence, its status and the current table.
"""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, g, make_response, redirect, request, url_for
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.api_keys.auth import is_bot
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import IllegalMove, NotOnOffer, Refusal, StaleMove
from kaboom.errors import NotPermitted
from kaboom.social.chat.room import asked_by, beside
from kaboom.table_page import responses_api
from kaboom.table_page.api import rule_of
from kaboom.table_page.page_data import asked, new_deal, note_dealt, rendered, table_page
from kaboom.table_page.table_html import as_rendered
from kaboom.table_page.updates import edition, remembered, update
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import slug_of
from kaboom.web.context import clean_code, code_asked
from kaboom.web.errors import sentence_of, status_of, too_fast
from kaboom.web.idempotency.routes import done_before
from kaboom.web.session import keep_cookie, key_hash

bp = Blueprint("table", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)

SHOWS = "Kaboom-Shows"  # the header that names the edition of the table that a page shows
TAKES_UPDATES = (
    "input#ver"  # the htmx target of a page that accepts updates rather than whole tables
)


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """Return the current table, saying that the request came too soon after others."""
    code = code_asked()
    return too_fast(error, lambda: refused(code, error, 429))


def do(
    code: str,
    work: Callable[[int], TableSnapshot],
    asking: TableSnapshot | None = None,
    verb: str = "",
) -> AnyResponse:
    """Run work(player), a change requested by a player, and return the table.

    `asking` is the table as the player saw it, if known; `verb` is the move that was tried.
    """
    try:
        asking = asking or tables().get(code, key_hash())
        if asking.player is None:
            raise NotPermitted(_("You are not seated at this table."))
        require_bot_mark(asking)
        changed = work(asking.player)
    except Refusal as no:
        if done_before():
            return done(tables().get(code, key_hash()))
        return refused(code, no, verb=verb)
    except Unavailable as busy:
        return refused(code, busy, verb=verb)
    return done(tables().found_by(changed, asking.player, asking.player_name))


def require_bot_mark(found: TableSnapshot) -> None:
    """Raise NotPermitted for a bot's API key in a seat that is not marked as a bot's."""
    occupant = found.table.occupant_of(found.player)
    if is_bot() and occupant is not None and not occupant.program:
        sentence = _(
            "This key is for a bot. Take a seat with it before the match, so that everyone knows "
            "it is a bot."
        )
        raise NotPermitted(sentence)


def ask_first(snapshot: TableSnapshot, value: str) -> AnyResponse:
    """Return the table with the question “are you sure?” instead of making a change."""
    if by_script():
        return part(snapshot, ask=asked(snapshot, value))
    page = url_for("table.show", code=snapshot.code, ask=value, v=request.form.get("v"))
    return redirect(page + "#status", 303)


def done(snapshot: TableSnapshot) -> AnyResponse:
    """Return the table after a change."""
    if not wants_html():
        return responses_api.shown(snapshot)
    answer = part(snapshot) if by_script() else to_page(snapshot)
    # A changed cookie makes browsers drop the pages kept for the back button: cards that were shown
    # for a moment must not come back that way if no script can hide them.
    seen = str(snapshot.table.revision(snapshot.me))
    keep_cookie(answer, "kb-seen", seen, None)
    return answer


def refused(code: str, no: Exception, status: int | None = None, verb: str = "") -> AnyResponse:
    """Return the current table and the reason why it was not changed; `verb` is the move that was
    tried.
    """
    g.refusal = slug_of(no)  # for the metrics
    snapshot = tables().get(code, key_hash())
    about_it = isinstance(no, IllegalMove | NotOnOffer | StaleMove)  # otherwise no rule explains it
    rule = getattr(no, "rule", "") or (rule_of(snapshot.game, verb) if about_it else "")
    if not wants_html():
        return responses_api.refusal(snapshot, no, status, rule)
    sentence = sentence_of(no)
    more = {"notice": sentence, "rule": rule, "ticked": _ticked(snapshot)}
    if by_script():
        response = part(snapshot, **more)
    else:
        response = whole_page(snapshot, **more, own_answer=True)
    response.status_code = status or status_of(no)
    if isinstance(no, Unavailable):
        response.headers["Retry-After"] = "1"
    return response


def _ticked(snapshot: TableSnapshot) -> list[str] | None:
    """Return the choices ticked in a form whose question is still open, or None."""
    token, prompt = request.form.get("offer", "").partition(" ")[0], snapshot.prompt()
    asked_still = prompt and token in {offer.token for offer in prompt.offers}
    return request.form.getlist("pick") if asked_still else None


def to_page(snapshot: TableSnapshot, **more: Any) -> AnyResponse:
    """Return a redirect to the table's page; `more` is added to its query."""
    # The changing query is needed: some text browsers show the old page for the same URL.
    version = snapshot.table.revision(snapshot.me)
    return redirect(url_for("table.show", code=snapshot.code, v=version, **more) + "#status", 303)


def whole_page(snapshot: TableSnapshot, **more: Any) -> Response:
    """Return the table's whole page; `more` is passed to `table_page`."""
    dealt = new_deal(snapshot)
    page = table_page(snapshot, dealt=dealt, **more)
    shown = edition(snapshot, dealt, page, **more)
    more = beside(tables(), snapshot, page)
    response = make_response(
        rendered(
            "table_page/table.html", page, table=as_rendered(shown.filled(shown.table.html)), **more
        )
    )
    note_dealt(response, shown.dealt)
    return response


def changed(snapshot: TableSnapshot) -> Response | None:
    """Return a response with the changes since the edition that the page shows, or None if there
    are none.
    """
    if request.args.get("v", "").rstrip("!").split(".")[0] == str(
        snapshot.table.revision(snapshot.me)
    ):
        return None
    return part(snapshot, ask=asked(snapshot, request.args.get("ask", "")))


def part(snapshot: TableSnapshot, **more: Any) -> Response:
    """Return the update for the requesting page; `more` is passed to `table_page`."""
    asked_by(snapshot)
    new = edition(snapshot, **more)
    if request.headers.get("HX-Target") == TAKES_UPDATES:
        shows = request.headers.get(SHOWS, request.args.get("v", ""))
        html = update(new, remembered(snapshot, shows))
    else:  # a page from before the last upgrade, or a program that reads pages
        html = new.filled(new.titled + new.table.html)
    response = Response(html)
    note_dealt(response, new.dealt)
    return response


def sure() -> bool:
    """Return True if the player has confirmed; API clients ask their users themselves."""
    return request.form.get("sure") == "1" or not wants_html()


def by_script() -> bool:
    """Return True if htmx sent the request and will put the response into the page."""
    return request.headers.get("HX-Request") == "true"
