"""The host's settings for a table, on a separate page: seats, options, access.

Every player at the table may read it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.engine.options import InvalidOptions, described, read, seating_of, short
from kaboom.errors import invalid_field
from kaboom.lobby import preset_routes, presets, table_settings
from kaboom.table_page.responses_api import refusal, shown
from kaboom.tables.context import tables
from kaboom.tables.forms.options_form import bots_wished, choices, options_sent, query_of, wished
from kaboom.tables.permissions import require_host
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import problem
from kaboom.web.context import clean_code
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number
from kaboom.web.session import key_hash

bp = Blueprint("host", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


@bp.get("/options")
def options(code: str) -> AnyResponse:
    """Show the table's options and, for the host, what can be arranged."""
    return _page(tables().get(code, key_hash()))


@bp.post("/options")
def change_options(code: str) -> AnyResponse:
    """Change the options of the next match; with `keep`, continue to the page that saves them as a
    preset.
    """
    snapshot = tables().get(code, key_hash())
    if "keep" in request.form:
        try:
            return preset_routes.to_name(
                snapshot.game, read(snapshot.game.options, request.form), code
            )
        except InvalidOptions as bad:
            return _page(snapshot, 422, wrong=bad.sentences, values=request.form)

    def work(player: int) -> TableSnapshot:
        wished = options_sent(snapshot.game)
        days = number(request.form.get("days"), -1) if "days" in request.form else None
        bank = number(request.form.get("bank"), -1) if "bank" in request.form else None
        return table_settings.change_options(tables(), code, player, wished, days, bank)

    return _do(snapshot, work)


@bp.post("/seats")
def seats(code: str) -> AnyResponse:
    """Swap two seats, shuffle all, or make another player the host."""
    snapshot = tables().get(code, key_hash())
    what, *which = request.form.get("do", "").split(" ")
    chairs = [number(text) for text in which]

    def work(player: int) -> TableSnapshot:
        if any(it not in range(len(snapshot.table.chairs)) for it in chairs):
            raise invalid_field("do", _("There is no such seat."))
        if what == "swap" and len(chairs) == 2:
            return table_settings.move_chair(tables(), code, player, *chairs)
        if what == "host" and len(chairs) == 1:
            return table_settings.give_host(tables(), code, player, *chairs)
        if what == "shuffle":
            return table_settings.shuffle_chairs(tables(), code, player)
        raise invalid_field("do", _("Swap two seats, shuffle them all, or choose another host."))

    return _do(snapshot, work)


@bp.post("/door")
@rate_limits.both(player="10 per minute; 60 per hour", address="30 per minute; 300 per hour")
def access(code: str) -> AnyResponse:
    """Set whether the table is listed and who may enter."""
    form = request.form
    snapshot = tables().get(code, key_hash())
    listed, password = form.get("listed") == "1", form.get("password", "")
    unlocked = form.get("unlocked") == "1"
    friends, reliable = _switch("friends"), _switch("reliable")
    return _do(
        snapshot,
        lambda p: table_settings.change_access(
            tables(), code, p, listed, password, unlocked, friends, reliable
        ),
    )


def _switch(name: str) -> bool | None:
    """Return whether a switch of the form is on; None if the form has no such switch."""
    form = request.form
    return form.get(name) == "1" if name in form or f"{name}.asked" in form else None


@bp.post("/bots")
def bots(code: str) -> AnyResponse:
    """Set the bots' pace, who may ask for hints, whether bots chat, and whether players' bots may
    sit down.
    """
    snapshot = tables().get(code, key_hash())
    wishes = bots_wished(
        request.form, snapshot.table.pace, snapshot.table.hints, snapshot.table.programs
    )
    return _do(snapshot, lambda p: table_settings.arrange_bots(tables(), code, p, *wishes), "bots")


def _do(
    snapshot: TableSnapshot, work: Callable[[int], TableSnapshot], anchor: str | None = None
) -> AnyResponse:
    try:
        require_host(snapshot.table, snapshot.player)
        assert snapshot.player is not None
        work(snapshot.player)
    except InvalidOptions as bad:
        if not wants_html():
            sentence = _("The game cannot be played with these options.")
            return problem(422, "bad-options", sentence, fields=bad.sentences)
        return _page(snapshot, 422, wrong=bad.sentences, values=request.form)
    except (Refusal, Unavailable) as no:
        fresh = tables().get(snapshot.code, key_hash())
        if not wants_html():
            return refusal(fresh, no)
        return _page(fresh, no.status, notice=sentence_of(no))
    if not wants_html():
        return shown(tables().get(snapshot.code, key_hash()))
    return redirect(url_for("host.options", code=snapshot.code, _anchor=anchor), 303)


def _page(
    snapshot: TableSnapshot,
    status: int = 200,
    notice: str = "",
    wrong: Mapping[str, str] | None = None,
    values: Mapping[str, str] | None = None,
) -> AnyResponse:
    table, game = snapshot.table, snapshot.game
    current: Any = table.options_of(game)
    possible = game.seats(current)
    wish = wished(game, current)
    asked, notice = wish.options, notice or wish.wrong
    if wish.wrong and status == 200:
        status = 422
    page = render(
        "lobby/options.html",
        snapshot=snapshot,
        game=game,
        host=snapshot.player == table.host,
        least=possible[0],
        most=possible[-1],
        choices=choices(game, asked, values, presets.own(tables(), key_hash(), game.key)),
        written=query_of(short(current)),
        seating=seating_of(current),
        pending=asked != current,
        described=described(current),
        wrong=wrong or {},
        notice=notice,
    )
    return make_response(page, status)
