"""The rounds of a tournament, its standings and its bracket, a page each."""

from collections.abc import Mapping

from flask import abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.i18n import mark, say
from kaboom.tables.context import tables
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.pages import (
    computed_once,
    drawn_once,
    pods_part,
    standing_lines,
    standings_part,
)
from kaboom.tournaments.reader import asked_for, bp, reader_of
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.bracket import MOST as MOST_DRAWN
from kaboom.tournaments.rules.bracket import Picture, picture
from kaboom.tournaments.rules.events import Format, Number
from kaboom.tournaments.rules.knockout import Feeder
from kaboom.tournaments.texts import called
from kaboom.web.forms import number

A_PAGE = 50  # lines of the standings
# The colours of the style sheet, which a picture cannot see.
INKS = {
    "light": {"ink": "#22282b", "soft": "#575f63", "line": "#8a867b", "panel": "#fffdf7"},
    "dark": {"ink": "#ece8de", "soft": "#abb2b3", "line": "#737b7e", "panel": "#1c2224"},
}


@bp.get("/<code>/table/<int(max=9999):round>/<int(max=9999):pod>")
def table(code: str, round: int, pod: int) -> AnyResponse:
    """Go to a table of a round: where it is played, or how it was."""
    seen = asked_for(code)
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, say("There is no such round."))
    made = seen.of.rounds[round - 1]
    rows = tables().database.read(lambda c: store.pods_of(c, seen.row.id, made.pairing))
    found = next((it.code for it in rows if it.number == pod - 1), None)
    if found is None:
        return redirect(url_for("tournaments.round_page", code=code, round=round), 303)
    return redirect(url_for("table.show", code=found), 303)


@bp.get("/<code>/round/<int(max=9999):round>")
def round_page(code: str, round: int) -> AnyResponse:
    """All tables of a round, as a list."""
    seen = asked_for(code)
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, say("There is no such round."))
    pods = drawn_once(seen, f"round {round}", lambda: pods_part(seen, seen.of.rounds[round - 1]))
    page = render("tournaments/round.html", seen=seen, round=round, pods=pods)
    return make_response(page)


@bp.get("/<code>/standings")
def standings_page(code: str) -> AnyResponse:
    """The standings, fifty a page; `find` leads to the page somebody is on."""
    seen = asked_for(code)
    reader = reader_of(seen)
    last = max(0, (len(seen.of.field) - 1) // A_PAGE)
    page = min(max(0, number(request.args.get("page"), otherwise=0)), last)
    if request.args.get("find") == "me" and reader.number in seen.of.field:
        order = [it.entrant for it in standing_lines(seen)]
        page = order.index(reader.number) // A_PAGE
    lines = drawn_once(seen, f"standings {page}", lambda: standings_part(seen, page, A_PAGE))
    return make_response(
        render(
            "tournaments/standings.html",
            seen=seen,
            reader=reader,
            lines=lines,
            number=page,
            last=last,
            met=_meetings(seen),
        )
    )


def _meetings(seen: TournamentSnapshot) -> dict[int, int]:
    """Return for a league how many pairs have met how often."""
    of = seen.of
    if of.settings.format != Format.LEAGUE or not of.rounds or len(of.field) > 64:
        return {}
    found = computed_once(seen, "meetings", lambda: course.meetings(of))
    return dict(sorted(found.items()))


@bp.get("/<code>/bracket")
def bracket(code: str) -> AnyResponse:
    """The bracket of a knockout, drawn and as lists."""
    seen = asked_for(code)
    if seen.of.settings.format != Format.KNOCKOUT or not seen.of.begun:
        abort(404, say("There is no bracket yet."))
    listed = drawn_once(
        seen, "bracket", lambda: _bracket(seen, "tournaments/fragments/bracket.html")
    )
    small = len(_picture(seen).rounds()[0]) <= MOST_DRAWN
    return make_response(render("tournaments/bracket.html", seen=seen, lists=listed, small=small))


@bp.get("/<code>/bracket.svg")
def bracket_drawn(code: str) -> AnyResponse:
    """The bracket as a picture, in light or dark colours."""
    seen = asked_for(code)
    if seen.of.settings.format != Format.KNOCKOUT or not seen.of.begun:
        abort(404, say("There is no bracket yet."))
    shade = "dark" if request.args.get("look") == "dark" else "light"
    drawn = drawn_once(
        seen, shade, lambda: _bracket(seen, "tournaments/fragments/bracket.svg", INKS[shade])
    )
    response = make_response(drawn)
    response.mimetype = "image/svg+xml"
    return response


def _picture(seen: TournamentSnapshot) -> Picture:
    return computed_once(seen, "bracket", lambda: picture(seen.of))


def _bracket(seen: TournamentSnapshot, template: str, ink: Mapping[str, str] | None = None) -> str:
    return render(
        template,
        drawn=_picture(seen),
        ink=ink,
        slot=lambda it: _slot(seen, it.entrant, it.feeder),
    )


def _slot(seen: TournamentSnapshot, entrant: Number, feeder: Feeder | None) -> str:
    """Return who is in a place of the bracket, or who comes there."""
    if feeder is None:
        return called(seen, entrant)
    ranks = (
        mark("first of table {table}"),
        mark("second of table {table}"),
        mark("third of table {table}"),
        mark("fourth of table {table}"),
    )
    return say(ranks[feeder.rank], table=feeder.pod + 1)
