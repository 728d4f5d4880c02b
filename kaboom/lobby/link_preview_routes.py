"""Link previews for messengers, and the files that browsers and crawlers request on their own.

The pictures are the same for every player and reveal no more than their address does: the game and
the number of seats taken. The text beside them is in the page itself (`unfolded`).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, current_app, request, url_for

from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.table_view import TablePage
from kaboom.games import GAMES
from kaboom.lobby import link_preview_images
from kaboom.web import rate_limits
from kaboom.web.links import absolute

bp = Blueprint("sharing", __name__)

A_DAY = "public, max-age=86400"
KEPT = 64  # pictures in the cache, some 30 kB each
ROOM = 0.16  # share of an icon's width left as a margin, for systems that cut icons to a shape

# By file name: the width, and the margin around the sign.
ICONS = {
    "icon-192.png": (192, 0.0),
    "icon-512.png": (512, 0.0),
    "maskable-192.png": (192, ROOM),
    "maskable-512.png": (512, ROOM),
}
TOUCH_ICON = (180, ROOM)

# Messengers read a table's page, so it may be fetched; its own header (X-Robots-Tag) tells search
# engines not to index it. Its other pages, and the steps of matches, are of no use to them.
ROBOTS = """User-agent: *
Disallow: {root}/t/*/
Disallow: {root}/m/*/
Disallow: {root}/replay/
"""

MANIFEST = {
    "name": link_preview_images.ROOM,
    "short_name": link_preview_images.ROOM,
    "display": "standalone",
    "background_color": link_preview_images.PAPER,
    "theme_color": link_preview_images.PAPER,
    "icons": [
        {
            "src": f"icons/{name}",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "maskable" if room else "any",
        }
        for name, (size, room) in ICONS.items()
    ],
}


@dataclass(frozen=True, slots=True)
class Unfolded:
    """The preview of a link; `shown` describes its picture in words."""

    title: str
    description: str
    picture: str
    shown: str


def unfolded(game: Game[Any], page: TablePage | None = None) -> Unfolded:
    """Return the preview of a link: for a table without a match, the inviting player and the free
    seats.

    For a table with a password or a running match, it names only the game.
    """
    title, told = game.name, [_(game.tagline)]
    picture = absolute("sharing.picture", key=game.key)
    if page is not None and not (page.playing or page.locked or page.closed):
        taken, seats = len(page.taken), len(page.seats)
        for host in (occupant.name for occupant in page.seats if occupant.host):
            title = _("{host} invites you to {game}", host=host, game=game.name)
        told.append(
            ngettext("{count} seat is free.", "{count} seats are free.", seats - taken)
            if taken < seats
            else _("All seats are taken.")
        )
        if seats <= link_preview_images.MOST_CHAIRS:
            picture = absolute("sharing.chairs", key=game.key, taken=taken, seats=seats)
    told.append(_("No account, nothing to install."))
    shown = _("The name of the game, {game}, and five cards in a fan", game=game.name)
    return Unfolded(title, " ".join(told), picture, shown)


# Drawing


@bp.get("/pictures/<key>.png")
@bp.get("/pictures/<key>/<int:taken>-<int:seats>.png", endpoint="chairs")
@rate_limits.limiter.limit("60 per minute")
def picture(key: str, taken: int = 0, seats: int = 0) -> Response:
    """Return the picture of a game's tables, with this many seats taken."""
    if key not in GAMES or not taken <= seats <= link_preview_images.MOST_CHAIRS:
        abort(404)
    game = GAMES[key]
    png = _drawn(link_preview_images.invitation, game.name, game.fan, taken, seats)
    return _file(png, "image/png")


@bp.get("/icons/<file>")
def icon(file: str) -> Response:
    """Return an app icon for the home screen of a device."""
    return _file(
        _drawn(link_preview_images.icon_png, *(ICONS.get(file) or abort(404))), "image/png"
    )


@bp.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    """Return the app icon for phones, which request it under this name on their own."""
    return _file(_drawn(link_preview_images.icon_png, *TOUCH_ICON), "image/png")


@bp.get("/favicon.ico")
def favicon() -> Response:
    """Return the icon for browsers that request it without having read a page."""
    return _file(_drawn(link_preview_images.icon_ico), "image/x-icon")


@lru_cache(maxsize=KEPT)
def _drawn(draw: Callable[..., bytes], *what: Any) -> bytes:
    drawn: bytes = current_app.config["TABLES"].run_in_thread(draw, *what)
    return drawn


# Files that browsers request on their own


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the web app manifest."""
    home = url_for("pages.home")
    here = {"id": home, "start_url": home, "scope": home}
    return _file(json.dumps(MANIFEST | here).encode(), "application/manifest+json")


@bp.get("/robots.txt")
def robots() -> Response:
    """Return the rules for crawlers."""
    return _file(ROBOTS.format(root=request.script_root).encode(), "text/plain")


def _file(content: bytes, kind: str) -> Response:
    response = Response(content, mimetype=kind, headers={"Cache-Control": A_DAY})
    response.add_etag(weak=True)  # the ETag stands for the content, whatever its compression
    response.make_conditional(request)
    return response
