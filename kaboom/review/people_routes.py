"""Muting, blocking and reporting the members of a review."""

from collections.abc import Sequence

from flask import Response, make_response, redirect, request, url_for
from flask import render_template as render
from sqlalchemy import Connection
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.review import queries as store
from kaboom.review import service
from kaboom.review.pages import ReviewPage, review_here
from kaboom.review.routes import bp
from kaboom.review.service import Person
from kaboom.social.chat import queries as chat
from kaboom.social.friends import reports
from kaboom.social.friends import service as friends
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.forms import number


@bp.get("/m/<code>/review/<review>/people")
def people(code: str, review: str) -> AnyResponse:
    """Show the members of a review, with forms to mute, block or report them."""
    return _people(review_here(code, review))


@bp.post("/m/<code>/review/<review>/people")
@rate_limits.both(player="30 per minute", address="90 per minute")
def do_about_people(code: str, review: str) -> AnyResponse:
    """Mute, unmute or block a member."""
    page = review_here(code, review)
    what, _unused, word = request.form.get("do", "").partition(" ")
    try:
        person, me = _person(page, word)
        if what == "mute":
            tables().database.write(lambda c: chat.mute(c, me, person.player))
        elif what == "unmute":
            tables().database.write(lambda c: chat.unmute(c, me, person.player))
        elif what == "block":
            friends.block(tables(), me, person.player)
    except Refusal as no:
        return _people(page, no.status, str(no))
    return redirect(url_for("review.people", code=code, review=review), 303)


def _person(page: ReviewPage, word: str) -> tuple[Person, int]:
    """Return another member of a review and the requester's player id. Raises NotPermitted."""
    match, me = page.match.code, page.match.around.player
    person = service.person_in(tables(), match, page.it.code, me, word)
    assert me is not None  # otherwise the member would not have been found
    return person, me


def _people(page: ReviewPage, status: int = 200, wrong: str = "") -> Response:
    me = page.it.me

    def work(connection: Connection) -> set[int]:
        return {player for player, _name in chat.muted(connection, me.player if me else 0)}

    html = render(
        "review/people.html",
        review=page,
        page=page.match,
        people=[it for it in page.it.people if not it.me] if me else (),
        muted=tables().database.read(work),
        reported="reported" in request.args,
        wrong=wrong,
    )
    return make_response(html, status)


@bp.get("/m/<code>/review/<review>/report")
def ask_why(code: str, review: str) -> AnyResponse:
    """Show the form that reports a member, or a remark (`line`), and explain what happens next."""
    line = number(request.args.get("line"), otherwise=0)
    return _report(review_here(code, review), request.args.get("who", ""), line)


@bp.post("/m/<code>/review/<review>/report")
@rate_limits.both(player="10 per hour", address="30 per hour")
def report(code: str, review: str) -> AnyResponse:
    """Report a member of a review to the host of the server, or the author of a remark."""
    page, form = review_here(code, review), request.form
    word, line = form.get("who", ""), number(form.get("line"), otherwise=0)
    try:
        person, me, _text = _reported(page, word, line)
        reason = reports.Reason(form.get("reason", ""), form.get("words", ""))
        reports.keep(tables(), me, person.player, review, reason, lambda c: _said(c, page, line))
    except NotPermitted as no:
        return _people(page, no.status, str(no))
    except Refusal as no:
        return _report(page, word, line, no.status, str(no))
    return redirect(url_for("review.people", code=code, review=review, reported="1"), 303)


def _reported(page: ReviewPage, word: str, line: int) -> tuple[Person, int, str]:
    """Return the player to report, the requester's player id, and the text of the remark if the
    report is about one. Raises NotPermitted.
    """
    if not line:
        return (*_person(page, word), "")
    me = page.match.around.player
    read = {it.number for it in page.it.remarks if not it.own}
    row = tables().database.read(lambda c: store.remark(c, page.it.code, line))
    if me is None or row is None or line not in read:
        raise NotPermitted(_("There is no such remark."))
    return Person("", row.name, row.player, None, False), me, row.text


def _said(
    connection: Connection, page: ReviewPage, line: int
) -> Sequence[tuple[int, str, float, bool]]:
    """Return the last remarks in a review, including those by muted members, as (author, text,
    time, marked). The remark with that number is marked, and there even if it is older.
    """
    match = store.match_id(connection, page.match.code)
    row = None if match is None else store.review(connection, match, page.it.code)
    rows = store.all_in(connection, row.id) if row else ()
    older = [it for it in rows[: -reports.LINES] if it.id == line]
    shown = [*older, *rows[len(older) - reports.LINES :]]
    return [(it.player, it.text, it.at, it.id == line) for it in shown]


def _report(
    page: ReviewPage, word: str, line: int = 0, status: int = 200, wrong: str = ""
) -> AnyResponse:
    try:
        person, _me, said = _reported(page, word, line)
    except Refusal as no:
        return _people(page, no.status, str(no))
    html = render(
        "review/report.html",
        review=page,
        page=page.match,
        person=person,
        line=line,
        said=said,
        chosen=request.form.get("reason", "insults" if line else ""),
        words=request.form.get("words", ""),
        longest=reports.LONGEST,
        reasons=reports.REASONS,
        days=reports.KEPT_DAYS,
        lines=reports.LINES,
        wrong=wrong,
    )
    return make_response(html, status)
