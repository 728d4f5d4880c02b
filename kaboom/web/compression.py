"""Packs answers: fragments of a table, of which each move needs several, by zstd; whole pages by
brotli, a tenth smaller for five times the time. Browsers that take neither get gzip.
"""

import gzip
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import brotli  # type: ignore[import-untyped]
from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEAST = 500  # bytes; less is not worth it
KINDS = {"text/html", "image/svg+xml", "application/manifest+json", "application/atom+xml"}
BROTLI = brotli.MODE_GENERIC, 5
ZSTD = 4  # as small as gzip's usual level, in little more than half the time
GZIP = 6
PACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": lambda content: bytes(brotli.compress(content, *BROTLI)),
    "zstd": lambda content: zstd.compress(content, ZSTD),
    "gzip": lambda content: gzip.compress(content, GZIP, mtime=0),
}
FOR_PAGES = ("br", "zstd", "gzip")  # the first of those that a browser likes best
FOR_OTHERS = ("zstd", "gzip")
PLAIN = (("Vary", "Accept-Encoding"),)


def init_app(app: Flask) -> None:
    """Pack the answers of an application if the browser can unpack them."""
    app.after_request(pack)


def pack(response: Response) -> Response:
    """Return a response packed as the browser likes best; a stream or a short one as it is."""
    kind, headers = response.mimetype, response.headers
    if "Vary" in headers:
        return response  # files that are packed already
    headers["Vary"] = "Accept-Encoding"
    if kind not in KINDS or response.is_streamed or not 200 <= response.status_code < 300:
        return response
    whole = kind == "text/html" and "HX-Request" not in request.headers
    content, (_, *encoding) = packed(response.get_data(), whole)
    if encoding:
        response.set_data(content)
        headers.extend(encoding)
        etag, _ = response.get_etag()
        if etag is not None:  # it stands for the content, however that is packed
            response.set_etag(etag, weak=True)
    return response


def packed(content: bytes, whole: bool) -> tuple[bytes, Sequence[tuple[str, str]]]:
    """Return content as whoever asks likes best, with the headers that say how; a `whole` page is
    asked for less often than a part.
    """
    if len(content) < LEAST:
        return content, PLAIN
    way = chosen(request.headers.get("Accept-Encoding", ""), FOR_PAGES if whole else FOR_OTHERS)
    return (PACKERS[way](content), (*PLAIN, ("Content-Encoding", way))) if way else (content, PLAIN)


@lru_cache(maxsize=1000)  # browsers all over the world send a few dozen different ones
def chosen(accepted: str, possible: tuple[str, ...]) -> str:
    """Return which of the possible ways an Accept-Encoding header likes best, the first of those it
    likes alike; nothing where it takes none, or would rather have it unpacked.
    """
    wishes = parse_accept_header(accepted, Accept)
    best = max(possible, key=wishes.quality)
    liked = wishes.quality(best)
    return best if liked > 0 and liked >= dict(wishes).get("identity", 0) else ""
