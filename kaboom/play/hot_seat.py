"""Pass and play: several people at one browser, each on a chair of their own, a curtain between.

Each has a key; a cookie for the table holds those of all but the browser's own player, and whose
view is shown. While it is nobody's the curtain is down: then no page of the table is shown but this
one, which is the same whatever anybody holds (docs/decisions/0019-pass-and-play.md).
"""

import secrets
from dataclasses import dataclass, replace

from flask import Blueprint, Flask, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.play.controls import put
from kaboom.tables import votes
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import limits
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

KEPT = 30 * 24 * 3600  # seconds a browser remembers who shares it at a table
OPEN = ("passing", "screen")  # what is shown while the curtain is down: nobody's cards


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who shares the browser: which one, on which seat, whether it is their turn, and
    whether a vote waits for their answer.
    """

    which: int
    seat: Seat
    name: str
    waited_for: bool
    asked: bool

    @property
    def next(self) -> bool:
        """Say whether they are to take the phone, as far as everybody may know that."""
        return self.waited_for or self.asked


def init_app(app: Flask) -> None:
    """Keep the curtain in front of every page of a table, and let it fall after a turn."""
    app.before_request(behind_the_curtain)
    app.after_request(fall_after_a_turn)
    app.jinja_env.globals["shared_here"] = shared_here


def behind_the_curtain() -> Response | None:
    """Redirect every other page of the table to the curtain, while it is down."""
    shared = shared_here()
    if shared is None or shared.shown is not None or request.blueprint in OPEN:
        return None
    return _to_curtain(code_asked())


def fall_after_a_turn(response: Response) -> Response:
    """Let the curtain fall when a press has ended one's turn and begun that of another here."""
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
    """The curtain; or, if nobody shares the browser yet, how to do that."""
    return curtain(code)


@bp.post("")
@limits.both(player="120 per minute", address="600 per minute")
def turn(code: str) -> Response:
    """Let the curtain fall, or show the view of whoever has taken the phone."""
    shared = shared_here()
    if shared is None:
        return curtain(code, say("Nobody else plays on this device yet."), 422)
    if request.form.get("do") == "hide":
        return _fallen(code, shared)
    which = number(request.form.get("who"))
    if which not in [it.which for it in holders_of(seen_by_shared(code, shared), shared)]:
        return curtain(code, say("Nobody with that chair plays on this device."), 422)
    answer = redirect(url_for("table.show", code=code, p=secrets.token_hex(4)), 303)
    return keep_shared(answer, code, replace(shared, shown=which))


def _to_curtain(code: str) -> Response:
    """Lead to the curtain: an open page asks for itself again, and is led there."""
    if request.headers.get("HX-Request") == "true":
        return make_response("", 200, {"HX-Refresh": "true"})
    return redirect(url_for("passing.show", code=code), 303)


def _fallen(code: str, shared: Shared) -> Response:
    return keep_shared(_to_curtain(code), code, replace(shared, shown=None))


def keep_shared(answer: Response, code: str, shared: Shared) -> Response:
    """Return an answer that has the browser keep who shares it at a table."""
    # The cookie changes with each passing on: browsers then drop what they keep for going back.
    keep_cookie(answer, PASSED + code, shared.written(), KEPT)
    return answer


def seen_by_shared(code: str, shared: Shared) -> TableSnapshot:
    """Return the table as the first of those who share the browser may find it."""
    for key in shared.hashes():
        seen = tables().looks(code, [key])[0] if key else None
        if seen is not None and seen.me is not None:
            return seen
    return tables().look(code, key_hash())


def holders_of(snapshot: TableSnapshot, shared: Shared) -> list[Holder]:
    """Return who shares the browser and sits at the table.

    Only for whom all may see that the table waits is said to be next: who else owes an answer may
    be a secret.
    """
    waited, found = snapshot.waiting_for(), []
    for which, seen in enumerate(tables().looks(snapshot.code, shared.hashes())):
        seat = None if seen is None else snapshot.table.seat_of(seen.player)
        if seat is not None:
            name, asked = snapshot.table.chair(seat).name, votes.waits_for(snapshot.table, seat)
            found.append(Holder(which, seat, name, seat in waited, asked is not None))
    return found


def curtain(code: str, wrong: str = "", status: int = 200) -> Response:
    """Return the page of the curtain, with what was wrong."""
    shared = shared_here()
    snapshot = seen_by_shared(code, shared or Shared())
    holders = holders_of(snapshot, shared or Shared())
    page = render(
        "play/hot_seat.html",
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
