"""What a use case is given to do its work; the table service has all of it."""

from collections.abc import Callable
from typing import Any, Protocol

from kaboom.db.database import Database
from kaboom.db.signals import Signals


class Services(Protocol):
    """The database, the time in seconds since 1970, and who is told after a commit."""

    database: Database
    now: Callable[[], float]
    signals: Signals

    def hash_aside(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return work(*args), done where passwords are hashed; raises RateLimited."""
