"""Which client an address stands for when requests are counted."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address


def read(text: str) -> Address | None:
    """Return the address, IPv4 even if written as IPv6; None if there is none (no TCP)."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found


@lru_cache(maxsize=10_000)
def household(text: str) -> str:
    """Return what is counted as one client: an IPv4 address, or the /64 of an IPv6 one.

    A household has a whole /64, and could otherwise use a new address for each request.
    """
    found = read(text)
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found), 64), strict=False))
    return str(found or text)
