"""What a host arranges on a page of its own: the order of the seats, options, who finds the table.

Everybody at the table may read that page.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.core.codec import from_json
from kaboom.core.language import say
from kaboom.core.moves import Refusal
from kaboom.core.options import BadOptions, declared, described, read
from kaboom.store.database import Busy
from kaboom.tables import host
from kaboom.tables.errors import NotNow, NotYours
from kaboom.tables.loaded import Loaded
from kaboom.web.errors import sentence_of
from kaboom.web.fields import number
from kaboom.web.identity import key_hash
from kaboom.web.show import asked_values
from kaboom.web.table import STATUS, clean_code, tables

bp = Blueprint("host", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


@bp.get("/options")
def options(code: str) -> AnyResponse:
    """The table's options, and for the host what can be arranged."""
    return _page(tables().look(code, key_hash()))


@bp.post("/options")
def change_options(code: str) -> AnyResponse:
    """Play the next match by other options."""
    loaded = tables().look(code, key_hash())
    try:
        wished = read(loaded.game.options, request.form)
    except BadOptions as bad:
        return _page(loaded, 422, wrong=bad.sentences, values=request.form)
    return _do(loaded, lambda p: host.change_options(tables(), code, p, wished))


@bp.post("/seats")
def seats(code: str) -> AnyResponse:
    """Let two chairs change places, shuffle all, or make somebody else the host."""
    loaded = tables().look(code, key_hash())
    what, *which = request.form.get("do", "").split(" ")
    chairs = [number(text) for text in which]

    def work(player: int) -> Loaded:
        if what == "swap" and len(chairs) == 2:
            return host.move_chair(tables(), code, player, *chairs)
        if what == "host" and len(chairs) == 1:
            return host.give_host(tables(), code, player, *chairs)
        if what == "shuffle":
            return host.shuffle_chairs(tables(), code, player)
        raise NotNow(say("That cannot be done now."))

    return _do(loaded, work)


@bp.post("/door")
def door(code: str) -> AnyResponse:
    """Say who finds the table and who gets in."""
    form = request.form
    loaded = tables().look(code, key_hash())
    listed, password = form.get("listed") == "1", form.get("password", "")
    unlocked = form.get("unlocked") == "1"
    return _do(loaded, lambda p: host.change_door(tables(), code, p, listed, password, unlocked))


def _do(loaded: Loaded, work: Callable[[int], Loaded]) -> AnyResponse:
    try:
        if loaded.player is None:
            raise NotYours(say("Only the host can do that."))
        work(loaded.player)
    except (Refusal, Busy) as no:
        fresh = tables().look(loaded.code, key_hash())
        return _page(fresh, STATUS[type(no)], notice=sentence_of(no))
    return redirect(url_for("host.options", code=loaded.code), 303)


def _page(
    loaded: Loaded,
    status: int = 200,
    notice: str = "",
    wrong: Mapping[str, str] | None = None,
    values: Mapping[str, str] | None = None,
) -> AnyResponse:
    table, game = loaded.table, loaded.game
    current: Any = from_json(bytes(table.options), game.options)
    possible = game.seats(current)
    page = render(
        "options.html",
        loaded=loaded,
        game=game,
        host=loaded.player is not None and loaded.player == table.host,
        least=possible[0],
        most=possible[-1],
        declared=declared(game.options),
        described=described(current),
        values=values or asked_values(current),
        wrong=wrong or {},
        notice=notice,
    )
    return make_response(page, status)
