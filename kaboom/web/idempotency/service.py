"""A form that comes twice, from a proxy's retry or a double press, is done once.

Its answer is kept for a while, in the same transaction as what it did.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.db.database import Database
from kaboom.db.encryption import hash_of
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.errors import IdempotencyKeyReused
from kaboom.web.idempotency import queries as idempotency_queries

AGAIN = 600.0  # seconds in which the same form is the same command
KEY_AGAIN = DAY  # … and in which the same Idempotency-Key is


@dataclass(frozen=True, slots=True)
class Command:
    """A form that was sent: by whom (a hash of the browser's key, or of its address if it has none
    yet), and a hash of all that is in it.
    """

    who: str
    id: str
    kept: float = AGAIN  # seconds

    def then(self, what: str) -> "Command":
        """Return a second command made by the same form."""
        id = hash_of(f"{self.id} {what}")
        return Command(self.who, id, self.kept)


def only_once(
    connection: Connection, command: Command | None, now: float, work: Callable[[], str]
) -> str:
    """Return what work() returns, or what it returned when the same command was done before.

    None is a command like no other.
    """
    if command is None:
        return work()
    known = idempotency_queries.answer(connection, command.who, command.id, now)
    if known is not None:
        return known
    answer = work()
    idempotency_queries.keep(connection, command.who, command.id, answer, now, command.kept)
    return answer


def answered(database: Database, command: Command | None, now: float) -> str | None:
    """Return what a command answered if it was done before, to save work; else None."""
    if command is None:
        return None
    who, id = command.who, command.id
    return database.read(lambda connection: idempotency_queries.answer(connection, who, id, now))


def first_key(database: Database, command: Command | None, now: float) -> str:
    """Return the key of a browser that has none yet; the same for a form that comes twice."""

    def fresh() -> str:
        return secrets.token_urlsafe(32)

    if command is None:
        return fresh()
    return database.write(lambda connection: only_once(connection, command, now, fresh))


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request by its Idempotency-Key, and a hash of all that was sent."""

    command: Command
    sent: str


def known(connection: Connection, keyed: Keyed | None, now: float) -> bool:
    """Say whether a request was done before; raises IdempotencyKeyReused if its key stands for
    another.

    None, a request without such a key, never was.
    """
    if keyed is None:
        return False
    kept = idempotency_queries.answer(connection, keyed.command.who, keyed.command.id, now)
    if kept not in (None, keyed.sent):
        raise IdempotencyKeyReused(say("This Idempotency-Key was used for something else."))
    return kept is not None


def note(connection: Connection, keyed: Keyed | None, now: float) -> None:
    """Note what a key stands for, if there is one."""
    if keyed is not None:
        command = keyed.command
        idempotency_queries.keep(connection, command.who, command.id, keyed.sent, now, KEY_AGAIN)


def reserved(database: Database, keyed: Keyed, now: float) -> bool:
    """Note what a key stands for, unless that is known; say whether this was the first.

    Of several at once one is. Raises IdempotencyKeyReused.
    """

    def work(connection: Connection) -> bool:
        if known(connection, keyed, now):
            return False
        note(connection, keyed, now)
        return True

    return database.write(work)
