"""Playing on from a step of a finished match: the form, and opening the table."""

from flask import Blueprint, Response, abort, make_response, request
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import require_person
from kaboom.accounts.current import ensure_key, known_name, name_in_form
from kaboom.db.database import Unavailable
from kaboom.engine.bots.bot import Level
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import invalid_field
from kaboom.records.pages import MatchPage
from kaboom.records.play_on_service import Wish, play_on, why_not
from kaboom.records.routes import found_here
from kaboom.records.service import Around
from kaboom.table_page.responses_api import opened
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number
from kaboom.web.session import command, key_hash

bp = Blueprint("play_on", __name__)

AGAIN, AS_IT_WAS = "again", "was"  # how to treat the cards that the seat had not seen


@bp.get("/m/<code>/play-on")
def show(code: str) -> Response:
    """Show the form for playing on from a step: seat, opponents and cards."""
    return wish_page("records/play_on.html", at_step(code))


@bp.post("/m/<code>/play")
@rate_limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def go(code: str) -> AnyResponse:
    """Open a table that continues from a step, and redirect to it."""
    page = at_step(code)
    try:
        require_person()
        wish = wished(page)
        player, name = players.player(tables(), ensure_key(), submitted_name())
        at = play_on(tables(), page.replay, page.around, wish, player, name, command())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise  # answered by the application's error handler
        return wish_page("records/play_on.html", page, no.status, sentence_of(no))
    return opened(at)


def at_step(code: str) -> MatchPage:
    """Return the match page at the requested step; by default at the deal."""
    page, asked = found_here(code.upper()), request.values.get("step", "0")
    step = number(asked, otherwise=-1, digits=5)
    if not 0 <= step <= page.replay.last:
        abort(404, _("This match has no such step."))
    return page.at_step(step)


def submitted_name() -> str:
    """Return the submitted name, or else the player’s own; raises InvalidFields."""
    return name_in_form(known_name())


def wished(page: MatchPage) -> Wish:
    """Return the submitted choices for playing on; raises InvalidFields."""
    return Wish(page.step, _seat(page), submitted_level(), _unseen() == AS_IT_WAS)


def _seat(page: MatchPage) -> int:
    asked = request.form.get("seat")
    return own_seat(page) if asked is None else number(asked, otherwise=-1, digits=2)


def own_seat(page: MatchPage) -> int:
    """Return the preselected seat: the chosen one or the current point of view, or else the
    player's own.
    """
    asked = request.values.get("seat", "")
    seats = {str(seat): seat for seat in range(len(page.record.names))}
    return seats.get(asked, page.around.seat or 0)


def submitted_level() -> Level:
    """Return the submitted level of the bots; raises InvalidFields."""
    try:
        return Level(request.form.get("level", Level.NORMAL))
    except ValueError:
        raise invalid_field(
            "level", _("Choose one of the three bot levels: easy, normal, hard.")
        ) from None


def _unseen() -> str:
    asked = request.form.get("unseen", AGAIN)
    if asked not in (AGAIN, AS_IT_WAS):
        raise invalid_field(
            "unseen", _("Choose whether the hidden cards are dealt again or stay as they were.")
        )
    return asked


def wish_page(template: str, page: MatchPage, status: int = 200, wrong: str = "") -> Response:
    """Return the page with the form for playing on: seat, opponents and cards."""
    around, names = page.around, page.record.names
    own = around.seat if around.seat is not None else 0
    html = render(
        template,
        page=page,
        record=page.record,
        cannot=_why_not_together(around),
        next_name=names[(own + 1) % len(names)],
        why_not=why_not(page.replay, page.around, page.step),
        wrong=wrong,
        seat=own_seat(page),
        level=request.form.get("level", Level.NORMAL),
        unseen=request.values.get("unseen", AGAIN),
        name=known_name(),
    )
    return make_response(html, status)


def _why_not_together(around: Around) -> str:
    """Return a sentence that says why a player cannot propose the same deal at the table where a
    match was played; empty if they can.
    """
    if around.seat is None or not around.table:
        return ""
    table = tables().get(around.table, key_hash()).table
    if table.by_house:
        return _("The server has set up this table for a single match, so it cannot be changed.")
    if table.playing:
        return _(
            "The next match is already being played at your table. You can propose this when it is "
            "over."
        )
    if table.seat_of(around.player) is None:
        return _("You have left the table. Sit down there again to propose it.")
    return ""
