"""The pictures of link previews, and the files that browsers and crawlers request on their own.

The pictures are the same for every player and reveal no more than their URL does: the game and the
number of seats taken. The text beside them is in the page itself (previews.py).
"""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, current_app, request, url_for

from kaboom.games import GAMES
from kaboom.sharing import images
from kaboom.web import rate_limits

bp = Blueprint("sharing", __name__)

A_DAY = "public, max-age=86400"
KEPT = 64  # pictures in the cache, some 30 kB each
ROOM = 0.16  # share of an icon's width left as a margin, for systems that crop icons to a shape

# By file name: the width, and the margin around the symbol.
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
    "name": images.ROOM,
    "short_name": images.ROOM,
    "display": "standalone",
    "background_color": images.PAPER,
    "theme_color": images.PAPER,
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


@bp.get("/pictures/<key>.png")
@bp.get("/pictures/<key>/<int:taken>-<int:seats>.png", endpoint="chairs")
@rate_limits.limiter.limit("60 per minute")
def picture(key: str, taken: int = 0, seats: int = 0) -> Response:
    """Return the picture of a game's tables, with this many seats taken."""
    if key not in GAMES or not taken <= seats <= images.MOST_CHAIRS:
        abort(404)
    game = GAMES[key]
    png = _drawn(images.invitation, game.name, game.fan, taken, seats)
    return _file(png, "image/png")


@bp.get("/icons/<file>")
def icon(file: str) -> Response:
    """Return an app icon for the home screen of a device."""
    return _file(_drawn(images.icon_png, *(ICONS.get(file) or abort(404))), "image/png")


@bp.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    """Return the app icon for phones, which request it under this name on their own."""
    return _file(_drawn(images.icon_png, *TOUCH_ICON), "image/png")


@bp.get("/favicon.ico")
def favicon() -> Response:
    """Return the icon for browsers that request it without having read a page."""
    return _file(_drawn(images.icon_ico), "image/x-icon")


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
