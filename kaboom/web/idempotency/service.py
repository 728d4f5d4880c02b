"""Idempotency of forms: a form that is sent twice, by a retry or a double press, is handled only
once. Its result is stored for a while, in the same transaction as its effects. A move is recognised
by its command id in the match's log instead (kaboom.tables.repeated_moves).
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.db.database import Database
from kaboom.db.encryption import hash_of
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import IdempotencyKeyReused
from kaboom.web.idempotency import queries as idempotency_queries

AGAIN = 600.0  # seconds for which the same form is the same command
KEY_AGAIN = DAY  # … and for which the same Idempotency-Key is


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A submitted form: its sender (a hash of the browser's key, or of its IP address if it has
    none yet), and a hash of its content.
    """

    who: str
    id: str
    kept: float = AGAIN  # seconds

    def then(self, what: str) -> "IdempotencyKey":
        """Return the key of another command that the same form causes."""
        id = hash_of(f"{self.id} {what}")
        return IdempotencyKey(self.who, id, self.kept)


def run_once(
    connection: Connection, command: IdempotencyKey | None, now: float, work: Callable[[], str]
) -> str:
    """Return work(), or its earlier result if the same command was done before. With a command of
    None, work() always runs.
    """
    if command is None:
        return work()
    known = idempotency_queries.answer(connection, command.who, command.id, now)
    if known is not None:
        return known
    answer = work()
    idempotency_queries.keep(connection, command.who, command.id, answer, now, command.kept)
    return answer


def write_once(
    database: Database,
    command: IdempotencyKey | None,
    now: float,
    work: Callable[[Connection], str],
) -> str:
    """Return the result of work() in a transaction of its own, or its earlier result (run_once)."""
    return database.write(
        lambda connection: run_once(connection, command, now, lambda: work(connection))
    )


def answered(database: Database, command: IdempotencyKey | None, now: float) -> str | None:
    """Return a command's earlier result, or None, so that callers can skip work."""
    if command is None:
        return None
    who, id = command.who, command.id
    return database.read(lambda connection: idempotency_queries.answer(connection, who, id, now))


def first_key(database: Database, command: IdempotencyKey | None, now: float) -> str:
    """Return the key of a browser that has none yet; a form sent twice gets the same key."""

    def fresh() -> str:
        return secrets.token_urlsafe(32)

    if command is None:
        return fresh()
    return database.write(lambda connection: run_once(connection, command, now, fresh))


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request, identified by its Idempotency-Key, with a hash of all that was sent."""

    command: IdempotencyKey
    sent: str


def known(connection: Connection, keyed: Keyed | None, now: float) -> bool:
    """Return True if a request was handled before; raises IdempotencyKeyReused if its key belongs
    to another one.

    A request without such a key (None) never counts as handled.
    """
    if keyed is None:
        return False
    kept = idempotency_queries.answer(connection, keyed.command.who, keyed.command.id, now)
    if kept not in (None, keyed.sent):
        raise IdempotencyKeyReused(_("This Idempotency-Key was used for another request."))
    return kept is not None


def note(connection: Connection, keyed: Keyed | None, now: float) -> None:
    """Store which request a key belongs to, if there is a key."""
    if keyed is not None:
        command = keyed.command
        idempotency_queries.keep(connection, command.who, command.id, keyed.sent, now, KEY_AGAIN)


def reserved(database: Database, keyed: Keyed, now: float) -> bool:
    """Reserve a key for a request; return True if the request is new. Raises IdempotencyKeyReused
    if the key belongs to another.
    """

    def work(connection: Connection) -> bool:
        if known(connection, keyed, now):
            return False
        note(connection, keyed, now)
        return True

    return database.write(work)
