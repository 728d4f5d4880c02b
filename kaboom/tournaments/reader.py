"""The current viewer of a tournament, the lookup of tournaments, and redirects after changes."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_player
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import gettext as _
from kaboom.tables.context import tables
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.cache import TournamentNotFound, TournamentSnapshot
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Number

bp = Blueprint("tournaments", __name__, url_prefix="/tournaments")


@dataclass(frozen=True, slots=True)
class Reader:
    """The current viewer of a tournament."""

    player: int | None
    name: str
    number: Number | None
    host: bool


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Normalise a typed code in the URL; raises TournamentNotFound if it cannot be one."""
    assert values is not None  # the URL matched a tournament route
    if "code" in values:
        code = values["code"].upper()
        if not can_be_code(code):
            raise TournamentNotFound(values["code"])
        values["code"] = code


def asked_for(code: str) -> TournamentSnapshot:
    """Return a tournament. Raises TournamentNotFound, and Forbidden for players outside its
    club.
    """
    seen = get_tournament(tables(), code)
    if not tournaments.may_see(tables(), seen, me()[0]):
        abort(403, _("This tournament is for club members."))
    return seen


def me() -> tuple[int | None, str]:
    """Return the current player's id and name, or None and "" for an unknown player."""
    return known_player() or (None, "")


def reader_of(seen: TournamentSnapshot) -> Reader:
    """Return the current viewer of a tournament."""
    player, name = me()
    return Reader(player, name, seen.number_of(player), seen.is_run_by(player))


def shown_anew(page: str, seen: TournamentSnapshot) -> AnyResponse:
    """Redirect to a page of a changed tournament.

    The URL differs each time, because some text browsers cache pages by URL.
    """
    return redirect(url_for(page, code=seen.code, v=seen.of.seq + 1), 303)
