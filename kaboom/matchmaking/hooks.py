"""The periodic jobs and notifications of matchmaking."""

from urllib.parse import urlencode

from kaboom.games import GAMES
from kaboom.matchmaking import service
from kaboom.notifications import reminders
from kaboom.notifications.notification import SEEK, Waiting
from kaboom.tables import jobs
from kaboom.tables.service import TableService


def told(tables: TableService, rest: str, player: int) -> Waiting | None:
    """Return the notification about a waiting player, or None if they are no longer waiting."""
    found = service.waits_still(tables, rest, player)
    if found is None:
        return None
    row, name = found
    asked = {"game": row.game, "days": row.days}
    title = GAMES[row.game].name if row.game in GAMES else "Kaboom"
    return Waiting(urlencode({k: v for k, v in asked.items() if v}), title, (name,), SEEK)


jobs.cleanup.append(service.forget_old)
reminders.kinds[SEEK] = told
