"""What each form did, and how it was answered, so that one sent twice is done once."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from kaboom.db.encryption import seal_of_store
from kaboom.db.models import commands

_this = (commands.c.who == bindparam("of"), commands.c.id == bindparam("form"))
_over = commands.c.done_at + commands.c.kept < bindparam("now")
_answer = select(commands.c.answer).where(*_this, ~_over)
_forget = delete(commands).where(*_this, _over)
_take_back = delete(commands).where(*_this)
_keep = insert(commands)
_drop_old = delete(commands).where(_over)


def answer(connection: Connection, who: str, id: str, now: float) -> str | None:
    """Return the answer if this was done and is still kept, else None."""
    sealed = connection.execute(_answer, {"of": who, "form": id, "now": now}).scalar()
    if sealed is None:
        return None
    text = seal_of_store(connection).open(sealed, "command")
    return text.decode()


def keep(connection: Connection, who: str, id: str, text: str, now: float, seconds: float) -> None:
    """Note for so many seconds that something was done; raises IntegrityError when another does it
    at this moment.
    """
    connection.execute(_forget, {"of": who, "form": id, "now": now})
    sealed = seal_of_store(connection).close(text.encode(), "command")
    row = {"who": who, "id": id, "answer": sealed, "done_at": now, "kept": seconds}
    connection.execute(_keep, row)


def take_back(connection: Connection, who: str, id: str) -> None:
    """Forget that something was done."""
    connection.execute(_take_back, {"of": who, "form": id})


def drop_old(connection: Connection, now: float) -> None:
    """Forget what need not be kept any longer."""
    connection.execute(_drop_old, {"now": now})
