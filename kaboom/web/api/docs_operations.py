"""The documents for API clients, and the games’ vocabularies, as operations."""

from kaboom.web.api import schemas
from kaboom.web.api.operations import PLAIN, GetOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.reference import PAGES
from kaboom.web.api.scopes import FREE, let_read

register(
    Tag("games", "The games played here", order=20),
    Tag("documents", "Documentation for authors of programs", order=110),
    Shape(schemas.Problem, order=20),
    Shape(schemas.Rules, order=70),
    Shape(schemas.Vocabulary, order=110),
    *json_and_text(
        "/api/games/{key}",
        "get_vocabulary",
        "games",
        "The verbs, zones and facts of a game",
        "Vocabulary",
        scope=FREE,
        order=30,
    ),
    *(
        GetOperation(
            f"/api/{name}.txt",
            f"get_{name}_text",
            "documents",
            "The Markdown source of this page",
            media=PLAIN,
            scope=FREE,
            order=50,
        )
        for name in PAGES
    ),
)

let_read("documents", FREE)
let_read("static", FREE)
