"""The player's own page: links to settings, finished matches, and the deletion of the account."""

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.accounts import players
from kaboom.accounts.erase import erase
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidFields, InvalidState
from kaboom.lobby import presets
from kaboom.records.routes import library
from kaboom.social.clubs import service as clubs
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.forms import number
from kaboom.web.session import all_shared, drop_shared, key_hash, take_key_away

bp = Blueprint("me", __name__)

PAGE = 20


@bp.get("/account")
def show() -> str:
    """Show the player's own matches: totals, places, and the latest records."""
    return _page(max(1, number(request.args.get("page"), digits=5)))


@bp.post("/account/name")
@rate_limits.both(player="20 per hour", address="60 per hour")
def rename() -> Response:
    """Change the player's name, which is used in their clubs and from the next table on."""
    try:
        if known := players.known(tables(), key_hash()):
            new = players.player(tables(), key_hash(), request.form.get("name", ""))
            tables().database.write(lambda c: clubs.rename(c, known[0], known[1], new[1]))
    except InvalidFields as no:
        return make_response(_page(1, str(no), "name"), 422)
    return redirect(url_for("me.show", _anchor="h-name"), 303)


@bp.post("/account/delete")
@rate_limits.both(player="20 per hour", address="60 per hour")
def forget() -> Response:
    """Delete a player's statistics; with `what=all` erase the accounts of this browser."""
    everything = request.form.get("what") == "all"
    if request.form.get("sure") != "1":
        sentence = _("Tick the box first. This cannot be undone.")
        return make_response(_page(1, sentence), 422)
    try:
        if everything:
            others = [hash_of(key) for _unused, shared in all_shared() for key in shared.keys]
            erase(tables(), *others, key_hash())
        else:
            library().forget_statistics(key_hash())
    except InvalidState as no:
        return make_response(_page(1, str(no)), 422)
    answer = redirect(url_for("pages.home") if everything else url_for("me.show"), 303)
    if everything:
        drop_shared(answer, [code for code, _unused in all_shared()])
        take_key_away(answer)
    return answer


def _page(number: int, wrong: str = "", field: str = "") -> str:
    sets = presets.count(tables(), key_hash())
    mine = library().statistics(key_hash(), PAGE, (number - 1) * PAGE)
    html: str = render(
        "lobby/account.html", mine=mine, sets=sets, number=number, wrong=wrong, field=field
    )
    return html
