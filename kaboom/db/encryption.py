"""Seals what must not be readable in a stolen database: seeds, snapshots and moves of matches.

AES-256-GCM with a key derived from the server's secret. A sealed value is bound to its kind
("seed", "move" …), so that it cannot be passed off as another kind.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from kaboom.config import LEAST_SECRET, InvalidSetting

NONCE_BYTES = 12


class Unreadable(Exception):
    """Something sealed that no secret of this server opens, or that was tampered with."""


class Seal:
    """Seals with the first of several secrets and opens with any: to replace a secret, put the new
    one in front of the old.
    """

    def __init__(self, server_secrets: Sequence[str]) -> None:
        self._ciphers = [AESGCM(_key(secret)) for secret in server_secrets]
        # The oldest counts, so that putting a new one in front of it changes no mark.
        self._marks = hashlib.sha256(b"kaboom/mark/v1|" + server_secrets[-1].encode()).digest()

    def close(self, clear: bytes, kind: str) -> bytes:
        """Return the bytes sealed as something of that kind."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._ciphers[0].encrypt(nonce, clear, kind.encode())

    def open(self, sealed: bytes, kind: str) -> bytes:
        """Return what was sealed as something of that kind; raises Unreadable."""
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], kind.encode())
            except (InvalidTag, ValueError):
                continue
        raise Unreadable(f"a {kind} cannot be opened: was SECRET_KEY changed?")

    def mark(self, text: str, kind: str) -> str:
        """Return 64 digits, the same for the same text, that only this server can make."""
        return hmac.new(self._marks, f"{kind}|{text}".encode(), hashlib.sha256).hexdigest()


def seal_of_store(connection: Connection) -> Seal:
    """Return what seals and opens in the store that is connected."""
    seal: Seal = connection.info["seal"]
    return seal


def hash_of(secret: str | bytes) -> str:
    """Return the 64 hexadecimal digits (SHA-256) that are kept in place of a secret.

    Somebody who shows the secret again is known by them; nobody can find it from them if it is long
    and random. Passwords are not: see kaboom.accounts.passwords.
    """
    return hashlib.sha256(secret.encode() if isinstance(secret, str) else secret).hexdigest()


def new_secret() -> str:
    """Return a fresh secret for a server."""
    return secrets.token_urlsafe(48)


def _key(secret: str) -> bytes:
    # The secret is long and random already, so one hash is enough.
    return hashlib.sha256(b"kaboom/seal/v1|" + secret.encode()).digest()


def seal_of(url: str, secret_key: str) -> Seal:
    """Return the seal of a database; `secret_key` holds one or more secrets, newest first.

    An embedded database without one keeps its secret in a file beside it. Raises InvalidSetting
    when there is none or it is too short.
    """
    given = secret_key.split()
    if not given:
        file = make_url(url).database
        if not url.startswith("sqlite") or not file:
            raise InvalidSetting(
                "A database server needs SECRET_KEY: 32 random characters or more."
            )
        given = [_secret_beside(Path(file))]
    if any(len(secret) < LEAST_SECRET for secret in given):
        raise InvalidSetting(f"SECRET_KEY must be at least {LEAST_SECRET} characters long.")
    return Seal(given)


def _secret_beside(database: Path) -> str:
    """Return the secret in the file beside an embedded database, made at the first start."""
    kept = database.with_name(database.name + ".key")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = kept.with_name(f"{kept.name}.{secrets.token_hex(4)}")
        try:
            made.touch(mode=0o600)
            made.write_text(new_secret())
            with suppress(FileExistsError):  # another worker was faster: its secret holds
                os.link(made, kept)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(kept)) from error
        finally:
            made.unlink(missing_ok=True)
    return kept.read_text().strip()
