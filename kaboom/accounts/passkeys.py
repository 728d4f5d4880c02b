"""Passkeys: registration and sign-in, verified by the `fido2` library.

A passkey belongs to one host name, that of PUBLIC_URL, and needs HTTPS (or localhost).
"""

import json
import re
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialDescriptor,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialType,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from sqlalchemy import Connection

from kaboom.accounts import queries as store
from kaboom.accounts import token_queries
from kaboom.accounts.credentials import known
from kaboom.accounts.names import cleaned
from kaboom.accounts.queries import PasskeyRow
from kaboom.accounts.token_queries import Offer
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState

CHALLENGE_FOR = 300.0  # seconds
MOST = 10  # per player
LONGEST = 40  # characters and code points of a label
LONGEST_ID = 1400  # characters of a passkey's id in base64url


class InvalidPasskey(Refusal):
    """A passkey cannot be stored, or does not sign a player in."""

    status = 403


def possible(public_url: str) -> bool:
    """Return True if browsers support passkeys on this server."""
    parts = urlsplit(public_url)
    return bool(parts.hostname) and (parts.scheme == "https" or parts.hostname == "localhost")


def why_not() -> str:
    """Return the reason why passkeys are not available here, as a sentence."""
    return _("Passkeys work only over HTTPS and under this server’s domain name.")


def ask_to_keep(services: Services, public_url: str, key_hash: str) -> tuple[str, dict[str, Any]]:
    """Return the secret and the WebAuthn options for a new passkey.

    Raises NotPermitted, or InvalidState if the player has the maximum number.
    """
    secret = secrets.token_urlsafe(24)

    def work(connection: Connection) -> dict[str, Any]:
        player = known(connection, key_hash)
        mine = store.passkeys_of(connection, player)
        if len(mine) >= MOST:
            raise InvalidState(
                _(("You already have {most} passkeys. Remove one first."), most=MOST)
            )
        name = store.name_of(connection, player) or "Kaboom"
        asked, state = _server(public_url).register_begin(
            PublicKeyCredentialUserEntity(id=secrets.token_bytes(32), name=name, display_name=name),
            [
                PublicKeyCredentialDescriptor(
                    type=PublicKeyCredentialType.PUBLIC_KEY,
                    id=AttestedCredentialData(row.public_key).credential_id,
                )
                for row in mine
            ],
            resident_key_requirement=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        about = json.dumps({"key": key_hash, "state": state})
        made = Offer("new passkey", player, about, services.now() + CHALLENGE_FOR)
        token_queries.add(connection, secret, made)
        return dict(asked.public_key)

    return secret, services.database.write(work)


def keep(
    services: Services, public_url: str, key_hash: str, secret: str, answer: str, label: str
) -> None:
    """Store the passkey that a browser created. Each challenge is valid once.

    Raises NotPermitted or InvalidPasskey.
    """
    shown = cleaned(label, LONGEST, LONGEST)
    services.database.read(lambda connection: known(connection, key_hash))
    about = _challenge(services, secret, "new passkey")
    if about["key"] != key_hash:
        raise _bad()
    made = _judged(
        lambda: _server(public_url).register_complete(about["state"], json.loads(answer))
    )
    credential, today = made.credential_data, int(services.now() // DAY)
    name = websafe_encode(credential.credential_id)

    def work(connection: Connection) -> None:
        if len(name) > LONGEST_ID or store.passkey(connection, name) is not None:
            raise _bad()
        player = known(connection, key_hash)
        row = PasskeyRow(name, player, bytes(credential), shown, today, today)
        store.add_passkey(connection, row)

    services.database.write(work)


def drop(services: Services, key_hash: str, credential: str) -> None:
    """Delete one of the player's passkeys. Raises NotPermitted."""
    services.database.write(lambda c: store.drop_passkey(c, known(c, key_hash), credential))


def ask_to_come_in(services: Services, public_url: str) -> tuple[str, dict[str, Any]]:
    """Return the secret and the WebAuthn options for signing in with a passkey."""
    secret = secrets.token_urlsafe(24)
    asked, state = _server(public_url).authenticate_begin(
        user_verification=UserVerificationRequirement.PREFERRED
    )
    made = Offer("passkey", None, json.dumps({"state": state}), services.now() + CHALLENGE_FOR)
    services.database.write(lambda connection: token_queries.add(connection, secret, made))
    return secret, dict(asked.public_key)


def by_passkey(services: Services, public_url: str, secret: str, answer: str) -> int:
    """Return the id of the player whose passkey signed the challenge. Each challenge is valid once.

    Raises InvalidPasskey.
    """
    about = _challenge(services, secret, "passkey")
    sent = _judged(lambda: json.loads(answer))
    name = _credential_in(sent)
    row = services.database.read(lambda connection: store.passkey(connection, name))
    if row is None:
        raise _bad()
    credential = AttestedCredentialData(row.public_key)
    _judged(lambda: _server(public_url).authenticate_complete(about["state"], [credential], sent))
    today = int(services.now() // DAY)
    services.database.write(lambda connection: store.used(connection, row.credential, today))
    return row.player_id


def _server(public_url: str) -> Fido2Server:
    parts = urlsplit(public_url)
    origin = f"{parts.scheme}://{parts.netloc}"
    entity = PublicKeyCredentialRpEntity(name="Kaboom", id=parts.hostname or "")
    return Fido2Server(entity, verify_origin=lambda asked: asked == origin)


def _challenge(services: Services, secret: str, kind: str) -> dict[str, Any]:
    """Return a pending challenge and use it up, even if the answer is wrong. Raises InvalidPasskey
    if it is unknown or has expired.
    """
    found = services.database.write(lambda c: token_queries.take(c, secret, kind, services.now()))
    if found is None:
        raise _bad()
    about: dict[str, Any] = json.loads(found.about)
    return about


def _credential_in(sent: Any) -> str:
    """Return the id of the response's passkey in base64url. Raises InvalidPasskey."""
    found = _judged(lambda: sent["id"])
    if not isinstance(found, str) or not re.fullmatch(
        rf"[\w=-]{{1,{LONGEST_ID}}}", found, re.ASCII
    ):
        raise _bad()
    return found


def _judged(work: Callable[[], Any]) -> Any:
    """Return the result of work(), which parses untrusted data. Raises InvalidPasskey for any
    error.
    """
    try:
        return work()
    except Exception:  # the parsers raise KeyError, TypeError, struct.error, UnicodeError …
        raise _bad() from None


def _bad() -> InvalidPasskey:
    return InvalidPasskey(_("That passkey did not work. Please try again."))
