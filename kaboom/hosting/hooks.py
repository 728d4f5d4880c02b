"""Checks before a table is opened or a message is written, and the hourly end of sanctions."""

from sqlalchemy import Connection, select

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.hosting import queries, service
from kaboom.hosting.models import sanctions
from kaboom.social.chat import hooks as chat_hooks
from kaboom.tables import hooks, jobs


def require_tables_allowed(connection: Connection) -> None:
    """Raise InvalidState while the host has halted new tables."""
    if text := queries.notices(connection).get("halt"):
        raise InvalidState(_("No new tables for now: {text}", text=text))


def require_not_muted(connection: Connection, player: int, now: float) -> None:
    """Raise NotPermitted for a player whom the host has muted."""
    held = (
        (sanctions.c.player_id == player)
        & (sanctions.c.kind == service.MUTE)
        & (sanctions.c.until > now)
    )
    if connection.execute(select(sanctions.c.id).where(held)).first() is not None:
        raise NotPermitted(_("The host of this server has muted you."))


hooks.before_open.append(require_tables_allowed)
chat_hooks.before_speaking.append(require_not_muted)
jobs.cleanup.append(service.give_back)
