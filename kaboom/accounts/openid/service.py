"""Signing in through an OpenID provider: going there, coming back, and the accounts involved.

A player is found only by issuer and subject, stored as a hash. Names and e-mail addresses at the
provider are never compared with ours, so no one can take over an account by using an e-mail address
they do not own.
"""

import json
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from kaboom.accounts import player_queries, session_queries, token_queries
from kaboom.accounts.credentials import known
from kaboom.accounts.names import LONGEST, cleaned, require_readable_name
from kaboom.accounts.openid import provider as client
from kaboom.accounts.openid import queries
from kaboom.accounts.openid.provider import Provider, ProviderFailed, TokenRefused
from kaboom.accounts.sessions import refresh_pages
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState

log = logging.getLogger(__name__)

MINUTES = 10  # to come back from the provider, and to choose a name
MOST = 3  # identities of a player: one, and those at the server's earlier providers
NAMES = ("nickname", "given_name", "preferred_username", "name")  # claims; the first usable one


class ProviderUnavailable(Refusal):
    """The provider cannot be reached, or its response is malformed."""

    status = 503


class SignInRefused(Refusal):
    """The provider did not sign the player in, its response is invalid, or the sign-in expired."""

    status = 403


class IdentityTaken(Refusal):
    """Another player signs in with this identity."""

    status = 409


@dataclass(frozen=True, slots=True)
class Trip:
    """A sign-in under way at the provider: its URL, and the secret that this browser keeps."""

    address: str
    cookie: str


@dataclass(frozen=True, slots=True)
class Back:
    """A player who has come back from the provider: the hash of their identity, and the path they
    wanted.

    `name` is their name at the provider. `links` is True if they only add the identity.
    """

    identity: str
    name: str
    links: bool
    wanted: str


def begin(
    services: Services, provider: Provider, redirect_uri: str, key_hash: str = "", wanted: str = ""
) -> Trip:
    """Begin a sign-in and return it. With the hash of a session key, its player adds the identity.

    Raises ProviderUnavailable or NotPermitted.
    """
    state, cookie, nonce, verifier = (secrets.token_urlsafe(32) for _unused in range(4))
    try:
        address = client.authorization_address(provider, redirect_uri, state, nonce, verifier)
    except ProviderFailed as why:
        raise _unavailable(provider, why) from None
    about = {"nonce": nonce, "verifier": verifier, "cookie": hash_of(cookie)}
    about |= {"key": key_hash, "wanted": wanted}

    def work(connection: Connection) -> None:
        player = known(connection, key_hash) if key_hash else None
        made = Offer("openid", player, json.dumps(about), services.now() + MINUTES * 60)
        token_queries.add(connection, state, made)

    services.database.write(work)
    return Trip(address, cookie)


def come_back(
    services: Services,
    provider: Provider,
    redirect_uri: str,
    cookie: str,
    key_hash: str,
    fields: Mapping[str, str],
) -> Back:
    """Return the player who came back with these fields. Each state is valid once.

    Raises SignInRefused or ProviderUnavailable.
    """
    about = services.database.write(lambda c: _taken(services, c, fields.get("state", ""), cookie))
    if about is None or (about["key"] and about["key"] != key_hash):
        raise _expired()
    if fields.get("iss", provider.of.issuer) != provider.of.issuer:
        raise _not_verified(provider, "it came from a different issuer")
    if not fields.get("code"):
        log.info("the OpenID provider refused a player: %.60r", fields.get("error"))
        raise SignInRefused(
            _("{name} did not sign you in. You can try again.", name=provider.of.name)
        )
    try:
        claims = client.claims_for(
            provider,
            redirect_uri,
            fields["code"],
            about["verifier"],
            about["nonce"],
            services.now(),
        )
    except ProviderFailed as why:
        raise _unavailable(provider, why) from None
    except TokenRefused as why:
        raise _not_verified(provider, why) from None
    identity = hash_of(f"openid {provider.of.issuer} {claims['sub']}")
    return Back(identity, _name_in(claims), bool(about["key"]), about["wanted"])


def _taken(
    services: Services, connection: Connection, state: str, cookie: str
) -> dict[str, Any] | None:
    found = token_queries.find(connection, state, "openid", services.now())
    about: dict[str, Any] = json.loads(found.about) if found else {}
    if not found or not secrets.compare_digest(about["cookie"], hash_of(cookie)):
        return None  # another browser's state stays valid there
    return about if token_queries.use(connection, state) else None


def _name_in(claims: Mapping[str, Any]) -> str:
    texts = (claims.get(name) for name in NAMES)
    names = (cleaned(it, LONGEST) for it in texts if isinstance(it, str) and "@" not in it)
    return next((name for name in names if name), "")


def player_of(services: Services, identity: str) -> int | None:
    """Return the id of the player with that identity and record its use; None if there is
    none yet.
    """
    today = int(services.now() // DAY)

    def work(connection: Connection) -> int | None:
        player = queries.owner(connection, identity)
        if player is not None:
            queries.used(connection, identity, today)
        return player

    return services.database.write(work)


def add(
    services: Services, provider: Provider, key_hash: str, identity: str, secret: str = ""
) -> None:
    """Let the player with that key sign in with an identity, and use up the secret of `remember`.

    Raises IdentityTaken, InvalidState or NotPermitted.
    """
    today = int(services.now() // DAY)

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        if secret:
            token_queries.use(connection, secret)
        owner = queries.owner(connection, identity)
        if owner == player:
            return
        if owner is not None:
            raise _other_has_it(provider)
        if queries.count(connection, player) >= MOST:
            raise InvalidState(_("Remove the old sign-in first."))
        queries.add(connection, identity, player, today)

    _unless_taken(services, provider, work)


def remember(services: Services, identity: str, cookie: str, wanted: str) -> str:
    """Return the secret with which this browser chooses a name for a new identity."""
    secret = secrets.token_urlsafe(24)
    about = {"identity": identity, "cookie": hash_of(cookie), "wanted": wanted}
    made = Offer("openid new", None, json.dumps(about), services.now() + MINUTES * 60)
    services.database.write(lambda c: token_queries.add(c, secret, made))
    return secret


def remembered(services: Services, secret: str, cookie: str) -> tuple[str, str]:
    """Return the identity, and the path its owner wanted, without using up the secret. Raises
    SignInRefused.
    """
    found = services.database.read(
        lambda c: token_queries.find(c, secret, "openid new", services.now())
    )
    about = json.loads(found.about) if found else {}
    if not found or not secrets.compare_digest(about["cookie"], hash_of(cookie)):
        raise _expired()
    return about["identity"], about["wanted"]


def make_account(
    services: Services,
    provider: Provider,
    identity: str,
    secret: str,
    name: str,
    key_hash: str,
    new_key_hash: str,
) -> None:
    """Create a player with a name for an identity, and sign this browser in.

    The browser's previous player, if any, is signed out. Raises InvalidState for a name without
    visible characters, and IdentityTaken or SignInRefused.
    """
    name, now = require_readable_name(name), services.now()

    def work(connection: Connection) -> int | None:
        if not token_queries.use(connection, secret):
            raise _expired()
        if queries.owner(connection, identity) is not None:
            raise _other_has_it(provider)
        old = player_queries.player(connection, key_hash)
        if old is not None:
            session_queries.sign_out(connection, key_hash)
        player = player_queries.add_player(connection, new_key_hash, name, now)
        queries.add(connection, identity, player, int(now // DAY))
        return old and old[0]

    left = _unless_taken(services, provider, work)
    if left is not None:
        refresh_pages(services, left)


def drop(services: Services, key_hash: str) -> None:
    """Unlink a player from the sign-in provider. Raises NotPermitted."""
    services.database.write(lambda c: queries.drop(c, known(c, key_hash)))


def signs_in(services: Services, key_hash: str) -> bool:
    """Return True if the player with that key can sign in through the provider."""

    def work(connection: Connection) -> bool:
        player = player_queries.player(connection, key_hash)
        return player is not None and queries.has(connection, player[0])

    return bool(key_hash) and services.database.read(work)


def _unless_taken(services: Services, provider: Provider, work: Any) -> Any:
    try:
        return services.database.write(work)
    except IntegrityError:  # another browser was faster
        raise _other_has_it(provider) from None


def _unavailable(provider: Provider, why: ProviderFailed) -> ProviderUnavailable:
    log.warning("the OpenID provider cannot be used: %s", why)
    return ProviderUnavailable(
        _("{name} cannot be reached at the moment. Please try again later.", name=provider.of.name)
    )


def _not_verified(provider: Provider, why: object) -> SignInRefused:
    log.warning("a response from the OpenID provider was refused: %s", why)
    return SignInRefused(
        _(
            "The response from {name} could not be verified. Please try again, and tell the host "
            "of this server if it happens again.",
            name=provider.of.name,
        )
    )


def _expired() -> SignInRefused:
    return SignInRefused(
        _("This sign-in has expired or was started in another browser. Please start again.")
    )


def _other_has_it(provider: Provider) -> IdentityTaken:
    return IdentityTaken(
        _(
            "Your account at {name} already signs in another player here. Sign out, then sign in "
            "with {name}.",
            name=provider.of.name,
        )
    )
