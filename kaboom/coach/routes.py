"""The coach of a finished match: request it, read the results, and answer decisions as questions.

Answers are not stored: they are in the page's URL.
"""

from dataclasses import replace
from functools import partial

from flask import Blueprint, abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.coach import api, service
from kaboom.coach.pages import CoachPage, QuestionPage
from kaboom.db.database import Unavailable
from kaboom.engine.engine import find
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Move, NotOnOffer, Refusal
from kaboom.records.routes import found_here
from kaboom.table_page.exercise_forms import LONGEST, made_in_form, made_in_query, sent_move
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of
from kaboom.web.session import key_hash

bp = Blueprint("coach", __name__)

REFRESH = 5  # seconds between reloads without scripts


def _page(code: str) -> CoachPage:
    """Return the coach's page about a match.

    Raises RecordNotFound, NotPermitted or InvalidState.
    """
    match = found_here(code.upper())
    seat = service.seat_of(match.replay, match.around)
    coached = service.find(tables(), match.code, match.replay.game.key, key_hash())
    return CoachPage(replace(match, seat=seat), seat, coached)


@bp.get("/m/<code>/coach")
@bp.get("/m/<code>/coach.json", endpoint="show_json")
@bp.get("/m/<code>/coach.txt", endpoint="show_text")
def show(code: str) -> Response:
    """Show the progress and results of coaching."""
    if not wants_html():
        rate_limits.count_request()
        return api.coaching(_page(code))
    return _shown(_page(code))


def _shown(page: CoachPage, status: int = 200, wrong: str = "") -> Response:
    html = render("coach/show.html", page=page, it=page.coached, refresh=REFRESH, wrong=wrong)
    return make_response(html, status)


@bp.post("/m/<code>/coach")
@rate_limits.both(player="6 per minute; 40 per hour", address="20 per minute; 120 per hour")
def ask(code: str) -> Response:
    """Request coaching of the player's decisions in a match, once or again after a failure."""
    page = _page(code)
    try:
        service.ask(tables(), page.match.code, page.seat, key_hash())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise
        return _shown(page, no.status, sentence_of(no))
    if not wants_html():
        return api.coaching(_page(code))
    return redirect(url_for("coach.show", code=page.match.code), 303)


@bp.get("/m/<code>/coach/now")
def now(code: str) -> Response:
    """Return the part of the page that changes while the coach works; reload the page at the
    end.
    """
    page = _page(code)
    if not page.coached.working:
        return make_response("", 200, {"HX-Refresh": "true"})
    return make_response(render("coach/fragments/now.html", page=page, it=page.coached).strip())


# A decision


@bp.get("/m/<code>/coach/<int(max=99999):number>")
@bp.get("/m/<code>/coach/<int(max=99999):number>.json", endpoint="question_json")
@bp.get("/m/<code>/coach/<int(max=99999):number>.txt", endpoint="question_text")
def question(code: str, number: int) -> Response:
    """Show a decision as a question; `tried` is the answer, `show` reveals the values of the
    moves.
    """
    page = _question(code, number, made_in_query())
    tried = request.args.get("tried", "")[:LONGEST]
    if tried:
        page = replace(page, tried=_legal(page, tried))
    if not wants_html():
        rate_limits.count_request()
        return api.question(page)
    return _asked(page)


def _question(code: str, number: int, made: tuple[str, ...] = ()) -> QuestionPage:
    page = _page(code)
    if not 1 <= number <= len(page.coached.judged):
        abort(404, _("The coach has not looked at that decision."))
    return QuestionPage(page, number, show="show" in request.args, made=made)


def _legal(page: QuestionPage, text: str) -> str:
    """Return the move if it was legal at the decision, or ""."""
    try:
        move = Move.parse(f"{page.coach.seat} {text}")
        find(page.game, page.coach.match.replay.state(page.judged.before), move)
    except Refusal:
        return ""
    return text


def _asked(page: QuestionPage, status: int = 200, wrong: str = "") -> Response:
    html = render("coach/question.html", page=page, table=page.table(), wrong=wrong)
    return make_response(html, status)


@bp.post("/m/<code>/coach/<int(max=99999):number>/move")
@rate_limits.both(player="120 per minute", address="600 per minute")
def answer(code: str, number: int) -> Response:
    """Check an answer and redirect to its result; nothing is stored."""
    page = _question(code, number, made_in_form())
    again = partial(url_for, "coach.question", code=page.coach.match.code, number=number)
    try:
        text = sent_move(page.table(pieces=wants_html()), page.own)
        if text.split(" ")[0] in page.game.pieces:
            find(page.game, page.state, Move.parse(f"{page.coach.seat} {text}"))
            return redirect(again(made=[*page.made, text]), 303)
        text = _at_once(page, text)
    except Refusal as no:
        if not wants_html():
            raise
        return _asked(page, no.status, str(no))
    if not wants_html():
        return api.answered(replace(page, tried=text))
    return redirect(again(tried=text), 303)


def _at_once(page: QuestionPage, text: str) -> str:
    """Return the move, with its preparatory moves, as a single move. Raises Refusal if it is
    illegal.
    """
    move = Move.parse(f"{page.coach.seat} {text}")
    find(page.game, page.state, move)
    if _legal(page, text):
        return text
    built = [it.split(" ")[1:] for it in page.made]
    for offer in page.asked.offers:
        whole = " ".join([offer.verb, *(choice for choices in built for choice in choices)])
        if built and offer.verb not in page.game.pieces and _legal(page, whole):
            return whole
    raise NotOnOffer(_("You cannot do that now."))
