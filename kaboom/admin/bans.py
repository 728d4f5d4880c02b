"""The refusal of banned players: every request is checked."""

from functools import partial

from flask import request
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response

from kaboom.accounts.current import known_player
from kaboom.admin import queries
from kaboom.admin.cache import Holding, holding
from kaboom.admin.notices import change_of, moment, objection, sentence
from kaboom.admin.sanctions import OUT
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.tables.context import tables
from kaboom.web.client import address
from kaboom.web.context import IMPERSONAL
from kaboom.web.errors import sentence_of, told
from kaboom.web.session import key_hash


class Banned(Forbidden):
    """The player, or their IP address, is banned from this server."""


def refuse_banned() -> None:
    """Raise Banned for a request from a banned player, or from an unknown player at a blocked IP
    address.
    """
    if request.endpoint is None or request.endpoint in IMPERSONAL:
        return
    held = holding(tables())
    if not held.sanctions:
        return
    if found := _ban(held):
        raise Banned(found)


def answer_banned(error: Banned) -> Response:
    """Respond to a banned player; an open page reloads as a whole."""
    response = told(error, 403, sentence_of(error), closed=True)
    if request.headers.get("HX-Request") == "true":
        response.headers["HX-Refresh"] = "true"
    return response


def _ban(held: Holding) -> str:
    """Return the sentence for a banned player, or for an unknown one from a blocked IP address, who
    is not told another player's reason; "" for others.
    """
    now, key = tables().now(), key_hash()
    known = known_player()
    player = held.aside.get(key) if known is None else known[0]
    for it in held.sanctions.get(player, ()) if player is not None else ():
        if it.kind == OUT and it.until > now:
            if it.address == "?":
                keep = partial(queries.keep_address, sanction=it.id, address=_hashed_address())
                tables().database.write(keep)
            return sentence(it, changed=change_of(held, it))
    # Known players at the same IP address may stay.
    if known is None and held.addresses and (found := held.addresses.get(_hashed_address())):
        text = _(
            "Another player at your IP address is banned from this server until {day}. Until "
            "then, no new player can join from that address.",
            day=moment(found.until),
        )
        return text + objection()
    return ""


def _hashed_address() -> str:
    return hash_of(f"kept out {address()}")  # compared with stored hashes
