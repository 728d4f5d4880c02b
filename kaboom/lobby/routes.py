"""Coming to a table, getting ready, leaving it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from secrets import token_urlsafe
from typing import Any

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import is_bot
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.accounts.passwords import typed
from kaboom.db.database import Unavailable
from kaboom.engine.bots.bot import Level
from kaboom.engine.game import Game
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.engine.options import InvalidOptions
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.lobby import host, preset_routes, presets
from kaboom.lobby import service as seating
from kaboom.lobby.password_page import locked_page
from kaboom.play.controls import proposals
from kaboom.play.page import asked, drawn, table_page
from kaboom.play.responses import ask_first, bp, do, done, refused, sure, to_page
from kaboom.play.responses_api import opened
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import service as people
from kaboom.tables import sittings
from kaboom.tables.access.service import WrongPassword, enter
from kaboom.tables.context import tables
from kaboom.tables.pages.options_form import Wish, bots_wished, choices, options_sent
from kaboom.tables.permissions import require_free_seat, require_offered_days
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import Hints, Welcome
from kaboom.web import limits
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.problems import OF_STATUS, problem, slug_of
from kaboom.web.client import address
from kaboom.web.forms import chosen, number
from kaboom.web.session import command, key_hash

opening = Blueprint("tables", __name__)


@opening.post("/tables")
@limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def open_table() -> AnyResponse:
    """Open a table; with `start` the match against bots begins at once.

    With `keep` nothing is opened: the options are to be given a name.
    """
    game = GAMES.get(request.form.get("game", ""))
    if game is None:
        return _no_game()
    try:
        options = options_sent(game)
        if "keep" in request.form:
            return preset_routes.to_name(game, options)
        return opened(_open(game, options))
    except InvalidOptions as bad:
        return _not_opened(game, bad.sentences, 422)
    except WrongField as wrong:
        return _not_opened(game, {wrong.field: str(wrong)}, wrong.status)


class WrongField(Exception):
    """A field of the form that opens a table was refused; str() says why."""

    def __init__(self, field: str, why: Refusal) -> None:
        super().__init__(str(why))
        self.field, self.status = field, why.status


@contextmanager
def _filling(field: str) -> Iterator[None]:
    """Blame what is refused meanwhile on a field of the form."""
    try:
        yield
    except (InvalidState, NotPermitted, RateLimited) as no:
        raise WrongField(field, no) from no


def _open(game: Game[Any], options: Any) -> str:
    """Open the table that a form describes, and start if it says so; return its code.

    Raises WrongField.
    """
    form = request.form
    with _filling("password"):
        password = typed(form.get("password", ""))
    with _filling("name"):
        name = require_readable_name(form.get("name", ""))  # before a key is made
        player, name = players.player(tables(), ensure_key(), name)
    with _filling("days"):
        days = require_offered_days(number(form.get("days") or "0"))
    club = form.get("club", "")
    if club and form.get("guests") != "1":
        password = password or token_urlsafe(16)  # that nobody knows: members need none
    at_once, once = form.get("start") == "1", command()
    with _filling("club" if club else "bots"):  # what the rest may refuse
        code = seating.open(
            tables(),
            game.key,
            options,
            player,
            name,
            _bots_asked_for(game, options, at_once),
            listed=form.get("listed") == "1",
            password=password,
            once=once,
            level=chosen(form.get("level"), Level.NORMAL),
            program=is_bot(),
            days=days,
            club=club,
        )
        _arrange(code, player)
        if at_once:
            seating.start(tables(), code, player, once=once and once.then("start"))
    return code


def _bots_asked_for(game: Game[Any], options: Any, at_once: bool) -> int:
    """Return how many bots to seat: to begin at once as many as it takes, and no more than fit."""
    bots = number(request.form.get("bots") or "0")
    if not at_once:
        return bots
    possible = game.seats(options)
    return min(max(bots, possible[0] - 1), possible[-1] - 1)


def _arrange(code: str, player: int) -> None:
    """Set up a table that was opened as its form says: who may watch, how its bots play."""
    form = request.form
    watch = form.get("watch", "0")
    if watch != "0" and watch in map(str, DELAYS):
        let_watch(tables(), code, player, int(watch))
    wishes = bots_wished(form, tables().pace)
    if wishes != (tables().pace, Hints.ALONE, True, Welcome.PRIVATE):
        host.arrange_bots(tables(), code, player, *wishes)


def _not_opened(game: Game[Any], wrong: Mapping[str, str], status: int) -> AnyResponse:
    """Answer with the form as it was filled in, and what is wrong beside its fields."""
    if not by_page():
        slug = "bad-options" if status == 422 else OF_STATUS[status]
        return problem(status, slug, say("That cannot be played like that."), fields=wrong)
    page = render(
        "lobby/start.html",
        game=game,
        choices=choices(
            game, game.options(), request.form, presets.own(tables(), key_hash(), game.key)
        ),
        wish=Wish(game.options()),
        wrong=wrong,
        name=request.form.get("name", ""),
    )
    return make_response(page, status)


def _no_game() -> Response:
    sentence = say("There is no game of that name here.")
    if not by_page():
        return problem(422, "bad-options", sentence, fields={"game": sentence})
    return make_response(render("web/error.html", status=422, sentence=sentence), 422)


@bp.post("/enter")
@limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def give_password(code: str) -> AnyResponse:
    """Get in with the table's password."""
    try:
        if request.form.get("member") == "1":
            clubs.enter(tables(), code, key_hash())
        elif request.form.get("friend") == "1":
            people.enter_as_friend(tables(), code, key_hash())
        else:
            enter(tables(), code, ensure_key, request.form.get("password", ""), address())
    except (WrongPassword, NotPermitted, RateLimited) as no:
        if not by_page():
            return problem(no.status, slug_of(no), str(no))
        return make_response(locked_page(tables().look(code), str(no)), no.status)
    return opened(code)


@bp.post("/sit")
@limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def sit(code: str) -> AnyResponse:
    """Take a chair, under a name."""
    asked_for = request.form.get("seat")
    seat = None if not asked_for else number(asked_for)
    try:
        found = tables().look(code, key_hash())
        if found.me is None:
            # As the server sees it: someone watching from far behind may sit down for the next
            # match.
            require_free_seat(tables().look(code).table, seat)
        # Without a readable name no key is made.
        name = require_readable_name(request.form.get("name") or found.player_name)
        player, name = players.player(tables(), ensure_key(), name)
        sat = seating.sit(tables(), code, player, name, seat, is_bot())
    except (Refusal, Unavailable) as no:
        return refused(code, no)
    return done(tables().found_by(sat, player, name))


@bp.post("/bot")
def bot(code: str) -> AnyResponse:
    """Seat a bot on a free chair."""
    seat = request.form.get("seat")
    chair = None if not seat else number(seat)
    level = chosen(request.form.get("level"), Level.NORMAL)
    return do(code, lambda p: seating.add_bot(tables(), code, p, chair, command(), level))


@bp.post("/remove")
def remove(code: str) -> AnyResponse:
    """Empty a chair; the host is asked again if a person sits there."""
    form, snapshot = request.form, tables().look(code, key_hash())
    seat = number(form.get("seat"))
    if not sure() and asked(snapshot, f"remove {seat}"):
        return ask_first(snapshot, f"remove {seat}")
    return do(
        code, lambda p: seating.remove(tables(), code, p, seat, form.get("name", "")), snapshot
    )


@bp.post("/ready")
def ready(code: str) -> AnyResponse:
    """Say that you are ready, or not yet after all."""
    yes = request.form.get("ready", "1") != "0"
    return do(code, lambda p: seating.ready(tables(), code, p, yes))


@bp.post("/rematch")
def rematch(code: str) -> AnyResponse:
    """Play again: as ready as before a first match."""
    return do(code, lambda p: seating.ready(tables(), code, p))


@bp.post("/cut")
def cut(code: str) -> AnyResponse:
    """Cut the next shuffle with a text of your own, or none."""
    return do(code, lambda p: seating.cut(tables(), code, p, request.form.get("cut", "")))


@bp.post("/start")
def start(code: str) -> AnyResponse:
    """Start the match without waiting for everybody to be ready."""
    return do(code, lambda p: seating.start(tables(), code, p))


@bp.get("/leave")
def ways(code: str) -> AnyResponse:
    """What must not be pressed by accident: a pause, a bot for somebody, the end, resigning."""
    snapshot = tables().look(code, key_hash())
    if snapshot.me is None:
        return to_page(snapshot)
    page = table_page(snapshot)
    return make_response(drawn("play/leave.html", page, proposals=proposals(snapshot)))


@bp.post("/leave")
def leave(code: str) -> AnyResponse:
    """Leave the table; during a match that means resigning, which is asked again."""
    snapshot = tables().look(code, key_hash())
    if snapshot.table.playing and snapshot.me is not None and not sure():
        return redirect(url_for("table.ways", code=code), 303)
    return do(code, lambda p: sittings.leave(tables(), code, p), snapshot)
