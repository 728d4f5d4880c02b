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
OURS = ("kaboom.css", "kaboom.js", "turn.js")  # what vendors made stays as they made it
FOREVER = "public, max-age=31536000, immutable"


@cache
def _file(name: str) -> tuple[bytes, bytes, str, str]:
    """Return content, the same packed, type and version; raises OSError when there is no file."""
    path = safe_join(str(FOLDER), name)
    if path is None or normpath(name) != name:  # each file is kept once, under its one name
        raise FileNotFoundError(name)
    content = Path(path).read_bytes()
    if name in OURS:
        content = squeezed(content)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return content, gzip.compress(content, 9, mtime=0), kind, sha256(content).hexdigest()[:8]


def squeezed(ours: bytes) -> bytes:
    """Return a style sheet or script without its comments and indentation: they are for us."""
    return re.sub(rb"\s*\n\s*", b"\n", re.sub(rb"/\*.*?\*/", b"", ours, flags=re.DOTALL))


def asset(name: str) -> str:
    """Return the address of a static file, with a version that changes with its content."""
    return url_for("static.file", name=name, v=_file(name)[3])


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
