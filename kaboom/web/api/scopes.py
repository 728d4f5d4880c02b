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
