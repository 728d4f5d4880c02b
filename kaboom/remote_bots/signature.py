"""The signature of a call to a remote bot, like that of a webhook (docs/api.md): it authenticates
the body and the time.
"""

import hashlib
import hmac

SIGNATURE, TIMESTAMP = "Kaboom-Signature", "Kaboom-Timestamp"


def signed_headers(secret: bytes, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that authenticate a body and the time of the call."""
    signed = hmac.new(secret, f"{timestamp}.".encode() + body, hashlib.sha256)
    return {TIMESTAMP: str(timestamp), SIGNATURE: f"sha256={signed.hexdigest()}"}
