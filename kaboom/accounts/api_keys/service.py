"""Keys with which programs act for a player: made, listed, known again, revoked.

A key is `kb_`, 43 characters of 256 random bits, and 6 that check them. It is shown once; the store
has only its hash.
"""

import hashlib
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.api_keys import queries as program_keys
from kaboom.accounts.api_keys.queries import KeyRow
from kaboom.accounts.names import require_readable_name
from kaboom.db.encryption import hash_of
from kaboom.db.ids import CODE_LETTERS, can_be_code
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState, NotPermitted
from kaboom.web.api.scopes import Scope
from kaboom.web.idempotency.service import Command, only_once
from kaboom.web.session import Bearer

DAYS = 90  # that a key lives
MOST = 20  # keys of one player
# Up to release 0.2 a letter could stand before the `_` (kaboom.db.ids).
SHAPE = re.compile(rf"kb[{CODE_LETTERS}]?_([\w-]{{43}})([\w-]{{6}})", re.ASCII)


def new_key() -> str:
    """Return a fresh key."""
    secret = secrets.token_urlsafe(32)
    return f"kb_{secret}{_check(secret)}"


def is_key(text: str) -> bool:
    """Say whether a text can be a key: the store is not asked about typing mistakes."""
    shaped = SHAPE.fullmatch(text)
    return shaped is not None and secrets.compare_digest(shaped[2], _check(shaped[1]))


def _check(secret: str) -> str:
    digest = hashlib.sha256(f"kaboom key {secret}".encode()).digest()
    return urlsafe_b64encode(digest)[:6].decode()


def bearer_of(services: Services, key: str) -> Bearer | None:
    """Return who shows a key; None if it is none, or is revoked or expired.

    The store is asked each time, so a key that is revoked is no good from then on, at any worker.
    """
    if not is_key(key):
        return None
    hashed = hash_of(key)
    found = services.database.read(lambda c: program_keys.owned(c, hashed, services.now()))
    if found is None:
        return None
    return Bearer(hashed, found.player_hash, frozenset(found.scopes.split()), found.table_code)


def revoked(services: Services, hashes: Collection[str]) -> set[str]:
    """Return those of the keys that are no good any more."""
    if not hashes:
        return set()
    now = services.now()
    return set(hashes) - services.database.read(lambda c: program_keys.alive(c, hashes, now))


def make(
    services: Services,
    player: int,
    name: str,
    scopes: Collection[Scope],
    table: str = "",
    once: Command | None = None,
) -> str:
    """Make a key for a player, perhaps for one table only, and return it, this once.

    Raises InvalidState for a name nobody can read, no scope, a code that is none, or too many keys.
    """
    name = require_readable_name(name)
    table = table.strip().upper()
    if not scopes:
        raise InvalidState(say("Tick at least one thing that the key is good for."))
    if table and not can_be_code(table):
        raise InvalidState(say("That is not the code of a table."))
    now = services.now()

    def made(connection: Connection) -> str:
        if program_keys.count(connection, player, now) >= MOST:
            raise InvalidState(say("You have {most} keys. Revoke one first.", most=MOST))
        return _kept(connection, player, name, scopes, table, now)

    return services.database.write(
        lambda connection: only_once(connection, once, now, lambda: made(connection))
    )


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
    program_keys.add(connection, row)
    return key


def first_guest(
    services: Services,
    name: str,
    label: str,
    scopes: Collection[Scope],
    once: Command | None = None,
) -> str:
    """Store a new player and return a first key of theirs. Raises InvalidState, as make() does.

    Nobody has the player's own key: it has no browser.
    """
    name, label = require_readable_name(name), require_readable_name(label, "key_name")
    if not scopes:
        raise InvalidState(say("Tick at least one thing that the key is good for."))
    now = services.now()

    def made(connection: Connection) -> str:
        unknown = hash_of(secrets.token_urlsafe(32))
        player = player_queries.add_player(connection, unknown, name, now)
        return _kept(connection, player, label, scopes, "", now)

    return services.database.write(
        lambda connection: only_once(connection, once, now, lambda: made(connection))
    )


def keys_of(services: Services, player_hash: str) -> Sequence[KeyRow]:
    """Return the keys of the player whose own key has that hash, the newest first."""

    def work(connection: Connection) -> Sequence[KeyRow]:
        player = player_queries.player(connection, player_hash)
        return program_keys.of_player(connection, player[0], services.now()) if player else []

    return services.database.read(work)


def revoke(services: Services, player_hash: str, key_hash: str) -> None:
    """End a key. Raises NotPermitted when that player has no such key."""

    def work(connection: Connection) -> bool:
        player = player_queries.player(connection, player_hash)
        return player is not None and program_keys.revoke(connection, player[0], key_hash)

    if not services.database.write(work):
        raise NotPermitted(say("You have no such key. It may have been revoked already."))
