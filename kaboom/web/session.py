"""Who a browser is: a secret key in a cookie. The store keeps only the key's hash.

Also which form it sent: one that comes twice is done once (kaboom.web.idempotency.service).
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from flask import g, request
from werkzeug.wrappers import Response

from kaboom.db.encryption import hash_of
from kaboom.db.ids import can_be_code
from kaboom.web.client import address
from kaboom.web.idempotency.service import KEY_AGAIN, Command

COOKIE = "kb"  # a browser's own key
PASSED = "kb-pass-"  # and a table's code: the keys of those who share this browser there
MOST_PASSED = 9  # who share a browser with its own player
YEAR = 365 * 24 * 3600


def cookie_name(name: str) -> str:
    """Return the name of one of our cookies on this connection.

    Under https browsers accept a name with this prefix only from this very host, over https: nobody
    at a neighbouring name or on the way can plant one. On plain http they refuse such names.
    """
    return f"__Host-{name}" if request.is_secure else name


@dataclass(frozen=True, slots=True)
class Shared:
    """Who shares this browser at a table: the keys of those besides its own player, and whose view
    is shown: 0 is its own player, None is nobody (the curtain is down).
    """

    keys: tuple[str, ...] = ()
    shown: int | None = 0

    def hashes(self) -> list[str]:
        """Return the hashes of all keys, that of the browser's own player first."""
        own = request.cookies.get(cookie_name(COOKIE), "")
        return [hash_of(key) if key else "" for key in (own, *self.keys)]

    def written(self) -> str:
        """Return this as a cookie holds it."""
        return ".".join(["-" if self.shown is None else str(self.shown), *self.keys])


NOT_LOOKED = Shared()  # what a request says before anybody looked who shares its browser


def shared_at(code: str) -> Shared | None:
    """Return who shares this browser at a table, or None."""
    shown, *keys = request.cookies.get(cookie_name(PASSED + code), "").split(".")
    known = 0 < len(keys) <= MOST_PASSED and all(re.fullmatch(r"[\w-]{43}", key) for key in keys)
    if not known:
        return None
    whose = int(shown) if shown.isascii() and shown.isdigit() and len(shown) == 1 else None
    return Shared(tuple(keys), whose if whose is not None and whose <= len(keys) else None)


def shared_here() -> Shared | None:
    """Return who shares this browser at the table that this request is about, if anybody does."""
    shared: Shared | None = g.get("shared", NOT_LOOKED)
    if shared is NOT_LOOKED:
        at_a_table = request.path.startswith("/t/") and bearer() is None
        code = (request.view_args or {}).get("code") if at_a_table else None
        shared = g.shared = shared_at(code) if code else None
    return shared


def all_shared() -> list[tuple[str, Shared]]:
    """Return the codes of the tables where somebody shares this browser, and who."""
    start = cookie_name(PASSED)
    codes = [name.removeprefix(start) for name in request.cookies if name.startswith(start)]
    return [
        (code, found)
        for code in codes
        if can_be_code(code) and (found := shared_at(code)) is not None
    ]


@dataclass(frozen=True, slots=True)
class Bearer:
    """A program that showed a key: the key's hash, that of its player's own, and what it may do."""

    key_hash: str
    player_hash: str
    scopes: frozenset[str]
    table: str  # the only table it is for; empty: any


def bearer() -> Bearer | None:
    """Return the program that asks, if it is one that showed a key."""
    found: Bearer | None = g.get("bearer")
    return found


def key_hash() -> str:
    """Return the hash of this browser's key, or of that of the player a program acts for; empty
    when there is none yet.

    Where several people share a browser at a table, the key is that of whose view is shown.
    """
    if (program := bearer()) is not None:
        return program.player_hash
    if (shared := shared_here()) is not None:
        return "" if shared.shown is None else shared.hashes()[shared.shown]
    key = g.get("new_key") or request.cookies.get(cookie_name(COOKIE), "")
    return hash_of(key) if key else ""


def shown_key() -> str:
    """Return the hash of the very key that was shown: of a program its own, not its player's."""
    program = bearer()
    return key_hash() if program is None else program.key_hash


def new_command() -> str:
    """Return what identifies a form: 128 random bits."""
    return secrets.token_urlsafe(16)


def command() -> Command | None:
    """Return what identifies the form that was sent if it comes again.

    None for a form without an id of its own (`cmd`, or the header Idempotency-Key).
    """
    if key := idempotency_key():
        # Two strangers behind one address may think of the same key, but hardly of the same form.
        form = "" if key_hash() else hash_of_request()
        id = hash_of(f"idempotency {key} {form}")
        return Command(key_hash() or hash_of(address()), id, KEY_AGAIN)
    if not re.fullmatch(r"[!-~]{1,40}", request.form.get("cmd", "")):
        return None
    return Command(key_hash() or hash_of(address()), hash_of_request())


def idempotency_key() -> str:
    """Return what a program calls this request, whichever attempt it is; nothing if unreadable."""
    key = request.headers.get("Idempotency-Key", "")
    return key if re.fullmatch(r"[!-~]{1,200}", key) else ""


def move_command() -> str:
    """Return the id that a move has in the log, if a program gave one: a hash, for records are
    published.
    """
    key = idempotency_key()
    return f"k:{hash_of(key)[:20]}" if key else ""


def hash_of_request() -> str:
    """Return a hash of what was asked for: the path, and all that was sent."""
    return hash_of(f"{request.path}\n".encode() + request.get_data())


def keep_cookie(response: Response, name: str, value: str, seconds: int | None = YEAR) -> None:
    """Have the browser keep a cookie of ours that no script reads; None: until it is closed."""
    response.set_cookie(
        cookie_name(name),
        value,
        max_age=seconds,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


def give_key(response: Response) -> Response:
    """Set the cookie for a key made during this request, unless the request was refused."""
    key = g.get("new_key")
    if key and response.status_code < 400:
        keep_cookie(response, COOKIE, key)
    return response


def take_key_away(response: Response) -> None:
    """Have the browser drop its key, and whatever it keeps of our pages.

    Cookies are dropped by name: a browser told to clear them all would clear neighbours' too.
    """
    response.delete_cookie(
        cookie_name(COOKIE), httponly=True, samesite="Lax", secure=request.is_secure
    )
    response.headers["Clear-Site-Data"] = '"cache", "storage"'


def drop_shared(answer: Response, codes: Sequence[str]) -> None:
    """Have the browser forget who shared it at these tables."""
    for code in codes:
        name = cookie_name(PASSED + code)
        answer.delete_cookie(name, httponly=True, samesite="Lax", secure=request.is_secure)
