"""Signing in on another device: by password or a one-use link. See also recovery_words.py and
passkeys.py.

After a successful check the player gets a new session key. If the browser already belongs to
another player, that player is asked first (`Arrival`).
"""

import json
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import login_limits, player_queries, session_queries, token_queries
from kaboom.accounts import queries as store
from kaboom.accounts.credentials import canonical_username, known
from kaboom.accounts.names import cleaned
from kaboom.accounts.passwords import matches
from kaboom.accounts.sessions import refresh_pages
from kaboom.accounts.token_queries import Offer
from kaboom.db.ids import new_secret
from kaboom.db.services import Services
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.web import attempt_queries

LINK_MINUTES = 10

# A hash no password matches. It is checked for unknown usernames, so that they take as long as
# known ones.
NOBODYS = (
    "$argon2id$v=19$m=19456,t=3,p=1$0tqlIIIHFQLQcbWbnTYVkg"
    "$4r14hx85xdSG0INSR9p2/yaiok1noTjYjZK5/X+/bl0"
)


class WrongCredentials(Refusal):
    """No account matches the recovery words, or the username and password."""

    status = 403


class LinkExpired(Refusal):
    """A one-use link or confirmation was used, has expired, or is not valid in this browser."""

    status = 410


@dataclass(frozen=True, slots=True)
class Arrival:
    """A successful sign-in in a browser that belongs to another player, `other`.

    The secret signs the player in once. `brings` is True if `other` is a guest who can be merged.
    """

    secret: str
    name: str
    other: str
    brings: bool


def by_password(services: Services, handle: str, password: str, address: str) -> int:
    """Return the id of the player with that username and password.

    Raises RateLimited, or WrongCredentials with the same message and timing for an unknown username
    as for a wrong password. After several failures for a username each response is delayed, but the
    account is never locked.
    """
    look = canonical_username(cleaned(handle, 100))
    mine, of_handle = login_limits.of_address(address), login_limits.of_handle(look)
    login_limits.count_before(services, mine)
    now = services.now()
    wrong_before = services.database.read(lambda c: attempt_queries.made(c, of_handle, now))
    found = services.database.read(lambda connection: store.by_look(connection, look))
    stored = found.password if found is not None and found.password else NOBODYS
    time.sleep(login_limits.delay(wrong_before))
    wrong = False
    try:
        fitting = services.hash_in_thread(matches, stored, password)
        wrong = not fitting or found is None or stored == NOBODYS
    finally:
        if not wrong:  # or if the check failed with an error
            services.database.write(
                lambda connection: attempt_queries.give_back(connection, [mine])
            )
    if wrong or found is None:
        login_limits.count(services, of_handle)
        raise WrongCredentials(_("Wrong username or password."))
    return found.player_id


# A link for another device


def new_link(services: Services, key_hash: str) -> str:
    """Return the secret of a one-use link that signs in another device. Raises NotPermitted."""
    secret = new_secret()

    def work(connection: Connection) -> None:
        made = Offer("device", known(connection, key_hash), "", services.now() + LINK_MINUTES * 60)
        token_queries.add(connection, secret, made)

    services.database.write(work)
    return secret


def name_on_link(services: Services, secret: str) -> str:
    """Return the name of the player whom a one-use link signs in, without using up the link. Raises
    LinkExpired.
    """

    def work(connection: Connection) -> str:
        found = token_queries.find(connection, secret, "device", services.now())
        if found is None:
            raise _gone()
        return store.name_of(connection, found.made_by)

    return services.database.read(work)


def by_link(services: Services, secret: str) -> int:
    """Use a one-use link; return the id of the player it signs in. Raises LinkExpired."""
    found = services.database.write(
        lambda connection: token_queries.take(connection, secret, "device", services.now())
    )
    if found is None:
        raise _gone()
    return found.made_by


# After the check


def arrive(services: Services, player: int, key_hash: str, new_key_hash: str) -> Arrival | None:
    """Sign in a player with a new session key and return None.

    If the browser belongs to another player (`key_hash` is its current key), do not sign the player
    in yet, and return the pending Arrival.
    """

    def work(connection: Connection) -> Arrival | None:
        other = player_queries.player(connection, key_hash)
        if other is None:
            player_queries.add_key(connection, new_key_hash, player, services.now())
            return None
        if other[0] == player:
            session_queries.replace_key(connection, key_hash, new_key_hash, player, services.now())
            return None
        secret = secrets.token_urlsafe(24)
        made = Offer("in", player, json.dumps(key_hash), services.now() + LINK_MINUTES * 60)
        token_queries.add(connection, secret, made)
        brings = not store.has_kept(connection, other[0])
        return Arrival(secret, store.name_of(connection, player), other[1], brings)

    return services.database.write(work)


def come_in(services: Services, secret: str, key_hash: str, new_key_hash: str) -> None:
    """Sign in the confirmed player (`Arrival`), and revoke the browser's old key.

    Raises LinkExpired if it has expired, or in any browser other than the one that was asked.
    """

    def work(connection: Connection) -> int | None:
        player = confirmed(services, connection, secret, key_hash)
        other = player_queries.player(connection, key_hash)
        session_queries.replace_key(connection, key_hash, new_key_hash, player, services.now())
        return other and other[0]

    left = services.database.write(work)
    if left is not None:
        refresh_pages(services, left)


def renew(services: Services, key_hash: str, new_key_hash: str) -> None:
    """Replace a browser's session key. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        session_queries.replace_key(connection, key_hash, new_key_hash, player, services.now())

    services.database.write(work)


def confirmed(services: Services, connection: Connection, secret: str, key_hash: str) -> int:
    """Use up an Arrival's token; return the id of the player it signs in. Raises LinkExpired."""
    found = token_queries.find(connection, secret, "in", services.now())
    if found is None or json.loads(found.about) != key_hash:
        raise _gone()
    token_queries.use(connection, secret)
    return found.made_by


def _gone() -> LinkExpired:
    return LinkExpired(
        _("This link has been used or has expired. Create a new one on the other device.")
    )
