"""Who a browser is: a secret key in a cookie. The store keeps only the key's hash."""

import hashlib
import secrets

from flask import g, request
from werkzeug.wrappers import Response

COOKIE = "kb"
YEAR = 365 * 24 * 3600


def cookie_name(name: str) -> str:
    """Return what a cookie of ours is called on this connection.

    Under https browsers take a name that begins so from this very host only, over https: nobody at
    a neighbouring name or on the way can plant one. On plain http they refuse such names.
    """
    return f"__Host-{name}" if request.is_secure else name


def key_hash() -> str:
    """Return the hash of this browser's key; empty when it has none yet."""
    key = g.get("new_key") or request.cookies.get(cookie_name(COOKIE), "")
    return hashlib.sha256(key.encode()).hexdigest() if key else ""


def ensure_key() -> str:
    """Return the hash of this browser's key, making one when it has none.

    Only a POST may do this: looking at a page leaves no trace.
    """
    if not request.cookies.get(cookie_name(COOKIE)) and not g.get("new_key"):
        g.new_key = secrets.token_urlsafe(32)
    return key_hash()


def give_key(response: Response) -> Response:
    """Set the cookie of a key made during this request."""
    if key := g.get("new_key"):
        response.set_cookie(
            cookie_name(COOKIE),
            key,
            max_age=YEAR,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
    return response


def take_key_away(response: Response) -> None:
    """Have the browser drop its key, and whatever it keeps of our pages.

    Cookies are dropped by name: a browser told to clear them all would clear neighbours', too.
    """
    response.delete_cookie(
        cookie_name(COOKIE), httponly=True, samesite="Lax", secure=request.is_secure
    )
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
