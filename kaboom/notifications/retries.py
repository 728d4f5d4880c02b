"""When a failed notification is sent again, and when it is given up."""

from typing import Any

from kaboom.notifications.outbox_queries import NotificationRow
from kaboom.notifications.reminder_queries import ReminderRow

RETRIES = (60.0, 300.0, 1500.0)  # seconds until the next attempt
LONGEST_WAIT = 3600.0  # maximum seconds that a receiver may ask us to wait


class NotArrived(Exception):
    """A notification was not accepted. `gone`: the address no longer exists; `hopeless`: another
    attempt is useless; `after`: the delay requested by the receiver, in seconds.
    """

    def __init__(
        self, why: str, *, gone: bool = False, hopeless: bool = False, after: float | None = None
    ) -> None:
        super().__init__(why)
        self.gone, self.hopeless, self.after = gone, hopeless, after


def after_failure(
    row: NotificationRow | ReminderRow, now: float, failed: NotArrived | None = None
) -> dict[str, Any]:
    """Return the columns of a notification to change after one more failure: when it is due again,
    or that it is given up.
    """
    tries = row.tries + 1
    if row.tries >= len(RETRIES) or (failed is not None and failed.hopeless):
        return {"due_at": None, "state": "failed", "tries": tries}
    wait = RETRIES[row.tries]
    if failed is not None and failed.after is not None and row.tries == 0:
        wait = min(max(failed.after, wait), LONGEST_WAIT)
    return {"due_at": now + wait, "tries": tries}
