"""Counts failed sign-ins: after many, an IP address is refused, but a username is only delayed."""

from sqlalchemy import Connection

from kaboom.db.encryption import hash_of
from kaboom.db.services import Services
from kaboom.engine.i18n import gettext as _
from kaboom.errors import RateLimited
from kaboom.web import attempt_queries
from kaboom.web.attempt_queries import Limit

IN_A_QUARTER = 10  # failures per IP address
QUARTER, HOUR = 900.0, 3600.0  # seconds
PATIENT_FOR = 3  # failures per username and hour before responses are delayed
LONGEST_DELAY = 4.0  # seconds
UNREACHED = 1_000_000_000  # no limit is reached, because usernames are delayed and never locked


def delay(wrong_before: int) -> float:
    """Return the seconds by which a response is delayed after this many failures for one
    username.
    """
    over = wrong_before - PATIENT_FOR
    return 0.0 if over < 0 else min(LONGEST_DELAY, 0.25 * 2 ** min(over, 9))


def of_address(address: str) -> Limit:
    """Return the limit on failures from an IP address."""
    return Limit(hash_of(f"in {address}"), IN_A_QUARTER, QUARTER)


def of_handle(look: str) -> Limit:
    """Return the count of failures for a username in its canonical form."""
    return Limit(hash_of(f"handle {look}"), UNREACHED, HOUR)


def require_below_limit(services: Services, limit: Limit) -> None:
    """Raise RateLimited if the limit is reached."""
    now = services.now()
    if services.database.read(lambda c: attempt_queries.reached(c, [limit], now)) is not None:
        raise _too_often()


def count_before(services: Services, limit: Limit) -> None:
    """Count an attempt before it is checked, so that concurrent attempts cannot exceed the limit.

    Raises RateLimited without counting the attempt.
    """
    now = services.now()

    def work(connection: Connection) -> None:
        if attempt_queries.count(connection, [limit], now) is not None:
            raise _too_often()

    services.database.write(work)


def count(services: Services, limit: Limit) -> None:
    """Count a failure. A limit reached in the meantime takes effect with the next attempt."""
    now = services.now()
    services.database.write(lambda connection: attempt_queries.count(connection, [limit], now))


def _too_often() -> RateLimited:
    return RateLimited(_("Too many failed attempts. Please wait 15 minutes."))
