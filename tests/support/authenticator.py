"""A small passkey authenticator that always uses the same keys.

`tests/browser/test_passkeys.py` uses the browsers' own.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

FLAG = AuthenticatorData.FLAG
Asked = Mapping[str, Any]  # the server's options for the browser


def made(asked: Asked, origin: str, number: int = 1, size: int = 16) -> str:
    """Return a browser's response at that address with a new numbered passkey; `size` is the length
    of its id in bytes.
    """
    data = AuthenticatorData.create(
        hashlib.sha256(asked["rp"]["id"].encode()).digest(),
        FLAG.UP | FLAG.UV | FLAG.AT,
        0,
        AttestedCredentialData.create(
            Aaguid(bytes(16)),
            credential(number, size),
            ES256.from_cryptography_key(_key(number).public_key()),
        ),
    )
    seen = CollectedClientData.create("webauthn.create", asked["challenge"], origin)
    attestation = AttestationObject.create("none", data, {})
    return _answer(number, size, clientDataJSON=seen, attestationObject=attestation)


def shown(asked: Asked, origin: str, number: int = 1, key: int = 0) -> str:
    """Return a browser's response at that address with an existing passkey, signed with its key or
    another one's.
    """
    site = hashlib.sha256(asked["rpId"].encode()).digest()
    data = AuthenticatorData.create(site, FLAG.UP | FLAG.UV, 1)
    seen = CollectedClientData.create("webauthn.get", asked["challenge"], origin)
    signed = _key(key or number).sign(data + seen.hash, ec.ECDSA(SHA256()))
    return _answer(number, 16, clientDataJSON=seen, authenticatorData=data, signature=signed)


def credential(number: int, size: int = 16) -> bytes:
    """Return the id of a passkey."""
    return hashlib.shake_256(b"passkey %d" % number).digest(size)


def _key(number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(1_000_003 * number, ec.SECP256R1())


def _answer(number: int, size: int, **response: bytes) -> str:
    named = websafe_encode(credential(number, size))
    parts = {name: websafe_encode(part) for name, part in response.items()}
    return json.dumps({"id": named, "rawId": named, "type": "public-key", "response": parts})
