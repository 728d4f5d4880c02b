"""A check that SECRET_KEY is the one with which a database was encrypted."""

from contextlib import suppress

from sqlalchemy import Connection, select

from kaboom.db.encryption import Unreadable, cipher_of_store
from kaboom.db.metadata import all_tables


def all_locked(connection: Connection) -> bool:
    """Return True if there are boards and none of the latest can be decrypted: the key is wrong.

    Every database that has ever been served has boards, and one of them may be damaged.
    """
    boards = all_tables().tables["boards"]
    latest = select(boards.c.secret).order_by(boards.c.opens_at.desc()).limit(20)
    secrets = connection.execute(latest).scalars().all()
    for secret in secrets:
        with suppress(Unreadable):
            cipher_of_store(connection).decrypt(secret, "board")
            return False
    return bool(secrets)
