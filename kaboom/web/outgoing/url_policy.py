"""The URLs to which this server may connect (against SSRF): HTTPS, port 443, on the public
internet.
"""

import ipaddress
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from string import punctuation
from urllib.parse import quote, urlsplit

LONGEST = 500  # characters of a URL
SECONDS = 5.0  # for the whole call, once the name is resolved
PORTS = frozenset({443})
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# IP addresses that Python calls global, but that lead elsewhere: to an embedded IPv4 address
# (Teredo, 6to4), to addresses reserved for protocols, to many hosts (multicast), or nowhere
# (documentation, benchmarks).
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
    """A refused URL; str() says why."""


def is_public(address: str) -> bool:
    """Return True if an IP address belongs to the public internet, however it is written."""
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
    """Return the system's trusted certificates, read once because that is slow."""
    return ssl.create_default_context()


@dataclass(frozen=True)
class UrlPolicy:
    """The URLs to which the server may send. Only tests, which have no public host, change the
    defaults.
    """

    allowed: Callable[[str], bool] = is_public
    ports: frozenset[int] = PORTS
    look_up: Callable[[str, int], list[str]] = resolved
    trust: ssl.SSLContext = field(default_factory=trusted)
    seconds: float = SECONDS


def checked(address: str, url_policy: UrlPolicy) -> tuple[str, int, str]:
    """Return the host, port and path of a valid URL for notifications. Raises NotAllowed. The name
    is not resolved here: the IP addresses to which it resolves are checked at each request.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or 443
        host = host.encode("idna").decode() if not host.isascii() else host
    except (ValueError, UnicodeError):
        raise NotAllowed("It is not a valid URL.") from None
    if parts.scheme != "https" or not host:
        raise NotAllowed("It must begin with https:// and name a host.")
    if len(address) > LONGEST or not address.isprintable() or " " in address:
        raise NotAllowed("It is too long, or contains spaces or invisible characters.")
    if parts.username is not None:  # even an empty one, since a password may follow it
        raise NotAllowed("It must not contain a username or password.")
    if port not in url_policy.ports:
        raise NotAllowed("It must use the usual port, 443.")
    if _is_number(host) and not url_policy.allowed(host):
        raise NotAllowed("It must be on the public internet.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, port, quote(path, safe=punctuation)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
