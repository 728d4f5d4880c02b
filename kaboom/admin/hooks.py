"""Checks before a table is opened or a message is written, and the hourly end of sanctions."""

from sqlalchemy import Connection

from kaboom.admin import notices, queries, sanctions
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState
from kaboom.social.chat import hooks as chat_hooks
from kaboom.tables import hooks, jobs


def require_tables_allowed(connection: Connection) -> None:
    """Raise InvalidState while the host has halted new tables."""
    if text := queries.notices(connection).get("halt"):
        raise InvalidState(_("No new tables for now: {text}", text=text))


hooks.before_open.append(require_tables_allowed)
chat_hooks.before_message.append(sanctions.require_not_muted)
chat_hooks.beside_room.append(notices.beside_room)
chat_hooks.silenced.append(notices.silenced)
jobs.cleanup.append(sanctions.give_back)
