"""Static files: read and packed once, kept by browsers for ever under a name that has a version."""

import gzip
import mimetypes
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import normpath

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.security import safe_join

from kaboom.settings import ROOT

bp = Blueprint("static", __name__)

FOLDER = ROOT / "static"
GAMES_FOLDER = ROOT / "kaboom" / "games"
VENDORS = "kb-1.js"  # what vendors made stays as they made it
FOREVER = "public, max-age=31536000, immutable"


@cache
def _file(name: str) -> tuple[bytes, bytes, str, str]:
    """Return content, the same packed, type and version; raises OSError when there is no file."""
    if game := re.fullmatch(r"games/([a-z0-9_]+)\.css", name):
        path: str | None = str(GAMES_FOLDER / game[1] / "table.css")
    else:
        path = safe_join(str(FOLDER), name)
    if path is None or normpath(name) != name:  # each file is kept once, under its one name
        raise FileNotFoundError(name)
    content = Path(path).read_bytes()
    if name.endswith(".css"):
        content = squeezed_sheet(content)
    elif name.endswith(".js") and "/" not in name and name != VENDORS:
        content = squeezed(content)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return content, gzip.compress(content, 9, mtime=0), kind, sha256(content).hexdigest()[:8]


def squeezed(ours: bytes) -> bytes:
    """Return a script without its comments and indentation: they are for us."""
    return re.sub(rb"\s*\n\s*", b"\n", re.sub(rb"/\*.*?\*/", b"", ours, flags=re.DOTALL))


def squeezed_sheet(ours: bytes) -> bytes:
    """Return a style sheet without its comments and without the spaces that mean nothing.

    What stands in quotation marks or in url() stays as it is, and so do the spaces around + and -.
    """
    bare = re.sub(rb"/\*.*?\*/", b"", ours, flags=re.DOTALL)
    parts = re.split(rb"""("[^"\n]*"|url\([^)\n]*\))""", bare)
    for i in range(0, len(parts), 2):
        close = re.sub(rb"\s*([{};,>])\s*", rb"\1", re.sub(rb"\s+", b" ", parts[i]))
        parts[i] = re.sub(rb"(?<=[\w-]): ", b":", close).replace(b";}", b"}")
    return b"".join(parts).strip()


def asset(name: str) -> str:
    """Return the address of a static file, with a version that changes with its content."""
    return url_for("static.file", name=name, v=_file(name)[3])


def game_sheet(key: str) -> str:
    """Return the address of a game's own style sheet, or "" where it has none."""
    has_one = (GAMES_FOLDER / key / "table.css").exists()
    return asset(f"games/{key}.css") if has_one else ""


@bp.get("/static/<path:name>")
def file(name: str) -> Response:
    """A static file, packed for browsers that can unpack it."""
    try:
        content, packed, kind, version = _file(name)
    except (OSError, ValueError):  # a name may hold what no file's name can
        abort(404)
    small = request.accept_encodings.quality("gzip") > 0
    response = Response(packed if small else content, mimetype=kind)
    response.headers["Vary"] = "Accept-Encoding"
    if small:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(version + ("-gzip" if small else ""))
    if request.args.get("v") == version:
        response.headers["Cache-Control"] = FOREVER
    response.make_conditional(request)
    return response
