"""Hooks that other rooms register to check a message before it is stored."""

from collections.abc import Callable

from sqlalchemy import Connection

# Called with the writer's player id and the current time in seconds since 1970. Raises NotPermitted
# with a sentence.
before_message: list[Callable[[Connection, int, float], None]] = []
