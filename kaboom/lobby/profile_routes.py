"""One's own page: what leads to one's other pages, what one has played, and forgetting it."""

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState
from kaboom.lobby import presets
from kaboom.records.routes import library
from kaboom.tables.context import tables
from kaboom.web import limits
from kaboom.web.forms import number
from kaboom.web.session import all_shared, drop_shared, key_hash, take_key_away

bp = Blueprint("me", __name__)

PAGE = 20


@bp.get("/me")
def show() -> str:
    """A player's own matches: how many, which places, the latest ones with their records."""
    return _page(max(1, number(request.args.get("page"), digits=5)))


@bp.post("/me/forget")
@limits.both(player="20 per hour", address="60 per hour")
def forget() -> Response:
    """Forget a player's statistics; with `all` also the name and who this browser is."""
    everything = request.form.get("what") == "all"
    if request.form.get("sure") != "1":
        sentence = say("Tick the box first: this cannot be undone.")
        return make_response(_page(1, sentence), 422)
    try:
        if everything:
            others = [hash_of(key) for _, shared in all_shared() for key in shared.keys]
            library().forget(*others, key_hash())
        else:
            library().forget_statistics(key_hash())
    except InvalidState as no:
        return make_response(_page(1, str(no)), 422)
    answer = redirect(url_for("pages.home") if everything else url_for("me.show"), 303)
    if everything:
        drop_shared(answer, [code for code, _ in all_shared()])
        take_key_away(answer)
    return answer


def _page(number: int, wrong: str = "") -> str:
    sets = presets.count(tables(), key_hash())
    mine = library().statistics(key_hash(), PAGE, (number - 1) * PAGE)
    html: str = render("lobby/profile.html", mine=mine, sets=sets, number=number, wrong=wrong)
    return html
