"""One tournament, as who plays in it or looks at it sees it: its page, and the forms there."""

from collections.abc import Callable
from math import inf
from typing import Any

from flask import Response, abort, make_response, request, url_for
from flask import render_template as render
from msgspec import Raw
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.engine.codec import to_json
from kaboom.engine.hash_chain import canonical
from kaboom.engine.i18n import say, spoken_now
from kaboom.engine.moves import Refusal
from kaboom.engine.options import notable
from kaboom.engine.toolkit.cards import joined
from kaboom.errors import InvalidState
from kaboom.tables.context import tables
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as commands
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.changes import look
from kaboom.tournaments.pages import (
    computed_once,
    drawn_once,
    next_step,
    pods_part,
    standing_lines,
    standings_part,
    still_on,
)
from kaboom.tournaments.reader import Reader, asked_for, bp, me, reader_of, shown_anew
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.bracket import MOST as MOST_DRAWN
from kaboom.tournaments.rules.events import Format, Number
from kaboom.tournaments.rules.state import OUT_AFTER
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
from kaboom.web import limits
from kaboom.web.api import responses as lists
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.schemas import Entered, Pod, Standing, Standings
from kaboom.web.forms import number
from kaboom.web.session import command
from kaboom.web.times import span


@bp.get("/<code>")
@bp.get("/<code>.json", endpoint="json")
@bp.get("/<code>.txt", endpoint="text")
def show(code: str) -> AnyResponse:
    """A tournament: what the reader has to do, the round, the standings."""
    seen = asked_for(code)
    if not by_page():
        return _told(seen)
    return _page(seen)


@bp.get("/<code>/view")
def view(code: str) -> Response:
    """What changes on that page alone; 204 when the browser has it already."""
    seen = asked_for(code)
    reader = reader_of(seen)
    mine = _my_table(seen, reader)
    if request.args.get("seen") == _version(seen, reader, mine[1]):
        return Response(status=204)
    facts = _facts(seen, reader, mine)
    return make_response(render("tournaments/fragments/tournament.html", **facts).strip())


@bp.post("/<code>")
@limits.both(player="30 per minute", address="120 per minute; 1000 per hour")
def act(code: str) -> AnyResponse:
    """Enter, check in, leave, come back."""
    what, form = request.form.get("do", ""), request.form
    seen = asked_for(code)
    try:
        if what == "enter":
            name = require_readable_name(form.get("name") or me()[1])
            if reader_of(seen).number is None:
                commands.require_no_match(seen.of)  # otherwise no key is made
                commands.require_account(tables(), seen.of, me()[0])
            player, name = players.player(tables(), ensure_key(), name)
            commands.enter(tables(), code, player, name, form.get("cut", ""), command())
        else:
            player = me()[0] or 0
            acts: dict[str, Callable[[], None]] = {
                "check-in": lambda: commands.check_in(tables(), code, player),
                "leave": lambda: commands.leave(tables(), code, player),
                "back": lambda: commands.come_back(tables(), code, player),
            }
            if what not in acts:
                raise InvalidState(say("That cannot be done now."))
            acts[what]()
    except Refusal as no:
        return _page(seen, no.status, str(no))
    return shown_anew("tournaments.show", seen)


@bp.get("/<code>/draw.json")
def draw_file(code: str) -> Response:
    """What all that is drawn follows from, as a file for the stand-alone verifier: the words of the
    field, and the seed as soon as it may be told.
    """
    seen = asked_for(code)
    if not seen.of.begun:
        abort(404, say("It has not begun yet."))
    fields = {
        "format": "kaboom draw",
        "version": 1,
        "code": seen.code,
        "commitment": seen.row.commitment,
        "seed": _seed(seen),
        "words": seen.words,
    }
    name = f"kaboom-draw-{seen.code}.json"
    return Response(
        canonical(fields),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _told(seen: TournamentSnapshot) -> Response:
    """Answer a program, or a reader of plain text, with the standings. Those of a thousand are
    long: with the tables of the last round, for which most ask, they are kept as they are sent.
    """
    last = len(seen.of.rounds)
    asked = number(request.args.get("round"), otherwise=last, digits=4)
    if asked != last:
        return lists.answer(*_standings(seen, asked))
    what = f"told {spoken_now().code}"

    def sent() -> tuple[Raw, list[str]]:
        found, text = _standings(seen, last)
        return Raw(to_json(found)), text

    return lists.answer(*computed_once(seen, what, sent))


def _standings(seen: TournamentSnapshot, round: int) -> tuple[Standings, list[str]]:
    """Return the standings and the tables of a round, and the standings as lines of text."""
    lines = standing_lines(seen) if seen.of.begun else []
    total = worth_in_all(seen, lines)
    found = Standings(
        code=seen.code,
        name=seen.of.settings.name,
        game=seen.of.settings.game,
        state=state(seen),
        round=len(seen.of.rounds),
        rounds=course.rounds(seen.of),
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
        text.append(f"{say('Entered')}: {', '.join(it.name for it in found.entered)}")
    for it in found.standings:
        have = say("no result yet") if it.points == points(None) else it.points
        text.append(f"{it.place}. {it.name}, {have}")
    return found, text


def _stage(seen: TournamentSnapshot) -> str:
    """Return in a word how far a tournament is; what its organiser has paused is as it was."""
    of = seen.of
    if of.ended:
        return "cancelled" if of.cancelled else "over"
    if of.begun:
        return "playing"
    return "check-in" if of.check_in_until else "entries"


def _entered(seen: TournamentSnapshot) -> list[Entered]:
    """Return who has entered, as long as the field is not fixed."""
    waiting = () if seen.of.begun else seen.of.waiting()
    return [Entered(it, called(seen, it)) for it in waiting]


def _pods(seen: TournamentSnapshot, round: int) -> list[Pod]:
    """Return the tables of a round by its number, none where there is no such round."""
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
            record=f"/m/{pod.record}.json" if pod.record and over[at - 1] else "",
        )
        for at, pod in enumerate(made.pods, 1)
        if pod.entrants
    ]


def _links(seen: TournamentSnapshot) -> dict[str, str]:
    at = f"/e/{seen.code}"
    found = {"self": f"{at}.json", "text": f"{at}.txt", "page": at}
    return found | ({"draw": f"{at}/draw.json"} if seen.of.begun else {})


def _page(seen: TournamentSnapshot, status: int = 200, wrong: str = "") -> AnyResponse:
    if wrong:
        seen = look(tables(), seen.code)
    reader = reader_of(seen)
    facts = _facts(seen, reader, _my_table(seen, reader))
    seed = _seed(seen)
    words = seen.cuts(seen.of.drawn) if seed else []
    page = render("tournaments/show.html", wrong=wrong, seed=seed, words=words, **facts)
    return make_response(page, status)


def _facts(
    seen: TournamentSnapshot, reader: Reader, my_table: tuple[int | None, str]
) -> dict[str, Any]:
    """Return what the page of a tournament is drawn from; `my_table` is what _my_table found."""
    of, now = seen.of, seen.table_time(tables().now())
    round = of.round
    mine, at_my_table = my_table
    step = next_step(seen)
    return {
        "seen": seen,
        "of": of,
        "reader": reader,
        "version": _version(seen, reader, at_my_table),
        "state": state(seen),
        "soon": span(step.at - now) if step is not None and step.at > now else "",
        "step": step.what if step is not None else "",
        "ends": span(ends - now) if now < (ends := _ends_at(seen)) < inf else "",
        "mine": mine,
        "at_my_table": at_my_table,
        "me": of.entrants.get(reader.number or 0),
        "may_enter": reader.number is None
        and may_enter(seen)
        and commands.is_of_its_club(tables(), seen, reader.player),
        "may_come_late": may_come_late(seen),
        "must_keep": of.settings.accounts and not commands.has_kept(tables(), reader.player),
        "out_after": OUT_AFTER,
        "knocked_out": _knocked_out(seen, reader.number),
        "waiting": of.waiting(),
        "called": lambda number: called(seen, number),
        "rounds": course.rounds(of),
        "pods": drawn_once(seen, "pods", lambda: pods_part(seen, round, MOST_DRAWN))
        if round
        else "",
        "top": drawn_once(seen, "top", lambda: standings_part(seen, 0, 20, whole=False)),
        "rulings": rulings(seen),
        "champions": [called(seen, it) for it in _champions(seen)],
        "joined": joined,
        "formats": FORMATS,
        "options": _options(seen),
    }


def _champions(seen: TournamentSnapshot) -> list[Number]:
    of = seen.of
    if not of.ended or not of.begun or of.cancelled:
        return []
    if of.settings.format == Format.KNOCKOUT:
        return course.champions(of) if of.over else []
    return [it.entrant for it in standing_lines(seen) if it.place == 1 and it.points]


def _knocked_out(seen: TournamentSnapshot, number: Number | None) -> bool:
    """Say whether the round of a knockout is played without the reader, who had begun it."""
    of, round = seen.of, seen.of.round
    if of.settings.format != Format.KNOCKOUT or round is None or number not in of.field:
        return False
    return all(number not in it.entrants for it in round.pods)


def _my_table(seen: TournamentSnapshot, reader: Reader) -> tuple[int | None, str]:
    """Return the table at which the reader plays in this round, from 1, while it has no result, and
    how far it is: before, playing, over, or "without" where a match is on to which they did not
    come.
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
    sitting = tables().look(table).table.sitting()
    return any(chair.entrant == number for _, chair in sitting)


def _version(seen: TournamentSnapshot, reader: Reader, at_my_table: str) -> str:
    step, now = next_step(seen), seen.table_time(tables().now())
    at = _ends_at(seen) if step is None else step.at
    minutes = int(max(0.0, at - now) // 60) if at < inf else 0
    who = f"{reader.number or 0}-{int(reader.host)}"
    return f"{seen.of.seq}-{seen.row.names}-{who}-{minutes}-{at_my_table}"


def _ends_at(seen: TournamentSnapshot) -> float:
    """Return when the matches that are on end by how they stand, in table time; never without a
    limit, nor while a pause holds it off.
    """

    def at() -> float:
        of, round = seen.of, seen.of.round
        if round is None or not round.waves or of.ended or of.paused or of.is_over(round):
            return inf
        return of.ends_at(round, len(round.waves) - 1)

    return computed_once(seen, "ends", at)


def _seed(seen: TournamentSnapshot) -> str:
    """Return the seed once it is over and nobody plays on; until then nothing. The cards of all
    tables follow from it.
    """
    if not seen.of.ended or seen.of.secret:
        return ""
    played = tables().database.read(lambda connection: store.is_played(connection, seen.row.id))
    return "" if played else seen.row.seed.hex()


def _options(seen: TournamentSnapshot) -> str:
    return ", ".join(f"{option.label}: {words}" for option, words in notable(seen.options))
