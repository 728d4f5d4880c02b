"""Notes what presses were answered with, so that a stream does not send the same again."""

from flask import Blueprint, Response, current_app, g, request

from kaboom.realtime.acks import Presses
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.context import code_asked
from kaboom.web.session import key_hash


def presses() -> Presses:
    """Return what this process has answered to presses."""
    found: Presses = current_app.extensions["kaboom.presses"]
    return found


def note_on(tables: Blueprint) -> None:
    """Note the presses that the pages of a table send by script, and what they are answered."""
    tables.before_request(_began)
    tables.after_request(_answered)


def shows(snapshot: TableSnapshot) -> None:
    """Note that this request is answered with the table as this player finds it."""
    g.shows = snapshot.table.revision(snapshot.me)


def chose() -> None:
    """Note that the browser that asks wants something else of its pages from now on."""
    if key := key_hash():
        presses().chose(key)


def _began() -> None:
    by_script = request.method == "POST" and request.headers.get("HX-Request") == "true"
    if by_script and (key := key_hash()):
        g.press = code_asked(), key
        presses().began(*g.press)


def _answered(response: Response) -> Response:
    if "press" in g:
        code, key = g.press
        presses().answered(code, key, g.get("shows"))
    return response
