"""Idempotency-Key: a request that is sent again, because its first answer was lost, is done once.

For a move the key becomes the id of the command in the log (a hash, since records are published).
Requests that make something are remembered as forms are (service.py). All others can be done twice
without harm, or are refused the second time because they were done, as starting a match is, and are
then answered with the table. So all that is kept of them is what their key stands for.
"""

from flask import Flask, Response, g, request
from werkzeug.exceptions import BadRequest

from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import say
from kaboom.web.context import services
from kaboom.web.idempotency import queries as idempotency_queries
from kaboom.web.idempotency.service import Command, Keyed, known, reserved
from kaboom.web.session import bearer, command, hash_of_request, idempotency_key

MOVES = {"table.move"}  # what their keys stand for is kept together with the move


def init_app(app: Flask) -> None:
    """Look at the Idempotency-Key of every POST of a program before it is done."""
    app.before_request(reserve)
    app.after_request(take_back)


def keyed() -> Keyed | None:
    """Return what identifies this request if it has an Idempotency-Key, else None."""
    mine = command() if idempotency_key() else None
    if mine is None:
        return None
    id = hash_of(f"stands for {mine.id}")
    sent = hash_of_request()
    return Keyed(Command(mine.who, id), sent)


def reserve() -> None:
    """Note which request a key stands for; raises IdempotencyKeyReused if it stands for another."""
    if request.method != "POST" or "Idempotency-Key" not in request.headers:
        return
    this = keyed()
    if this is None:
        raise BadRequest(say("An Idempotency-Key has 1 to 200 letters, digits and signs."))
    # Strangers could fill the store by requests that will be refused.
    if bearer() is None or request.endpoint in MOVES:
        return
    if reserved(services().database, this, services().now()):
        g.reserved = this.command
    else:
        g.again = this


def done_before() -> bool:
    """Say whether this request was done before: then that is why it is refused now."""
    return was_done(g.get("again"))


def was_done(this: Keyed | None) -> bool:
    """Say whether a request was done before; raises IdempotencyKeyReused if its key stands for
    another.
    """
    if this is None:  # then nothing needs to be read
        return False
    return services().database.read(lambda connection: known(connection, this, services().now()))


def take_back(response: Response) -> Response:
    """Forget the key of a request that was refused, so that it may be sent again."""
    this = g.get("reserved")
    if this is not None and response.status_code >= 400:
        services().database.write(lambda c: idempotency_queries.take_back(c, this.who, this.id))
    return response
