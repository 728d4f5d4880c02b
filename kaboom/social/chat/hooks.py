"""Hooks that other rooms register: to check a message before it is stored, and to show a player
something beside the chat.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from kaboom.tables.service import TableService

# Called with the author's player id and the current time in seconds since 1970. Raises NotPermitted
# with a sentence.
before_message: list[Callable[[Connection, int, float], None]] = []

# Called with a player's id, or None for an unknown one. Returns what their page shows beside the
# chat, as strings and numbers: the room is sent again when it changes.
beside_room: list[Callable[[TableService, int | None], Sequence[str | int]]] = []

# Returns a sentence that says why a player may not write anywhere, or "".
silenced: list[Callable[[TableService, int | None], str]] = []
