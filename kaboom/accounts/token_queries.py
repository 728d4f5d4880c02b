"""Statements for what somebody may do once, for a while: links, challenges, questions."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from kaboom.db.encryption import seal_of_store
from kaboom.db.models import offers


class Offer(NamedTuple):
    """An offer: its kind, the player who makes it (None: nobody yet), and a text."""

    kind: str
    player_id: int | None
    about: str
    expires_at: float  # seconds since 1970

    @property
    def made_by(self) -> int:
        """Return the player who makes an offer of a kind that somebody makes."""
        assert self.player_id is not None
        return self.player_id


_add = insert(offers)
_this = offers.c.secret_hash == bindparam("secret")
_find = select(offers.c.kind, offers.c.player_id, offers.c.about, offers.c.expires_at).where(
    _this, offers.c.kind == bindparam("of"), offers.c.expires_at > bindparam("now")
)
_use = delete(offers).where(_this)
_drop_old = delete(offers).where(offers.c.expires_at <= bindparam("now"))


def add(connection: Connection, secret_hash: str, offer: Offer) -> None:
    """Store an offer; one with the same secret is replaced."""
    connection.execute(_use, {"secret": secret_hash})
    sealed = seal_of_store(connection).close(offer.about.encode(), "offer")
    connection.execute(_add, {"secret_hash": secret_hash, **offer._asdict(), "about": sealed})


def find(connection: Connection, secret_hash: str, kind: str, now: float) -> Offer | None:
    """Return the offer of that kind, unless it is too old."""
    values = {"secret": secret_hash, "of": kind, "now": now}
    row = connection.execute(_find, values).first()
    if row is None:
        return None
    about = seal_of_store(connection).open(row.about, "offer").decode()
    return Offer(row.kind, row.player_id, about, row.expires_at)


def use(connection: Connection, secret_hash: str) -> bool:
    """Use an offer up; return whether it was still there."""
    return bool(connection.execute(_use, {"secret": secret_hash}).rowcount)


def drop_old(connection: Connection, now: float) -> None:
    """Delete offers that are too old."""
    connection.execute(_drop_old, {"now": now})
