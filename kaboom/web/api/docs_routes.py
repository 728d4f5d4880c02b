"""The documents for API clients: the guide, the OpenAPI description, the problems."""

from flask import Blueprint, Response, abort, current_app, render_template, request

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.games import GAMES
from kaboom.web.api import responses
from kaboom.web.api.negotiation import MEDIA, Format, response_format, wants_html
from kaboom.web.api.openapi import document
from kaboom.web.api.operations import get_operations, post_operations
from kaboom.web.api.problems import KINDS
from kaboom.web.api.reference import markdown, reference
from kaboom.web.api.schemas import Problem
from kaboom.web.api.scopes import USUAL
from kaboom.web.api.vocabulary import lines_of, vocabulary_of
from kaboom.web.links import rooted

bp = Blueprint("documents", __name__)

# Of the documents in docs/, by their names in URLs.
TITLES = {
    "reference": N_("Reference"),
    "records": N_("Records"),
    "chance": N_("Shuffles and draws"),
}


@bp.get("/api")
def api() -> str:
    """Show the API guide, with an example for each step."""
    public: str = current_app.config["SERVER"].public_url
    here = public or request.root_url.rstrip("/")
    return render_template(
        "web/api/guide.html",
        here=here,
        get_operations=get_operations(),
        post_operations=post_operations(),
        problems=KINDS,
        usual=USUAL,
    )


@bp.get("/api/reference", endpoint="complete_reference")
@bp.get("/api/records", endpoint="records")
@bp.get("/api/chance", endpoint="chance")
@bp.get("/api/reference.txt", endpoint="reference_text")
@bp.get("/api/records.txt", endpoint="records_text")
@bp.get("/api/chance.txt", endpoint="chance_text")
def shown() -> str | Response:
    """Show one of the documents in docs/, or return its Markdown source as plain text."""
    name = request.path.removeprefix("/api/").removesuffix(".txt")
    if response_format() is Format.TEXT:
        return current_app.response_class(markdown(name), content_type=MEDIA[Format.TEXT])
    read = reference(name, request.script_root)
    return render_template("web/api/reference.html", read=read, called=_(TITLES[name]))


@bp.get("/api/games/<key>")
@bp.get("/api/games/<key>.json", endpoint="game_json")
@bp.get("/api/games/<key>.txt", endpoint="game_text")
def game(key: str) -> str | Response:
    """Return the verbs, zones and facts of a game."""
    known = GAMES.get(key) or abort(404, _("Page not found."))
    found = vocabulary_of(known)
    if wants_html():
        return render_template("web/api/vocabulary.html", it=found)
    return responses.answer(found, lines_of(found))


@bp.get("/openapi.json")
def openapi() -> Response:
    """Return the OpenAPI 3.1 description of the whole API."""
    response = current_app.response_class(
        to_json(document() | {"servers": [{"url": rooted("/")}]}), content_type="application/json"
    )
    response.add_etag()
    response.make_conditional(request)
    return response


@bp.get("/problems/<slug>")
def problem(slug: str) -> str | Response:
    """Show a kind of problem, and what to do about it."""
    kind = KINDS.get(slug) or abort(404, _("Page not found."))
    if wants_html():
        return render_template("web/api/problem.html", slug=slug, kind=kind)
    told = Problem(
        type=rooted(f"/problems/{slug}"),
        title=_(kind.title),
        status=kind.status,
        detail=_(kind.help),
    )
    return responses.answer(told, [f"{_(kind.title)}.", _(kind.help)])
