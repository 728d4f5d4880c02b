"""Messages from the server's host to players, and the refusal of players who are kept out."""

from datetime import UTC, datetime

from flask import Blueprint, current_app, redirect, request
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response

from kaboom.accounts.current import known_player
from kaboom.admin import queries
from kaboom.admin.cache import Holding, holding
from kaboom.admin.queries import Sanction
from kaboom.admin.sanctions import MUTE, OUT, WARN
from kaboom.admin.service import DELETE, RENAME
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.client import address
from kaboom.web.errors import sentence_of, told
from kaboom.web.links import own_page
from kaboom.web.session import key_hash

bp = Blueprint("notices", __name__)

TOLD = {
    WARN: N_("The host of this server warns you."),
    MUTE: N_("The host of this server has muted you until {day}: you cannot write messages."),
    OUT: N_("The host of this server keeps you out until {day}."),
    RENAME: N_("The host of this server has given you another name: {name}."),
    DELETE: N_("The host of this server has deleted a message of yours."),
}
# Endpoints open to players who are kept out; none shows people or tables.
OPEN = {
    "static.file", "health.healthz", "health.readyz", "health.metrics", "pages.settings",
    "pages.set_them", "sharing.manifest", "sharing.icon", "sharing.favicon", "sharing.robots",
}  # fmt: skip


class KeptOut(Forbidden):
    """The player, or their address, is kept out of this server."""


def refuse_kept_out() -> None:
    """Refuse a request from a player who is kept out, or from an unknown player at a blocked
    address; raises KeptOut.
    """
    if request.endpoint is None or request.endpoint in OPEN:
        return
    held = holding(tables())
    if not held.sanctions:
        return
    found = _kept_out(held)
    if found is not None:
        raise KeptOut(sentence(found))


def kept_out(error: KeptOut) -> Response:
    """Answer a player who is kept out; an open page reloads as a whole."""
    response = told(error, 403, sentence_of(error), closed=True)
    if request.headers.get("HX-Request") == "true":
        response.headers["HX-Refresh"] = "true"
    return response


def _kept_out(held: Holding) -> Sanction | None:
    now, key = tables().now(), key_hash()
    known = known_player()
    player = held.aside.get(key) if known is None else known[0]
    for it in held.sanctions.get(player, ()) if player is not None else ():
        if it.kind == OUT and it.until > now:
            if it.address == "?":
                _keep_address(it.id, _hashed_address())
            return it
    if known is None and held.addresses:  # known players at the same address may stay
        return held.addresses.get(_hashed_address())
    return None


def _keep_address(number: int, hashed: str) -> None:
    tables().database.write(lambda c: queries.keep_address(c, number, hashed))


def _hashed_address() -> str:
    return hash_of(f"kept out {address()}")


def sentence(it: Sanction, name: str = "") -> str:
    """Return the sentence that tells the player with that name of a sanction, its reason, and how
    to object.
    """
    day = datetime.fromtimestamp(it.until, UTC).date().isoformat() if it.until else ""
    done = _(TOLD[it.kind], day=day, name=name)
    contact = current_app.config["SERVER"].contact.removeprefix("mailto:")
    object_to = (
        _("To object, write to {contact}.", contact=contact)
        if contact
        else _("To object, write to the host of this server.")
    )
    return " ".join([done, _("The reason: “{why}”.", why=it.why.removesuffix(".")), object_to])


def told_by_host() -> tuple[list[str], list[str]]:
    """Return the host's notices, and the host's unread messages to the requesting player."""
    held = holding(tables(), at_once=request.blueprint == "admin")
    shared = [held.notices[kind] for kind in ("halt", "today") if kind in held.notices]
    if not held.sanctions:
        return shared, []
    known = known_player()
    mine = held.sanctions.get(known[0], ()) if known else ()
    return shared, [
        sentence(it, known[1]) for it in mine if known and not it.read and it.kind != OUT
    ]


@bp.post("/account/messages/read")
@rate_limits.both(player="20 per minute", address="60 per minute")
def have_read() -> Response:
    """Mark the host's messages to the player as read, and redirect to the page they were on."""
    if known := known_player():
        tables().database.write(lambda c: queries.set_read(c, known[0]))
    holding(tables(), at_once=True)  # so that the page does not show it again
    return redirect(own_page(request.form.get("next", "")), 303)
