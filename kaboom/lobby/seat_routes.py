"""Sitting down at a table, seating bots, getting ready and leaving."""

from enum import StrEnum

from flask import make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import is_bot
from kaboom.accounts.current import ensure_key, name_in_form
from kaboom.db.database import Unavailable
from kaboom.engine.bots.bot import Level
from kaboom.engine.moves import Refusal, Seat
from kaboom.lobby import service as lobby
from kaboom.table_page.controls import proposals
from kaboom.table_page.page_data import asked, rendered, table_page
from kaboom.table_page.responses import ask_first, bp, do, done, refused, sure, to_page
from kaboom.tables import start_match
from kaboom.tables.context import tables
from kaboom.tables.permissions import require_free_seat
from kaboom.tables.seats import leaving
from kaboom.web import rate_limits
from kaboom.web.forms import chosen, number
from kaboom.web.session import command, key_hash


class Seating(StrEnum):
    """How a deal is repeated: with the same seats, with seats moved on by one, or not at all (a new
    deal).
    """

    SAME = "same"
    MOVED = "moved"
    NEW = "new"


@bp.post("/sit")
@rate_limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def sit(code: str) -> AnyResponse:
    """Take a seat under a name."""
    seat = _chosen_seat()
    try:
        found = tables().get(code, key_hash())
        if found.me is None:
            # Check the table's current state: a spectator with a long delay may sit down for the
            # next match.
            require_free_seat(tables().get(code).table, seat)
        # No key is created without a visible name.
        name = name_in_form(found.player_name)
        player, name = players.player(tables(), ensure_key(), name)
        sat = lobby.sit(tables(), code, player, name, seat, is_bot())
    except (Refusal, Unavailable) as no:
        return refused(code, no)
    return done(tables().found_by(sat, player, name))


@bp.post("/bot")
def bot(code: str) -> AnyResponse:
    """Seat a bot in a free seat."""
    seat, level = _chosen_seat(), chosen(request.form.get("level"), Level.NORMAL)
    return do(code, lambda p: lobby.add_bot(tables(), code, p, seat, command(), level))


def _chosen_seat() -> Seat | None:
    """Return the seat chosen in the form; None if it leaves the choice to the table."""
    wanted = request.form.get("seat")
    return number(wanted) if wanted else None


@bp.post("/remove")
def remove(code: str) -> AnyResponse:
    """Clear a seat; if a person sits there, the host is asked to confirm."""
    form, snapshot = request.form, tables().get(code, key_hash())
    seat = number(form.get("seat"))
    if not sure() and asked(snapshot, f"remove {seat}"):
        return ask_first(snapshot, f"remove {seat}")
    return do(
        code, lambda p: leaving.remove(tables(), code, p, seat, form.get("name", "")), snapshot
    )


@bp.post("/ready")
def ready(code: str) -> AnyResponse:
    """Mark the player as ready or not ready."""
    yes = request.form.get("ready", "1") != "0"
    return do(code, lambda p: start_match.ready(tables(), code, p, yes))


@bp.post("/rematch")
def rematch(code: str) -> AnyResponse:
    """Mark the player as ready for another match, as before the first one."""
    return do(code, lambda p: start_match.ready(tables(), code, p))


@bp.post("/same-deal")
def same_deal(code: str) -> AnyResponse:
    """Propose repeating the deal of an earlier match, or a new deal instead. The default is the
    last match's deal, with the seats as they were.
    """
    form, snapshot = request.form, tables().get(code, key_hash())
    seats = chosen(form.get("seats"), Seating.SAME)
    if seats is Seating.NEW:
        return do(code, lambda p: start_match.withdraw_same_deal(tables(), code, p), snapshot)
    record = form.get("match", snapshot.table.record).upper()
    moved = seats is Seating.MOVED
    return do(
        code, lambda p: start_match.propose_same_deal(tables(), code, p, record, moved), snapshot
    )


@bp.post("/cut")
def cut(code: str) -> AnyResponse:
    """Cut the next shuffle with the player's own text, or with a random one."""
    return do(code, lambda p: start_match.cut(tables(), code, p, request.form.get("cut", "")))


@bp.post("/start")
def start(code: str) -> AnyResponse:
    """Start the match without waiting for every player to be ready."""
    return do(code, lambda p: start_match.start(tables(), code, p))


@bp.get("/leave")
def ways(code: str) -> AnyResponse:
    """Show the actions that must not be chosen by accident: pausing, a stand-in bot, ending the
    match, resigning.
    """
    snapshot = tables().get(code, key_hash())
    if snapshot.me is None:
        return to_page(snapshot)
    page = table_page(snapshot)
    return make_response(rendered("table_page/leave.html", page, proposals=proposals(snapshot)))


@bp.post("/leave")
def leave(code: str) -> AnyResponse:
    """Leave the table. During a match this means resigning, which must be confirmed first."""
    snapshot = tables().get(code, key_hash())
    if snapshot.table.playing and snapshot.me is not None and not sure():
        return redirect(url_for("table.ways", code=code), 303)
    return do(code, lambda p: leaving.leave(tables(), code, p), snapshot)
