"""The requesting player, identified by the browser's session key, and new keys for browsers without
one.
"""

import re

from flask import g, request
from werkzeug.exceptions import Forbidden

from kaboom.accounts import players
from kaboom.accounts.names import require_readable_name
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.web.api.negotiation import wants_html
from kaboom.web.client import address
from kaboom.web.context import services
from kaboom.web.idempotency.service import IdempotencyKey, first_key
from kaboom.web.session import hash_of_request, key_hash, shared_here


def known_player() -> tuple[int, str] | None:
    """Return the id and name of the requesting player, or None if the key is unknown."""
    return players.known(services(), key_hash())


def known_id() -> int | None:
    """Return the id of the requesting player, or None if the key is unknown."""
    known = known_player()
    return known[0] if known else None


def known_name() -> str:
    """Return the requester's name, or "" for an unknown visitor."""
    known = known_player()
    return known[1] if known else ""


def name_in_form(known: str = "") -> str:
    """Return the name in a form. If the field was left empty, return the name `known` or, in a
    browser, “Guest”. Raises InvalidFields.
    """
    name = request.form.get("name", "")
    if not name.strip():
        name = known or (_("Guest") if wants_html() else name)
    return require_readable_name(name)


def name_in_header() -> str:
    """Return the requester's name, or "" if the visitor is unknown or the name cannot be read.

    Nothing is raised, because error pages have the header as well.
    """
    try:
        return known_name()
    except Exception:  # the request that needs the database reports the fault
        return ""


def ensure_player(name: str) -> tuple[int, str]:
    """Return the id and name of the requesting player. One without a visible name is stored under
    `name`; raises InvalidFields, before a key is created, if that has no visible character either.
    """
    known = known_player()
    if known is not None and known[1]:
        return known
    name = require_readable_name(name)
    return players.player(services(), ensure_key(), name)


def ensure_key() -> str:
    """Return the hash of the browser's session key, creating a key if it has no valid one.

    Only a POST may call this, because viewing a page must not create anything. A key from a cookie
    that this server did not issue, or has deleted, is never adopted.
    """
    if shared_here() is not None:
        if not players.knows(services(), key_hash()):
            raise Forbidden(_("That key is no longer valid at this table."))
        return key_hash()
    if not g.get("new_key") and not players.knows(services(), key_hash()):
        # Two browsers must never get the same key, so a retried form may reuse one only if its id
        # is unique to the page.
        one_page = re.fullmatch(r"[\w-]{22}", request.form.get("cmd", ""), re.ASCII)
        form = IdempotencyKey(hash_of(address()), hash_of_request()) if one_page else None
        g.new_key = first_key(services().database, form, services().now())
    return key_hash()
