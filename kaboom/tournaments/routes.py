"""The page of a tournament for its players and viewers, with its forms."""

from collections.abc import Callable
from math import inf
from typing import Any

from flask import Response, abort, make_response, request, url_for
from flask import render_template as render
from msgspec import Raw, to_builtins
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.engine.codec import to_json
from kaboom.engine.fairness.hash_chain import canonical
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import spoken_now
from kaboom.engine.moves import Refusal
from kaboom.engine.options import notable
from kaboom.engine.toolkit.cards import joined
from kaboom.errors import InvalidState
from kaboom.tables.context import tables
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.pages import (
    as_read_by,
    best_lines,
    brief_bracket,
    champions,
    computed_once,
    entrant_face,
    has_diagram,
    next_step,
    over_of,
    pods_part,
    rendered_once,
    standing_lines,
    standings_part,
    still_on,
)
from kaboom.tournaments.reader import Reader, asked_for, bp, me, reader_of, shown_anew
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.bracket import MOST as MOST_DRAWN
from kaboom.tournaments.rules.events import Format, Number
from kaboom.tournaments.rules.standings import never_came
from kaboom.tournaments.rules.state import OUT_AFTER
from kaboom.tournaments.schemas import Draw, Entered, Pod, Standing, Standings
from kaboom.tournaments.texts import (
    FORMATS,
    called,
    may_come_late,
    may_enter,
    points,
    rulings,
    state,
    worth_in_all,
)
from kaboom.web import rate_limits
from kaboom.web.api import responses
from kaboom.web.api.negotiation import wants_html
from kaboom.web.forms import number
from kaboom.web.links import rooted
from kaboom.web.session import command
from kaboom.web.times import span


@bp.get("/<code>")
@bp.get("/<code>.json", endpoint="json")
@bp.get("/<code>.txt", endpoint="text")
def show(code: str) -> AnyResponse:
    """Show a tournament: the viewer's next step, the round, the standings."""
    seen = asked_for(code)
    return _page(seen) if wants_html() else _told(seen)


@bp.get("/<code>/view")
def view(code: str) -> Response:
    """Return the changing part of a tournament's page, or 204 if it has not changed."""
    seen = asked_for(code)
    reader = reader_of(seen)
    mine = _my_table(seen, reader)
    if request.args.get("seen") == _version(seen, reader, mine[1]):
        return Response(status=204)
    facts = _facts(seen, reader, mine)
    return make_response(render("tournaments/fragments/tournament.html", **facts).strip())


@bp.post("/<code>")
@rate_limits.both(player="30 per minute", address="120 per minute; 1000 per hour")
def act(code: str) -> AnyResponse:
    """Enter, check in, leave or rejoin."""
    what, form = request.form.get("do", ""), request.form
    seen = asked_for(code)
    try:
        if what == "enter":
            name = require_readable_name(form.get("name") or me()[1])
            if reader_of(seen).number is None:
                tournaments.require_no_match(seen.of)  # checked before a player is created
                tournaments.require_account(tables(), seen.of, me()[0])
            player, name = players.player(tables(), ensure_key(), name)
            tournaments.enter(tables(), code, player, name, form.get("cut", ""), command())
        else:
            player = me()[0] or 0
            acts: dict[str, Callable[[], None]] = {
                "check-in": lambda: tournaments.check_in(tables(), code, player),
                "leave": lambda: tournaments.leave(tables(), code, player),
                "back": lambda: tournaments.come_back(tables(), code, player),
            }
            if what not in acts:
                raise InvalidState(_("There is no such action."))
            acts[what]()
    except Refusal as no:
        return _page(seen, no.status, str(no))
    return shown_anew("tournaments.show", seen)


@bp.get("/<code>/draw.json")
def draw_file(code: str) -> Response:
    """Return a JSON file for the stand-alone verifier of draws.

    The file has the contributions of the field, and the seed once it is public.
    """
    seen = asked_for(code)
    if not seen.of.begun:
        abort(404, _("This tournament has not begun yet."))
    draw = Draw(code=seen.code, commitment=seen.row.commitment, seed=_seed(seen), words=seen.words)
    name = f"kaboom-draw-{seen.code}.json"
    return Response(
        canonical(to_builtins(draw)),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _told(seen: TournamentSnapshot) -> Response:
    """Return the standings and tables of a round as JSON or text.

    The response for the last round is cached, since most clients request it and it is long.
    """
    last = len(seen.of.rounds)
    asked = number(request.args.get("round"), otherwise=last, digits=4)
    if asked != last:
        return responses.answer(*_standings(seen, asked))
    what = f"told {spoken_now().code}"

    def sent() -> tuple[Raw, list[str]]:
        found, text = _standings(seen, last)
        return Raw(to_json(found)), text

    return responses.answer(*computed_once(seen, what, sent))


def _standings(seen: TournamentSnapshot, round: int) -> tuple[Standings, list[str]]:
    """Return the standings and tables of a round, both as a schema and as lines of text."""
    lines = standing_lines(seen) if seen.of.begun else []
    total = worth_in_all(seen, lines)
    found = Standings(
        code=seen.code,
        name=seen.of.settings.name,
        game=seen.of.settings.game,
        state=state(seen),
        round=len(seen.of.rounds),
        rounds=pairing.rounds(seen.of),
        standings=[
            Standing(it.place, it.entrant, called(seen, it.entrant), total(it), it.wins)
            for it in lines
        ],
        commitment=seen.row.commitment,
        stage=_stage(seen),
        paused=seen.of.paused,
        entered=_entered(seen),
        tables=_pods(seen, round),
        links=_links(seen),
    )
    text = [f"{seen.of.settings.name}. {state(seen)}"]
    if found.entered:
        text.append(f"{_('Entered')}: {', '.join(it.name for it in found.entered)}")
    absent = never_came(seen.of)
    for it in found.standings:
        have = _("no result yet") if it.points == points(None) else it.points
        if it.number in absent:
            text.append(f"– {it.name}, {_('absent')}")
        else:
            text.append(f"{it.place}. {it.name}, {have}")
    return found, text


def _stage(seen: TournamentSnapshot) -> str:
    """Return the stage of a tournament for the API; a pause does not change it."""
    of = seen.of
    if of.ended:
        return "cancelled" if of.cancelled else "over"
    if of.begun:
        return "playing"
    return "check-in" if of.check_in_until else "entries"


def _entered(seen: TournamentSnapshot) -> list[Entered]:
    """Return the entrants until the field is fixed; from then on, an empty list."""
    waiting = () if seen.of.begun else seen.of.waiting()
    return [Entered(it, called(seen, it)) for it in waiting]


def _pods(seen: TournamentSnapshot, round: int) -> list[Pod]:
    """Return the tables of a round by its number; empty if there is no such round."""
    if not 1 <= round <= len(seen.of.rounds):
        return []
    made = seen.of.rounds[round - 1]
    over = [seen.of.result(made, pod) is not None for pod in range(len(made.pods))]
    return [
        Pod(
            number=at,
            entrants=list(pod.entrants),
            link=url_for("tournaments.table", code=seen.code, round=round, pod=at),
            over=over[at - 1],
            record=rooted(f"/m/{pod.record}.json") if pod.record and over[at - 1] else "",
        )
        for at, pod in enumerate(made.pods, 1)
        if pod.entrants
    ]


def _links(seen: TournamentSnapshot) -> dict[str, str]:
    at = rooted(f"/tournaments/{seen.code}")
    found = {"self": f"{at}.json", "text": f"{at}.txt", "page": at}
    return found | ({"draw": f"{at}/draw.json"} if seen.of.begun else {})


def _page(seen: TournamentSnapshot, status: int = 200, wrong: str = "") -> AnyResponse:
    if wrong:
        seen = get_tournament(tables(), seen.code)
    reader = reader_of(seen)
    facts = _facts(seen, reader, _my_table(seen, reader))
    seed = _seed(seen)
    words = seen.words if seed else []
    page = render("tournaments/show.html", wrong=wrong, seed=seed, words=words, **facts)
    return make_response(page, status)


def _facts(
    seen: TournamentSnapshot, reader: Reader, my_table: tuple[int | None, str]
) -> dict[str, Any]:
    """Return the template values of the page of a tournament; `my_table` comes from _my_table."""
    of, (mine, at_my_table) = seen.of, my_table
    return {
        "seen": seen,
        "of": of,
        "reader": reader,
        "version": _version(seen, reader, at_my_table),
        **_reader_facts(seen, reader),
        **_time_facts(seen),
        "mine": mine,
        "at_my_table": at_my_table,
        "state": state(seen),
        "out_after": OUT_AFTER,
        "waiting": of.waiting(),
        "ready": len(pairing.entered(of)),
        "called": lambda number: called(seen, number),
        "face": lambda number: entrant_face(seen, number),
        "rounds": pairing.rounds(of),
        "pods": _current_pods(seen, reader, my_table),
        "top": as_read_by(
            rendered_once(seen, "top", lambda: standings_part(seen, 0, 20, whole=False)),
            reader.number,
        ),
        "rulings": rulings(seen),
        "champions": champions(seen),
        "best": best_lines(seen),
        "over": over_of(seen),
        "drawn": brief_bracket(seen, reader.number) if has_diagram(seen) else "",
        "joined": joined,
        "formats": FORMATS,
        "options": _options(seen),
    }


def _reader_facts(seen: TournamentSnapshot, reader: Reader) -> dict[str, Any]:
    """Return the template values about the reader's part in a tournament."""
    of = seen.of
    return {
        "me": of.entrants.get(reader.number or 0),
        "may_enter": reader.number is None
        and may_enter(seen)
        and tournaments.is_of_its_club(tables(), seen, reader.player),
        "may_come_late": may_come_late(seen),
        "must_keep": of.settings.accounts and not tournaments.has_kept(tables(), reader.player),
        "knocked_out": _knocked_out(seen, reader.number),
    }


def _time_facts(seen: TournamentSnapshot) -> dict[str, Any]:
    """Return the template values about the next step of a tournament and the end of its round."""
    now, step, ends = seen.table_time(tables().now()), next_step(seen), _ends_at(seen)
    return {
        "soon": span(step.at - now) if step is not None and step.at > now else "",
        "step": step.what if step is not None else "",
        "ends": span(ends - now) if now < ends < inf else "",
    }


def _current_pods(
    seen: TournamentSnapshot, reader: Reader, my_table: tuple[int | None, str]
) -> str:
    """Return the tables of the current round, with the reader's own marked."""
    of, (mine, at_my_table) = seen.of, my_table
    round = of.round
    if not round:
        return ""
    return as_read_by(
        rendered_once(seen, "pods", lambda: pods_part(seen, round, MOST_DRAWN)),
        reader.number,
        mine if at_my_table == "playing" or reader.number not in of.removed() else None,
    )


def _knocked_out(seen: TournamentSnapshot, number: Number | None) -> bool:
    """Return True if an entrant of a knockout is not in its current round."""
    of, round = seen.of, seen.of.round
    if of.settings.format != Format.KNOCKOUT or round is None or number not in of.field:
        return False
    return all(number not in it.entrants for it in round.pods)


def _my_table(seen: TournamentSnapshot, reader: Reader) -> tuple[int | None, str]:
    """Return the number of the viewer's table in this round (from 1, or None) and its state.

    The state is "before", "playing", "over", or "without" if the match runs without them; empty
    once the table has a result.
    """
    round, number = seen.of.round, reader.number
    if number is None or round is None:
        return None, ""
    there = [pod for pod, it in enumerate(round.pods) if number in it.entrants]
    mine = next(iter(still_on(seen, round, there)), None)
    if mine is None:
        return None, ""
    at = (seen.row.id, round.pairing, mine)
    row = tables().database.read(lambda connection: store.pod(connection, *at))
    if row is None or row.state in store.BEFORE:
        return mine + 1, "before"
    if row.state != store.PLAYING:
        return mine + 1, "over"
    if row.code is not None and not _sits_at(row.code, number):
        return None, "without"
    return mine + 1, "playing"


def _sits_at(table: str, number: Number) -> bool:
    sitting = tables().get(table).table.sitting()
    return any(occupant.entrant == number for _unused, occupant in sitting)


def _version(seen: TournamentSnapshot, reader: Reader, at_my_table: str) -> str:
    step, now = next_step(seen), seen.table_time(tables().now())
    at = _ends_at(seen) if step is None else step.at
    minutes = int(max(0.0, at - now) // 60) if at < inf else 0
    who = f"{reader.number or 0}-{int(reader.host)}"
    return f"{seen.of.seq}-{seen.row.names}-{who}-{minutes}-{at_my_table}"


def _ends_at(seen: TournamentSnapshot) -> float:
    """Return the table time at which running matches are ended; infinite without a limit or during
    a pause.
    """

    def at() -> float:
        of, round = seen.of, seen.of.round
        if round is None or not round.waves or of.ended or of.paused or of.is_over(round):
            return inf
        return of.ends_at(round, len(round.waves) - 1)

    return computed_once(seen, "ends", at)


def _seed(seen: TournamentSnapshot) -> str:
    """Return the seed once all matches of the tournament are over, or else "".

    It must stay secret until then, because the cards at all tables are derived from it.
    """
    if not seen.of.ended or seen.of.secret:
        return ""
    played = tables().database.read(lambda connection: store.is_played(connection, seen.row.id))
    return "" if played else seen.row.seed.hex()


def _options(seen: TournamentSnapshot) -> str:
    return ", ".join(f"{option.label}: {words}" for option, words in notable(seen.options))
