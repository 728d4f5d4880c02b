"""What there is to read for those who write programs: the API's page, its description, problems."""

from flask import Blueprint, Response, abort, current_app, render_template, request

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import say
from kaboom.games import GAMES
from kaboom.web.api import responses as lists
from kaboom.web.api.negotiation import MEDIA, Voice, by_page, voice
from kaboom.web.api.openapi import document
from kaboom.web.api.operations import doors, sights
from kaboom.web.api.problems import KINDS
from kaboom.web.api.reference import markdown, reference
from kaboom.web.api.schemas import Problem
from kaboom.web.api.scopes import USUAL
from kaboom.web.api.vocabulary import lines_of, vocabulary_of

bp = Blueprint("documents", __name__)


@bp.get("/api")
def api() -> str:
    """How programs play: an example for each step."""
    public: str = current_app.config["SERVER"].public_url
    here = public or request.host_url.rstrip("/")
    return render_template(
        "web/api/guide.html",
        here=here,
        sights=sights(),
        doors=doors(),
        problems=KINDS,
        usual=USUAL,
    )


@bp.get("/api/reference")
def all_of_it() -> str | Response:
    """What the examples leave out: voices, keys, moves, streams, refusals, shapes, promises."""
    return _read("reference", say("Reference"))


@bp.get("/api/records")
def records() -> str | Response:
    """The fields of a record."""
    return _read("records", say("Records"))


@bp.get("/api/chance")
def chance() -> str | Response:
    """How shuffles and lots follow from seeds."""
    return _read("chance", say("Shuffles and lots"))


@bp.get("/api/games/<key>")
@bp.get("/api/games/<key>.json", endpoint="game_json")
@bp.get("/api/games/<key>.txt", endpoint="game_text")
def game(key: str) -> str | Response:
    """The verbs, zones and facts of a game."""
    known = GAMES.get(key) or abort(404, say("There is no such page."))
    found = vocabulary_of(known)
    if by_page():
        return render_template("web/api/vocabulary.html", it=found)
    return lists.answer(found, lines_of(found))


@bp.get("/api/reference.txt", endpoint="reference_text")
@bp.get("/api/records.txt", endpoint="records_text")
@bp.get("/api/chance.txt", endpoint="chance_text")
def as_written() -> Response:
    """One of these pages as it is written, in Markdown."""
    return _written(request.path.removeprefix("/api/").removesuffix(".txt"))


def _written(name: str) -> Response:
    return current_app.response_class(markdown(name), content_type=MEDIA[Voice.TEXT])


def _read(name: str, called: str) -> str | Response:
    if voice() is Voice.TEXT:
        return _written(name)
    return render_template("web/api/reference.html", read=reference(name), called=called)


@bp.get("/openapi.json")
def openapi() -> Response:
    """The description of all of it, for programs (OpenAPI 3.1)."""
    response = current_app.response_class(to_json(document()), content_type="application/json")
    response.add_etag()
    response.make_conditional(request)
    return response


@bp.get("/problems/<slug>")
def problem(slug: str) -> str | Response:
    """What a kind of problem is, and what to do about it."""
    kind = KINDS.get(slug) or abort(404, say("There is no such page."))
    if by_page():
        return render_template("web/api/problem.html", slug=slug, kind=kind)
    told = Problem(
        type=f"/problems/{slug}", title=say(kind.title), status=kind.status, detail=say(kind.help)
    )
    return lists.answer(told, [f"{say(kind.title)}.", say(kind.help)])
