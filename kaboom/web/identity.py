"""Who a browser is: a secret key in a cookie. The store keeps only the key's hash.

Also which form it sent: one that comes twice is done once (kaboom.tables.commands).
"""

import hashlib
import re
import secrets

from flask import current_app, g, request
from werkzeug.wrappers import Response

from kaboom.tables.commands import keys
from kaboom.tables.once import Command, first_key
from kaboom.tables.service import Tables
from kaboom.web.address import address

COOKIE = "kb"
YEAR = 365 * 24 * 3600


def cookie_name(name: str) -> str:
    """Return the name of one of our cookies on this connection.

    Under https browsers accept a name with this prefix only from this very host, over https: nobody
    at a neighbouring name or on the way can plant one. On plain http they refuse such names.
    """
    return f"__Host-{name}" if request.is_secure else name


def key_hash() -> str:
    """Return the hash of this browser's key; empty when it has none yet."""
    key = g.get("new_key") or request.cookies.get(cookie_name(COOKIE), "")
    return _hashed(key.encode()) if key else ""


def ensure_key() -> str:
    """Return the hash of this browser's key, making a key when it has none that is known here.

    Only a POST may do this: looking at a page leaves no trace. A key in a cookie that we did not
    give, or have forgotten, is never adopted.
    """
    tables: Tables = current_app.config["TABLES"]
    if not g.get("new_key") and not (key_hash() and keys.knows(tables, key_hash())):
        # Two strangers must never be given the same key: only an id that no two pages share will
        # do.
        one_page = re.fullmatch(r"[\w-]{22}", request.form.get("cmd", ""), re.ASCII)
        form = Command(_hashed(address().encode()), _form_sent()) if one_page else None
        g.new_key = first_key(tables.database, form, tables.now())
    return key_hash()


def new_command() -> str:
    """Return what identifies a form: 128 random bits."""
    return secrets.token_urlsafe(16)


def command() -> Command | None:
    """Return what identifies the form that was sent if it comes again.

    None for one without its own id (`cmd`): that is like no other.
    """
    if not re.fullmatch(r"[!-~]{1,40}", request.form.get("cmd", "")):
        return None
    return Command(key_hash() or _hashed(address().encode()), _form_sent())


def _form_sent() -> str:
    return _hashed(f"{request.path}\n".encode() + request.get_data())


def _hashed(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def give_key(response: Response) -> Response:
    """Set the cookie for a key made during this request, unless the request was refused."""
    key = g.get("new_key")
    if key and response.status_code < 400:
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

    Cookies are dropped by name: a browser told to clear them all would clear neighbours' too.
    """
    response.delete_cookie(
        cookie_name(COOKIE), httponly=True, samesite="Lax", secure=request.is_secure
    )
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
