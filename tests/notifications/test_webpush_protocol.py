"""Web push: the standards' test vectors, decryption in a browser, known services."""

import json
import os
import random
from base64 import urlsafe_b64decode, urlsafe_b64encode

import http_ece
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from kaboom.engine.codec import from_json, to_json
from kaboom.notifications.webpush_protocol import (
    LONGEST,
    VALID,
    Subscription,
    encrypted,
    new_key,
    public_key,
    push,
    require_intact,
    require_known_service,
    signed,
)
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy

CURVE = ec.SECP256R1()

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
THEIRS = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SENT = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
    "y4a-fN"
)


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def written(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def browser() -> tuple[ec.EllipticCurvePrivateKey, Subscription]:
    """Return a browser's private key and its subscription."""
    key = ec.generate_private_key(CURVE)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    it = Subscription("https://fcm.googleapis.com/x", written(point), written(os.urandom(16)))
    return key, it


def test_encryption_gives_the_known_answer_of_rfc_8291() -> None:
    own = ec.derive_private_key(int.from_bytes(raw(OWN), "big"), CURVE)
    it = Subscription("", THEIRS, AUTH)
    assert written(encrypted(it, PLAIN, own, raw(SALT))) == SENT


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 255, 1000, LONGEST])
def test_browser_decrypts_what_is_encrypted_for_it(length: int) -> None:
    key, it = browser()
    message = random.Random(length).randbytes(length)
    found = http_ece.decrypt(
        encrypted(it, message), private_key=key, auth_secret=raw(it.auth), version="aes128gcm"
    )
    assert found == message


def test_messages_encrypt_differently_and_within_the_limit() -> None:
    _, it = browser()
    assert len({encrypted(it, b"x") for _ in range(20)}) == 20
    with pytest.raises(ValueError, match="too long"):
        encrypted(it, b"x" * (LONGEST + 1))


def test_signature_names_service_contact_and_expiry() -> None:
    key = new_key()
    said = signed(key, "https://push.example.net", "mailto:host@example.org", 1_000_000.0)
    token, named = said.removeprefix("vapid t=").split(",k=")
    head, claims, signature = token.split(".")
    assert json.loads(raw(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(raw(claims)) == {
        "aud": "https://push.example.net",
        "exp": 1_000_000 + VALID,
        "sub": "mailto:host@example.org",
    }
    assert named == public_key(key)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, raw(named))
    both = raw(signature)
    assert len(both) == 64
    found = encode_dss_signature(int.from_bytes(both[:32], "big"), int.from_bytes(both[32:], "big"))
    theirs.verify(found, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        theirs.verify(found, f"{head}.x{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QABC",
        "https://wns2-by3p.notify.windows.com/w/?token=x",
    ],
)
def test_push_services_of_browsers_are_recognized(endpoint: str) -> None:
    assert require_known_service(endpoint, UrlPolicy())[1] == 443


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://example.org/", "https://127.0.0.1/", "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com.example.org/", "https://fcm.googleapis.com@example.org/",
        "https://notify.windows.com.evil.example/", "https://evilpush.apple.com.example/",
        "https://xfcm.googleapis.com/", "https://fcm.googleapis.com:8443/", "",
        "https://evil-push.apple.com/",
    ],
)  # fmt: skip
def test_nothing_is_pushed_to_any_other_url(endpoint: str) -> None:
    def never(host: str, port: int) -> list[str]:
        raise AssertionError(f"{host} must not even be looked up")

    it = Subscription(endpoint, THEIRS, AUTH)
    with pytest.raises(NotAllowed):
        push(it, b"x", new_key(), "mailto:a@b.c", UrlPolicy(look_up=never))


def test_push_service_at_an_internal_ip_address_is_not_called() -> None:
    it = Subscription("https://fcm.googleapis.com/x", THEIRS, AUTH)
    with pytest.raises(NotAllowed, match="public internet"):
        push(it, b"x", new_key(), "mailto:a@b.c", UrlPolicy(look_up=lambda h, p: ["10.0.0.1"]))


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH), (THEIRS, ""), (THEIRS[:-4], AUTH), (THEIRS, AUTH + "AAAA"), ("!" * 87, AUTH),
        (written(b"\x04" + bytes(64)), AUTH), (THEIRS, "ä" * 22), ("A" * 500, AUTH),
    ],
)  # fmt: skip
def test_push_keys_no_browser_would_send_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(NotAllowed):
        require_intact(Subscription("", p256dh, auth))


def test_push_keys_are_stored_unchanged() -> None:
    _, it = browser()
    require_intact(it)
    assert from_json(to_json(it), Subscription) == it
