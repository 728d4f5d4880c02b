"""Pages that belong to no table: home, the rules of a game, joining by code, settings."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from flask import (
    Blueprint,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response

from kaboom.accounts.current import known_id, known_name
from kaboom.daily import service as daily
from kaboom.db.times import day_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.games import GAMES
from kaboom.learn.lessons import beside_rules
from kaboom.learn.progress import is_new_to_all
from kaboom.matchmaking.service import sought
from kaboom.notifications.outbox import is_to_be_ready
from kaboom.puzzles import service as puzzles
from kaboom.social.friends.invitations import invitations
from kaboom.statistics.service import days_in_a_row
from kaboom.tables.access.service import number_listed
from kaboom.tables.context import tables
from kaboom.tables.forms.options_form import wished
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Occupant
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.texts import state
from kaboom.web import rate_limits
from kaboom.web.api import responses
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import problem
from kaboom.web.links import own_page, typed_code
from kaboom.web.preferences import (
    browser_settings,
    keep_settings,
    possible_languages,
    settings_from,
    unasked_labels,
)
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import key_hash

bp = Blueprint("pages", __name__)

ASK_AGAIN = timedelta(days=30)  # validity of the contact in security.txt
DOORS = 4  # maximum number of things to do today that are shown
LESSON, PUZZLE, TOURNAMENT = ("7D", "8D", "9D"), ("9S", "?", "TD"), ("QS", "KH", "JD")


class Door(NamedTuple):
    """Something to do today: the lowest rank matters most. `cards` is its picture."""

    rank: int
    url: str
    cards: tuple[str, ...]
    title: str
    about: str = ""
    done: bool = False


@bp.get("/")
def home() -> str:
    """Show the home page: start a table, play now, join by code, the player's own tables."""
    mine = tables_of(tables(), key_hash())
    name = mine[0].player_name if mine else known_name()
    doors = sorted(_doors(), key=lambda it: (it.done, it.rank))[:DOORS]
    mine = sorted(mine, key=_urgency)
    return render_template(
        "lobby/home.html",
        name=name,
        mine=mine,
        live=[it for it in mine if it.table.playing or not it.table.outcome],
        ready={it.code for it in mine if _is_to_be_ready(it)},
        doors=doors,
        levels_of=_levels_of,
        invitations=invitations(tables(), key_hash()),
    )


def _levels_of(chairs: Sequence[Occupant]) -> list[str]:
    """Return the levels of the bots in these seats, "" for people."""
    return [it.level if it.bot else "" for it in chairs]


def _doors() -> Iterator[Door]:
    """Yield what there is to do today, then what is always available."""
    me = known_id()
    today = day_of(tables().now())
    yield _deal(today, bool(me))
    if of_day := puzzles.of_day(today):
        key, puzzle = of_day
        done = puzzles.has_tried(tables(), me, puzzle)
        at, game = url_for("puzzles.of_day"), GAMES[key].name
        yield Door(3, at, PUZZLE, _("Puzzle of the day"), game, done)
    yield Door(
        2 if is_new_to_all() else 6,
        url_for("learn.index"),
        LESSON,
        _("Learn to play"),
        _("Move by move"),
    )
    if open_tables := _in_the_lobby():
        yield Door(4, url_for("lobby.show"), ("?", "AS", "?"), _("Lobby"), open_tables)
    yield _tournament(me)


def _deal(today: date, known: bool) -> Door:
    at, title = url_for("daily.today"), _("Deal of the day")
    deal = daily.get(tables(), today, key_hash())
    if deal is None:  # it will be ready within an hour
        return Door(6, at, ("?", "AS", "?"), title)
    days = days_in_a_row(tables(), key_hash()) if known else 0
    streak = ngettext("{count} day in a row", "{count} days in a row", days) if days else ""
    about = " · ".join(filter(None, [deal.game.name, streak]))
    return Door(1, at, deal.game.fan[1:4], title, about, deal.result is not None)


def _in_the_lobby() -> str:
    """Return the numbers of tables and waiting players in the lobby as a sentence, or "" if there
    are none.
    """
    rooms, waiting = number_listed(tables()), len(sought(tables(), key_hash()))
    said = [
        ngettext("{count} player is waiting", "{count} players are waiting", waiting)
        if waiting
        else "",
        ngettext("{count} public table", "{count} public tables", rooms) if rooms else "",
    ]
    return " · ".join(filter(None, said))


def _tournament(me: int | None) -> Door:
    """Return the door to the player's current tournament, to an open one, or to all tournaments."""
    mine = tournaments.of_player(tables(), me, 1) if me is not None else []
    shown = current_app.config["SERVER"].tournaments_listed
    others = tournaments.listed(tables(), 0, 1)[0] if shown else []
    for rank, found in ((0, mine), (5, others)):
        for it in found:
            if not it.of.ended:
                at = url_for("tournaments.show", code=it.code)
                return Door(rank, at, TOURNAMENT, it.of.settings.name, state(it))
    return Door(7, url_for("tournaments.index"), TOURNAMENT, _("Tournaments"))


def _urgency(mine: TableSnapshot) -> int:
    """Return the sort key of a player's tables: first those that wait for them, then running ones,
    those not begun, and finished ones.
    """
    prompt = mine.prompt()
    if mine.table.playing:
        return 0 if prompt and prompt.waited_for else 1
    if mine.table.outcome:
        return 3
    return 0 if _is_to_be_ready(mine) else 2


def _is_to_be_ready(mine: TableSnapshot) -> bool:
    """Return True if a tournament table waits for the player to say that they are ready."""
    return mine.player is not None and is_to_be_ready(mine, mine.player)


@bp.get("/about")
def about() -> str:
    """Show what the room is, what it stores, and how to erase it."""
    return render_template("web/about.html", kept_days=current_app.config["SERVER"].expire_days)


@bp.get("/help")
@bp.get("/privacy")
def part_of_about() -> Response:
    """Redirect to a part of that page, at the addresses where many look for it."""
    return redirect(url_for("pages.about", _anchor=request.path.removeprefix("/")), 303)


@bp.get("/rules")
def all_rules() -> str:
    """Show the games whose rules can be read."""
    return render_template("web/all_rules.html")


@bp.get("/rules/<key>")
def rules(key: str) -> Response:
    """Show the rules of a game, with its defaults or the requested preset."""
    game = GAMES.get(key) or abort(404, _("There is no game with that name."))
    wish = wished(game, game.options())
    own = rules_of(game, wish.options)
    if not wants_html():
        if wish.wrong:
            return problem(422, "bad-options", wish.wrong)
        return responses.rules(game, wish.options, own)
    page = render_template(
        "web/rules.html",
        game=game,
        rules=own,
        table=None,
        wrong=wish.wrong,
        learn=beside_rules(game.key),
    )
    return make_response(page, 422 if wish.wrong else 200)


@bp.get("/join")
def join() -> Response:
    """Redirect to the table or tournament whose code or link was typed, or to the empty field if
    nothing was.
    """
    code = typed_code(request.args.get("code", ""))
    if not code:
        return redirect(url_for("pages.home", _anchor="code"), 303)
    return redirect(url_for("table.show", code=code), 303)


@bp.get("/.well-known/security.txt")
def security_txt() -> Response:
    """Return the host's contact for security reports (RFC 9116), if there is one."""
    contact = current_app.config["SERVER"].contact
    if not contact:
        abort(404)
    until = (datetime.now(UTC) + ASK_AGAIN).strftime("%Y-%m-%dT00:00:00Z")
    return Response(f"Contact: {contact}\nExpires: {until}\n", mimetype="text/plain")


@bp.get("/settings")
def settings() -> str:
    """Show this browser's settings; `next` is the page it came from, and with `saved` the page says
    that they were stored.
    """
    back = own_page(request.args.get("next", ""))
    return render_template(
        "web/settings.html",
        back=back,
        saved="saved" in request.args,
        unasked=unasked_labels(browser_settings()),
    )


@bp.post("/settings")
@rate_limits.both(player="60 per minute", address="120 per minute")
def set_them() -> Response:
    """Store this browser's settings, and redirect to the page it came from; with `stay`, to the
    settings. The page's script is only told that they are stored; it loads the page again if
    that changes its language.
    """
    old = browser_settings()
    new = settings_from(dict(request.form.items()), old, possible_languages())
    back = own_page(request.form.get("next", ""))
    stay = request.form.get("stay") == "1"
    onward = url_for("pages.settings", next=back, saved=1) if stay else back
    if request.headers.get("HX-Request") == "true":
        response: Response = make_response(_("Saved."))
        if new.language != old.language:
            response.headers["HX-Redirect"] = onward
    else:
        response = redirect(onward, 303)
    keep_settings(response, new)
    return response
