"""Idempotency-Key: a request that comes twice, for its first answer was lost, is done once.

For a move the key becomes the id of the command in the log (a hash, for records are published).
What makes something is kept as forms are (kaboom.tables.once). What else can be asked for is the
same done twice, or is refused the second time because it was done, as starting a match is: then the
answer is the table. So what is kept besides is only which request a key stands for.
"""

from flask import Flask, Response, g, request
from werkzeug.exceptions import BadRequest

from kaboom.core.language import say
from kaboom.store import commands
from kaboom.store.sealing import hash_of
from kaboom.tables.once import Command, Keyed, known, reserved
from kaboom.web.bearer import bearer
from kaboom.web.identity import command, hash_of_request, idempotency_key
from kaboom.web.service import tables

MOVES = {"table.move"}  # what their keys stand for is kept together with the move


def init_app(app: Flask) -> None:
    """Look at the Idempotency-Key of every POST of a program before it is done."""
    app.before_request(reserve)
    app.after_request(take_back)


def keyed() -> Keyed | None:
    """Return this request by its Idempotency-Key; None without one."""
    mine = command() if idempotency_key() else None
    if mine is None:
        return None
    id = hash_of(f"stands for {mine.id}")
    sent = hash_of_request()
    return Keyed(Command(mine.who, id), sent)


def reserve() -> None:
    """Note what a key stands for; raises KeyReused if that was something else."""
    if request.method != "POST" or not request.headers.get("Idempotency-Key"):
        return
    this = keyed()
    if this is None:
        raise BadRequest(say("An Idempotency-Key has 1 to 200 letters, digits and signs."))
    # Whoever shows no key could fill the store at doors that would not let them in.
    if bearer() is None or request.endpoint is None or request.endpoint in MOVES:
        return
    if reserved(tables().database, this, tables().now()):
        g.reserved = this.command
    else:
        g.again = this


def done_before() -> bool:
    """Say whether this request was done before: then that is why it is refused now."""
    return was_done(g.get("again"))


def was_done(this: Keyed | None) -> bool:
    """Say whether a request was done before; raises KeyReused if its key stands for another."""
    if this is None:  # then nothing needs to be read
        return False
    return tables().database.read(lambda connection: known(connection, this, tables().now()))


def take_back(response: Response) -> Response:
    """Keep nothing of what was refused: it may be asked for again."""
    this = g.get("reserved")
    if this is not None and response.status_code >= 400:
        tables().database.write(lambda c: commands.take_back(c, this.who, this.id))
    return response
