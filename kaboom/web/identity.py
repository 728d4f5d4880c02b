"""Who a browser is: a secret key in a cookie. The store keeps only the key's hash."""

import hashlib
import secrets

from flask import Response, g, request

COOKIE = "kb"
YEAR = 365 * 24 * 3600


def key_hash() -> str:
    """Return the hash of this browser's key; empty when it has none yet."""
    key = g.get("new_key") or request.cookies.get(COOKIE, "")
    return hashlib.sha256(key.encode()).hexdigest() if key else ""


def ensure_key() -> str:
    """Return the hash of this browser's key, making one when it has none.

    Only a POST may do this: looking at a page leaves no trace.
    """
    if not request.cookies.get(COOKIE) and not g.get("new_key"):
        g.new_key = secrets.token_urlsafe(32)
    return key_hash()


def give_key(response: Response) -> Response:
    """Set the cookie of a key made during this request."""
    if key := g.get("new_key"):
        response.set_cookie(
            COOKIE, key, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response
