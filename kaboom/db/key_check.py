"""Tells whether SECRET_KEY is the one that a database was sealed with."""

from contextlib import suppress

from sqlalchemy import Connection, select

from kaboom.db.encryption import Unreadable, seal_of_store
from kaboom.db.models import boards

_latest = select(boards.c.secret).order_by(boards.c.opens_at.desc()).limit(20)


def all_locked(connection: Connection) -> bool:
    """Return True if there are boards and none of the latest can be opened: the key is another one.

    Boards are promised in every database that was ever served; one of them may be damaged.
    """
    secrets = connection.execute(_latest).scalars().all()
    for secret in secrets:
        with suppress(Unreadable):
            seal_of_store(connection).open(secret, "board")
            return False
    return bool(secrets)
