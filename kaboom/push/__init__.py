"""Push: tells a table's watchers that something changed, but never what."""

from kaboom.push.hub import Hub, Subscription, TooManyStreams
from kaboom.push.stream import TableEvents

__all__ = ["Hub", "Subscription", "TableEvents", "TooManyStreams"]
