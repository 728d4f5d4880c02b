"""Pass and play: several people in one browser, each in a seat of their own, with a curtain between
their views.

Each player has a key. A cookie for the table stores the keys of all players but the browser's own,
and whose view is shown. While no view is shown, the curtain is down: only this page and the public
screen can be opened, which do not depend on the players' cards
(docs/decisions/0019-pass-and-play.md).
"""

import secrets
from dataclasses import dataclass, replace

from flask import Blueprint, Flask, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.table_page.controls import put
from kaboom.tables import votes
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.context import clean_code, code_asked
from kaboom.web.forms import number
from kaboom.web.session import (
    PASSED,
    Shared,
    keep_cookie,
    key_hash,
    shared_here,
)

bp = Blueprint("passing", __name__, url_prefix="/t/<code>/pass")
bp.url_value_preprocessor(clean_code)

KEPT = 30 * 24 * 3600  # seconds for which a browser remembers who shares it at a table
OPEN = ("passing", "screen")  # shown while the curtain is down: no cards


@dataclass(frozen=True, slots=True)
class SharedDevice:
    """A player who shares the browser: their index and seat, whether it is their turn, and whether
    a vote waits for their answer.
    """

    which: int
    seat: Seat
    name: str
    waited_for: bool
    asked: bool

    @property
    def next(self) -> bool:
        """Return True if this player is to take the device next, judging only by what all
        may know.
        """
        return self.waited_for or self.asked


def init_app(app: Flask) -> None:
    """Register the curtain in front of every page of a table, and lower it after each turn."""
    app.before_request(behind_the_curtain)
    app.after_request(fall_after_a_turn)
    app.jinja_env.globals["shared_here"] = shared_here


def behind_the_curtain() -> Response | None:
    """Redirect every other page of the table to the curtain while it is down."""
    shared = shared_here()
    if shared is None or shared.shown is not None or request.blueprint in OPEN:
        return None
    return _to_curtain(code_asked())


def fall_after_a_turn(response: Response) -> Response:
    """Lower the curtain when a move has ended one player's turn and begun another's in this
    browser.
    """
    if request.method != "POST" or request.blueprint != "table" or response.status_code >= 400:
        return response
    shared = shared_here()
    if shared is None or shared.shown is None:
        return response
    code = code_asked()
    waited = [it.which for it in holders_of(seen_by_shared(code, shared), shared) if it.waited_for]
    return _fallen(code, shared) if waited and shared.shown not in waited else response


@bp.get("")
def show(code: str) -> Response:
    """Show the curtain, or how to share the browser if only one player uses it."""
    return curtain(code)


@bp.post("")
@rate_limits.both(player="120 per minute", address="600 per minute")
def turn(code: str) -> Response:
    """Lower the curtain, or show the view of the player who has taken the device."""
    shared = shared_here()
    if shared is None:
        return curtain(code, _("You are the only player on this device so far."), 422)
    if request.form.get("do") == "hide":
        return _fallen(code, shared)
    which = number(request.form.get("who"))
    if which not in [it.which for it in holders_of(seen_by_shared(code, shared), shared)]:
        return curtain(code, _("No player on this device has that seat."), 422)
    answer = redirect(url_for("table.show", code=code, p=secrets.token_hex(4)), 303)
    return keep_shared(answer, code, replace(shared, shown=which))


def _to_curtain(code: str) -> Response:
    """Redirect to the curtain; an open page reloads itself and is redirected."""
    if request.headers.get("HX-Request") == "true":
        return make_response("", 200, {"HX-Refresh": "true"})
    return redirect(url_for("passing.show", code=code), 303)


def _fallen(code: str, shared: Shared) -> Response:
    return keep_shared(_to_curtain(code), code, replace(shared, shown=None))


def keep_shared(answer: Response, code: str, shared: Shared) -> Response:
    """Return the response with the cookie that stores who shares the browser at a table."""
    # The cookie changes each time the device is passed on: browsers then drop the pages kept for
    # the back button.
    keep_cookie(answer, PASSED + code, shared.written(), KEPT)
    return answer


def seen_by_shared(code: str, shared: Shared) -> TableSnapshot:
    """Return the table as seen by the first sharing player who has a seat, or else by the
    requester.
    """
    for key in shared.hashes():
        seen = tables().get_many(code, [key])[0] if key else None
        if seen is not None and seen.me is not None:
            return seen
    return tables().get(code, key_hash())


def holders_of(snapshot: TableSnapshot, shared: Shared) -> list[SharedDevice]:
    """Return the players who share the browser and sit at the table.

    A player is marked as next only if all may see that the table waits for them: the other awaited
    seats may be secret.
    """
    waited, found = snapshot.waiting_for(), []
    for which, seen in enumerate(tables().get_many(snapshot.code, shared.hashes())):
        seat = None if seen is None else snapshot.table.seat_of(seen.player)
        if seat is not None:
            name, asked = snapshot.table.occupant(seat).name, votes.waits_for(snapshot.table, seat)
            found.append(SharedDevice(which, seat, name, seat in waited, asked is not None))
    return found


def curtain(code: str, wrong: str = "", status: int = 200) -> Response:
    """Return the curtain page, with an error sentence if there is one."""
    shared = shared_here()
    snapshot = seen_by_shared(code, shared or Shared())
    holders = holders_of(snapshot, shared or Shared())
    page = render(
        "table_page/hot_seat.html",
        snapshot=snapshot,
        game=snapshot.game,
        shared=shared,
        holders=sorted(holders, key=lambda it: not it.next),
        seated=snapshot.me is not None,
        free=bool(snapshot.table.free()) and not snapshot.table.playing,
        waits=[snapshot.table.seats[seat] for seat in snapshot.waiting_for()],
        vote=put(snapshot.table, vote) if (vote := snapshot.table.vote) else "",
        wrong=wrong,
    )
    return make_response(page, status)
