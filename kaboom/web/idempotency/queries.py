"""SQL statements for the stored results of forms, so that a repeated form is handled only once."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from kaboom.db.encryption import cipher_of_store
from kaboom.web.models import idempotency_keys

_this = (idempotency_keys.c.who == bindparam("of"), idempotency_keys.c.id == bindparam("form"))
_over = idempotency_keys.c.done_at + idempotency_keys.c.kept < bindparam("now")
_answer = select(idempotency_keys.c.answer).where(*_this, ~_over)
_forget = delete(idempotency_keys).where(*_this, _over)
_take_back = delete(idempotency_keys).where(*_this)
_keep = insert(idempotency_keys)
_drop_old = delete(idempotency_keys).where(_over)


def answer(connection: Connection, who: str, id: str, now: float) -> str | None:
    """Return the stored result of a command, or None."""
    sealed = connection.execute(_answer, {"of": who, "form": id, "now": now}).scalar()
    if sealed is None:
        return None
    text = cipher_of_store(connection).decrypt(sealed, "command")
    return text.decode()


def keep(connection: Connection, who: str, id: str, text: str, now: float, seconds: float) -> None:
    """Store the result of a command for this many seconds; raises IntegrityError if another request
    is storing one at the same time.
    """
    connection.execute(_forget, {"of": who, "form": id, "now": now})
    sealed = cipher_of_store(connection).encrypt(text.encode(), "command")
    row = {"who": who, "id": id, "answer": sealed, "done_at": now, "kept": seconds}
    connection.execute(_keep, row)


def take_back(connection: Connection, who: str, id: str) -> None:
    """Delete the result of a command."""
    connection.execute(_take_back, {"of": who, "form": id})


def drop_old(connection: Connection, now: float) -> None:
    """Delete expired results."""
    connection.execute(_drop_old, {"now": now})
