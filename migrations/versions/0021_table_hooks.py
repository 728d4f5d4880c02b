"""Webhooks that 0.1.0 kept for one table become channels like all others."""

import json
import time
from base64 import b64decode
from typing import Any

import sqlalchemy as sa
from alembic import op

from kaboom.db.encryption import Cipher, Unreadable
from kaboom.notifications.webhook_payloads import shape_of

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

WISHES = sa.table(
    "call_settings", *map(sa.column, ("player_id", "zone", "digest", "language", "base"))
)
WAYS = sa.table(
    "ways",
    *map(sa.column, ("player_id", "kind", "address", "print", "table_id", "made_at")),
    *map(sa.column, ("checked_at", "failures", "sent_at")),
)


def upgrade() -> None:
    connection = op.get_bind()
    kept = sa.text("SELECT player_id, table_id, webhook FROM sittings WHERE webhook <> ''")
    for player, table_id, sealed in connection.execute(kept).all():
        _adopt(connection, connection.info["cipher"], player, table_id, sealed)
    connection.execute(sa.text("UPDATE sittings SET webhook = '', failures = 0"))


def _adopt(
    connection: sa.Connection, seal: Cipher, player: int, table_id: int, sealed: str
) -> None:
    try:
        what: dict[str, Any] = json.loads(seal.decrypt(b64decode(sealed), "webhook"))
    except (Unreadable, ValueError):
        return
    address, base = what["to"], what["link"].partition("/t/")[0]
    kind = what.get("shape") or shape_of(address)
    way = {
        "player_id": player,
        "kind": kind,
        "address": seal.encrypt(address.encode(), "way"),
        "print": seal.fingerprint(f"{kind} {address}", "way"),
        "table_id": table_id,
        "made_at": time.time(),
        "checked_at": time.time(),
        "failures": 0,
        "sent_at": 0.0,
    }
    connection.execute(WAYS.insert(), way)
    mine = WISHES.c.player_id == player
    known = connection.execute(sa.select(WISHES.c.base).where(mine)).first()
    if known is None:
        usual = {"player_id": player, "zone": "UTC", "digest": 0, "language": "en", "base": base}
        connection.execute(WISHES.insert(), usual)
    elif not known.base:
        connection.execute(WISHES.update().where(mine).values(base=base))


def downgrade() -> None:
    """Do nothing: channels for one table are older than this migration."""
