"""Clients' IP addresses, as used for rate limits."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address


def read(text: str) -> Address | None:
    """Return the IP address, with an IPv4-mapped IPv6 address as IPv4; None if there is none (not
    over TCP).
    """
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found


@lru_cache(maxsize=10_000)
def client_prefix(text: str) -> str:
    """Return the part of an IP address that counts as one client: an IPv4 address, or an IPv6 /64.
    A household has a whole /64, and could otherwise use a new address for each request.
    """
    found = read(text)
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found), 64), strict=False))
    return str(found or text)
