"""Push: tells a table's watchers that something changed, but never what."""

from kaboom.push.hub import Hub, Subscription, TooManyStreams
from kaboom.push.stream import EventStream, Look, TableEvents

__all__ = ["EventStream", "Hub", "Look", "Subscription", "TableEvents", "TooManyStreams"]
