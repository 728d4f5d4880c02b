"""Pages of a tournament's rounds, standings and bracket."""

from flask import abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.i18n import gettext as _
from kaboom.engine.toolkit.cards import joined
from kaboom.tables.context import tables
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.pages import (
    BRACKET_LISTS,
    as_read_by,
    best_lines,
    bracket_part,
    champions,
    computed_once,
    pods_part,
    rendered_once,
    standing_lines,
    standings_part,
)
from kaboom.tournaments.reader import asked_for, bp, reader_of
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Format, Number
from kaboom.tournaments.rules.standings import never_came
from kaboom.tournaments.texts import state
from kaboom.web.forms import number

A_PAGE = 50  # lines on a page of the standings
# The style sheet's colours, because the sheet itself does not apply within a picture.
INKS = {
    "light": {
        "ink": "#22282b",
        "soft": "#575f63",
        "wire": "#2f6858",
        "panel": "#fffdf7",
        "ahead": "#d3e3da",
    },
    "dark": {
        "ink": "#ece8de",
        "soft": "#abb2b3",
        "wire": "#2c6a60",
        "panel": "#1c2224",
        "ahead": "#25463f",
    },
}


@bp.get("/<code>/table/<int(max=9999):round>/<int(max=9999):pod>")
def table(code: str, round: int, pod: int) -> AnyResponse:
    """Redirect to a table of a round, or to the page of the round if there is no such table."""
    seen = asked_for(code)
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, _("There is no such round."))
    made = seen.of.rounds[round - 1]
    rows = tables().database.read(lambda c: store.pods_of(c, seen.row.id, made.pairing))
    found = next((it.code for it in rows if it.number == pod - 1), None)
    if found is None:
        return redirect(url_for("tournaments.round_page", code=code, round=round), 303)
    return redirect(url_for("table.show", code=found), 303)


@bp.get("/<code>/round/<int(max=9999):round>")
def round_page(code: str, round: int) -> AnyResponse:
    """Show all tables of a round as a list."""
    seen = asked_for(code)
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, _("There is no such round."))
    pods = rendered_once(seen, f"round {round}", lambda: pods_part(seen, seen.of.rounds[round - 1]))
    pods = as_read_by(pods, reader_of(seen).number)
    page = render("tournaments/round.html", seen=seen, round=round, pods=pods)
    return make_response(page)


@bp.get("/<code>/standings")
def standings_page(code: str) -> AnyResponse:
    """Show a page of the standings; `find` redirects to the page with a player."""
    seen = asked_for(code)
    reader = reader_of(seen)
    last = max(0, (len(seen.of.field) - 1) // A_PAGE)
    page = min(max(0, number(request.args.get("page"), otherwise=0)), last)
    if request.args.get("find") == "me" and reader.number in seen.of.field:
        order = [it.entrant for it in standing_lines(seen)]
        page = order.index(reader.number) // A_PAGE
    lines = rendered_once(seen, f"standings {page}", lambda: standings_part(seen, page, A_PAGE))
    return make_response(
        render(
            "tournaments/standings.html",
            seen=seen,
            reader=reader,
            lines=as_read_by(lines, reader.number),
            best=best_lines(seen) if page == 0 else [],
            champions=champions(seen),
            joined=joined,
            state=state(seen),
            place=_place(seen, reader.number),
            number=page,
            last=last,
            met=_meetings(seen),
        )
    )


def _place(seen: TournamentSnapshot, entrant: Number | None) -> int:
    """Return the place of an entrant who has a result; 0 for others."""
    found = (it for it in standing_lines(seen) if it.entrant == entrant)
    line = next(found, None) if entrant not in never_came(seen.of) else None
    return line.place if line and any(it is not None for it in line.rounds) else 0


def _meetings(seen: TournamentSnapshot) -> dict[int, int]:
    """Return the number of pairs in a league by how often they have met."""
    of = seen.of
    if of.settings.format != Format.LEAGUE or not of.rounds or len(of.field) > 64:
        return {}
    found = computed_once(seen, "meetings", lambda: pairing.meetings(of))
    return dict(sorted(found.items()))


def _require_bracket(seen: TournamentSnapshot) -> None:
    """Abort with 404 if the tournament has no bracket."""
    if seen.of.settings.format != Format.KNOCKOUT:
        abort(404, _("Only a knockout has a bracket."))
    if not seen.of.begun:
        abort(404, _("There is no bracket yet."))


@bp.get("/<code>/bracket")
def bracket(code: str) -> AnyResponse:
    """Show the bracket of a knockout as a diagram and as lists."""
    seen = asked_for(code)
    _require_bracket(seen)
    listed = rendered_once(seen, "bracket", lambda: bracket_part(seen, BRACKET_LISTS))
    listed = as_read_by(listed, reader_of(seen).number)
    return make_response(
        render(
            "tournaments/bracket.html",
            seen=seen,
            lists=listed,
            champions=champions(seen),
            joined=joined,
            state=state(seen),
        )
    )


@bp.get("/<code>/bracket.svg")
def bracket_drawn(code: str) -> AnyResponse:
    """Return the bracket as an SVG picture, in light or dark colours."""
    seen = asked_for(code)
    _require_bracket(seen)
    shade = "dark" if request.args.get("look") == "dark" else "light"
    drawn = rendered_once(
        seen, shade, lambda: bracket_part(seen, "tournaments/fragments/bracket.svg", INKS[shade])
    )
    response = make_response(drawn)
    response.mimetype = "image/svg+xml"
    return response
