"""The addresses of a table in other voices than HTML: /t/CODE.json, .txt and .say."""

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.i18n import say
from kaboom.play import view_routes as looking
from kaboom.play.responses_api import shown
from kaboom.play.view_routes import to_program
from kaboom.realtime.stream import LINES, once
from kaboom.social.chat import routes as chat
from kaboom.tables.context import tables
from kaboom.web import limits
from kaboom.web.api.negotiation import MEDIA, voice
from kaboom.web.api.problems import problem
from kaboom.web.context import clean_code
from kaboom.web.forms import number
from kaboom.web.session import key_hash

LONGEST = 25  # seconds that a question may wait

bp = Blueprint("voices", __name__, url_prefix="/t")
bp.url_value_preprocessor(clean_code)


@bp.get("/<code>.json", endpoint="json")
@bp.get("/<code>.txt", endpoint="text")
@bp.get("/<code>.say", endpoint="say")
def look(code: str) -> AnyResponse:
    """The table, in the voice that its address says. With `v` and `wait`: once it is not as it was
    at that revision, or after so many seconds.
    """
    limits.another_look()
    snapshot = tables().look(code, key_hash())
    wait = min(number(request.args.get("wait"), otherwise=0, digits=4), LONGEST)
    known = snapshot.table.revision(snapshot.me)
    if wait and request.args.get("v") == str(known):
        return to_program(code, once(MEDIA[voice()], known, _gone()), wait)
    return shown(snapshot)


@bp.get("/<code>.ndjson", endpoint="lines")
def lines(code: str) -> AnyResponse:
    """The table as a stream of lines of JSON: now, and whenever it changes."""
    limits.another_look()
    return to_program(code, LINES)


@bp.get("/<code>/rules.json", endpoint="table_rules_json")
@bp.get("/<code>/rules.txt", endpoint="table_rules_text")
def table_rules(code: str) -> AnyResponse:
    """The rules as they apply at a table."""
    limits.another_look()
    return looking.rules(code)


@bp.get("/<code>/talk.json", endpoint="talk_json")
@bp.get("/<code>/talk.txt", endpoint="talk_text")
def talk(code: str) -> AnyResponse:
    """What is said at a table."""
    limits.another_look()
    return chat.page(code)


def _gone() -> bytes:
    """Return what is answered to who waited at a table that is no more for their eyes."""
    return problem(404, "no-table", say("This table cannot be looked at any more.")).get_data()
