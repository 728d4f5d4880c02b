"""The API operations for the coach."""

from kaboom.coach import schemas
from kaboom.web.api.operations import TEXT, PostOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import Scope, let_read

SHOW = {"show": TEXT | {"description": "Any value: also show what the moves are worth."}}
TRIED = {"tried": TEXT | {"description": "The move whose answer to show again."}}
ANSWER = {"move": TEXT | {"maxLength": 400, "examples": ["bid 9S"]}, "answers": TEXT}

register(
    Tag("coach", "Your decisions in a finished match, judged", order=62),
    Shape(schemas.Coaching, order=165),
    Shape(schemas.CoachQuestion, order=166),
    Shape(schemas.CoachAnswer, order=167),
    *json_and_text(
        "/m/{code}/coach",
        "get_coaching",
        "coach",
        "The progress and the results of coaching one of your matches",
        "Coaching",
        order=302,
    ),
    *json_and_text(
        "/m/{code}/coach/{number}",
        "get_coach_question",
        "coach",
        "One of your decisions as a question",
        "CoachQuestion",
        query=SHOW | TRIED,
        order=304,
    ),
    PostOperation(
        "/m/{code}/coach",
        "ask_coach",
        "coach",
        "Request coaching of your decisions in a match; it takes about a minute",
        answer="Coaching",
        scope=Scope.TABLE,
        order=306,
    ),
    PostOperation(
        "/m/{code}/coach/{number}/move",
        "answer_coach",
        "coach",
        "Answer a question; nothing is stored",
        fields=ANSWER,
        must=("move",),
        answer="CoachAnswer",
        scope=Scope.LOOK,
        order=307,
    ),
)

let_read("coach")
