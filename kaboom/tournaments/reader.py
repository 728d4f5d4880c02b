"""Who is asking, about which tournament, and where they are led after a press."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_player
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import say
from kaboom.tables.context import tables
from kaboom.tournaments import service as commands
from kaboom.tournaments.cache import TournamentNotFound, TournamentSnapshot
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules.events import Number

bp = Blueprint("tournaments", __name__, url_prefix="/e")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a tournament."""

    player: int | None
    name: str
    number: Number | None
    host: bool


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a code as people type it; raises TournamentNotFound for what cannot be one."""
    assert values is not None  # an address of tournaments was found
    if "code" in values:
        code = values["code"].upper()
        if not can_be_code(code):
            raise TournamentNotFound(values["code"])
        values["code"] = code


def asked_for(code: str) -> TournamentSnapshot:
    """Return a tournament; raises TournamentNotFound, and Forbidden for those outside its club."""
    seen = look(tables(), code)
    if not commands.may_see(tables(), seen, me()[0]):
        abort(403, say("This tournament is for the members of its club."))
    return seen


def me() -> tuple[int | None, str]:
    """Return who asks: the id of the player and their name; of a stranger None and ""."""
    return known_player() or (None, "")


def reader_of(seen: TournamentSnapshot) -> Reader:
    """Return who asks, as they stand to this tournament."""
    player, name = me()
    return Reader(
        player, name, seen.number_of(player), player is not None and player == seen.row.host_id
    )


def shown_anew(page: str, seen: TournamentSnapshot) -> AnyResponse:
    """Lead to a page of a tournament that was changed. Its address is another one each time: some
    text browsers show an address they know as it was.
    """
    return redirect(url_for(page, code=seen.code, v=seen.of.seq + 1), 303)
