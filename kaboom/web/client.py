"""The address of the client."""

from flask_limiter.util import get_remote_address

from kaboom.realtime.client_address import client_prefix


def address() -> str:
    """Return the address of this request; a household counts as one."""
    return client_prefix(get_remote_address())
