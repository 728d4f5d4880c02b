"""The player who asks, as the browser's key says, and the key of a browser that has none yet."""

import re

from flask import g, request
from werkzeug.exceptions import Forbidden

from kaboom.accounts import players
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import say
from kaboom.web.client import address
from kaboom.web.context import services
from kaboom.web.idempotency.service import Command, first_key
from kaboom.web.session import hash_of_request, key_hash, shared_here


def known_player() -> tuple[int, str] | None:
    """Return id and name of the player who asks; None for a stranger."""
    return players.known(services(), key_hash())


def ensure_key() -> str:
    """Return the hash of this browser's key, making a key when it has none that is known here.

    Only a POST may do this: looking at a page leaves no trace. A key in a cookie that we did not
    give, or have forgotten, is never adopted.
    """
    if shared_here() is not None:
        if not players.knows(services(), key_hash()):
            raise Forbidden(say("Nobody at this table knows that key any more."))
        return key_hash()
    if not g.get("new_key") and not players.knows(services(), key_hash()):
        # Two strangers must never be given the same key: only an id that no two pages share will
        # do.
        one_page = re.fullmatch(r"[\w-]{22}", request.form.get("cmd", ""), re.ASCII)
        form = Command(hash_of(address()), hash_of_request()) if one_page else None
        g.new_key = first_key(services().database, form, services().now())
    return key_hash()
