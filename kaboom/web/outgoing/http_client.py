"""An HTTP client for URLs that players enter, which cannot be led to hosts that only this server
can reach (SSRF). Apart from e-mail, all notifications and calls to players' bots go through it.

The name is resolved here, and the connection goes only to the IP address that was checked, so a
name that resolves differently the second time gains nothing. Redirects are not followed. Of the
response, only the status and Retry-After are read, and a few bytes of the body if needed.
"""

import http.client
import socket
from collections.abc import Mapping

from kaboom.web.outgoing.exchange import Unanswered, exchange
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy, checked

JSON = {"Content-Type": "application/json"}


class Failed(Exception):
    """A request did not arrive or was refused; has the status of the response, if there was one,
    and the delay that it requests, in seconds.
    """

    def __init__(self, why: str, status: int = 0, after: float | None = None) -> None:
        super().__init__(why)
        self.status, self.after = status, after


def post(
    address: str, body: bytes, url_policy: UrlPolicy, headers: Mapping[str, str] = JSON
) -> None:
    """POST a body with headers to a URL; raises NotAllowed or Failed."""
    post_and_read(address, body, url_policy, headers, 0)


def post_and_read(
    address: str, body: bytes, url_policy: UrlPolicy, headers: Mapping[str, str], most: int
) -> bytes:
    """POST a body to a URL, and return the response's body, which is empty if `most` is 0.

    Raises NotAllowed or Failed; Failed also for a response of more than `most` bytes.
    """
    host, port, path = checked(address, url_policy)
    try:
        addresses = url_policy.look_up(host, port)
    except (OSError, UnicodeError) as error:
        raise Failed(f"{host} was not found: {error}") from error
    # A name that resolves to both public and private addresses is suspicious.
    if not addresses or not all(map(url_policy.allowed, addresses)):
        raise NotAllowed(f"{host} resolves to an address outside the public internet.")
    connection = _PinnedConnection(host, port, addresses[0], url_policy)
    try:
        status, found, said = exchange(
            connection,
            "POST",
            path,
            body,
            {**headers, "Connection": "close"},
            url_policy.seconds,
            most,
        )
    except Unanswered as error:
        raise Failed(f"{host} cannot be called: {error}") from error
    if not 200 <= status < 300:
        after = found.get("Retry-After", "")
        seconds = float(after) if after.isascii() and after.isdigit() and len(after) < 7 else None
        raise Failed(f"{host} responded with {status}", status, seconds)
    if len(said) > most:
        raise Failed(f"{host} sent more than {most} bytes")
    return said


class _PinnedConnection(http.client.HTTPSConnection):
    """A connection to one IP address, with the certificate checked for the host name."""

    def __init__(self, host: str, port: int, address: str, url_policy: UrlPolicy) -> None:
        super().__init__(host, port, timeout=url_policy.seconds, context=url_policy.trust)
        self._address = address
        self._trust = url_policy.trust

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self.timeout)
        # TLS takes over the plain socket, so `self.sock` must be set before the handshake.
        self.sock = self._trust.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()
