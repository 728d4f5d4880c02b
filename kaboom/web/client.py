"""The client's IP address."""

from flask_limiter.util import get_remote_address

from kaboom.realtime.client_address import client_prefix


def address() -> str:
    """Return the IP address from which this request came; a household counts as one."""
    return client_prefix(get_remote_address())
