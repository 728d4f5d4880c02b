"""Who is asking, as far as an address tells."""

from flask_limiter.util import get_remote_address

from kaboom.realtime.client_address import household


def address() -> str:
    """Return the address of this request; a household counts as one."""
    return household(get_remote_address())
