"""Merging a guest into the account of a player who signs in.

Each seat is moved in its own transaction, like a seat that moves to another device. A last
transaction moves everything else. After a crash, the merge is continued (`continue_merge`). If both
have a seat in the same running match, the merge waits for the match to end. Other rooms take part
through kaboom.accounts.hooks (kaboom.tables.account_hooks moves the seats).
"""

import json
import logging
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import hooks, merge_queries, token_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.credentials import known
from kaboom.accounts.login import confirmed
from kaboom.accounts.sessions import refresh_pages
from kaboom.accounts.token_queries import Offer
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState

log = logging.getLogger(__name__)

WAITS_FOR = 365 * DAY  # seconds: longer than any match
AT_ONCE = 20


def merge_guest(services: Services, secret: str, key_hash: str) -> bool:
    """Merge this browser's guest into the player whom an Arrival signs in.

    Return True if the merge is complete. Otherwise it waits for the end of a match in which both
    have a seat, and the browser remains the guest's. Raises LinkExpired, NotPermitted, or
    InvalidState for a guest with an account.
    """

    def work(connection: Connection) -> int:
        guest = known(connection, key_hash)
        other = confirmed(services, connection, secret, key_hash)
        if accounts.has_kept(connection, guest):
            raise InvalidState(_("Both players have an account, so the two cannot be merged."))
        about = json.dumps({"other": other, "key": key_hash})
        made = Offer("merge", guest, about, services.now() + WAITS_FOR)
        token_queries.add(connection, _secret_of(guest), made)
        return guest

    return continue_merge(services, services.database.write(work))


def continue_all_merges(services: Services) -> None:
    """Continue all interrupted merges. A merge that fails does not stop the others."""
    for guest in services.database.read(
        lambda connection: merge_queries.pending(connection, AT_ONCE)
    ):
        try:
            continue_merge(services, guest)
        except Exception:
            log.exception("could not merge a guest into their account")


def continue_merge(services: Services, guest: int) -> bool:
    """Move a guest's seats, then everything else; return True if all is done. May be called
    repeatedly.
    """
    about = services.database.read(lambda connection: _about(services, connection, guest))
    if about is None:
        return True
    other = about["other"]
    for carry in hooks.before_merge:
        if not carry(services, guest, other):
            break

    def rest(connection: Connection) -> bool:
        if _about(services, connection, guest) is None:
            return True  # another worker was faster
        if any(waits(connection, guest) for waits in hooks.delays_merge):
            return False
        merge_queries.carry(connection, guest, other, about["key"])
        return True

    done = services.database.write(rest)
    if done:
        refresh_pages(services, other)
    return done


def _about(services: Services, connection: Connection, guest: int) -> dict[str, Any] | None:
    found = token_queries.find(connection, _secret_of(guest), "merge", services.now())
    about: dict[str, Any] | None = None if found is None else json.loads(found.about)
    return about


def _secret_of(guest: int) -> str:
    """Return what stands for the secret of a guest's pending merge. There is one at a time."""
    return f"merge {guest}"
