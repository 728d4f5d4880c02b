"""Web push without an account at a push service (RFC 8030, 8188, 8291, 8292).

An endpoint is a URL that an unknown browser supplies, so only the push services of known browsers
are accepted; the IP addresses to which their names resolve are checked at each request
(kaboom.web.outgoing.http_client).
"""

import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

import http_ece
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from kaboom.web.outgoing import http_client
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy, checked

CURVE = SECP256R1()
LONGEST = 2000  # maximum bytes of a message, which every service accepts
VALID = 12 * 3600  # seconds for which our signature is valid; services refuse more than 24 hours
KEPT = 24 * 3600  # seconds for which a service keeps a message for a device that is off

# Chromium and the browsers built on it, Firefox, Safari, Edge.
SERVICES = re.compile(
    r"fcm\.googleapis\.com|(?:[a-z0-9-]+\.)*push\.services\.mozilla\.com"
    r"|(?:[a-z0-9-]+\.)*push\.apple\.com|(?:[a-z0-9-]+\.)*notify\.windows\.com"
)


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's subscription: its URL at the push service, its public key and a secret. It is
    stored as JSON.
    """

    endpoint: str
    p256dh: str
    auth: str


def require_known_service(
    endpoint: str, url_policy: UrlPolicy, services: re.Pattern[str] = SERVICES
) -> tuple[str, int, str]:
    """Return the host, port and path of an endpoint of a known push service; raises NotAllowed."""
    found = checked(endpoint, url_policy)
    if not services.fullmatch(found[0].lower()):
        raise NotAllowed("It is not a known browser push service.")
    return found


def require_intact(it: Subscription) -> None:
    """Raise NotAllowed unless the key and the secret are well-formed."""
    try:
        EllipticCurvePublicKey.from_encoded_point(CURVE, _bytes(it.p256dh))
        whole = len(_bytes(it.auth)) == 16
    except ValueError:
        whole = False
    if not whole:
        raise NotAllowed("The keys of this browser’s subscription are not valid.")


def new_key() -> str:
    """Return a new private signing key as text."""
    return _text(generate_private_key(CURVE).private_numbers().private_value.to_bytes(32, "big"))


def public_key(key: str) -> str:
    """Return the public part of a private key in the format that browsers expect."""
    public = Vapid02.from_raw(key.encode()).public_key
    return _text(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def push(
    it: Subscription,
    message: bytes,
    key: str,
    contact: str,
    url_policy: UrlPolicy,
    services: re.Pattern[str] = SERVICES,
    topic: str = "",
) -> None:
    """Send a message to a browser; raises NotAllowed or Failed.

    `key` signs for this server; `contact` (mailto: or https:) is for the operators of push
    services. A device that was off gets only the last of several messages with the same topic.
    """
    host, port, _ = require_known_service(it.endpoint, url_policy, services)
    audience = f"https://{host}" + ("" if port == 443 else f":{port}")
    headers = {
        "Authorization": signed(key, audience, contact, time.time()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "high",
    }
    if topic:
        headers["Topic"] = topic
    http_client.post(it.endpoint, encrypted(it, message), url_policy, headers)


def signed(key: str, audience: str, contact: str, now: float) -> str:
    """Return the header that identifies this server (RFC 8292): a token for one service, and the
    public key.
    """
    vapid = Vapid02.from_raw(key.encode())
    vapid.conf = {"no-strict": True}  # otherwise only a mailto: contact is allowed
    claims = {"aud": audience, "exp": int(now) + VALID, "sub": contact}
    header: str = vapid.sign(claims)["Authorization"]
    return header


def encrypted(
    it: Subscription,
    message: bytes,
    own: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return a message that only the subscribed browser can decrypt (RFC 8291).

    `own` and `salt` are fresh for each message; only tests against published examples pass them.
    Raises ValueError for an invalid key, or a message that is too long.
    """
    if len(message) > LONGEST:
        raise ValueError("The message is too long.")
    sealed: bytes = http_ece.encrypt(
        message,
        salt=salt,
        private_key=own or generate_private_key(CURVE),
        dh=_bytes(it.p256dh),
        auth_secret=_bytes(it.auth),
    )
    return sealed


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    """Return decoded base64url text; raises ValueError."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,200}=*", text):
        raise ValueError("The text is not base64url.")
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
