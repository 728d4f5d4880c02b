"""Link previews in messengers, and what browsers and crawlers ask for unprompted.

The pictures are the same for everybody and reveal no more than their address does: which game, and
how many of its chairs are taken. The text beside them is in the page itself (unfolded).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, current_app, request

from kaboom.engine.game import Game
from kaboom.engine.i18n import say, say_counted
from kaboom.engine.table_view import TablePage
from kaboom.games import GAMES
from kaboom.lobby import og_images
from kaboom.web import limits
from kaboom.web.links import absolute

bp = Blueprint("sharing", __name__)

A_DAY = "public, max-age=86400"
KEPT = 64  # drawn pictures kept, some 30 kB each
ROOM = 0.16  # of an icon's width left free around the sign, where systems cut icons to a shape

# By file name: how wide, and how much room around the sign.
ICONS = {
    "icon-192.png": (192, 0.0),
    "icon-512.png": (512, 0.0),
    "maskable-192.png": (192, ROOM),
    "maskable-512.png": (512, ROOM),
}
TOUCH_ICON = (180, ROOM)

# Messengers read a table's page, so it may be fetched; its own header (X-Robots-Tag) tells search
# engines not to keep it. Its other pages, and the steps of matches, are of no use to them.
ROBOTS = """User-agent: *
Disallow: /t/*/
Disallow: /m/*/
Disallow: /look/
"""

MANIFEST = {
    "name": og_images.ROOM,
    "short_name": og_images.ROOM,
    "id": "/",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": og_images.PAPER,
    "theme_color": og_images.PAPER,
    "icons": [
        {
            "src": f"/icons/{name}",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "maskable" if room else "any",
        }
        for name, (size, room) in ICONS.items()
    ],
}


@dataclass(frozen=True, slots=True)
class Unfolded:
    """What the preview of a link shows; `shown` describes the picture in words."""

    title: str
    description: str
    picture: str
    shown: str


def unfolded(game: Game[Any], page: TablePage | None = None) -> Unfolded:
    """Return the preview of a link: for a table without a match, who invites and the free chairs.

    For a table with a password, or a running match, only the name of the game is told.
    """
    title, told = game.name, [say(game.tagline)]
    picture = absolute("sharing.picture", key=game.key)
    if page is not None and not (page.playing or page.locked or page.closed):
        taken, seats = len(page.taken), len(page.seats)
        for host in (chair.name for chair in page.seats if chair.host):
            title = say("{host} invites you to {game}", host=host, game=game.name)
        told.append(
            say_counted("{count} chair is free.", "{count} chairs are free.", seats - taken)
            if taken < seats
            else say("Every chair is taken.")
        )
        if seats <= og_images.MOST_CHAIRS:
            picture = absolute("sharing.chairs", key=game.key, taken=taken, seats=seats)
    told.append(say("No account, no installation."))
    shown = say("The name of the game, {game}, and five cards in a fan", game=game.name)
    return Unfolded(title, " ".join(told), picture, shown)


# What is drawn


@bp.get("/pictures/<key>.png")
@bp.get("/pictures/<key>/<int:taken>-<int:seats>.png", endpoint="chairs")
@limits.limiter.limit("60 per minute")
def picture(key: str, taken: int = 0, seats: int = 0) -> Response:
    """The picture of a game's tables, with this many chairs taken."""
    if key not in GAMES or not taken <= seats <= og_images.MOST_CHAIRS:
        abort(404)
    game = GAMES[key]
    png = _drawn(og_images.invitation, game.name, game.fan, taken, seats)
    return _file(png, "image/png")


@bp.get("/icons/<file>")
def icon(file: str) -> Response:
    """The room's sign, as a browser keeps it among its user's apps."""
    return _file(_drawn(og_images.icon_png, *(ICONS.get(file) or abort(404))), "image/png")


@bp.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    """The room's sign for a phone's home screen; phones ask for it under this name, unprompted."""
    return _file(_drawn(og_images.icon_png, *TOUCH_ICON), "image/png")


@bp.get("/favicon.ico")
def favicon() -> Response:
    """The room's sign, for browsers that ask for it without having seen a page."""
    return _file(_drawn(og_images.icon_ico), "image/x-icon")


@lru_cache(maxsize=KEPT)
def _drawn(draw: Callable[..., bytes], *what: Any) -> bytes:
    drawn: bytes = current_app.config["TABLES"].aside(draw, *what)
    return drawn


# What is asked for unprompted


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a browser needs to put the room among its user's apps."""
    return _file(json.dumps(MANIFEST).encode(), "application/manifest+json")


@bp.get("/robots.txt")
def robots() -> Response:
    """What crawlers may fetch."""
    return _file(ROBOTS.encode(), "text/plain")


def _file(content: bytes, kind: str) -> Response:
    response = Response(content, mimetype=kind, headers={"Cache-Control": A_DAY})
    response.add_etag(weak=True)  # it stands for the content, however that is compressed
    response.make_conditional(request)
    return response
