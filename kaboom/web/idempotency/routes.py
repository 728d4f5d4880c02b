"""Idempotency-Key: a request that is sent again because the first response was lost is handled only
once. For a move, the key becomes the id of the command in the log (a hash, since records are
published). Requests that create something are remembered in the same way as forms (service.py). All
other requests either do no harm when handled twice, or are refused the second time because they
have been handled (starting a match, for example), and the response to them is then the table. For
these, only the request to which the key belongs is stored.
"""

from flask import Flask, Response, g, request
from werkzeug.exceptions import BadRequest

from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import gettext as _
from kaboom.web.context import services
from kaboom.web.idempotency import queries as idempotency_queries
from kaboom.web.idempotency.service import IdempotencyKey, Keyed, known, reserved
from kaboom.web.session import bearer, command, hash_of_request, idempotency_key

MOVES = {"table.move"}  # the request to which their key belongs is stored together with the move


def init_app(app: Flask) -> None:
    """Check the Idempotency-Key of every POST that has one."""
    app.before_request(reserve)
    app.after_request(take_back)


def keyed() -> Keyed | None:
    """Return the identity of this request if it has an Idempotency-Key, otherwise None."""
    mine = command() if idempotency_key() else None
    if mine is None:
        return None
    id = hash_of(f"stands for {mine.id}")
    sent = hash_of_request()
    return Keyed(IdempotencyKey(mine.who, id), sent)


def reserve() -> None:
    """Record which request a key belongs to. Raises BadRequest for an invalid key, and
    IdempotencyKeyReused if it belongs to another request.
    """
    if request.method != "POST" or "Idempotency-Key" not in request.headers:
        return
    this = keyed()
    if this is None:
        raise BadRequest(_("An Idempotency-Key must be 1 to 200 letters, digits or symbols."))
    # Otherwise strangers could fill the database with requests that will be refused.
    if bearer() is None or request.endpoint in MOVES:
        return
    if reserved(services().database, this, services().now()):
        g.reserved = this.command
    else:
        g.again = this


def done_before() -> bool:
    """Return True if this request was handled before, which is then the reason why it is refused
    now.
    """
    return was_done(g.get("again"))


def was_done(this: Keyed | None) -> bool:
    """Return True if a request was handled before; raises IdempotencyKeyReused if its key belongs
    to another.
    """
    if this is None:  # nothing needs to be read then
        return False
    return services().database.read(lambda connection: known(connection, this, services().now()))


def take_back(response: Response) -> Response:
    """Forget the key of a request that was refused, so that it may be sent again."""
    this = g.get("reserved")
    if this is not None and response.status_code >= 400:
        services().database.write(lambda c: idempotency_queries.take_back(c, this.who, this.id))
    return response
