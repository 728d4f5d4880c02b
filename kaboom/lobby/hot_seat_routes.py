"""Seating another player who shares this browser (kaboom.table_page.hot_seat)."""

from dataclasses import replace

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from kaboom.accounts import players
from kaboom.accounts.names import require_readable_name
from kaboom.db.database import Unavailable
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState
from kaboom.lobby import service as lobby
from kaboom.table_page.hot_seat import bp, curtain, holders_of, keep_shared, seen_by_shared
from kaboom.tables import start_match
from kaboom.tables.context import tables
from kaboom.tables.permissions import require_free_seat, require_seat
from kaboom.web import rate_limits
from kaboom.web.errors import sentence_of
from kaboom.web.idempotency.service import first_key
from kaboom.web.session import MOST_PASSED, Shared, command, shared_here


@bp.post("/sit")
@rate_limits.both(player="20 per minute", address="60 per minute; 600 per hour")
def sit(code: str) -> Response:
    """Seat another player on this device; only a seated player may do so."""
    shared = shared_here() or Shared()
    try:
        found = seen_by_shared(code, shared)
        require_seat(found.table, found.player)
        if len(shared.keys) >= MOST_PASSED:
            raise InvalidState(_("No more players can share this device."))
        require_free_seat(tables().get(code).table, None)
        name = require_readable_name(request.form.get("name", ""))
        key = first_key(tables().database, command(), tables().now())  # each form counts once
        player, name = players.player(tables(), hash_of(key), name)
        sat = lobby.sit(tables(), code, player, name)
        seats_here = {it.seat for it in holders_of(sat, shared)}
        if sat.table.seat_of(sat.table.host) in seats_here:  # the host can start it on this device
            start_match.ready(tables(), code, player)
    except (Refusal, Unavailable) as no:
        return curtain(code, sentence_of(no), no.status)
    held = shared.keys if key in shared.keys else (*shared.keys, key)
    answer = redirect(url_for("passing.show", code=code), 303)
    return keep_shared(answer, code, replace(shared, keys=held))
