"""A player's vacation: their clocks stand still where matches are played over days."""

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_player
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.play.correspondence import service as over_days
from kaboom.play.correspondence.service import A_YEAR, VacationState
from kaboom.tables.context import tables
from kaboom.web import limits
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number

bp = Blueprint("vacation", __name__)


@bp.get("/me/vacation")
def show() -> AnyResponse:
    """Whether the player is on vacation, what counts, and how much is left of this year's."""
    return _page()


@bp.post("/me/vacation")
@limits.both(player="30 per hour", address="120 per hour")
def change() -> AnyResponse:
    """Go on vacation for some days; with `end` come back from it."""
    form = request.form
    try:
        known = known_player()
        if known is None:
            raise NotPermitted(say("Nobody here knows you yet. Sit down at a table first."))
        player, _ = known
        if form.get("end") == "1":
            over_days.end_vacation(tables(), player)
        else:
            over_days.go_on_vacation(tables(), player, number(form.get("days"), 0))
    except (Refusal, Unavailable) as no:
        return _page(no.status, sentence_of(no))
    return redirect(url_for("vacation.show"), 303)


def _page(status: int = 200, wrong: str = "") -> AnyResponse:
    known = known_player()
    state = over_days.vacation(tables(), known[0]) if known else VacationState(None, A_YEAR)
    page = render(
        "play/vacation.html", state=state, known=known is not None, a_year=A_YEAR, wrong=wrong
    )
    return make_response(page, status)
