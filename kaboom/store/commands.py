"""What each form did, and how it was answered, so that one sent twice is done once."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from kaboom.store.models import commands

_this = (commands.c.who == bindparam("of"), commands.c.id == bindparam("form"))
_answer = select(commands.c.answer).where(*_this, commands.c.done_at >= bindparam("since"))
_forget = delete(commands).where(*_this, commands.c.done_at < bindparam("since"))
_keep = insert(commands)
_drop_old = delete(commands).where(commands.c.done_at < bindparam("since"))


def answer(connection: Connection, who: str, id: str, since: float) -> str | None:
    """Return the answer if this was done since then, else None."""
    sealed = connection.execute(_answer, {"of": who, "form": id, "since": since}).scalar()
    if sealed is None:
        return None
    text: bytes = connection.info["seal"].open(sealed, "command")
    return text.decode()


def keep(connection: Connection, who: str, id: str, text: str, now: float, since: float) -> None:
    """Note that something was done, for the first time since `since`; raises IntegrityError when
    another does it at this moment.
    """
    connection.execute(_forget, {"of": who, "form": id, "since": since})
    sealed = connection.info["seal"].close(text.encode(), "command")
    connection.execute(_keep, {"who": who, "id": id, "answer": sealed, "done_at": now})


def drop_old(connection: Connection, since: float) -> None:
    """Forget what was done before that time."""
    connection.execute(_drop_old, {"since": since})
