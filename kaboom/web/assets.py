"""Static files: compressed once, and cached by browsers under a versioned URL."""

import gzip
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import quote

import brotli  # type: ignore[import-untyped]
import rcssmin  # type: ignore[import-untyped]
import rjsmin  # type: ignore[import-untyped]
from flask import Blueprint, Response, abort, request, url_for
from werkzeug.security import safe_join

from kaboom.config import ROOT
from kaboom.games import GAMES, folder

bp = Blueprint("static", __name__)
SAME_FOR_ALL = ("static", "sharing")  # blueprints whose responses do not depend on cookies

FOLDER = ROOT / "static"
FOREVER = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A static file: its content by encoding ("" is plain), its media type and its version."""

    encoded: Mapping[str, bytes]
    mimetype: str
    version: str


@cache
def load(name: str) -> Asset:
    """Return a static file; raises OSError or ValueError if there is no file of that name."""
    path = path_of(name)
    content = path.read_bytes()
    if name.endswith("/lesson.css"):  # together they are smaller
        content = path_of(name.replace("/lesson", "")).read_bytes() + content
    if name == "table_page/table.js":
        content += path_of("table_page/picks.js").read_bytes()
    if path.suffix == ".css":
        content = minified_sheet(versioned_fonts(inline_drawings(content.decode()))).encode()
    elif path.suffix == ".js" and path.parent.name != "vendor":
        content = minified_script(content.decode()).encode()
    if path.suffix == ".woff2":  # already compressed, and unknown to some systems
        return Asset({"": content}, "font/woff2", sha256(content).hexdigest()[:8])
    encoded = {"br": brotli.compress(content), "gzip": gzip.compress(content, mtime=0), "": content}
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(encoded, mimetype, sha256(content).hexdigest()[:8])


def path_of(name: str) -> Path:
    """Return the path of a static file; a game's sheets, games/KEY.css for its tables and
    games/KEY/lesson.css for its lessons, are in the folder of the game.

    A game without a sheet gets that of the default board. Raises FileNotFoundError for a name that
    leads outside the folder, and for a name with redundant parts, such as `./`.
    """
    game = re.fullmatch(r"games/([^/]+)(/lesson)?\.css", name)
    if game and game[1] in GAMES:
        sheet = folder(game[1]) / ("lesson.css" if game[2] else "table.css")
        return sheet if game[2] or sheet.exists() else FOLDER / "table_page" / "default_board.css"
    path = safe_join(str(FOLDER), name)
    if path is None or normpath(name) != name:
        raise FileNotFoundError(name)
    return Path(path)


def inline_drawings(sheet: str) -> str:
    """Return a style sheet with its drawings as data URIs, so that cards need no requests.

    `url("../cards/king.svg?fill=c8185a")` is static/cards/king.svg in that colour. Raises OSError
    if there is no such drawing.
    """

    def data_uri(url: re.Match[str]) -> str:
        drawing = (FOLDER / url["path"]).read_text(encoding="utf-8").strip()
        if url["fill"]:
            fill = f' fill="currentColor" color="#{url["fill"]}" viewBox='
            drawing = drawing.replace(" viewBox=", fill, 1)
        one_line = re.sub(r">\s+<", "><", drawing).replace('"', "'")
        return 'url("data:image/svg+xml,{}")'.format(quote(one_line, safe=" ='/:,()<>"))

    pattern = r'url\("\.\./(?P<path>(?:cards|faces)/[\w-]+\.svg)(?:\?fill=(?P<fill>\w+))?"\)'
    return re.sub(pattern, data_uri, sheet)


def versioned_fonts(sheet: str) -> str:
    """Return a style sheet with a version in the URL of each typeface, so that browsers may cache
    it. Raises OSError if a file is missing.
    """

    def address(url: re.Match[str]) -> str:
        return f'url("../{url[1]}?v={load(url[1]).version}")'

    return re.sub(r'url\("\.\./(vendor/[\w-]+\.woff2)"\)', address, sheet)


def minified_sheet(sheet: str) -> str:
    """Return a style sheet without comments and insignificant white space.

    In a nested rule the minifier takes the space of `& a :is(b)` for that of a declaration; with a
    `*` behind it the space stays, and the meaning too.
    """
    return str(rcssmin.cssmin(re.sub(r"(?m)^\s*&.*", lambda it: it[0].replace(" :", " *:"), sheet)))


def minified_script(script: str) -> str:
    """Return a script without comments and insignificant white space."""
    return str(rjsmin.jsmin(script))


def asset(name: str) -> str:
    """Return the URL of a static file, with a version that changes with its content."""
    return url_for("static.file", name=name, v=load(name).version)


def game_sheet(key: str) -> str:
    """Return the URL of the style sheet of a game's tables."""
    return asset(f"games/{key}.css")


def lesson_sheet(key: str) -> str:
    """Return the URL of a game's style sheet in lessons and puzzles."""
    has_one = (folder(key) / "lesson.css").exists()
    return asset(f"games/{key}/lesson.css" if has_one else f"games/{key}.css")


@bp.get("/static/<path:name>")
def file(name: str) -> Response:
    """Return a static file, compressed if the client accepts that."""
    try:
        encoded, mimetype, version = load(name)
    except (OSError, ValueError):  # a name may contain characters that no file name can
        abort(404)
    accepted = request.accept_encodings
    encoding = next((name for name in encoded if name and accepted.quality(name) > 0), "")
    response = Response(encoded[encoding], mimetype=mimetype)
    response.headers["Vary"] = "Accept-Encoding"
    if encoding:
        response.headers["Content-Encoding"] = encoding
    response.set_etag(f"{version}-{encoding}" if encoding else version)
    if request.args.get("v") == version:
        response.headers["Cache-Control"] = FOREVER
    response.make_conditional(request)
    return response
