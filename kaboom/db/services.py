"""The services a use case needs; the table service has all of them."""

from collections.abc import Callable
from typing import Any, Protocol

from kaboom.db.database import Database
from kaboom.db.signals import Signals


class Services(Protocol):
    """The database, the time in seconds since 1970, and the signals sent after a commit."""

    database: Database
    now: Callable[[], float]
    signals: Signals

    def hash_in_thread(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return work(*args), computed in a thread for hashing passwords; raises RateLimited."""
