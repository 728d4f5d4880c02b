"""API keys: create, list, authenticate and revoke.

A key is `kb_`, 43 characters that encode 256 random bits, and a checksum of 6 characters. It is
shown once; the database only stores its hash.
"""

import hashlib
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.api_keys import queries as api_keys
from kaboom.accounts.api_keys.queries import KeyRow
from kaboom.accounts.names import require_readable_name
from kaboom.db.encryption import hash_of
from kaboom.db.ids import CODE_LETTERS, can_be_code
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.web.api.scopes import Scope
from kaboom.web.idempotency.service import IdempotencyKey, write_once
from kaboom.web.session import ApiToken

DAYS = 90  # lifetime
MOST = 20  # keys per player
# Up to release 0.2, a letter could precede the `_` (kaboom.db.ids).
SHAPE = re.compile(rf"kb[{CODE_LETTERS}]?_([\w-]{{43}})([\w-]{{6}})", re.ASCII)


def new_key() -> str:
    """Return a new random key."""
    secret = secrets.token_urlsafe(32)
    return f"kb_{secret}{_check(secret)}"


def is_key(text: str) -> bool:
    """Return True if the checksum is correct, so that typing errors need no database query."""
    shaped = SHAPE.fullmatch(text)
    return shaped is not None and secrets.compare_digest(shaped[2], _check(shaped[1]))


def _check(secret: str) -> str:
    digest = hashlib.sha256(f"kaboom key {secret}".encode()).digest()
    return urlsafe_b64encode(digest)[:6].decode()


def bearer_of(services: Services, key: str) -> ApiToken | None:
    """Return the owner of a key; None if it is invalid, revoked or expired, or if its player is
    signed out everywhere.

    The database is queried each time, so revocation takes effect at once in all workers.
    """
    if not is_key(key):
        return None
    hashed = hash_of(key)
    found = services.database.read(lambda c: api_keys.owned(c, hashed, services.now()))
    if found is None:
        return None
    return ApiToken(hashed, found.player_hash, frozenset(found.scopes.split()), found.table_code)


def revoked(services: Services, hashes: Collection[str]) -> set[str]:
    """Return the hashes among these whose keys have been revoked or have expired."""
    if not hashes:
        return set()
    now = services.now()
    return set(hashes) - services.database.read(lambda c: api_keys.alive(c, hashes, now))


def require_valid(label: str, scopes: Collection[Scope]) -> str:
    """Return a key's name as it is shown. Raises InvalidState if no character of it is visible, or
    without a scope.
    """
    label = require_readable_name(label, "key_name")
    if not scopes:
        raise InvalidState(_("Choose at least one permission."))
    return label


def make(
    services: Services,
    player: int,
    name: str,
    scopes: Collection[Scope],
    table: str = "",
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Create a key for a player, optionally for one table, and return it.

    Raises InvalidState for a name without visible characters, a missing scope, a malformed table
    code, or too many keys.
    """
    name, table = require_valid(name, scopes), table.strip().upper()
    if table and not can_be_code(table):
        raise InvalidState(_("That is not a table code."))
    now = services.now()

    def made(connection: Connection) -> str:
        if api_keys.count(connection, player, now) >= MOST:
            raise InvalidState(_("You already have {most} keys. Revoke one first.", most=MOST))
        return _kept(connection, player, name, scopes, table, now)

    return write_once(services.database, idempotency_key, now, made)


def _kept(
    connection: Connection,
    player: int,
    name: str,
    scopes: Collection[Scope],
    table: str,
    now: float,
) -> str:
    key = new_key()
    good_for = " ".join(scope for scope in Scope if scope in scopes)
    expires = now + DAYS * DAY
    row = KeyRow(hash_of(key), player, name, good_for, table, now, expires)
    api_keys.add(connection, row)
    return key


def first_guest(
    services: Services,
    name: str,
    label: str,
    scopes: Collection[Scope],
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Store a new guest and return the guest's first API key. Raises InvalidState like make().

    The guest has no browser, so the session key is discarded.
    """
    name, label = require_readable_name(name), require_valid(label, scopes)
    now = services.now()

    def made(connection: Connection) -> str:
        unknown = hash_of(secrets.token_urlsafe(32))
        player = player_queries.add_player(connection, unknown, name, now)
        return _kept(connection, player, label, scopes, "", now)

    return write_once(services.database, idempotency_key, now, made)


def keys_of(services: Services, player_hash: str) -> Sequence[KeyRow]:
    """Return the API keys of the player with that session key, newest first."""

    def work(connection: Connection) -> Sequence[KeyRow]:
        player = player_queries.player(connection, player_hash)
        return api_keys.of_player(connection, player[0], services.now()) if player else []

    return services.database.read(work)


def revoke(services: Services, player_hash: str, key_hash: str) -> None:
    """Revoke a key. Raises NotPermitted if the player has no such key."""

    def work(connection: Connection) -> bool:
        player = player_queries.player(connection, player_hash)
        return player is not None and api_keys.revoke(connection, player[0], key_hash)

    if not services.database.write(work):
        raise NotPermitted(_("Key not found. It may already have been revoked."))
