"""What keys are good for."""

from enum import StrEnum


class Scope(StrEnum):
    """What a key is good for."""

    LOOK = "look"  # tables, records, the lobby
    PLAY = "play"  # sit down, get ready, move, leave
    TABLE = "table"  # open tables, be their host, and seat bots
    TALK = "talk"  # read and write what is said at a table
    BOT = "bot"  # whoever sits down with it is marked as a bot of its player


USUAL = (Scope.LOOK, Scope.PLAY, Scope.TABLE, Scope.TALK)

# What a route asks of a key besides a scope.
NEVER = "never"
FREE = ""  # the same for everybody, so any key will do

# What a key must be good for to look at pages: by endpoint, else by blueprint. Each room adds its
# own; pages that are not named are for browsers alone.
_reading: dict[str, str] = {}


def let_read(name: str, scope: str = Scope.LOOK) -> None:
    """Let programs look at an endpoint, or at all pages of a blueprint, with keys of a scope."""
    _reading[name] = scope


def to_read(endpoint: str) -> str:
    """Return the scope a key must have to look at a page; FREE if any will do, NEVER if none."""
    blueprint = endpoint.partition(".")[0]
    return _reading.get(endpoint, _reading.get(blueprint, NEVER))
