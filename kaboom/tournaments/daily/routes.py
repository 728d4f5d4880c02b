"""The deal of the day: its page, the calendar of the others, and opening a table on one."""

from datetime import date

from flask import Blueprint, Response, abort, make_response, request
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import is_bot
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.play.page import day
from kaboom.play.responses_api import opened
from kaboom.social.friends import service as people
from kaboom.tables.context import tables
from kaboom.tournaments.daily import api as days
from kaboom.tournaments.daily import service as daily
from kaboom.tournaments.daily.service import Day, day_of
from kaboom.web import limits
from kaboom.web.api.negotiation import by_page
from kaboom.web.atom import Entry, feed
from kaboom.web.errors import sentence_of
from kaboom.web.links import absolute
from kaboom.web.session import command, key_hash

bp = Blueprint("daily", __name__)


@bp.get("/day")
@bp.get("/day.json", endpoint="today_json")
@bp.get("/day.txt", endpoint="today_text")
def today() -> Response:
    """Today's deal, and the calendar."""
    return _page(day_of(tables().now()))


@bp.get("/day/<when>")
@bp.get("/day/<when>.json", endpoint="show_json")
@bp.get("/day/<when>.txt", endpoint="show_text")
def show(when: str) -> Response:
    """The deal of another day: promised, being played, or open to all."""
    return _page(_read(when))


@bp.post("/day/<when>")
@limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def play(when: str) -> AnyResponse:
    """Go to one's table at a day's deal, opened if need be; with `again` to another, for fun."""
    chosen, form = _read(when), request.form
    try:
        _require_own_bot()
        name = require_readable_name(form.get("name") or people.name_of(tables(), key_hash()))
        daily.require_existing(tables(), chosen)  # otherwise no key is made
        player, name = players.player(tables(), ensure_key(), name)
        again = form.get("again") == "1"
        code = daily.play(tables(), chosen, player, name, again, command())
    except (Refusal, Unavailable) as no:
        if not by_page():
            raise  # told as everywhere
        return _page(chosen, no.status, sentence_of(no))
    return opened(code)


def _require_own_bot() -> None:
    """Raise NotPermitted for a player's bot: the match begins at once, so nobody could be told."""
    if is_bot():
        raise NotPermitted(say("Bots of players are not welcome at this table."))


@bp.get("/day.atom")
@limits.limiter.limit("30 per minute")
def promises() -> Response:
    """The deals that are promised and those that are over, with their commitments."""
    found = daily.calendar(tables())
    base = absolute("pages.home").rstrip("/")
    entries = [
        Entry(
            f"day/{it.date.isoformat()}",
            say("Deal of {day}: {game}", day=it.date.isoformat(), game=it.game.name),
            it.board.opens_at - daily.AHEAD * DAY,
            absolute("daily.show", when=it.date.isoformat()),
            f"SHA-256: {it.board.commitment}",
        )
        for it in found
    ]
    updated = entries[0].updated if entries else 0.0
    title, page = say("Kaboom: deal of the day"), absolute("daily.today")
    made = feed("day", title, base, page, absolute("daily.promises"), updated, entries)
    answer = Response(made, mimetype="application/atom+xml")
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _read(when: str) -> date:
    """Return the day that an address names; aborts with 404 if that is no day."""
    try:
        read = date.fromisoformat(when)
    except ValueError:
        abort(404)
    if read.isoformat() != when:
        abort(404)
    return read


def result_in_words(it: Day) -> str:
    """Return what a player has to share: nothing in it tells of a card, a place or the order."""
    when = day(it.board.opens_at)
    if it.beaten is None:
        return say("{game}, deal of {day}", game=it.game.name, day=when)
    return say(
        "{game}, deal of {day}: better than {share} %",
        game=it.game.name,
        day=when,
        share=it.beaten,
    )


def _page(chosen: date, status: int = 200, wrong: str = "") -> Response:
    if not by_page():
        limits.another_look()
    it = daily.look(tables(), chosen, key_hash())
    now_is = day_of(tables().now())
    if it is None and chosen != now_is:
        abort(404)
    seats = daily.seats_of(it.board) if it else 0
    calendar = daily.calendar(tables())
    shared = result_in_words(it) if it and it.result is not None else ""
    if not by_page():
        return days.deal_of(chosen, it, now_is, seats, calendar, shared)
    page = render(
        "tournaments/daily/show.html",
        it=it,
        today=chosen == now_is,
        this=now_is,
        seats=seats,
        calendar=calendar,
        name=people.name_of(tables(), key_hash()),
        shared=shared,
        link=absolute("daily.show", when=chosen.isoformat()),
        others=days.beside_others(it) if it else "",
        wrong=wrong,
    )
    return make_response(page, status)
