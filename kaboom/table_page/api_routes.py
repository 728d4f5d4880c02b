"""The URLs of a table in formats other than HTML: /t/CODE.json, .txt and .say."""

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.i18n import gettext as _
from kaboom.realtime.stream import LINES, Shape
from kaboom.social.chat import routes as chat
from kaboom.table_page import view_routes
from kaboom.table_page.responses_api import shown
from kaboom.table_page.view_routes import to_program
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import MEDIA, response_format
from kaboom.web.api.problems import problem
from kaboom.web.context import clean_code
from kaboom.web.forms import number
from kaboom.web.session import key_hash

LONGEST = 25  # seconds that a request may be held open

bp = Blueprint("voices", __name__, url_prefix="/t")
bp.url_value_preprocessor(clean_code)
bp.before_request(rate_limits.count_request)


@bp.get("/<code>.json", endpoint="json")
@bp.get("/<code>.txt", endpoint="text")
@bp.get("/<code>.say", endpoint="say")
def show(code: str) -> AnyResponse:
    """Return the table in the format named by its URL. With `v` and `wait`, hold the request open
    until the table's revision differs from `v`, for at most `wait` seconds.
    """
    snapshot = tables().get(code, key_hash())
    wait = min(number(request.args.get("wait"), otherwise=0, digits=4), LONGEST)
    known = snapshot.table.revision(snapshot.me)
    if wait and request.args.get("v") == str(known):
        gone = _gone()  # rendered here, because the response is sent outside the request
        return to_program(code, Shape(MEDIA[response_format()], lambda *_: gone, known), wait)
    return shown(snapshot)


@bp.get("/<code>.ndjson", endpoint="lines")
def lines(code: str) -> AnyResponse:
    """Return the table as a stream of JSON lines: now, and after each change."""
    return to_program(code, LINES)


@bp.get("/<code>/rules.json", endpoint="table_rules_json")
@bp.get("/<code>/rules.txt", endpoint="table_rules_text")
def table_rules(code: str) -> AnyResponse:
    """Return the rules that apply at a table."""
    return view_routes.rules(code)


@bp.get("/<code>/talk.json", endpoint="talk_json")
@bp.get("/<code>/talk.txt", endpoint="talk_text")
def talk(code: str) -> AnyResponse:
    """Return a table's chat."""
    return chat.page(code)


def _gone() -> bytes:
    """Return the response to a waiting client that may no longer see the table."""
    return problem(404, "no-table", _("This table can no longer be viewed.")).get_data()
