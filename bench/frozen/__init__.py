"""Parts of Kaboom as they were in November 2026, copied so that a yardstick stays as long as it is.

The reference (bench/reference.py) runs on these: what is gained or lost in Kaboom's own store, push
and headers moves one side only. Nothing here is ever changed.
"""

from bench.frozen.database import Database
from bench.frozen.hub import Hub
from bench.frozen.stream import TableEvents

__all__ = ["HEADERS", "Database", "Hub", "TableEvents"]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; object-src 'none'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
