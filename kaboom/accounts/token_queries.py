"""SQL statements for one-use tokens: links, challenges and confirmations.

A token is stored by the hash of its secret.
"""

from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from kaboom.accounts.models import tokens
from kaboom.db.encryption import Cipher, cipher_of_store, hash_of


class Offer(NamedTuple):
    """A one-use token: its kind, its player (None if not known yet), and its data as text."""

    kind: str
    player_id: int | None
    about: str
    expires_at: float  # seconds since 1970

    @property
    def made_by(self) -> int:
        """Return the player of a token whose kind always has one."""
        assert self.player_id is not None
        return self.player_id


_add = insert(tokens)
_this = tokens.c.secret_hash == bindparam("secret")
_of_kind = (
    select(tokens)
    .where(tokens.c.kind == bindparam("of"), tokens.c.expires_at > bindparam("now"))
    .order_by(tokens.c.expires_at)
)
_find = _of_kind.where(_this)
_drop = delete(tokens).where(_this)
_drop_old = delete(tokens).where(tokens.c.expires_at <= bindparam("now"))


def add(connection: Connection, secret: str, offer: Offer) -> None:
    """Store a token; one with the same secret is replaced."""
    secret_hash = hash_of(secret)
    drop(connection, secret_hash)
    sealed = cipher_of_store(connection).encrypt(offer.about.encode(), "offer")
    connection.execute(_add, {"secret_hash": secret_hash, **offer._asdict(), "about": sealed})


def find(connection: Connection, secret: str, kind: str, now: float) -> Offer | None:
    """Return the token of that kind with that secret; None if there is none or it has expired."""
    values = {"secret": hash_of(secret), "of": kind, "now": now}
    row = connection.execute(_find, values).first()
    return None if row is None else _opened(cipher_of_store(connection), row)


def of_kind(connection: Connection, kind: str, now: float) -> list[tuple[str, Offer]]:
    """Return the unexpired tokens of a kind, each preceded by the hash of its secret."""
    cipher = cipher_of_store(connection)
    rows = connection.execute(_of_kind, {"of": kind, "now": now})
    return [(row.secret_hash, _opened(cipher, row)) for row in rows]


def _opened(cipher: Cipher, row: Row[Any]) -> Offer:
    about = cipher.decrypt(row.about, "offer").decode()
    return Offer(row.kind, row.player_id, about, row.expires_at)


def take(connection: Connection, secret: str, kind: str, now: float) -> Offer | None:
    """Use up a token and return it; None if there is none, or if it has expired or been used."""
    found = find(connection, secret, kind, now)
    return found if found is not None and use(connection, secret) else None


def use(connection: Connection, secret: str) -> bool:
    """Use up a token; return False if it does not exist or has been used."""
    return drop(connection, hash_of(secret))


def drop(connection: Connection, secret_hash: str) -> bool:
    """Delete the token whose secret has that hash; return True if it existed."""
    return bool(connection.execute(_drop, {"secret": secret_hash}).rowcount)


def drop_old(connection: Connection, now: float) -> None:
    """Delete expired tokens."""
    connection.execute(_drop_old, {"now": now})
