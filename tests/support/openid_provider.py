"""A small local OpenID provider that signs tokens and misbehaves on request."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from flask import Flask, request
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from werkzeug.serving import make_server

CLIENT, SECRET = "kaboom", "s3cret of kaboom"


@cache
def own_key() -> RSAKey:
    """Return the key of all providers of this process, because creating one takes long."""
    return RSAKey.generate_key(2048, parameters={"kid": "one"})


class SmallProvider:
    """A provider: its user, its deliberate faults, and the requests it received."""

    def __init__(self) -> None:
        self.issuer = ""
        self.now: Any = time.time
        self.subject = "248289761001"
        self.profile: dict[str, Any] = {"given_name": "Ann", "email": "ann@example.org"}
        self.wrong: dict[str, Any] = {}  # claims that replace those of the token
        self.slow = 0.0  # seconds before it answers
        self.says: Any = None  # replaces the answer to a code
        self.key = own_key()
        self.published = self.key
        self.header: dict[str, Any] = {"alg": "RS256", "kid": "one"}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[dict[str, str]] = []

    def sign_in(self, address: str) -> dict[str, str]:
        """Return the fields with which a browser returns after signing in."""
        asked = dict(parse_qsl(urlsplit(address).query))
        self.asked.append(asked)
        code = f"code-{len(self.asked)}"
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def token(self, asked: dict[str, str], now: float) -> str:
        """Return the signed ID token."""
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": self.subject, "nonce": asked["nonce"]}
        claims |= {"iat": int(now), "exp": int(now) + 300, **self.profile, **self.wrong}
        return jwt.encode(self.header, claims, self.key, [self.header["alg"]])


def _app(of: SmallProvider, now: Any) -> Flask:
    app = Flask("provider")

    @app.get("/.well-known/openid-configuration")
    def configuration():
        time.sleep(of.slow)
        return {
            "issuer": of.issuer,
            "authorization_endpoint": f"{of.issuer}/authorize",
            "token_endpoint": f"{of.issuer}/token",
            "jwks_uri": f"{of.issuer}/keys",
            "end_session_endpoint": f"{of.issuer}/out",
        }

    @app.get("/keys")
    def keys():
        return KeySet([of.published]).as_dict(private=False)

    @app.post("/token")
    def token():
        time.sleep(of.slow)
        if of.says is not None:
            return of.says
        asked, sent = of.codes.pop(request.form["code"], None), request.form
        pair = request.authorization
        good = (
            asked is not None
            and pair is not None
            and (pair.username, pair.password) == (CLIENT, SECRET.replace(" ", "%20"))
            and asked["redirect_uri"] == sent["redirect_uri"]
            and asked["code_challenge"] == create_s256_code_challenge(sent["code_verifier"])
        )
        if not good:
            return {"error": "invalid_grant"}, 400
        return {"access_token": "x", "token_type": "Bearer", "id_token": of.token(asked, now())}

    return app


@contextmanager
def small_provider(now: Any = time.time) -> Iterator[SmallProvider]:
    """Run a provider for a while."""
    of = SmallProvider()
    of.now = now
    server = make_server("127.0.0.1", 0, _app(of, now), threaded=True)
    of.issuer = f"http://127.0.0.1:{server.port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield of
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
