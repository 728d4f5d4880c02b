"""The scopes of API keys."""

from enum import StrEnum


class Scope(StrEnum):
    """A scope of API keys."""

    LOOK = "look"  # tables, records, the lobby
    PLAY = "play"  # sit down, get ready, move, leave
    TABLE = "table"  # open tables, be their host, and seat bots
    TALK = "talk"  # read and write the chat of a table
    BOT = "bot"  # a seat taken with it is marked as the player's bot


USUAL = (Scope.LOOK, Scope.PLAY, Scope.TABLE, Scope.TALK)

# What a route may require of a key in place of a scope.
NEVER = "never"
FREE = ""  # the same for every player, so any key will do

# The scope that a key needs to read pages: by endpoint, otherwise by blueprint. Each room adds its
# own; pages that are not named are for browsers only.
_reading: dict[str, str] = {}


def let_read(name: str, scope: str = Scope.LOOK) -> None:
    """Allow API keys with a scope to read an endpoint, or all pages of a blueprint."""
    _reading[name] = scope


def to_read(endpoint: str) -> str:
    """Return the scope that a key needs to read a page: FREE if any key may, NEVER if none may."""
    blueprint = endpoint.partition(".")[0]
    return _reading.get(endpoint, _reading.get(blueprint, NEVER))
