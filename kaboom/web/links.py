"""Absolute URLs for links outside pages."""

import re
from typing import Any
from urllib.parse import urlsplit

from flask import current_app, request, url_for


def invitation(code: str) -> str:
    """Return the absolute link to a table."""
    return absolute("table.show", code=code)


def absolute(endpoint: str, **values: Any) -> str:
    """Return a URL with its host: that of PUBLIC_URL, or the one that the browser requested."""
    public: str = current_app.config["SERVER"].public_url
    if public:
        parts = urlsplit(public)  # url_for's result already contains its path
        return f"{parts.scheme}://{parts.netloc}{url_for(endpoint, **values)}"
    return url_for(endpoint, **values, _external=True)


def rooted(path: str) -> str:
    """Return the URL of a page by its path, such as `/t/ABCDEFGH`, faster than url_for.

    If PUBLIC_URL has a path, the result begins with it.
    """
    return f"{request.script_root}{path}"


def asking(address: str, query: str) -> str:
    """Return a URL with a query string added, which must already be URL-encoded."""
    return f"{address}{'&' if '?' in address else '?'}{query}"


def typed_code(typed: str) -> str:
    """Return the code in what a person typed or pasted: a code, or a URL on this server."""
    path = re.split(r"[?#]", typed.strip())[0].rstrip("/")
    within = re.search(r"/[mt]/([^/]+)", path)  # also from a page below a table or a match
    code = within[1] if within else path.rsplit("/", 1)[-1]
    return "".join(letter for letter in code if letter.isalnum())


def own_page(path: str) -> str:
    """Return the path if it belongs to this server, otherwise that of the home page. Browsers read
    \\ as /.
    """
    home = url_for("pages.home")
    ours = path.startswith(home) and re.fullmatch(r"/(?!/)[!-\[\]-~]*", path)
    return path if ours else home
