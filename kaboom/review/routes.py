"""Reviews of a match: the list, creating and joining one, leading, following, and remarks.

The reader's place is in the URL. With `follow`, the page follows the leader.
"""

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, Response, abort, make_response, redirect, request
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import ensure_key, known_name, name_in_form
from kaboom.db.database import Unavailable
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted, invalid_field
from kaboom.records.pages import MatchPage
from kaboom.review import api, service
from kaboom.review.pages import (
    ReviewPage,
    is_place,
    match_here,
    placed,
    present,
    review_here,
)
from kaboom.review.service import Place, ReviewNotFound, topic_of
from kaboom.social.chat.room import presence
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of, told
from kaboom.web.forms import number
from kaboom.web.links import absolute
from kaboom.web.session import command

bp = Blueprint("review", __name__)


@bp.url_value_preprocessor
def clean_codes(endpoint: str | None, values: dict[str, str] | None) -> None:
    """Normalise the codes of the match and the review."""
    assert values is not None  # all routes have a code
    values["code"] = values["code"].upper()
    if "review" in values:
        values["review"] = values["review"].upper()


@bp.app_errorhandler(ReviewNotFound)
def no_review(error: ReviewNotFound) -> Response:
    """Return the page for an unknown review, or one the requester may not see."""
    return told(error, 404, str(error) or _("There is no review at that link."))


# A match


@bp.get("/m/<code>/review")
@bp.get("/m/<code>/review.json", endpoint="index_json")
@bp.get("/m/<code>/review.txt", endpoint="index_text")
def index(code: str) -> Response:
    """Show the form that creates a review, the reader's reviews of the match and their remarks."""
    page = match_here(code)
    if not wants_html():
        rate_limits.count_request()
        return api.reviews(page, *service.all_of(tables(), page.code, page.around.player))
    return _index(page)


def _index(page: MatchPage, status: int = 200, wrong: str = "") -> Response:
    listed, remarks = service.all_of(tables(), page.code, page.around.player)
    html = render(
        "review/index.html",
        page=page,
        listed=listed,
        remarks=remarks,
        name=known_name(),
        step=number(request.values.get("step"), otherwise=0, digits=5),
        eyes=request.values.get("seat", ""),
        wrong=wrong,
    )
    return make_response(html, status)


@bp.post("/m/<code>/review")
@rate_limits.both(player="6 per minute; 40 per hour", address="12 per minute; 120 per hour")
def begin(code: str) -> AnyResponse:
    """Create a review of a match, led by the requester."""
    page = match_here(code)
    try:
        player, name = _player()
        made = service.open_review(tables(), page.code, player, name, _place(page), command())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise  # answered by the application's error handler
        return _index(page, no.status, sentence_of(no))
    found = review_here(code, made)
    return api.review(found, 201) if not wants_html() else _to(found, found.it.place)


def _player() -> tuple[int, str]:
    """Return the id and name of the requester, with a new session key if needed. Raises
    InvalidFields.
    """
    name = name_in_form(known_name())
    return players.player(tables(), ensure_key(), name)


def _place(page: MatchPage) -> Place:
    """Return the submitted place. Raises InvalidFields."""
    step = number(request.form.get("step", "0"), digits=5)
    place = Place(step, request.form.get("seat", ""))
    if not is_place(page, place):
        raise invalid_field("step", _("This match has no such step."))
    return place


# A review


@bp.get("/m/<code>/review/<review>")
@bp.get("/m/<code>/review/<review>.json", endpoint="show_json")
@bp.get("/m/<code>/review/<review>.txt", endpoint="show_text")
def show(code: str, review: str) -> AnyResponse:
    """Redirect to the leader's place, or show the form to join if the requester is not a member."""
    page = _found(code, review)
    if not wants_html():
        rate_limits.count_request()
        return api.review(page)
    if page.it.me is None:
        return _door(page)
    return _to(page, page.it.place)


@bp.get("/m/<code>/review/<review>/<int(max=99999):number>")
def step(code: str, review: str, number: int) -> AnyResponse:
    """Show a step chosen by the reader; with `follow`, the leader's step."""
    page, place = _found(code, review), Place(number, request.args.get("seat", ""))
    follow = "follow" in request.args
    if page.it.me is None or (follow and place != page.it.place):
        return redirect(page.at, 303)
    if not is_place(page.match, place):
        abort(404, _("This match has no such step."))
    return _drawn(placed(page, place, follow))


@bp.get("/m/<code>/review/<review>/go")
def go(code: str, review: str) -> AnyResponse:
    """Redirect to the step with the submitted number, or to the last step if it is too high."""
    page = _found(code, review)
    step = min(number(request.args.get("step"), otherwise=0), page.match.replay.last)
    return redirect(f"{page.at}/{Place(step, request.args.get('seat', '')).address}", 303)


def _found(code: str, review: str) -> ReviewPage:
    if not can_be_code(review):
        raise ReviewNotFound
    return review_here(code, review)


def _to(page: ReviewPage, place: Place, follow: bool = True) -> AnyResponse:
    """Redirect to a place in a review."""
    address = f"{page.at}/{place.address}"
    return redirect(f"{address}{'&' if place.eyes else '?'}follow=1" if follow else address, 303)


def _drawn(page: ReviewPage, status: int = 200, wrong: str = "") -> Response:
    link = absolute("review.show", code=page.match.code, review=page.it.code)
    html = render(
        "review/step.html",
        review=page,
        page=page.match,
        record=page.match.record,
        table=page.match.table(),
        link=link,
        wrong=wrong,
    )
    return make_response(html, status)


def _door(page: ReviewPage, status: int = 200, wrong: str = "") -> Response:
    html = render("review/join.html", review=page, page=page.match, name=known_name(), wrong=wrong)
    return make_response(html, status)


def _command(work: Callable[[ReviewPage], Place | None]) -> Callable[[str, str], AnyResponse]:
    """Return the view of a command to a review. It shows a refusal on the page; else it goes to
    the place that `work` returns, or to the leader's if that is None.
    """

    @wraps(work)
    def view(code: str, review: str) -> AnyResponse:
        page = _found(code, review)
        try:
            place = work(page)
        except (Refusal, Unavailable) as no:
            return _refused(page, no)
        if not wants_html():
            return api.review(_found(code, review))
        if place is None:
            return _to(page, _found(code, review).it.place)
        return _to(page, place, follow=False)

    return view


def _refused(page: ReviewPage, no: Refusal | Unavailable) -> Response:
    """Return the page with an error message."""
    if not wants_html():
        raise no  # answered by the application's error handler
    if page.it.me is None:
        return _door(page, no.status, sentence_of(no))
    return _drawn(placed(page, page.it.place, True), no.status, sentence_of(no))


def _me(page: ReviewPage) -> int:
    if page.it.me is None:
        raise NotPermitted(_("Join the review first."))
    return page.it.me.player


def _own_place(page: ReviewPage) -> Place | None:
    """Return the reader's own place from which a form was sent, or None if the reader followed."""
    if "follow" in request.form or "step" not in request.form:
        return None
    return _place(page.match)


@bp.post("/m/<code>/review/<review>/join")
@rate_limits.both(player="20 per minute; 200 per hour", address="60 per minute; 600 per hour")
@_command
def join(page: ReviewPage) -> None:
    """Join a review and follow its leader."""
    player, name = _player()
    service.join(tables(), page.match.code, page.it.code, player, name)


@bp.post("/m/<code>/review/<review>/lead")
@rate_limits.both(player="240 per minute", address="600 per minute")
@_command
def lead(page: ReviewPage) -> None:
    """Move the leader and all followers to a step."""
    me, place, review = _me(page), _place(page.match), page.it.code
    service.lead(tables(), page.match.code, review, me, place, present(review))


@bp.post("/m/<code>/review/<review>/hand-over")
@rate_limits.both(player="60 per minute", address="240 per minute")
@_command
def hand_over(page: ReviewPage) -> None:
    """Hand the lead to another member."""
    me, word, review = _me(page), request.form.get("who", ""), page.it.code
    service.hand_over_lead(tables(), page.match.code, review, me, word, present(review))


@bp.post("/m/<code>/review/<review>/ask")
@rate_limits.both(player="20 per minute", address="120 per minute")
@_command
def ask(page: ReviewPage) -> None:
    """Ask for the lead."""
    review = page.it.code
    service.ask_for_lead(tables(), page.match.code, review, _me(page), present(review))


@bp.post("/m/<code>/review/<review>/say")
@rate_limits.both(player="20 per minute; 300 per hour", address="60 per minute; 900 per hour")
@_command
def say(page: ReviewPage) -> Place | None:
    """Add a remark to a step."""
    me, place, text = _me(page), _place(page.match), request.form.get("text", "")
    service.say(tables(), page.match.code, page.it.code, me, place, text, command())
    return _own_place(page)


@bp.post("/m/<code>/review/<review>/delete")
@rate_limits.both(player="60 per minute", address="240 per minute")
@_command
def delete(page: ReviewPage) -> None:
    """Delete a remark: one of the requester's own, or any if the requester created the review."""
    line = number(request.form.get("line"))
    service.delete(tables(), page.match.code, page.it.code, _me(page), line)


@bp.post("/m/<code>/review/<review>/leave")
@rate_limits.both(player="20 per minute", address="120 per minute")
def leave(code: str, review: str) -> AnyResponse:
    """Leave a review; the lead passes to another member."""
    page = _found(code, review)
    try:
        me = _me(page)
        service.leave(tables(), page.match.code, review, me, present(review))
    except (Refusal, Unavailable) as no:
        return _refused(page, no)
    presence().gone(topic_of(review), me)
    if not wants_html():
        return api.review(page)
    return redirect(page.at.rpartition("/")[0], 303)
