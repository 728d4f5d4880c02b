"""Results of the player, their friends and their clubs, as a page and as an Atom feed."""

from collections.abc import Sequence
from itertools import groupby

from flask import Blueprint, Response, abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext, speak
from kaboom.engine.moves import Refusal
from kaboom.engine.toolkit.cards import joined
from kaboom.games import GAMES
from kaboom.records import feed
from kaboom.records.feed import Place, Result
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.atom import Entry, secret_feed
from kaboom.web.atom import feed as atom_feed
from kaboom.web.forms import number
from kaboom.web.i18n import language
from kaboom.web.links import absolute, rooted
from kaboom.web.session import key_hash

bp = Blueprint("feed", __name__)

AT_ONCE = 75  # entries of an Atom document, below 20 kB; older ones are in the next


@bp.get("/feed")
def show() -> AnyResponse:
    """Show the results of the player, their friends and their clubs by day."""
    return _page()


@bp.post("/feed")
@rate_limits.both(player="30 per hour", address="120 per hour")
def change() -> AnyResponse:
    """Set whether results are shared, or create or remove the secret URL."""
    what = request.form.get("do", "")
    try:
        if what in ("share", "unshare"):
            feed.share(tables(), key_hash(), what == "share")
        elif what in ("address", "no-address"):
            secret = feed.new_address(tables(), key_hash(), what == "address")
            if secret:  # shown only now, since only its hash is stored
                made = absolute("feed.atom", secret=secret)
                return make_response(render("records/feed_address.html", address=made))
    except Refusal as no:
        return _page(no.status, str(no))
    return redirect(url_for("feed.show"), 303)


@bp.get("/feed/<secret>.atom")
@rate_limits.limiter.limit("30 per minute")
def atom(secret: str) -> Response:
    """Return the results as an Atom feed at its secret URL. Each document links to the one with
    older entries (RFC 5005).
    """
    found, page = feed.feed_at(tables(), secret), number(request.args.get("page"), 1)
    if found is None or not 1 <= page <= feed.MOST:
        abort(404)
    results, code = found
    first, end = (page - 1) * AT_ONCE, page * AT_ONCE
    speak(language(code))
    base = absolute("pages.home").rstrip("/")
    now = tables().now()
    updated = results[0][1].day if results else now - now % DAY
    entries = [_entry(mark, it, base) for mark, it in results[first:end]]
    older = f"?page={page + 1}" if len(results) > end else ""
    # The feed's own URL is left out: if it were compressed together with names that others choose,
    # it would leak through the length.
    made = atom_feed(
        "results", _("Kaboom: results"), base, f"{base}/feed", "", updated, entries, older
    )
    return secret_feed(made)


def _page(status: int = 200, wrong: str = "") -> AnyResponse:
    found = feed.feed_of(tables(), key_hash())
    results: Sequence[Result] = found.results if found else ()
    days = [
        (day, [(it, _name(it), _record(it), told(it)) for it in its])
        for day, its in groupby(results, lambda it: it.day)
    ]
    page = render("records/feed.html", feed=found, days=days, span=feed.DAYS, wrong=wrong)
    return make_response(page, status)


def _entry(mark: str, it: Result, base: str) -> Entry:
    link = f"{base}/m/{it.code}" if it.code else f"{base}/feed"
    return Entry(f"results/{mark}", f"{_name(it)}: {told(it)}", it.day, link)


def _name(it: Result) -> str:
    return GAMES[it.game].name if it.game in GAMES else it.game


def _record(it: Result) -> str:
    """Return the URL of a result's record; empty if the reader may not see it.

    Built without url_for, which for hundreds of results takes as long as the rest of the page.
    """
    return rooted(f"/m/{it.code}") if it.code else ""


def told(it: Result) -> str:
    """Return the places of a result in words."""
    if all(one.place is None for one in it.named):
        names = joined([_("you") if one.me else one.name for one in it.named])
        sentence = _("{names}, no winner", names=names)
    else:
        sentence = joined([_placed(one) for one in it.named])
    rest = []
    if it.others:
        rest.append(ngettext("{count} other", "{count} others", it.others))
    if it.bots:
        rest.append(ngettext("{count} bot", "{count} bots", it.bots))
    return (
        _("{sentence}; with {others}", sentence=sentence, others=joined(rest)) if rest else sentence
    )


def _placed(it: Place) -> str:
    if it.place == 1:
        return _("you won") if it.me else _("{name} won", name=it.name)
    if it.place is None:
        return _("you") if it.me else it.name
    if it.me:
        return _("you finished in place {place}", place=it.place)
    return _("{name} finished in place {place}", name=it.name, place=it.place)
