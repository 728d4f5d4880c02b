"""What a table's routes answer with: the table as it is now, for the person asking.

Every POST is a plain form answered with 303; with htmx the same form is answered with what changes
the page (kaboom.play.updates). A refusal carries its sentence, its status and the table as it is.
"""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, g, make_response, redirect, request, url_for
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.api_keys.auth import is_bot
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import say
from kaboom.engine.moves import IllegalMove, NotOnOffer, Refusal, StaleMove
from kaboom.errors import NotPermitted
from kaboom.play import responses_api
from kaboom.play.api import rule_of
from kaboom.play.fragments import as_drawn
from kaboom.play.page import asked, drawn, note_dealt, table_page
from kaboom.play.updates import TABLE, edition, remembered, update
from kaboom.social.chat.room import asked_by, beside
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.problems import slug_of
from kaboom.web.context import clean_code, code_asked
from kaboom.web.errors import sentence_of, status_of, too_fast
from kaboom.web.idempotency.routes import done_before
from kaboom.web.session import keep_cookie, key_hash

bp = Blueprint("table", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)

SHOWS = "Kaboom-Shows"  # the header in which a page says which edition of the table it shows
TAKES_UPDATES = "input#ver"  # what htmx replaces where a page takes updates, not the whole table


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """Show the table as it is, and say that this was too fast."""
    code = code_asked()
    return too_fast(error, lambda: refused(code, error, 429))


def do(
    code: str,
    work: Callable[[int], TableSnapshot],
    asking: TableSnapshot | None = None,
    verb: str = "",
) -> AnyResponse:
    """Do a change that a player asks for, work(player), and answer with the table.

    `asking` is the table as the player found it, if that is known; `verb` the move that is tried.
    """
    try:
        asking = asking or tables().look(code, key_hash())
        if asking.player is None:
            raise NotPermitted(say("You do not sit at this table."))
        require_bot_mark(asking)
        changed = work(asking.player)
    except Refusal as no:
        if done_before():
            return done(tables().look(code, key_hash()))
        return refused(code, no, verb=verb)
    except Unavailable as busy:
        return refused(code, busy, verb=verb)
    return done(tables().found_by(changed, asking.player, asking.player_name))


def require_bot_mark(found: TableSnapshot) -> None:
    """Raise NotPermitted for a bot on a chair that is not marked as a bot's for all to see."""
    chair = found.table.chair_of(found.player)
    if is_bot() and chair is not None and not chair.program:
        sentence = say(
            "This key is for a bot. Sit down with it before the match, so that all know."
        )
        raise NotPermitted(sentence)


def ask_first(snapshot: TableSnapshot, value: str) -> AnyResponse:
    """Answer with the table and the question "are you sure" instead of doing it."""
    if by_script():
        return part(snapshot, ask=asked(snapshot, value))
    page = url_for("table.show", code=snapshot.code, ask=value, v=request.form.get("v"))
    return redirect(page + "#status", 303)


def done(snapshot: TableSnapshot) -> AnyResponse:
    """Answer with the table after a change."""
    if not by_page():
        return responses_api.shown(snapshot)
    answer = part(snapshot) if by_script() else to_page(snapshot)
    # A cookie that changes makes browsers drop the pages they keep for the back button: cards that
    # were shown for a moment must not come back that way where no script can hide them.
    seen = str(snapshot.table.revision(snapshot.me))
    keep_cookie(answer, "kb-seen", seen, None)
    return answer


def refused(code: str, no: Exception, status: int | None = None, verb: str = "") -> AnyResponse:
    """Answer with the table as it is, and why it was not changed; `verb` is what was tried."""
    g.refusal = slug_of(no)  # for the figures
    snapshot = tables().look(code, key_hash())
    about_it = isinstance(no, IllegalMove | NotOnOffer | StaleMove)  # else no rule explains it
    rule = getattr(no, "rule", "") or (rule_of(snapshot.game, verb) if about_it else "")
    if not by_page():
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
    """Return what was ticked in the question, if the viewer is still asked it, else None."""
    token, prompt = request.form.get("offer", "").partition(" ")[0], snapshot.prompt()
    asked_still = prompt and token in {offer.token for offer in prompt.offers}
    return request.form.getlist("pick") if asked_still else None


def to_page(snapshot: TableSnapshot, **more: Any) -> AnyResponse:
    """Answer by sending the browser to the table's page; `more` makes its address another one."""
    # The changing query is needed: some text browsers show the old page for the same address.
    version = snapshot.table.revision(snapshot.me)
    return redirect(url_for("table.show", code=snapshot.code, v=version, **more) + "#status", 303)


def whole_page(snapshot: TableSnapshot, **more: Any) -> Response:
    """Answer with the table's page; `more` is what table_page takes."""
    page, table = table_page(snapshot, **more), edition(snapshot, **more)
    more = beside(tables(), snapshot, page)
    response = make_response(drawn("play/table.html", page, table=as_drawn(table.html()), **more))
    note_dealt(response, table.dealt)
    return response


def changed(snapshot: TableSnapshot) -> Response | None:
    """Answer the browser that looks with what has changed; None when it has that already."""
    if request.args.get("v", "").rstrip("!").split(".")[0] == str(
        snapshot.table.revision(snapshot.me)
    ):
        return None
    return part(snapshot, ask=asked(snapshot, request.args.get("ask", "")))


def part(snapshot: TableSnapshot, **more: Any) -> Response:
    """Answer with what changes the page that asks; `more` is what table_page takes."""
    asked_by(snapshot)
    new = edition(snapshot, **more)
    if request.headers.get("HX-Target") == TAKES_UPDATES:
        shows = request.headers.get(SHOWS, request.args.get("v", ""))
        html = update(new, remembered(snapshot, shows))
    else:  # a page of before the last upgrade, or a program that reads pages
        html = new.titled + new.html(TABLE)
    response = Response(html)
    note_dealt(response, new.dealt)
    return response


def sure() -> bool:
    """Say whether somebody means what they ask for: programs ask people themselves."""
    return request.form.get("sure") == "1" or not by_page()


def by_script() -> bool:
    """Say whether htmx asks, which puts the answer into the page."""
    return request.headers.get("HX-Request") == "true"
