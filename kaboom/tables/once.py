"""A form that comes twice, from a proxy's retry or a double press, is done once.

Its answer is kept for a while, in the same transaction as what it did.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.store import commands
from kaboom.store.database import Database

AGAIN = 600.0  # seconds in which the same form is the same command


@dataclass(frozen=True, slots=True)
class Command:
    """A form that was sent: by whom (a hash of the browser's key, or of its address if it has none
    yet), and a hash of all that is in it.
    """

    who: str
    id: str

    def then(self, what: str) -> "Command":
        """Return a second command made by the same form."""
        return Command(self.who, hashlib.sha256(f"{self.id} {what}".encode()).hexdigest())


def only_once(
    connection: Connection, command: Command | None, now: float, work: Callable[[], str]
) -> str:
    """Return what work() returns, or what it returned when the same command was done before.

    None is a command like no other.
    """
    if command is None:
        return work()
    since = now - AGAIN
    known = commands.answer(connection, command.who, command.id, since)
    if known is not None:
        return known
    answer = work()
    commands.keep(connection, command.who, command.id, answer, now, since)
    return answer


def answered(database: Database, command: Command | None, now: float) -> str | None:
    """Return what a command answered if it was done before, to save work; else None."""
    if command is None:
        return None
    who, id, since = command.who, command.id, now - AGAIN
    return database.read(lambda connection: commands.answer(connection, who, id, since))


def first_key(database: Database, command: Command | None, now: float) -> str:
    """Return the key of a browser that has none yet; the same for a form that comes twice."""

    def fresh() -> str:
        return secrets.token_urlsafe(32)

    if command is None:
        return fresh()
    return database.write(lambda connection: only_once(connection, command, now, fresh))
