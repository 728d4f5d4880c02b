"""A player's vacation, which stops their clocks in correspondence matches."""

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_player
from kaboom.correspondence import vacations
from kaboom.correspondence.vacations import A_YEAR, VacationState
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number

bp = Blueprint("vacation", __name__)


@bp.get("/settings/vacation")
def show() -> AnyResponse:
    """Show whether the player is on vacation, what that means, and the days left this year."""
    return _page()


@bp.post("/settings/vacation")
@rate_limits.both(player="30 per hour", address="120 per hour")
def change() -> AnyResponse:
    """Begin a vacation of the chosen number of days or, with `end`, end it."""
    form = request.form
    try:
        known = known_player()
        if known is None:
            raise NotPermitted(_("You are new here. Take a seat at a table first."))
        player, _unused = known
        if form.get("end") == "1":
            vacations.end_vacation(tables(), player)
        else:
            vacations.go_on_vacation(tables(), player, number(form.get("days"), 0))
    except (Refusal, Unavailable) as no:
        return _page(no.status, sentence_of(no))
    return redirect(url_for("vacation.show"), 303)


def _page(status: int = 200, wrong: str = "") -> AnyResponse:
    known = known_player()
    state = vacations.vacation(tables(), known[0]) if known else VacationState(None, A_YEAR)
    page = render(
        "correspondence/vacation.html",
        state=state,
        known=known is not None,
        a_year=A_YEAR,
        wrong=wrong,
    )
    return make_response(page, status)
