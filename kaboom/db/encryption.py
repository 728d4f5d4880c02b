"""Encryption at rest: the seeds, snapshots and moves of matches, and other secrets.

AES-256-GCM with a key derived from the server's secret. An encrypted value is bound to its kind
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
    """A value that no secret of this server decrypts, or that was tampered with."""


class Cipher:
    """Encrypts with the first of several secrets and decrypts with any. To replace a secret, put
    the new one in front of the old one.
    """

    def __init__(self, server_secrets: Sequence[str]) -> None:
        self._ciphers = [AESGCM(_key(secret)) for secret in server_secrets]
        # Derived from the oldest secret, so that putting a new one in front of it changes no
        # fingerprint.
        self._marks = hashlib.sha256(b"kaboom/mark/v1|" + server_secrets[-1].encode()).digest()

    def encrypt(self, clear: bytes, kind: str) -> bytes:
        """Return the bytes, encrypted as a value of that kind."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._ciphers[0].encrypt(nonce, clear, kind.encode())

    def decrypt(self, encrypted: bytes, kind: str) -> bytes:
        """Return the plain bytes of an encrypted value of that kind; raises Unreadable."""
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(
                    encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:], kind.encode()
                )
            except (InvalidTag, ValueError):
                continue
        raise Unreadable(f"cannot decrypt a {kind}: was SECRET_KEY changed?")

    def fingerprint(self, text: str, kind: str) -> str:
        """Return a keyed hash of a text, 64 hexadecimal digits, that only this server can
        compute.
        """
        return hmac.new(self._marks, f"{kind}|{text}".encode(), hashlib.sha256).hexdigest()


def cipher_of_store(connection: Connection) -> Cipher:
    """Return the cipher of the connected database."""
    cipher: Cipher = connection.info["cipher"]
    return cipher


def hash_of(secret: str | bytes) -> str:
    """Return the hash of a secret, 64 hexadecimal digits (SHA-256), which is stored in its place.

    A player who presents the secret again is recognised by its hash. The secret cannot be recovered
    from the hash if it is long and random. Passwords are neither; see kaboom.accounts.passwords.
    """
    return hashlib.sha256(secret.encode() if isinstance(secret, str) else secret).hexdigest()


def _key(secret: str) -> bytes:
    # The secret is long and random already, so one hash is enough.
    return hashlib.sha256(b"kaboom/seal/v1|" + secret.encode()).digest()


def cipher_for(url: str, secret_key: str) -> Cipher:
    """Return the cipher of a database; `secret_key` has one or more secrets, newest first.

    An embedded database without one keeps its secret in a file beside it. Raises InvalidSetting if
    there is no secret or it is too short.
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
    return Cipher(given)


def _secret_beside(database: Path) -> str:
    """Return the secret in the file beside an embedded database; the file is created at the first
    start.
    """
    kept = database.with_name(database.name + ".key")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = kept.with_name(f"{kept.name}.{secrets.token_hex(4)}")
        try:
            made.touch(mode=0o600)
            made.write_text(secrets.token_urlsafe(48))
            with suppress(FileExistsError):  # another worker was faster: its secret is used
                os.link(made, kept)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(kept)) from error
        finally:
            made.unlink(missing_ok=True)
    return kept.read_text().strip()
