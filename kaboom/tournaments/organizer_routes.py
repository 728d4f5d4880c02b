"""The organiser's page: beginning the tournament, adding bots, rulings."""

from flask import make_response, request
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.bots.bot import Level
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState
from kaboom.tables.context import tables
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.reader import asked_for, bp, me, shown_anew
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Number, Ruling, Verb
from kaboom.tournaments.texts import VERBS, called, rulings, state
from kaboom.web import rate_limits
from kaboom.web.forms import chosen, number
from kaboom.web.session import command


@bp.get("/<code>/manage")
def run(code: str) -> AnyResponse:
    """Show the organiser's page."""
    return _run(asked_for(code))


@bp.post("/<code>/manage")
@rate_limits.both(player="30 per minute", address="60 per minute")
def rule(code: str) -> AnyResponse:
    """Open check-in, begin the tournament, add bots, or make a public ruling."""
    form, seen = request.form, asked_for(code)
    what, _unused, about = form.get("do", "").partition(" ")
    host = me()[0] or 0
    try:
        organizer.require_organizer(seen, host)
        if what == "check-in":  # separate, so that a second press does not begin it as well
            organizer.open_check_in(tables(), code, host, command())
        elif what == "begin":
            organizer.begin(tables(), code, host, command())
        elif what == "bots":
            level = chosen(form.get("level"), Level.NORMAL)
            tournaments.add_bots(tables(), code, host, number(form.get("count")), level, command())
        else:
            ruling = _ruling(seen, what, about)
            organizer.rule(tables(), code, host, ruling, command())
    except Refusal as no:
        return _run(seen, no.status, str(no))
    page = "tournaments.show" if form.get("from") == "show" else "tournaments.run"
    return shown_anew(page, seen)


def _ruling(seen: TournamentSnapshot, what: str, about: str) -> Ruling:
    """Return the submitted ruling; raises InvalidState if it is not valid."""
    form = request.form
    if what not in {*Verb}:
        raise InvalidState(_("There is no such action."))
    verb, why = Verb(what), form.get("why", "")
    typed = (number(form.get(name), otherwise=0, digits=6) for name in ("one", "two"))
    entrants = tuple(it for it in typed if it)
    last = len(seen.of.rounds)
    match verb:
        case Verb.UNDO:
            return Ruling(verb, why, undone=number(about, otherwise=0))
        case Verb.EXTEND:
            return Ruling(verb, why, round=last, minutes=number(form.get("minutes"), otherwise=0))
        case Verb.REMOVE:
            return Ruling(verb, why, entrants=entrants[:1])
        case Verb.APART | Verb.SWAP:
            return Ruling(verb, why, entrants=entrants, round=last if verb == Verb.SWAP else 0)
        case Verb.RESULT:
            round, pod = number(form.get("round"), otherwise=last), number(form.get("table")) - 1
            there: tuple[Number, ...] = ()
            if 1 <= round <= last and 0 <= pod < len(seen.of.rounds[round - 1].pods):
                there = seen.of.rounds[round - 1].pods[pod].entrants
            places = [number(it) for it in form.get("places", "").split()]
            return Ruling(verb, why, round=round, pod=pod, seats=organizer.places_of(there, places))
        case _:
            return Ruling(verb, why, round=last if verb == Verb.PAIR else 0)


def _run(seen: TournamentSnapshot, status: int = 200, wrong: str = "") -> AnyResponse:
    try:
        organizer.require_organizer(seen, me()[0])
    except Refusal as no:
        page = render("tournaments/organize.html", seen=seen, wrong=str(no), mine=False)
        return make_response(page, no.status)
    if wrong:
        seen = get_tournament(tables(), seen.code)
    of = seen.of
    page = render(
        "tournaments/organize.html",
        seen=seen,
        mine=True,
        wrong=wrong,
        of=of,
        state=state(seen),
        waiting=of.waiting(),
        people=of.field or of.waiting(),
        called=lambda it: called(seen, it),
        rulings=rulings(seen),
        step=pairing.next_step(of),
        ready=len(pairing.entered(of)),
        least=pairing.LEAST,
        verbs=VERBS,
        tried=request.form.get("do", "").partition(" ")[0] if wrong else "",
        typed=request.form,
    )
    return make_response(page, status)
