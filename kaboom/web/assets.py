"""Static files: read and packed once; browsers keep them for ever, by address and version."""

import mimetypes
import re
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import quote

import brotli  # type: ignore[import-untyped]
from flask import Blueprint, Response, abort, request, url_for
from werkzeug.security import safe_join

from kaboom.config import ROOT
from kaboom.games import GAMES, folder

bp = Blueprint("static", __name__)
SAME_FOR_ALL = ("static", "sharing")  # blueprints whose answers depend on nobody's cookies

FOLDER = ROOT / "static"
VENDORS = "htmx-bundle-4.0.1.js"  # vendors' files stay as they made them
# One request instead of two.
JOINED = {"table.js": (VENDORS, "kaboom.js"), "pages.css": ("home.css", "pages.css")}
FOREVER = "public, max-age=31536000, immutable"


class File(NamedTuple):
    """A file as it is sent: by how it is packed ("" is not at all), with its type and version."""

    packed: Mapping[str, bytes]
    kind: str
    version: str


@cache
def _file(name: str) -> File:
    """Return a file, packed once for all; raises OSError when there is none."""
    content = b"\n".join(_content(part) for part in JOINED.get(name, (name,)))
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = {"br": brotli.compress(content), "gzip": _gzip(content), "": content}
    return File(packed, kind, sha256(content).hexdigest()[:8])


def _gzip(content: bytes) -> bytes:
    """Return content as gzip, as small as it gets: with less memory there are more blocks, each
    with a code of its own, which is often smaller.
    """

    def with_memory(level: int) -> bytes:
        packing = zlib.compressobj(9, wbits=16 + zlib.MAX_WBITS, memLevel=level)
        return packing.compress(content) + packing.flush()

    return min(map(with_memory, range(5, 10)), key=len)


def _content(name: str) -> bytes:
    game = re.fullmatch(r"(games|lobby)/(.+)\.css", name)
    if game and game[2] in GAMES:
        if game[1] == "lobby":
            return _content(f"games/{game[2]}.css") + _content("lobby.css")
        own = folder(game[2]) / "table.css"
        path: str | None = str(own if own.exists() else FOLDER / "plain.css")
    else:
        path = safe_join(str(FOLDER), name)
    if path is None or normpath(name) != name:  # each file is kept once, under its one name
        raise FileNotFoundError(name)
    content = Path(path).read_bytes()
    if name.endswith(".css"):
        return squeezed_sheet(with_drawings(content))
    if name.endswith(".js") and "/" not in name and name != VENDORS:
        return squeezed(content)
    return content


def squeezed(ours: bytes) -> bytes:
    """Return one of our scripts without its comments and meaningless spaces.

    Line ends stay between statements, for they end them. Our scripts hold no regular expressions,
    no templates and only strings in double quotation marks.
    """
    lines = re.sub(rb"\s*\n\s*", b"\n", re.sub(rb"/\*.*?\*/", b"", ours, flags=re.DOTALL))

    def close(code: bytes) -> bytes:
        code = re.sub(rb" *([{}();,=?:<>&|!*/]) *", rb"\1", code)
        code = re.sub(rb"(?<={)\n|\n(?=})", b"", code)
        return re.sub(rb" ([+-]) (?![+-])", rb"\1", code)

    return _outside(rb'("[^"\n]*")', lines.strip(), close)


def squeezed_sheet(ours: bytes) -> bytes:
    """Return one of our style sheets without comments and meaningless spaces, its custom properties
    renamed to the numbers of `properties`.

    Text in quotation marks or url() stays as it is, and so do the spaces around + and -.
    """

    def named(property: re.Match[bytes]) -> bytes:
        return properties().get(property[0], property[0])

    def close(code: bytes) -> bytes:
        code = re.sub(rb"--[\w-]+", named, code)
        code = re.sub(rb"\s*([{};,>])\s*", rb"\1", re.sub(rb"\s+", b" ", code))
        code = re.sub(rb"::(?=before|after)", b":", code)
        return re.sub(rb"(?<=[\w-]): ", b":", code).replace(b";}", b"}")

    bare = re.sub(rb"/\*.*?\*/", b"", ours, flags=re.DOTALL)
    return _outside(rb"""("[^"\n]*"|url\([^)\n]*\))""", bare, close).strip()


@cache
def properties() -> Mapping[bytes, bytes]:
    """Return a number for each custom property of kaboom.css whose name has more than one letter.

    All sheets are sent with these numbers as names, which saves a fiftieth of their bytes.
    """
    names = re.findall(rb"(--[a-z][\w-]+):", (FOLDER / "kaboom.css").read_bytes())
    return {name: b"--%d" % number for number, name in enumerate(dict.fromkeys(names))}


def with_drawings(sheet: bytes) -> bytes:
    """Return a style sheet with its drawings inside, so that no card is ever asked for.

    url(cards/king.svg?hearts) becomes a data URI of static/cards/king.svg in the colour that the
    sheet first gives to --hearts, or else kaboom.css. Raises OSError when there is no such drawing,
    ValueError when there is no such colour.
    """

    inks = sheet + (FOLDER / "kaboom.css").read_bytes()

    def inside(place: re.Match[bytes]) -> bytes:
        drawing = (FOLDER / place[1].decode()).read_text(encoding="utf-8")
        if place[2]:
            (ink,) = re.findall(rb"--%s: (#\w+);" % place[2], inks)[:1]
            inked = f' fill="currentColor" color="{ink.decode()}" viewBox='
            drawing = drawing.replace(" viewBox=", inked, 1)
        small = re.sub(r">\s+<", "><", drawing.strip()).replace('"', "'")
        return b'url("data:image/svg+xml,%s")' % quote(small, safe=" ='/:,()<>").encode()

    return re.sub(rb"url\(((?:cards|faces)/[\w-]+\.svg)(?:\?([\w-]+))?\)", inside, sheet)


def _outside(literal: bytes, text: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return the text with everything changed that is not a literal (a pattern of one group)."""
    parts = re.split(literal, text)
    parts[::2] = map(change, parts[::2])
    return b"".join(parts)


def asset(name: str) -> str:
    """Return the address of a static file, with a version that changes with its content."""
    return url_for("static.file", name=name, v=_file(name).version)


def game_sheet(key: str, lobby: bool = False) -> str:
    """Return the address of the style sheet of a game's tables. With `lobby` the file also has what
    is needed before a match, since those who come then will see the match as well.
    """
    return asset(f"lobby/{key}.css" if lobby else f"games/{key}.css")


@bp.get("/static/<path:name>")
def file(name: str) -> Response:
    """A static file, packed for browsers that can unpack it."""
    try:
        packed, kind, version = _file(name)
    except (OSError, ValueError):  # a name may contain what no file name can
        abort(404)
    way = next((way for way in packed if way and request.accept_encodings.quality(way) > 0), "")
    response = Response(packed[way], mimetype=kind)
    response.headers["Vary"] = "Accept-Encoding"
    if way:
        response.headers["Content-Encoding"] = way
    response.set_etag(f"{version}-{way}" if way else version)
    if request.args.get("v") == version:
        response.headers["Cache-Control"] = FOREVER
    response.make_conditional(request)
    return response
