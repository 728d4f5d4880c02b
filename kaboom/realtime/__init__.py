"""Push: tells a table's watchers that something changed. What is seen then comes from whoever looks
for them, never from here.
"""

from kaboom.realtime.hub import Hub, Subscription, TooManyStreams
from kaboom.realtime.stream import EventStream, Look, TableEvents

__all__ = ["EventStream", "Hub", "Look", "Subscription", "TableEvents", "TooManyStreams"]
