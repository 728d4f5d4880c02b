"""Bringing along what a guest has, when somebody comes in who has an account: two become one.

Each seat is carried in a transaction of its own, on the path of a seat that moves to another
device; the last one carries the rest. Whatever was begun is gone on with after a crash (`go_on`),
and where both sit in a match that is being played it waits until that is over.
"""

import json
import logging
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import hooks, merge_queries, session_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts import token_queries as offers
from kaboom.accounts.credentials import known
from kaboom.accounts.login import confirmed
from kaboom.accounts.sessions import look_again
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState

log = logging.getLogger(__name__)

WAITS_FOR = 365 * DAY  # seconds: longer than any match
AT_ONCE = 20


def bring_along(services: Services, secret: str, key_hash: str) -> bool:
    """Make the guest of this browser one with the player an Arrival lets in.

    Return whether that is done; else it waits for a match in which both sit, and the browser stays
    the guest's until then. Raises LinkExpired, or InvalidState for a guest with an account.
    """

    def work(connection: Connection) -> int:
        guest = known(connection, key_hash)
        other = confirmed(services, connection, secret, key_hash)
        if accounts.has_kept(connection, guest):
            raise InvalidState(say("Both have an account, so they stay two."))
        about = json.dumps({"other": other, "key": key_hash})
        made = Offer("merge", guest, about, services.now() + WAITS_FOR)
        offers.add(connection, _hashed(guest), made)
        return guest

    return go_on(services, services.database.write(work))


def go_on_with_all(services: Services) -> None:
    """Go on with whatever was begun and broken off, or had to wait. A guest for whom that fails
    keeps no other from it.
    """
    for guest in services.database.read(
        lambda connection: merge_queries.pending(connection, AT_ONCE)
    ):
        try:
            go_on(services, guest)
        except Exception:
            log.exception("a guest could not be made one with the player they are")


def go_on(services: Services, guest: int) -> bool:
    """Carry a guest's seats, then the rest; return whether all is done. May be called again."""
    about = services.database.read(lambda connection: _about(services, connection, guest))
    if about is None:
        return True
    other = about["other"]
    for carry in hooks.before_merge:
        if not carry(services, guest, other):
            break

    def rest(connection: Connection) -> bool:
        if _about(services, connection, guest) is None:
            return True  # another worker has done it
        if merge_queries.sits_anywhere(connection, guest):
            return False
        merge_queries.carry(connection, guest, other, about["key"], session_queries.no_key())
        return True

    done = services.database.write(rest)
    if done:
        look_again(services, other)
    return done


def _about(services: Services, connection: Connection, guest: int) -> dict[str, Any] | None:
    found = offers.find(connection, _hashed(guest), "merge", services.now())
    about: dict[str, Any] | None = None if found is None else json.loads(found.about)
    return about


def _hashed(guest: int) -> str:
    return hash_of(f"merge {guest}")
