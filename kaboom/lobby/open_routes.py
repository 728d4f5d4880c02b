"""Opening a table: the page with its options, and the form that opens it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from secrets import token_urlsafe
from typing import Any

from flask import Blueprint, Response, abort, make_response, request
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import is_bot
from kaboom.accounts.current import ensure_key, known_name, name_in_form
from kaboom.accounts.passwords import typed
from kaboom.engine.bots.bot import Level
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.engine.options import InvalidOptions
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.games.match_length import quick_way
from kaboom.lobby import preset_routes, presets, table_settings
from kaboom.lobby import service as lobby
from kaboom.lobby.home_routes import bp as pages
from kaboom.social.friends import invitations
from kaboom.table_page.responses_api import opened
from kaboom.tables import start_match
from kaboom.tables.context import tables
from kaboom.tables.forms.options_form import Wish, bots_wished, choices, options_sent, wished
from kaboom.tables.permissions import require_offered_bank, require_offered_days
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import Hints, Welcome
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import OF_STATUS, problem
from kaboom.web.forms import chosen, number
from kaboom.web.session import command, key_hash

bp = Blueprint("tables", __name__)


@pages.get("/start/<key>")
def new_table(key: str) -> Response:
    """Show the options of a game, with which the player can open a table: if the URL asks for none,
    those of the match that “Play now” begins, whose length the home page has named.
    """
    game = GAMES.get(key) or abort(404, _("There is no game with that name."))
    wish = wished(game, game.options(**quick_way(game).values))
    own = presets.own(tables(), key_hash(), game.key)
    page = render(
        "lobby/start.html",
        game=game,
        choices=choices(game, wish.options, own=own),
        wish=wish,
        wrong={},
        name=known_name(),
    )
    return make_response(page, 422 if wish.wrong else 200)


@bp.post("/tables")
@rate_limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def open_table() -> AnyResponse:
    """Open a table; with `start`, begin a match against bots at once; with `quick`, a short one.

    With `keep`, open no table, but ask for a name under which to save the options.
    """
    game = GAMES.get(request.form.get("game", ""))
    if game is None:
        return _no_game()
    try:
        quick = request.form.get("quick") == "1"
        options = game.options(**quick_way(game).values) if quick else options_sent(game)
        if "keep" in request.form:
            return preset_routes.to_name(game, options)
        return opened(_open(game, options))
    except InvalidOptions as bad:
        return _not_opened(game, bad.sentences, 422)
    except WrongField as wrong:
        return _not_opened(game, {wrong.field: str(wrong)}, wrong.status)


class WrongField(Exception):
    """A field of the form that opens a table was invalid; str() says why."""

    def __init__(self, field: str, why: Refusal) -> None:
        super().__init__(str(why))
        self.field, self.status = field, why.status


@contextmanager
def _filling(field: str) -> Iterator[None]:
    """Attribute a refusal inside the block to a field of the form."""
    try:
        yield
    except (InvalidState, NotPermitted, RateLimited) as no:
        raise WrongField(field, no) from no


def _open(game: Game[Any], options: Any) -> str:
    """Open the table that a form describes, and start its match if requested; return its code.

    Raises WrongField.
    """
    form = request.form
    with _filling("password"):
        password = typed(form.get("password", ""))
    with _filling("name"):
        name = name_in_form()  # before a key is created
        player, name = players.player(tables(), ensure_key(), name)
    with _filling("days"):
        days = require_offered_days(number(form.get("days") or "0"))
    with _filling("bank"):
        bank = require_offered_bank(number(form.get("bank") or "0"), days)
    club = form.get("club", "")
    if club and form.get("guests") != "1":
        password = password or token_urlsafe(16)  # unknown to all players: members need none
    at_once, once = form.get("start") == "1", command()
    with _filling("club" if club else "bots"):  # the field to which all other refusals belong
        code = lobby.open(
            tables(),
            game.key,
            options,
            player,
            name,
            _bots_asked_for(game, options, at_once),
            listed=form.get("listed") == "1",
            password=password,
            idempotency_key=once,
            level=chosen(form.get("level"), Level.NORMAL),
            program=is_bot(),
            days=days,
            bank=bank,
            club=club,
            begins_full=form.get("begins_full") == "1",
        )
        _arrange(code, player)
        with suppress(Refusal):  # no longer a friend: the table opens without an invitation
            if friend := form.get("friend"):
                invitations.invite(tables(), code, player, friend)
        if at_once:
            start_match.start(tables(), code, player, idempotency_key=once and once.then("start"))
    return code


def _bots_asked_for(game: Game[Any], options: Any, at_once: bool) -> int:
    """Return the number of bots to seat: as many as requested or, if `at_once`, at least enough to
    begin and no more than fit.
    """
    bots = number(request.form.get("bots") or "0")
    if not at_once:
        return bots
    possible = game.seats(options)
    return min(max(bots, possible[0] - 1), possible[-1] - 1)


def _arrange(code: str, player: int) -> None:
    """Set up a new table's spectators and bots as requested in its form."""
    form = request.form
    watch = form.get("watch", "0")
    if watch != "0" and watch in map(str, DELAYS):
        let_watch(tables(), code, player, int(watch))
    wishes = bots_wished(form, tables().pace)
    if wishes != (tables().pace, Hints.ALONE, True, Welcome.PRIVATE):
        table_settings.arrange_bots(tables(), code, player, *wishes)


def _not_opened(game: Game[Any], wrong: Mapping[str, str], status: int) -> AnyResponse:
    """Return the form as it was filled in, with the error beside its field."""
    if not wants_html():
        slug = "bad-options" if status == 422 else OF_STATUS[status]
        sentence = _("The game cannot be played with these options.")
        return problem(status, slug, sentence, fields=wrong)
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
    sentence = _("There is no game with that name.")
    if not wants_html():
        return problem(422, "bad-options", sentence, fields={"game": sentence})
    return make_response(render("web/error.html", status=422, sentence=sentence), 422)
