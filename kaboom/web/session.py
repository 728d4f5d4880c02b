"""The session: a secret key in a cookie. The database stores only its hash.

It also identifies submitted forms, so that a form sent twice is executed once
(kaboom.web.idempotency.service).
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
from kaboom.web.idempotency.service import KEY_AGAIN, IdempotencyKey

COOKIE = "kb"  # the session key of the browser's own player
PASSED = "kb-pass-"  # followed by a table's code: the keys of those who share this browser there
MOST_PASSED = 9  # maximum number of players besides the browser's own
YEAR = 365 * 24 * 3600


def cookie_name(name: str) -> str:
    """Return the name of a cookie on this connection.

    Over HTTPS, the name has a prefix with which browsers accept a cookie only from this host and
    over HTTPS, so neighbouring hosts and attackers on the network cannot set it. Over plain HTTP,
    browsers would reject such a name. `__Host-` requires the path "/"; below a path, `__Secure-`
    still requires HTTPS.
    """
    if not request.is_secure:
        return name
    return f"__Secure-{name}" if request.script_root else f"__Host-{name}"


def cookie_path() -> str:
    """Return the path of our cookies, which excludes neighbours on the same host."""
    return request.script_root or "/"


@dataclass(frozen=True, slots=True)
class Shared:
    """The players who share this browser at a table.

    `keys` holds the session keys other than the browser's own. `shown` is the index of the player
    whose view is shown: 0 is the browser's own player, None hides all views.
    """

    keys: tuple[str, ...] = ()
    shown: int | None = 0

    def hashes(self) -> list[str]:
        """Return the hashes of all keys; the browser's own comes first."""
        own = request.cookies.get(cookie_name(COOKIE), "")
        return [hash_of(key) if key else "" for key in (own, *self.keys)]

    def written(self) -> str:
        """Return the value of the cookie."""
        return ".".join(["-" if self.shown is None else str(self.shown), *self.keys])


NOT_LOOKED = Shared()  # the cookie has not been read in this request yet


def shared_at(code: str) -> Shared | None:
    """Return the players who share this browser at a table, or None."""
    shown, *keys = request.cookies.get(cookie_name(PASSED + code), "").split(".")
    known = 0 < len(keys) <= MOST_PASSED and all(re.fullmatch(r"[\w-]{43}", key) for key in keys)
    if not known:
        return None
    whose = int(shown) if shown.isascii() and shown.isdigit() and len(shown) == 1 else None
    return Shared(tuple(keys), whose if whose is not None and whose <= len(keys) else None)


def shared_here() -> Shared | None:
    """Return the players who share this browser at the requested table, or None."""
    shared: Shared | None = g.get("shared", NOT_LOOKED)
    if shared is NOT_LOOKED:
        at_a_table = request.path.startswith("/t/") and bearer() is None
        code = (request.view_args or {}).get("code") if at_a_table else None
        shared = g.shared = shared_at(code) if code else None
    return shared


def all_shared() -> list[tuple[str, Shared]]:
    """Return the codes of all tables where players share this browser, with the players."""
    start = cookie_name(PASSED)
    codes = [name.removeprefix(start) for name in request.cookies if name.startswith(start)]
    return [
        (code, found)
        for code in codes
        if can_be_code(code) and (found := shared_at(code)) is not None
    ]


@dataclass(frozen=True, slots=True)
class ApiToken:
    """An authenticated API key: its hash, the hash of its player's session key, and its scopes."""

    key_hash: str
    player_hash: str
    scopes: frozenset[str]
    table: str  # the only table it is for; empty: any


def bearer() -> ApiToken | None:
    """Return the request's API key, or None."""
    found: ApiToken | None = g.get("bearer")
    return found


def key_hash() -> str:
    """Return the hash of the requesting player's session key, or "" if there is none yet.

    For an API client it is that of the player it acts for. If several players share the browser at
    the table, it is that of the player whose view is shown.
    """
    if (program := bearer()) is not None:
        return program.player_hash
    if (shared := shared_here()) is not None:
        return "" if shared.shown is None else shared.hashes()[shared.shown]
    key = g.get("new_key") or request.cookies.get(cookie_name(COOKIE), "")
    return hash_of(key) if key else ""


def shown_key() -> str:
    """Return the hash of the presented credential.

    For an API client that is its own token, not its player's session key.
    """
    program = bearer()
    return key_hash() if program is None else program.key_hash


def new_command() -> str:
    """Return a command id for a new form: 128 random bits."""
    return secrets.token_urlsafe(16)


def command() -> IdempotencyKey | None:
    """Return the submitted form as a command that counts once, or None.

    It is None for a form with neither a valid `cmd` nor a valid Idempotency-Key header.
    """
    if key := idempotency_key():
        # Two clients behind one IP address may choose the same key, but hardly ever for the same
        # form.
        form = "" if key_hash() else hash_of_request()
        id = hash_of(f"idempotency {key} {form}")
        return IdempotencyKey(key_hash() or hash_of(address()), id, KEY_AGAIN)
    if not re.fullmatch(r"[!-~]{1,40}", request.form.get("cmd", "")):
        return None
    return IdempotencyKey(key_hash() or hash_of(address()), hash_of_request())


def idempotency_key() -> str:
    """Return the client's Idempotency-Key, which is the same for each attempt; "" if missing or
    invalid.
    """
    key = request.headers.get("Idempotency-Key", "")
    return key if re.fullmatch(r"[!-~]{1,200}", key) else ""


def move_command() -> str:
    """Return the id of a move in the log, if the client sent one.

    It is hashed, because records are published.
    """
    key = idempotency_key()
    return f"k:{hash_of(key)[:20]}" if key else ""


def hash_of_request() -> str:
    """Return a hash of the request: its path and everything sent."""
    return hash_of(f"{request.path}\n".encode() + request.get_data())


def keep_cookie(response: Response, name: str, value: str, seconds: int | None = YEAR) -> None:
    """Set a cookie that scripts cannot read. If `seconds` is None, it expires with the browser
    session.
    """
    response.set_cookie(
        cookie_name(name),
        value,
        max_age=seconds,
        path=cookie_path(),
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


def give_key(response: Response) -> Response:
    """Set the cookie for a key created during this request, unless the request was refused."""
    key = g.get("new_key")
    if key and response.status_code < 400:
        keep_cookie(response, COOKIE, key)
    return response


def take_key_away(response: Response) -> None:
    """Delete the browser's key and its cached pages.

    Cookies are deleted by name, because clearing all would include those of neighbours. Below a
    path, the host's storage is kept for the same reason.
    """
    _drop(response, COOKIE)
    whole_host = not request.script_root
    response.headers["Clear-Site-Data"] = '"cache", "storage"' if whole_host else '"cache"'


def drop_shared(answer: Response, codes: Sequence[str]) -> None:
    """Delete the cookies of the players who shared this browser at these tables."""
    for code in codes:
        _drop(answer, PASSED + code)


def _drop(response: Response, name: str) -> None:
    response.delete_cookie(
        cookie_name(name), cookie_path(), httponly=True, samesite="Lax", secure=request.is_secure
    )
