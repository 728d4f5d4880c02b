"""Pages for finding and opening tournaments, and for changing their settings."""

from collections.abc import Collection, Mapping
from typing import Any

from flask import abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import ensure_key
from kaboom.accounts.names import require_readable_name
from kaboom.engine.codec import to_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Refusal
from kaboom.engine.options import (
    InvalidOptions,
    asked_values,
    contradictions,
    declared,
    read,
)
from kaboom.engine.options import limits as clocks
from kaboom.errors import InvalidFields
from kaboom.games import GAMES
from kaboom.tables.context import tables
from kaboom.tables.forms.options_form import Choices, choices
from kaboom.tables.shared_deals.service import one_deal
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments import settings as settings_module
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.pages import brief_bracket, champions, has_diagram
from kaboom.tournaments.reader import asked_for, bp, me, reader_of, shown_anew
from kaboom.tournaments.rules.events import Format, Settings, Spare
from kaboom.tournaments.texts import FORMATS, may_enter, state
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.requests import invalid_fields
from kaboom.web.forms import chosen, number
from kaboom.web.session import command

KEEP = "keep"  # leaves the start time unchanged
BEGINS = {
    0: N_("when I press a button"),
    10: N_("in 10 minutes"),
    30: N_("in half an hour"),
    60: N_("in an hour"),
    180: N_("in three hours"),
    1440: N_("in a day"),
    4320: N_("in three days"),
}
CHECK_IN = {0: N_("none"), 5: N_("5 minutes"), 20: N_("20 minutes"), 1440: N_("a day")}
LIMITS = {
    0: N_("until all have finished"),
    15: N_("15 minutes"),
    30: N_("half an hour"),
    60: N_("an hour"),
    90: N_("an hour and a half"),
    180: N_("three hours"),
}
BETWEEN = {0: N_("none"), 1: N_("a minute"), 5: N_("5 minutes"), 15: N_("15 minutes")}
MOSTS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)


@bp.get("")
def index() -> AnyResponse:
    """Show the player's own tournaments, those in the lobby, and a link for opening one."""
    page = max(0, min(number(request.args.get("page"), otherwise=0), 1000))
    found, more = tournaments.listed(tables(), page) if listing() else ([], False)
    player, _unused = me()
    mine = tournaments.of_player(tables(), player) if player is not None else []
    return make_response(
        render(
            "tournaments/list.html",
            found=[it for it in found if not it.of.ended],
            over=[it for it in found if it.of.ended and not it.of.cancelled],
            mine=mine,
            drawn=next((it for it in (*mine, *found) if has_diagram(it)), None),
            number=page,
            more=more,
            line=_line,
            brief=lambda it: brief_bracket(it, reader_of(it).number),
        )
    )


@bp.get("/new")
def new() -> AnyResponse:
    """Show the form for opening a tournament, or the choice of a game."""
    game = GAMES.get(request.args.get("game", ""))
    if game is None:
        club = request.args.get("club", "")
        return make_response(render("tournaments/create.html", game=None, club=club, seen=None))
    return _form(game, {"club": request.args.get("club", "")}, {})


@bp.post("")
@rate_limits.both(player="5 per minute; 20 per hour", address="10 per minute; 40 per hour")
def open_one() -> AnyResponse:
    """Open a tournament with the player as its organiser."""
    form = request.form
    game = GAMES.get(form.get("game", ""))
    if game is None:
        abort(422, _("There is no game with that name."))
    wrong: dict[str, str] = {}
    field, status = "who", 422
    try:
        options = read(game.options, form)
        who = require_readable_name(form.get("who", ""))
        field = "name"
        settings = _settings(game, options, form, wrong)
        if not wrong:
            tournaments.require_playable(settings)
            require_readable_name(settings.name)
            player, _unused = players.player(tables(), ensure_key(), who)
            listed = listing() and form.get("listed") == "1"
            code = tournaments.open(tables(), player, settings, listed, command())
            return redirect(url_for("tournaments.show", code=code), 303)
    except InvalidOptions as bad:
        wrong = bad.sentences
    except Refusal as no:
        wrong, status = {field: str(no)}, no.status
    return _form(game, dict(form.items()), wrong, status)


@bp.get("/<code>/settings")
def settings(code: str) -> AnyResponse:
    """Show the form with which the organiser changes the settings before the tournament begins."""
    seen = asked_for(code)
    organizer.require_organizer(seen, me()[0])
    return _form(seen.game, typed_of(seen), {}, seen=seen)


@bp.post("/<code>/settings")
@rate_limits.both(player="30 per minute", address="60 per minute")
def change_settings(code: str) -> AnyResponse:
    """Change a tournament's settings; API clients send only the fields that change."""
    seen = asked_for(code)
    host = me()[0] or 0
    organizer.require_organizer(seen, host)
    game, sent = seen.game, dict(request.form.items())
    form = sent if wants_html() else typed_of(seen) | _whole(sent)
    wrong: dict[str, str] = {}
    status = 422
    try:
        new = _settings(game, read(game.options, form), form, wrong, seen.of.settings)
        if not wrong:
            shown = form.get("listed") == "1" if listing() else None
            settings_module.change_settings(tables(), code, host, new, shown, command())
            return shown_anew("tournaments.run", seen)
    except InvalidOptions as bad:
        wrong = bad.sentences
    except InvalidFields as bad:
        wrong = {FIELDS.get(name, name): why for name, why in bad.fields.items()}
    except Refusal as no:
        if not wants_html():
            raise
        wrong, status = {"name": str(no)}, no.status
    if not wants_html():
        raise invalid_fields(wrong)
    return _form(game, sent, wrong, status, seen)


# Settings whose form fields have other names.
FIELDS = {"rounds": "swiss_rounds", "begins_at": "begins", "options": "", "playable": "size"}


def typed_of(seen: TournamentSnapshot) -> dict[str, str]:
    """Return a tournament's settings as form fields."""
    it = seen.of.settings
    typed = {
        "name": it.name,
        "format": it.format.value,
        "size": str(it.size),
        "most": str(it.most),
        "swiss_rounds": str(it.rounds),
        "begins": KEEP if it.begins_at else "0",
        "check_in": str(it.check_in),
        "limit": str(it.limit),
        "between": str(it.between),
        "club": it.club,
    }
    switches = {
        "late": it.late,
        "late.asked": True,
        "accounts": it.accounts,
        "duplicate": it.duplicate,
        "begins_full": it.begins_full,
        "listed": seen.row.listed,
    }
    return asked_values(seen.options) | typed | {name: "1" for name, on in switches.items() if on}


def _whole(sent: dict[str, str]) -> dict[str, str]:
    """Return form fields without the markers “.asked”, so that a missing switch is off."""
    return {name: text for name, text in sent.items() if not name.endswith(".asked")}


def _begins_at(form: Mapping[str, str], old: Settings | None) -> float:
    """Return the table time at which a tournament begins automatically; 0 if its organiser begins
    it.
    """
    if old is not None and form.get("begins") == KEEP:
        return old.begins_at
    minutes = _one_of(form.get("begins"), BEGINS)
    return tables().database.read(tables().table_time) + 60.0 * minutes if minutes else 0.0


def _settings(
    game: Game[Any],
    options: Any,
    form: Mapping[str, str],
    wrong: dict[str, str],
    old: Settings | None = None,
) -> Settings:
    """Return the submitted settings, adding errors to `wrong` by field. `old` has the current
    settings of an existing tournament.
    """
    # 1. The options of the game; all tables of a duplicate tournament play one deal.
    duplicate = form.get("duplicate") == "1" and game.board is not None
    if duplicate:
        options = one_deal(game, options)
        wrong |= contradictions(options)
    # 2. The numbers that must suit these options.
    playable = game.playable(options)
    size = number(form.get("size"), otherwise=game.pod)
    limit = _one_of(form.get("limit"), LIMITS, 90)
    rounds = number(form.get("swiss_rounds") or "0", otherwise=99)
    wrong |= _faults(options, playable, size, limit, rounds)
    # 3. The settings, with everything else as it was sent.
    format = chosen(form.get("format"), Format.SWISS)
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
        begins_at=_begins_at(form, old),
        check_in=_one_of(form.get("check_in"), CHECK_IN),
        limit=limit,
        between=_one_of(form.get("between"), BETWEEN, 1),
        late="late.asked" not in form or form.get("late") == "1",
        accounts=form.get("accounts") == "1",
        duplicate=duplicate,
        club=form.get("club", ""),
        begins_full=form.get("begins_full") == "1",
    )


def _faults(
    options: Any, playable: Collection[int], size: int, limit: int, rounds: int
) -> dict[str, str]:
    """Return what is wrong with the table size, the time limit and the number of rounds, by
    field.
    """
    wrong = {}
    if size not in playable:
        wrong["size"] = _(
            "With these options, the game cannot be played by that many players at a table."
        )
    if not limit and any(not it for it in unlimited(options)):
        wrong["limit"] = _(
            "With these options, some decisions have no time limit, so rounds need one."
        )
    if rounds > 20:
        wrong["swiss_rounds"] = _("Choose a number of rounds up to {most}.", most=20)
    return wrong


def unlimited(options: Any) -> list[float]:
    """Return the values, in seconds, of those options whose value 0 means no time limit."""
    times = clocks(options)
    no_limit = {it.name for it in declared(type(options)) if it.zero == "no limit"}
    return [seconds for name, seconds in times.items() if name in no_limit]


def _one_of(text: str | None, among: dict[int, Any], otherwise: int = 0) -> int:
    found = number(text, otherwise=otherwise)
    return found if found in among else otherwise


def _form(
    game: Game[Any],
    typed: dict[str, str],
    wrong: dict[str, str],
    status: int = 200,
    seen: TournamentSnapshot | None = None,
) -> AnyResponse:
    """Return the form with the `typed` values, and defaults for tournaments of the game.

    `seen` is the tournament whose settings are changed, if any.
    """
    proposed = read(game.options, {**asked_values(game.options()), **game.contest})
    filled = {name: value for name, value in typed.items() if name != "club"}
    shown: Choices = choices(game, proposed, filled or None)
    page = render(
        "tournaments/create.html",
        game=game,
        club=typed.get("club", ""),
        choices=shown,
        typed=typed,
        wrong=wrong,
        name=typed.get("who") or me()[1],
        sizes=[it for it in range(2, 11) if it <= max(game.seats(proposed)[-1], game.pod)],
        formats=FORMATS,
        begins=BEGINS,
        check_in=CHECK_IN,
        limits=LIMITS,
        between=BETWEEN,
        mosts=MOSTS,
        may_list=listing(),
        seen=seen,
        keep=KEEP,
    )
    return make_response(page, status)


def listing() -> bool:
    """Return True if the server's settings allow tournaments in the lobby."""
    return bool(current_app.config["SERVER"].tournaments_listed)


def _line(seen: TournamentSnapshot) -> dict[str, Any]:
    """Return the template values of a tournament in a list."""
    settings = seen.of.settings
    return {
        "code": seen.code,
        "name": settings.name,
        "game": GAMES[settings.game].name if settings.game in GAMES else settings.game,
        "state": state(seen),
        "entered": len(seen.of.waiting()),
        "most": settings.most,
        "open": may_enter(seen),
        "champions": champions(seen),
    }
