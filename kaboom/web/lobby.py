"""The lobby: the tables whose hosts want them found."""

import hashlib
from dataclasses import dataclass

from flask import Blueprint, Response, make_response, request
from flask import render_template as render

from kaboom.core.codec import from_json
from kaboom.core.options import limits, notable
from kaboom.tables.commands.access import listed
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.fields import number
from kaboom.web.service import tables
from kaboom.web.times import over_days
from kaboom.web.voices import lists
from kaboom.web.voices.choice import by_page

bp = Blueprint("lobby", __name__, url_prefix="/lobby")


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table as the lobby shows it."""

    code: str
    key: str
    game: str
    host: str
    taken: int
    least: int
    most: int
    playing: bool
    locked: bool
    options: str  # what is not as usual, and time limits, in short
    timed: bool

    @property
    def free(self) -> int:
        """Return how many chairs are free."""
        return self.most - self.taken


@bp.get("")
def show() -> str | Response:
    """The page of the lobby; twenty tables a page."""
    page = _page()
    if not by_page():
        found, more = listed(tables(), page)
        return lists.lobby([lobby_table(snapshot) for snapshot in found], page, more)
    return render("lobby.html", **_list(page))


@bp.get("/rooms")
def rooms() -> Response:
    """The list alone; 204 when the browser has it already."""
    found = _list(_page())
    if request.args.get("rooms") == found["seen"]:
        return Response(status=204)
    return make_response(render("fragments/rooms.html", **found).strip())


def _list(page: int) -> dict[str, object]:
    found, more = listed(tables(), page)
    shown = [lobby_table(snapshot) for snapshot in found]
    seen = hashlib.blake2b(repr((shown, more)).encode(), digest_size=6).hexdigest()
    return {"rooms": shown, "number": page, "more": more, "seen": seen}


def lobby_table(snapshot: TableSnapshot) -> LobbyTable:
    """Return what the lobby shows of a table."""
    table, game = snapshot.table, snapshot.game
    options = from_json(bytes(table.options), game.options)
    possible = game.seats(options)
    sitting = table.sitting()
    return LobbyTable(
        code=snapshot.code,
        key=game.key,
        game=game.name,
        host=next((chair.name for _, chair in sitting if chair.player == table.host), ""),
        taken=len(sitting),
        least=possible[0],
        most=possible[-1],
        playing=table.playing,
        locked=snapshot.locked,
        options=", ".join(
            [
                *([over_days(table.days)] if table.days else []),
                *(f"{option.label}: {words}" for option, words in notable(options)),
            ]
        ),
        timed=table.days > 0 or any(limits(options).values()),
    )


def _page() -> int:
    """Return the page asked for, from 0."""
    return max(0, min(number(request.args.get("page")), 1000))
