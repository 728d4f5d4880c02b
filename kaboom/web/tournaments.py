"""Tournaments: a list, a page each, the forms of those who play, and an organiser's page.

What is the same for everybody is drawn once for each version of a tournament and language.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from kaboom.core.bot import Level
from kaboom.core.codec import to_json
from kaboom.core.game import Game
from kaboom.core.language import mark, say, spoken_now
from kaboom.core.moves import Refusal
from kaboom.core.options import (
    BadOptions,
    asked_values,
    contradictions,
    declared,
    notable,
    read,
)
from kaboom.core.options import limits as clocks
from kaboom.games import GAMES
from kaboom.store import tournaments as store
from kaboom.tables.boards import one_deal
from kaboom.tables.commands import keys
from kaboom.tables.commands import tournaments as commands
from kaboom.tables.conditions import must_be_readable
from kaboom.tables.errors import NotNow
from kaboom.tables.history.chain import canonical
from kaboom.tables.names import CODE_LENGTH
from kaboom.tables.seen_tournaments import NoTournament, TournamentSnapshot
from kaboom.tables.tournaments import look
from kaboom.tournaments import course
from kaboom.tournaments.bracket import MOST as MOST_DRAWN
from kaboom.tournaments.bracket import picture
from kaboom.tournaments.events import (
    Format,
    How,
    Number,
    Ruling,
    SeatResult,
    Settings,
    Spare,
    Verb,
)
from kaboom.tournaments.knockout import Feeder
from kaboom.tournaments.shares import WHOLE
from kaboom.tournaments.standings import Line, standings
from kaboom.tournaments.state import OUT_AFTER, Round
from kaboom.web import limits
from kaboom.web.choices import Choices, choices
from kaboom.web.errors import STATUS, told
from kaboom.web.fields import chosen, number
from kaboom.web.identity import command, ensure_key, key_hash
from kaboom.web.service import tables
from kaboom.web.times import span
from kaboom.web.voices import lists
from kaboom.web.voices.choice import by_page
from kaboom.web.voices.shapes import Standing, Standings

bp = Blueprint("tournaments", __name__, url_prefix="/e")

A_PAGE = 50  # lines of the standings
MOST_ROUNDS = 12  # that have a column in the standings
DRAWN = 400  # parts of pages kept by a process

FORMATS = {
    Format.SWISS: mark("Swiss: those who stand alike play each other, nobody is out"),
    Format.KNOCKOUT: mark("Knockout: who does not qualify is out"),
    Format.LEAGUE: mark("League: everybody meets everybody, as far as that can be"),
}
BEGINS = {
    0: mark("when I press a button"),
    10: mark("in 10 minutes"),
    30: mark("in half an hour"),
    60: mark("in an hour"),
    180: mark("in three hours"),
    1440: mark("in a day"),
    4320: mark("in three days"),
}
CHECK_IN = {0: mark("none"), 5: mark("5 minutes"), 20: mark("20 minutes"), 1440: mark("a day")}
LIMITS = {
    0: mark("until all have finished"),
    15: mark("15 minutes"),
    30: mark("half an hour"),
    60: mark("an hour"),
    90: mark("an hour and a half"),
    180: mark("three hours"),
}
BETWEEN = {0: mark("none"), 1: mark("a minute"), 5: mark("5 minutes"), 15: mark("15 minutes")}
MOSTS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
# The colours of the style sheet, which a picture cannot see.
INKS = {
    "light": {"ink": "#22282b", "soft": "#575f63", "line": "#8a867b", "panel": "#fffdf7"},
    "dark": {"ink": "#ece8de", "soft": "#abb2b3", "line": "#737b7e", "panel": "#1c2224"},
}
VERBS = {
    Verb.ANNOUNCE: mark("Announcement"),
    Verb.EXTEND: mark("The round is extended"),
    Verb.PAUSE: mark("Nothing new begins"),
    Verb.CLOSE: mark("Nobody may enter late any more"),
    Verb.REMOVE: mark("Removed"),
    Verb.APART: mark("Kept apart"),
    Verb.RESULT: mark("A result is set"),
    Verb.PAIR: mark("The round is paired anew"),
    Verb.SWAP: mark("Exchanged"),
    Verb.END: mark("The tournament ends"),
    Verb.UNDO: mark("A ruling is undone"),
}


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a tournament."""

    player: int | None
    name: str
    number: Number | None
    host: bool


def init_app(app: Any) -> None:
    """Keep what has been drawn, and register the pages."""
    app.extensions["kaboom.drawn"] = OrderedDict()
    app.jinja_env.filters["said_all"] = lambda values: [
        (key, say(it)) for key, it in values.items()
    ]
    app.jinja_env.filters["numbered"] = lambda values: [(it, it) for it in values]
    app.register_error_handler(NoTournament, _no_tournament)
    app.register_blueprint(bp)


def _no_tournament(error: NoTournament) -> Response:
    """No tournament has that code."""
    return told(error, 404, say("There is no tournament with that code. Ask for the link again."))


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a code as people type it; raises NoTournament for what cannot be one."""
    if values and "code" in values:
        code = values["code"].upper()
        if not re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH}}}", code):
            raise NoTournament(values["code"])
        values["code"] = code


# Finding and opening one


@bp.get("")
def index() -> AnyResponse:
    """One's own tournaments, those in the lobby, and the way to open one."""
    page = max(0, min(number(request.args.get("page"), otherwise=0), 1000))
    found, more = commands.listed(tables(), page) if listing() else ([], False)
    player, _ = _me()
    mine = commands.of_player(tables(), player) if player is not None else []
    return make_response(
        render("tournaments.html", found=found, mine=mine, number=page, more=more, line=_line)
    )


@bp.get("/new")
def new() -> AnyResponse:
    """The form with which one is opened; without a game, the games."""
    game = _game(request.args.get("game"))
    if game is None:
        club = request.args.get("club", "")
        return make_response(render("tournament_new.html", game=None, club=club))
    return _form(game, {"club": request.args.get("club", "")}, {})


@bp.post("")
@limits.both(player="5 per minute; 20 per hour", address="10 per minute; 40 per hour")
def open_one() -> AnyResponse:
    """Open a tournament; whoever does runs it."""
    form = request.form
    game = _game(form.get("game"))
    if game is None:
        abort(422, say("There is no game of that name here."))
    wrong: dict[str, str] = {}
    field, status = "who", 422
    try:
        options = read(game.options, form)
        who = must_be_readable(form.get("who", ""))
        field = "name"
        settings = _settings(game, options, wrong)
        if not wrong:
            commands.must_be_playable(settings)
            must_be_readable(settings.name)
            player, _ = keys.player(tables(), ensure_key(), who)
            listed = listing() and form.get("listed") == "1"
            code = commands.open(tables(), player, settings, listed, command())
            return redirect(url_for("tournaments.show", code=code), 303)
    except BadOptions as bad:
        wrong = bad.sentences
    except Refusal as no:
        wrong, status = {field: str(no)}, STATUS[type(no)]
    return _form(game, dict(form.items()), wrong, status)


def _settings(game: Game[Any], options: Any, wrong: dict[str, str]) -> Settings:
    """Return what the form asks for; what cannot be is said in `wrong`."""
    form = request.form
    format = chosen(form.get("format"), Format.SWISS)
    duplicate = form.get("duplicate") == "1" and game.board is not None
    if duplicate:
        options = one_deal(game, options)
        wrong |= contradictions(options)
    size = number(form.get("size"), otherwise=game.pod)
    playable = game.playable(options)
    begins = _one_of(form.get("begins"), BEGINS)
    limit = _one_of(form.get("limit"), LIMITS, 90)
    if size not in playable:
        wrong["size"] = say("By these options the game cannot be played by so many at a table.")
    if not limit and any(not it for it in unlimited(options)):
        wrong["limit"] = say(
            "Some decisions have no time limit by these options, so rounds must have one."
        )
    rounds = number(form.get("swiss_rounds") or "0", otherwise=99)
    if rounds > 20:
        wrong["swiss_rounds"] = say("Choose a number of rounds up to {most}.", most=20)
    now = tables().database.read(tables().table_time)
    return Settings(
        name=form.get("name", ""),
        game=game.key,
        options=to_json(options).decode(),
        format=format,
        size=size,
        playable=tuple(it for it in playable if it <= size) or playable,
        most=_one_of(form.get("most"), dict.fromkeys(MOSTS), 128),
        rounds=rounds if format == Format.SWISS and not wrong else 0,
        spare=Spare.HOUSE if len(playable) == 1 and playable[0] > 2 else Spare.BYE,
        begins_at=now + 60.0 * begins if begins else 0.0,
        check_in=_one_of(form.get("check_in"), CHECK_IN),
        limit=limit,
        between=_one_of(form.get("between"), BETWEEN, 1),
        late="late.asked" not in form or form.get("late") == "1",
        accounts=form.get("accounts") == "1",
        duplicate=duplicate,
        club=form.get("club", ""),
    )


def unlimited(options: Any) -> list[float]:
    """Return the time limits of options that may be left out by choosing 0."""
    times = clocks(options)
    no_limit = {it.name for it in declared(type(options)) if it.zero == "no limit"}
    return [seconds for name, seconds in times.items() if name in no_limit]


def _one_of(text: str | None, among: dict[int, Any], otherwise: int = 0) -> int:
    found = number(text, otherwise=otherwise)
    return found if found in among else otherwise


def _form(
    game: Game[Any], typed: dict[str, str], wrong: dict[str, str], status: int = 200
) -> AnyResponse:
    """The form, as it was filled in; at first with what suits a tournament of the game."""
    proposed = read(game.options, {**asked_values(game.options()), **game.contest})
    filled = {name: value for name, value in typed.items() if name != "club"}
    shown: Choices = choices(game, proposed, filled or None)
    page = render(
        "tournament_new.html",
        game=game,
        club=typed.get("club", ""),
        choices=shown,
        typed=typed,
        wrong=wrong,
        name=typed.get("who") or _me()[1],
        sizes=[it for it in range(2, 11) if it <= max(game.seats(proposed)[-1], game.pod)],
        formats=FORMATS,
        begins=BEGINS,
        check_in=CHECK_IN,
        limits=LIMITS,
        between=BETWEEN,
        mosts=MOSTS,
        may_list=listing(),
    )
    return make_response(page, 422 if wrong and status == 200 else status)


def _game(key: str | None) -> Game[Any] | None:
    return GAMES.get(key or "")


def listing() -> bool:
    """Say whether the host of the server lets tournaments be shown in the lobby."""
    return bool(current_app.config["SERVER"].tournaments_listed)


# One tournament


def _look(code: str) -> TournamentSnapshot:
    """Return a tournament; raises NoTournament, and Forbidden to who is not of its club."""
    seen = look(tables(), code)
    if not commands.may_see(tables(), seen, _me()[0]):
        abort(403, say("This tournament is for the members of its club."))
    return seen


@bp.get("/<code>")
def show(code: str) -> AnyResponse:
    """A tournament: what the reader has to do, the round, the standings."""
    seen = _look(code)
    if not by_page():
        return _told(seen)
    return _page(seen)


@bp.get("/<code>/view")
def view(code: str) -> Response:
    """What changes on that page alone; 204 when the browser has it already."""
    seen = _look(code)
    reader = _reader(seen)
    if request.args.get("seen") == _version(seen, reader):
        return Response(status=204)
    return make_response(render("fragments/tournament.html", **_facts(seen, reader)).strip())


@bp.post("/<code>")
@limits.both(player="30 per minute", address="120 per minute; 1000 per hour")
def act(code: str) -> AnyResponse:
    """Enter, check in, leave, come back."""
    what, form = request.form.get("do", ""), request.form
    seen = _look(code)
    try:
        if what == "enter":
            name = must_be_readable(form.get("name") or _me()[1])
            if _reader(seen).number is None:
                commands.must_be_open(seen.of)  # otherwise no key is made
            player, name = keys.player(tables(), ensure_key(), name)
            commands.enter(tables(), code, player, name, form.get("cut", ""), command())
        else:
            player = _me()[0] or 0
            acts: dict[str, Callable[[], None]] = {
                "check-in": lambda: commands.check_in(tables(), code, player),
                "leave": lambda: commands.leave(tables(), code, player),
                "back": lambda: commands.come_back(tables(), code, player),
            }
            if what not in acts:
                raise NotNow(say("That cannot be done now."))
            acts[what]()
    except Refusal as no:
        return _page(seen, STATUS[type(no)], str(no))
    return redirect(url_for("tournaments.show", code=code), 303)


@bp.get("/<code>/table/<int(max=99):round>/<int(max=9999):pod>")
def table(code: str, round: int, pod: int) -> AnyResponse:
    """Go to a table of a round: where it is played, or how it was."""
    seen = _look(code)
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, say("There is no such round."))
    made = seen.of.rounds[round - 1]
    rows = tables().database.read(lambda c: store.pods_of(c, seen.row.id, made.pairing))
    found = next((it.code for it in rows if it.number == pod - 1), None)
    if found is None:
        return redirect(url_for("tournaments.round_page", code=code, round=round), 303)
    return redirect(url_for("table.show", code=found), 303)


@bp.get("/<code>/round/<int(max=99):round>")
def round_page(code: str, round: int) -> AnyResponse:
    """All tables of a round, as a list."""
    seen = _look(code)
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, say("There is no such round."))
    pods = _drawn(seen, f"round {round}", lambda: _pods(seen, seen.of.rounds[round - 1]))
    page = render("tournament_round.html", seen=seen, round=round, pods=pods)
    return make_response(page)


@bp.get("/<code>/standings")
def standings_page(code: str) -> AnyResponse:
    """The standings, fifty a page; `find` leads to the page somebody is on."""
    seen = _look(code)
    reader = _reader(seen)
    last = max(0, (len(seen.of.field) - 1) // A_PAGE)
    page = min(max(0, number(request.args.get("page"), otherwise=0)), last)
    if request.args.get("find") == "me" and reader.number in seen.of.field:
        order = [it.entrant for it in _standings(seen)]
        page = order.index(reader.number) // A_PAGE
    lines = _drawn(seen, f"standings {page}", lambda: _lines(seen, page, A_PAGE))
    return make_response(
        render(
            "tournament_standings.html",
            seen=seen,
            reader=reader,
            lines=lines,
            number=page,
            last=last,
            met=_meetings(seen),
        )
    )


@bp.get("/<code>/bracket")
def bracket(code: str) -> AnyResponse:
    """The bracket of a knockout, drawn and as lists."""
    seen = _look(code)
    if seen.of.settings.format != Format.KNOCKOUT or not seen.of.begun:
        abort(404, say("There is no bracket yet."))
    listed = _drawn(seen, "bracket", lambda: _bracket(seen, "fragments/bracket.html"))
    small = len(picture(seen.of).rounds()[0]) <= MOST_DRAWN
    return make_response(render("tournament_bracket.html", seen=seen, lists=listed, small=small))


@bp.get("/<code>/bracket.svg")
def bracket_drawn(code: str) -> AnyResponse:
    """The bracket as a picture, in light or dark colours."""
    seen = _look(code)
    if seen.of.settings.format != Format.KNOCKOUT or not seen.of.begun:
        abort(404, say("There is no bracket yet."))
    shade = "dark" if request.args.get("look") == "dark" else "light"
    drawn = _drawn(seen, shade, lambda: _bracket(seen, "fragments/bracket.svg", INKS[shade]))
    response = make_response(drawn)
    response.mimetype = "image/svg+xml"
    return response


@bp.get("/<code>/draw.json")
def draw_file(code: str) -> Response:
    """What all that is drawn follows from, as a file for the stand-alone verifier: the words of the
    field, and the seed as soon as it may be told.
    """
    seen = _look(code)
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
    """Answer a program, or a reader of plain text, with the standings."""
    lines = _standings(seen) if seen.of.begun else []
    total = _total(seen)
    found = Standings(
        code=seen.code,
        name=seen.of.settings.name,
        game=seen.of.settings.game,
        state=_state(seen),
        round=len(seen.of.rounds),
        rounds=course.rounds(seen.of),
        standings=[
            Standing(it.place, it.entrant, called(seen, it.entrant), total(it.points), it.wins)
            for it in lines
        ],
    )
    text = [f"{seen.of.settings.name}. {_state(seen)}"]
    text += [f"{it.place}. {it.name}, {it.points}" for it in found.standings]
    return lists.answer(found, text)


def _page(seen: TournamentSnapshot, status: int = 200, wrong: str = "") -> AnyResponse:
    if wrong:
        seen = look(tables(), seen.code)
    facts = _facts(seen, _reader(seen))
    seed = _seed(seen)
    words = seen.cuts(seen.of.drawn) if seed else []
    page = render("tournament.html", wrong=wrong, seed=seed, words=words, **facts)
    return make_response(page, status)


def _facts(seen: TournamentSnapshot, reader: Reader) -> dict[str, Any]:
    """Return what the page of a tournament is drawn from."""
    of, now = seen.of, seen.table_time(tables().now())
    round = of.round
    mine = _my_pod(seen, reader.number, round)
    step = _next_step(seen)
    return {
        "seen": seen,
        "of": of,
        "reader": reader,
        "version": _version(seen, reader),
        "state": _state(seen),
        "soon": span(step.at - now) if step is not None and step.at > now else "",
        "step": step.what if step is not None else "",
        "mine": mine,
        "dealt": _is_dealt(round, mine),
        "me": of.entrants.get(reader.number or 0),
        "may_enter": reader.number is None and _may_enter(seen),
        "out_after": OUT_AFTER,
        "knocked_out": _knocked_out(seen, reader.number),
        "waiting": of.waiting(),
        "called": lambda number: called(seen, number),
        "rounds": course.rounds(of),
        "pods": _drawn(seen, "pods", lambda: _pods(seen, round, MOST_DRAWN)) if round else "",
        "top": _drawn(seen, "top", lambda: _lines(seen, 0, 20, whole=False)) if of.begun else "",
        "rulings": _rulings(seen),
        "champions": [called(seen, it) for it in _champions(seen)],
        "formats": FORMATS,
        "options": _options(seen),
    }


def _champions(seen: TournamentSnapshot) -> list[Number]:
    of = seen.of
    if not of.ended or not of.begun or of.cancelled:
        return []
    if of.settings.format == Format.KNOCKOUT:
        return course.champions(of) if of.over else []
    return [it.entrant for it in _standings(seen) if it.place == 1]


def _may_enter(seen: TournamentSnapshot) -> bool:
    of = seen.of
    return not of.ended and (not of.begun or course.may_enter_late(of))


def _knocked_out(seen: TournamentSnapshot, number: Number | None) -> bool:
    """Say whether the round of a knockout is played without the reader, who had begun it."""
    of, round = seen.of, seen.of.round
    if of.settings.format != Format.KNOCKOUT or round is None or number not in of.field:
        return False
    return all(number not in it.entrants for it in round.pods)


def _my_pod(seen: TournamentSnapshot, number: Number | None, round: Round | None) -> int | None:
    """Return the table at which the reader plays in this round, from 1, while it is open."""
    if number is None or round is None:
        return None
    there = [pod for pod, it in enumerate(round.pods) if number in it.entrants]
    return next((pod + 1 for pod in _on(seen, round, there)), None)


def _on(seen: TournamentSnapshot, round: Round, among: Sequence[int]) -> set[int]:
    """Return which of these pods of a round are played, or can be; they are numbered from 0."""
    of = seen.of
    found = {
        pod
        for pod in among
        if of.result(round, pod) is None and round.wave_of(pod) < len(round.waves)
    }
    if found and of.ended:  # what was not begun then is not played
        rows = tables().database.read(lambda c: store.pods_of(c, seen.row.id, round.pairing))
        found &= {it.number for it in rows if it.state in (store.PLAYING, store.ENDED)}
    return found


def _is_dealt(round: Round | None, mine: int | None) -> bool:
    """Say whether the reader's table has been dealt the cards that others have, too."""
    if round is None or mine is None:
        return False
    return bool(round.waves[round.wave_of(mine - 1)].dealt_at)


def _version(seen: TournamentSnapshot, reader: Reader) -> str:
    step, now = _next_step(seen), seen.table_time(tables().now())
    minutes = int(max(0.0, step.at - now) // 60) if step is not None else 0
    who = f"{reader.number or 0}-{int(reader.host)}"
    return f"{seen.of.seq}-{seen.row.names}-{who}-{minutes}"


def _seed(seen: TournamentSnapshot) -> str:
    """Return the seed once it is over and nobody plays on; until then nothing. The cards of all
    tables follow from it.
    """
    if not seen.of.ended or seen.of.secret:
        return ""
    played = tables().database.read(lambda connection: store.is_played(connection, seen.row.id))
    return "" if played else seen.row.seed.hex()


def _state(seen: TournamentSnapshot) -> str:
    """Return in a sentence how far a tournament is."""
    of = seen.of
    if of.cancelled:
        return say("Cancelled: there were too few to play.")
    if of.ended:
        return say("It is over.")
    if of.paused:
        return say("The organiser has paused it.")
    if not of.begun:
        if of.check_in_until:
            return say("Check-in is open: whoever wants to play says so now.")
        return say("Entries are open.")
    if of.round is None:
        return say("It begins.")
    return say("Round {round} of {rounds}.", round=of.round.number, rounds=course.rounds(of))


def _line(seen: TournamentSnapshot) -> dict[str, Any]:
    """Return what a list shows of a tournament."""
    settings = seen.of.settings
    return {
        "code": seen.code,
        "name": settings.name,
        "game": GAMES[settings.game].name if settings.game in GAMES else settings.game,
        "state": _state(seen),
        "entered": len(seen.of.waiting()),
        "most": settings.most,
        "open": _may_enter(seen),
    }


def _options(seen: TournamentSnapshot) -> str:
    return ", ".join(f"{option.label}: {words}" for option, words in notable(seen.options))


# What is drawn once


def _drawn(seen: TournamentSnapshot, part: str, draw: Callable[[], str]) -> Markup:
    """Return a part that is the same for everybody, drawn once a version and language."""
    found: Markup = _once(seen, part, lambda: Markup(draw()))
    return found


def _next_step(seen: TournamentSnapshot) -> course.Next | None:
    """Return what comes next by itself, found once a version: every open page asks for it."""
    found: tuple[course.Next | None] = _once(seen, "next", lambda: (course.next_step(seen.of),))
    return found[0]


def _once(seen: TournamentSnapshot, part: str, make: Callable[[], Any]) -> Any:
    kept: OrderedDict[tuple[Any, ...], Any] = current_app.extensions["kaboom.drawn"]
    key = (seen.row.id, seen.code, seen.of.seq, seen.row.names, spoken_now().code, part)
    found = kept.get(key)
    if found is None:
        found = kept[key] = make()
        while len(kept) > DRAWN:
            kept.popitem(last=False)
    return found


def _standings(seen: TournamentSnapshot) -> list[Line]:
    return standings(seen.of, seen.draw())


def _lines(seen: TournamentSnapshot, page: int, size: int, whole: bool = True) -> str:
    shown = _standings(seen)[page * size : (page + 1) * size]
    return render(
        "fragments/standings.html",
        lines=shown,
        rounds=min(len(seen.of.rounds), MOST_ROUNDS),
        whole=whole,
        called=lambda it: called(seen, it),
        points=_worth(seen),
        total=_total(seen),
        against=_against(seen),
        percent=seen.of.settings.duplicate,
        out=_out(seen),
    )


def _out(seen: TournamentSnapshot) -> set[Number]:
    """Return who plays no more, though the tournament goes on."""
    of = seen.of
    return set() if of.ended else {it for it in of.field if it not in set(of.active())}


def _pods(seen: TournamentSnapshot, round: Round, most: int = 10_000) -> str:
    shares = seen.of.round_shares(round)
    return render(
        "fragments/pods.html",
        seen=seen,
        round=round,
        most=most,
        shown=[{"number": at, "pod": pod} for at, pod in enumerate(round.pods, 1) if pod.entrants][
            :most
        ],
        on=_on(seen, round, range(len(round.pods))),
        byes=[called(seen, it) for it in round.byes],
        called=lambda it: called(seen, it),
        result=lambda pod: seen.of.result(round, pod),
        shares=shares,
        points=_worth(seen),
        ordered=lambda pod, found: _by_place(found, seen.of.places(round, pod, shares)),
        How=How,
    )


def _by_place(found: Sequence[SeatResult], places: Mapping[Number, int]) -> list[SeatResult]:
    """Return what the entrants of a pod came to, the best first; the absent have no place."""
    return sorted((it for it in found if it.entrant), key=lambda it: places.get(it.entrant, 0))


def _bracket(seen: TournamentSnapshot, template: str, ink: Mapping[str, str] | None = None) -> str:
    return render(
        template,
        drawn=picture(seen.of),
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


def _meetings(seen: TournamentSnapshot) -> dict[int, int]:
    """Return for a league how many pairs have met how often."""
    of = seen.of
    if of.settings.format != Format.LEAGUE or not of.rounds or len(of.field) > 64:
        return {}
    return dict(sorted(course.meetings(of).items()))


def _rulings(seen: TournamentSnapshot) -> list[dict[str, Any]]:
    """Return the rulings in words, the last one first."""
    of = seen.of
    found = []
    for seq, it in of.rulings.items():
        about = [called(seen, number) for number in it.entrants]
        if it.verb == Verb.RESULT:
            about = [
                f"{called(seen, seat.entrant)} {seat.place or say('absent')}" for seat in it.seats
            ]
        found.append(
            {
                "seq": seq,
                "what": say(VERBS[it.verb]),
                "about": about,
                "why": it.why,
                "minutes": it.minutes,
                "round": it.round,
                "table": it.pod + 1 if it.verb == Verb.RESULT else 0,
                "undone": seq in of.undone,
                "undoes": it.undone,
                "may_be_undone": it.verb in commands.UNDONE and seq not in of.undone,
            }
        )
    return found[::-1]


def called(seen: TournamentSnapshot, number: Number) -> str:
    """Return what an entrant is called; somebody who was forgotten by their number."""
    row = seen.entrants.get(number)
    return row.name if row is not None and row.name else say("Player {number}", number=number)


def points(share: int | None) -> str:
    """Return shares as points: a whole one is 1, in hundredths."""
    if share is None:
        return "–"
    hundredths = (100 * share + WHOLE // 2) // WHOLE
    return f"{hundredths // 100}.{hundredths % 100:02}"


def percent(share: int | None, rounds: int = 1) -> str:
    """Return a share of so many rounds as a percentage, in tenths."""
    if share is None:
        return "–"
    tenths = (2000 * share + WHOLE * rounds) // (2 * WHOLE * rounds)
    return say("{number} %", number=f"{tenths // 10}.{tenths % 10}")


def _worth(seen: TournamentSnapshot) -> Callable[[int | None], str]:
    """Return how a round's share is written: where all had the same cards, as a percentage."""
    return percent if seen.of.settings.duplicate else points


def _total(seen: TournamentSnapshot) -> Callable[[int], str]:
    """Return how shares of all rounds are written: as points, or as a mean percentage."""
    if not seen.of.settings.duplicate:
        return points
    rounds = _told_rounds(seen)
    return lambda share: percent(share if rounds else None, rounds)


def _against(seen: TournamentSnapshot) -> Callable[[int], str]:
    """Return how what opponents have is written: the sum for all rounds but one, or a mean."""
    if not seen.of.settings.duplicate:
        return points
    rounds, met = _told_rounds(seen), max(1, len(seen.of.rounds) - 1)
    return lambda share: percent(share if rounds else None, rounds * met)


def _told_rounds(seen: TournamentSnapshot) -> int:
    """Return how many rounds have brought anything so far."""
    return sum(bool(seen.of.round_shares(it)) for it in seen.of.rounds)


# Who asks


def _me() -> tuple[int | None, str]:
    found = keys.known(tables(), key_hash()) if key_hash() else None
    return found if found is not None else (None, "")


def _reader(seen: TournamentSnapshot) -> Reader:
    player, name = _me()
    return Reader(
        player, name, seen.number_of(player), player is not None and player == seen.row.host_id
    )


# The organiser


@bp.get("/<code>/run")
def run(code: str) -> AnyResponse:
    """The organiser's page."""
    return _run(_look(code))


@bp.post("/<code>/run")
@limits.both(player="30 per minute", address="60 per minute")
def rule(code: str) -> AnyResponse:
    """Begin, let bots enter, or rule something for all to read."""
    form, seen = request.form, _look(code)
    what, _, about = form.get("do", "").partition(" ")
    host = _me()[0] or 0
    try:
        commands.must_run(seen, host)
        if what == "begin":
            commands.begin(tables(), code, host)
        elif what == "bots":
            level = chosen(form.get("level"), Level.NORMAL)
            commands.add_bots(tables(), code, host, number(form.get("count")), level, command())
        else:
            ruling = _ruling(seen, what, about)
            commands.rule(tables(), code, host, ruling, command())
    except Refusal as no:
        return _run(seen, STATUS[type(no)], str(no))
    return redirect(url_for("tournaments.run", code=code), 303)


def _ruling(seen: TournamentSnapshot, what: str, about: str) -> Ruling:
    """Return the ruling a form asks for; raises NotNow for what cannot be read."""
    form = request.form
    if what not in {*Verb}:
        raise NotNow(say("That cannot be done now."))
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
            places = [number(it, digits=3) for it in form.get("places", "").split()[:20]]
            return Ruling(verb, why, round=round, pod=pod, seats=commands.places_of(there, places))
        case _:
            return Ruling(verb, why, round=last if verb == Verb.PAIR else 0)


def _run(seen: TournamentSnapshot, status: int = 200, wrong: str = "") -> AnyResponse:
    try:
        commands.must_run(seen, _me()[0])
    except Refusal as no:
        page = render("tournament_run.html", seen=seen, wrong=str(no), mine=False, people=())
        return make_response(page, STATUS[type(no)])
    if wrong:
        seen = look(tables(), seen.code)
    of = seen.of
    page = render(
        "tournament_run.html",
        seen=seen,
        mine=True,
        wrong=wrong,
        of=of,
        state=_state(seen),
        waiting=of.waiting(),
        people=of.field or of.waiting(),
        called=lambda it: called(seen, it),
        rulings=_rulings(seen),
        step=course.next_step(of),
        ready=len(course.entered(of)),
        verbs=VERBS,
    )
    return make_response(page, status)
