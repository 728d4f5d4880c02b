"""Requests to the OpenID provider: its configuration, its keys, and an ID token for a code.

Each request has a deadline and a size limit, and follows no redirect. Authlib and joserfc check
what the provider signs; they are imported when a player first signs in, because importing them
takes a while.
"""

import base64
import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from kaboom.config import LOOPBACK, OpenId
from kaboom.web.outgoing.exchange import Unanswered, exchange
from kaboom.web.outgoing.url_policy import trusted

SECONDS = 5.0  # for a whole request
LARGEST = 256 * 1024  # bytes of a response
KEPT_FOR = 3600.0  # seconds for which the configuration and the keys are cached
KEYS_AGAIN = 60.0  # seconds before the keys may be fetched again when none of them matches
LEEWAY = 60  # seconds by which clocks may differ
SCOPE = "openid profile"  # no e-mail address: players are never looked up by it
SIGNED_BY = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]


class ProviderFailed(Exception):
    """The provider cannot be reached, or its response is malformed; str() is for the log."""


class TokenRefused(Exception):
    """The provider's response does not prove who the player is; str() is for the log."""


@dataclass(slots=True)
class Provider:
    """A provider, and its configuration and keys as last fetched."""

    of: OpenId
    seconds: float = SECONDS
    found: Mapping[str, Any] = field(default_factory=dict)
    found_at: float = -inf
    keys: Mapping[str, Any] = field(default_factory=dict)
    keys_at: float = -inf


def configuration(provider: Provider) -> Mapping[str, Any]:
    """Return the provider's configuration (OpenID Connect Discovery). Raises ProviderFailed."""
    if time.monotonic() - provider.found_at < KEPT_FOR:
        return provider.found
    issuer = provider.of.issuer
    found = fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration", provider.seconds)
    if found.get("issuer") != issuer:
        raise ProviderFailed(f"its configuration names an issuer other than {issuer}")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        _require_safe(found.get(name), name)
    provider.found, provider.found_at = found, time.monotonic()
    return found


def authorization_address(
    provider: Provider, redirect_uri: str, state: str, nonce: str, verifier: str
) -> str:
    """Return the URL at which the provider authenticates the player. Raises ProviderFailed."""
    from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
    from authlib.oauth2.rfc7636 import create_s256_code_challenge

    address: str = prepare_grant_uri(
        configuration(provider)["authorization_endpoint"],
        provider.of.client_id,
        "code",
        redirect_uri,
        SCOPE,
        state,
        nonce=nonce,
        code_challenge=create_s256_code_challenge(verifier),
        code_challenge_method="S256",
    )
    return address


def sign_out_address(provider: Provider, back: str) -> str | None:
    """Return the URL at which a player signs out at the provider, or None if there is none. No
    request is made: the URL is known only after a player has begun to sign in since the process
    started.
    """
    address = provider.found.get("end_session_endpoint")
    if not isinstance(address, str) or not _safe(address):
        return None
    fields = {"client_id": provider.of.client_id, "post_logout_redirect_uri": back}
    return f"{address}{'&' if '?' in address else '?'}{urlencode(fields)}"


def claims_for(
    provider: Provider, redirect_uri: str, code: str, verifier: str, nonce: str, now: float
) -> Mapping[str, Any]:
    """Return the verified claims of the ID token for a code. Raises ProviderFailed or
    TokenRefused.
    """
    found = configuration(provider)
    body = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
        "client_id": provider.of.client_id,
    }
    headers = {}
    if secret := provider.of.client_secret:
        if _takes_basic(found):
            pair = f"{quote(provider.of.client_id, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            body["client_secret"] = secret
    answer = fetch(found["token_endpoint"], provider.seconds, urlencode(body).encode(), headers)
    token, access = answer.get("id_token"), answer.get("access_token")
    if not isinstance(token, str):
        raise TokenRefused("there is no ID token")
    return _verified(provider, token, access if isinstance(access, str) else None, nonce, now)


def _takes_basic(found: Mapping[str, Any]) -> bool:
    methods = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return "client_secret_basic" in methods or "client_secret_post" not in methods


def _verified(
    provider: Provider, token: str, access: str | None, nonce: str, now: float
) -> Mapping[str, Any]:
    """Return the claims of a token. If its key is unknown, the keys are fetched again."""
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    client = provider.of.client_id
    options = {
        "iss": {"essential": True, "value": provider.of.issuer},
        "aud": {"essential": True, "value": client},
        "sub": {"essential": True},
    }
    try:
        signed = None
        while signed is None:
            keys = _keys(provider)
            try:
                signed = jwt.decode(token, KeySet.import_key_set(keys), SIGNED_BY)
            except (JoseError, ValueError, KeyError, TypeError):
                if time.monotonic() - provider.keys_at < KEYS_AGAIN:
                    raise
                provider.keys_at = -inf
        params = {"nonce": nonce, "client_id": client, "access_token": access}
        checked = CodeIDToken(signed.claims, signed.header, options, params)
        checked.validate(int(now), LEEWAY)
    except (JoseError, ValueError, KeyError, TypeError) as bad:
        raise TokenRefused(repr(bad)[:200]) from None
    claims: Mapping[str, Any] = checked
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= 255:
        raise TokenRefused("its subject is not a string of 1 to 255 characters")
    return claims


def _keys(provider: Provider) -> Any:
    if time.monotonic() - provider.keys_at >= KEPT_FOR:
        provider.keys = fetch(configuration(provider)["jwks_uri"], provider.seconds)
        provider.keys_at = time.monotonic()
    return provider.keys


def fetch(
    address: str, seconds: float, body: bytes | None = None, headers: Mapping[str, str] = {}
) -> dict[str, Any]:
    """Return the JSON object at a URL; a body is sent with POST. Raises ProviderFailed."""
    _require_safe(address, "the requested URL")
    parts = urlsplit(address)
    connection = _connection(parts.scheme, parts.hostname or "", parts.port, seconds)
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
    try:
        status, _headers, said = exchange(
            connection,
            "GET" if body is None else "POST",
            (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
            body,
            {"Accept": "application/json", **kind, **headers},
            seconds,
            LARGEST,
        )
    except Unanswered as error:
        raise ProviderFailed(f"{parts.hostname} cannot be reached: {error}") from error
    if status != 200:
        raise ProviderFailed(f"{parts.hostname} answered {status}")
    try:
        found = json.loads(said) if len(said) <= LARGEST else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderFailed(f"{parts.hostname} did not return a JSON object")
    return found


def _connection(
    scheme: str, host: str, port: int | None, seconds: float
) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=trusted())
    return http.client.HTTPConnection(host, port, timeout=seconds)


def _safe(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _unused = parts.port
    except ValueError:
        return False
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    return secure and bool(parts.hostname) and parts.username is None and address.isprintable()


def _require_safe(address: Any, what: str) -> None:
    if not isinstance(address, str) or not _safe(address):
        raise ProviderFailed(f"{what} is not a valid HTTPS URL")
