"""Compresses answers by Flask-Compress, and messages of streams by zstd."""

import sys
from functools import lru_cache
from http import HTTPStatus

from flask import Flask, Response, request
from flask_compress import Compress
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ENCODINGS = ("br", "zstd", "gzip")  # the first of those that a client likes best
ZSTD_LEVEL = 4  # as small as gzip's usual level, in little more than half the time
SETTINGS = {
    "COMPRESS_MIMETYPES": [
        "text/html",
        "image/svg+xml",
        "application/manifest+json",
        "application/atom+xml",
    ],
    "COMPRESS_ALGORITHM": ENCODINGS,
    "COMPRESS_BR_LEVEL": 5,
    "COMPRESS_ZSTD_LEVEL": ZSTD_LEVEL,
    "COMPRESS_STREAMS": False,
    "COMPRESS_EVALUATE_CONDITIONAL_REQUEST": False,  # routes with an ETag do it, with a weak one
    "COMPRESS_REGISTER": False,
}
PLAIN = (("Vary", "Accept-Encoding"),)
extension = Compress()


def init_app(app: Flask) -> None:
    """Compress the responses of an app."""
    app.config.update(SETTINGS)
    extension.init_app(app)
    app.after_request(compress)


def compress(response: Response) -> Response:
    """Return a response, compressed if it is worth it and the client takes it."""
    header = request.headers.get("Accept-Encoding", "")
    nothing = response.status_code == HTTPStatus.NO_CONTENT  # Flask-Compress would compress it
    request.environ["HTTP_ACCEPT_ENCODING"] = "" if nothing else accepted(header)
    return extension.after_request(response)


@lru_cache(maxsize=1000)  # browsers all over the world send a few dozen different ones
def accepted(header: str) -> str:
    """Return an Accept-Encoding header that names nothing but what we have and the client takes.

    Flask-Compress 1.25 takes `gzip;q=0` for a wish, too.
    """
    wishes = parse_accept_header(header, Accept)
    qualities = {name: wishes.quality(name) for name in (*ENCODINGS, "identity")}
    return ", ".join(f"{name};q={quality}" for name, quality in qualities.items() if quality > 0)


def takes_zstd(header: str) -> bool:
    """Return True if a client that sends this Accept-Encoding header takes zstd."""
    return "zstd;" in accepted(header)


def compress_message(message: bytes) -> bytes:
    """Return a message of a stream as a zstd frame of its own."""
    return zstd.compress(message, ZSTD_LEVEL)
