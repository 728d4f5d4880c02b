"""Pages of the daily deal: the deal, the calendar, and opening a table."""

from datetime import date, timedelta

from flask import Blueprint, Response, abort, make_response, request
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import require_person
from kaboom.accounts.current import ensure_key, known_name, name_in_form
from kaboom.daily import api as daily_api
from kaboom.daily import service as daily
from kaboom.daily.service import Day
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY, day_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.engine.texts import in_points
from kaboom.table_page.page_data import day
from kaboom.table_page.responses_api import opened
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.atom import Entry, feed, public_feed
from kaboom.web.errors import sentence_of
from kaboom.web.links import absolute
from kaboom.web.session import command, key_hash

bp = Blueprint("daily", __name__)


@bp.get("/daily")
@bp.get("/daily.json", endpoint="today_json")
@bp.get("/daily.txt", endpoint="today_text")
def today() -> Response:
    """Show today's deal and the calendar."""
    return _page(day_of(tables().now()))


@bp.get("/daily/<when>")
@bp.get("/daily/<when>.json", endpoint="show_json")
@bp.get("/daily/<when>.txt", endpoint="show_text")
def show(when: str) -> Response:
    """Show a day's deal: a future one (without cards), today's, or a past one."""
    return _page(_read(when))


@bp.post("/daily/<when>")
@rate_limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def play(when: str) -> AnyResponse:
    """Redirect to the player's table for a day's deal, opening it if needed; with `again`, open
    another one for practice.
    """
    chosen, form = _read(when), request.form
    try:
        require_person()
        name = name_in_form(known_name())
        daily.require_existing(tables(), chosen)  # checked before a player is created
        player, name = players.player(tables(), ensure_key(), name)
        again = form.get("again") == "1"
        code = daily.play(tables(), chosen, player, name, again, command())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise  # answered by the application's error handler
        return _page(chosen, no.status, sentence_of(no))
    return opened(code)


@bp.get("/daily.atom")
@rate_limits.limiter.limit("30 per minute")
def promises() -> Response:
    """Return the Atom feed of future and past deals, with their commitments."""
    found = daily.calendar(tables())
    base = absolute("pages.home").rstrip("/")
    entries = [
        Entry(
            f"day/{it.date.isoformat()}",
            _("Daily deal for {day}: {game}", day=it.date.isoformat(), game=it.game.name),
            it.board.opens_at - daily.AHEAD * DAY,
            absolute("daily.show", when=it.date.isoformat()),
            f"SHA-256: {it.board.commitment}",
        )
        for it in found
    ]
    updated = entries[0].updated if entries else 0.0
    title, page = _("Kaboom: daily deals"), absolute("daily.today")
    made = feed("day", title, base, page, absolute("daily.promises"), updated, entries)
    return public_feed(made)


def _read(when: str) -> date:
    """Return the date in a URL; aborts with 404 if it is not valid."""
    try:
        read = date.fromisoformat(when)
    except ValueError:
        abort(404)
    if read.isoformat() != when:
        abort(404)
    return read


def result_in_words(it: Day) -> str:
    """Return a player's result as text to share: points, place and rank, without cards."""
    deal = _("{game}, daily deal for {day}", game=it.game.name, day=day(it.board.opens_at))
    made, outcome, seat = [], it.outcome, it.seat
    if outcome is not None and seat is not None and outcome.winners:
        place, count = outcome.places[seat], len(outcome.places)
        made.append(in_points(outcome.scores[seat]))
        made.append(_("place {place} of {count}", place=place, count=count))
    if it.beaten is not None:
        made.append(_("better than {share}%", share=it.beaten))
    return f"{deal}: {', '.join(made)}" if made else deal


def _page(chosen: date, status: int = 200, wrong: str = "") -> Response:
    if not wants_html():
        rate_limits.count_request()
    it = daily.get(tables(), chosen, key_hash())
    now_is = day_of(tables().now())
    if it is None and chosen != now_is:
        abort(404)
    seats = daily.seats_of(it.board) if it else 0
    calendar = daily.calendar(tables(), key_hash())
    shared = result_in_words(it) if it and it.result is not None else ""
    if not wants_html():
        return daily_api.deal_of(chosen, it, now_is, seats, calendar, shared)
    yesterday = None
    if chosen == now_is:
        yesterday = daily.get(tables(), now_is - timedelta(days=1), key_hash())
    page = render(
        "daily/show.html",
        it=it,
        today=chosen == now_is,
        this=now_is,
        seats=seats,
        calendar=calendar,
        name=known_name(),
        shared=shared,
        link=absolute("daily.show", when=chosen.isoformat()),
        others=daily_api.beside_others(it) if it else "",
        yesterday=yesterday,
        beside=daily_api.beside_others,
        wrong=wrong,
    )
    return make_response(page, status)
