"""Calls an address somebody entered, but lets nobody reach through us what only we can reach.

The name is resolved here, and only the address that was checked is connected to, so a name that
resolves differently the second time gains nothing. No redirect is followed. Of the answer only the
status is looked at, and how long it asks us to wait.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from string import punctuation
from urllib.parse import quote, urlsplit

LONGEST = 500  # characters of an address
SECONDS = 5.0  # for the whole call, once the name is resolved
PORTS = frozenset({443})
JSON = {"Content-Type": "application/json"}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses that Python calls global but that lead elsewhere: to an embedded IPv4 address (Teredo,
# 6to4), to the protocols' own, to many (multicast), or nowhere (documentation, benchmarks).
UNUSED = [
    ipaddress.ip_network(text)
    for text in (
        "192.0.0.0/24",
        "192.88.99.0/24",
        "224.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
]
IN_USE = ipaddress.ip_network("2000::/3")


class NotAllowed(Exception):
    """An address that is not called; str() says why."""


class Failed(Exception):
    """A call that did not arrive, or was refused: with a status, if there was an answer, and the
    seconds it asks us to wait.
    """

    def __init__(self, why: str, status: int = 0, after: float | None = None) -> None:
        super().__init__(why)
        self.status, self.after = status, after


def is_public(address: str) -> bool:
    """Say whether an IP address belongs to the public internet, however it is written."""
    try:
        ip: Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip not in IN_USE:  # also excludes link-local, site-local, local and translated ones
            return False
    return ip.is_global and not any(ip in network for network in UNUSED)


def resolved(host: str, port: int) -> list[str]:
    """Return the IP addresses of a name; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@cache
def trusted() -> ssl.SSLContext:
    """Return what the system trusts; reading its certificates takes a while, so it is done once."""
    return ssl.create_default_context()


@dataclass(frozen=True)
class Caution:
    """What may be called. Everything but the defaults is for tests, which have no public host."""

    allowed: Callable[[str], bool] = is_public
    ports: frozenset[int] = PORTS
    look_up: Callable[[str, int], list[str]] = resolved
    trust: ssl.SSLContext = field(default_factory=trusted)
    seconds: float = SECONDS


def checked(address: str, caution: Caution) -> tuple[str, int, str]:
    """Return host, port and path of an address that is written as one that may be called.

    Raises NotAllowed. Nothing is resolved: where its name leads is checked with each call.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or 443
        host = host.encode("idna").decode() if not host.isascii() else host
    except (ValueError, UnicodeError):
        raise NotAllowed("It cannot be read as an address.") from None
    if parts.scheme != "https" or not host:
        raise NotAllowed("It must begin with https:// and name a host.")
    if len(address) > LONGEST or not address.isprintable() or " " in address:
        raise NotAllowed("It is too long, or holds spaces.")
    if parts.username is not None:  # even an empty one: a password alone stands after it
        raise NotAllowed("It must not hold a name and password before the host.")
    if port not in caution.ports:
        raise NotAllowed("It must use the usual port, 443.")
    if _is_number(host) and not caution.allowed(host):
        raise NotAllowed("It must be on the public internet.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, port, quote(path, safe=punctuation)


def call(address: str, body: bytes, caution: Caution, headers: Mapping[str, str] = JSON) -> None:
    """POST a body to an address, with headers that say what it is; raises NotAllowed or Failed."""
    host, port, path = checked(address, caution)
    try:
        addresses = caution.look_up(host, port)
    except (OSError, UnicodeError) as error:
        raise Failed(f"{host} is not found: {error}") from error
    # A name that leads to both public and private addresses is up to something.
    if not addresses or not all(map(caution.allowed, addresses)):
        raise NotAllowed(f"{host} is not on the public internet.")
    connection = _Straight(host, port, addresses[0], caution)
    end = threading.Timer(caution.seconds, connection.give_up)
    end.daemon = True
    end.start()
    try:
        ours = {"User-Agent": "Kaboom", "Connection": "close"}
        connection.request("POST", path, body, {**headers, **ours})
        answer = connection.getresponse()
        status, after = answer.status, answer.headers.get("Retry-After", "")
        answer.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Failed(f"{host} cannot be called: {error!r}") from error
    finally:
        end.cancel()
        connection.close()
    if not 200 <= status < 300:
        seconds = float(after) if after.isascii() and after.isdigit() and len(after) < 7 else None
        raise Failed(f"{host} answered {status}", status, seconds)


class _Straight(http.client.HTTPSConnection):
    """A connection to one IP address, its certificate checked for the name."""

    def __init__(self, host: str, port: int, address: str, caution: Caution) -> None:
        super().__init__(host, port, timeout=caution.seconds, context=caution.trust)
        self._address = address
        self._trust = caution.trust

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self.timeout)
        # TLS takes the socket over, so it must be at hand before the two agree on anything.
        self.sock = self._trust.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()

    def give_up(self) -> None:
        """End a call that goes on too long, byte by byte."""
        with suppress(OSError, AttributeError):  # nothing to end: not connected yet, or no more
            self.sock.shutdown(socket.SHUT_RDWR)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
