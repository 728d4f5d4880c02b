"""The API operations for the coach."""

from kaboom.coach import schemas
from kaboom.web.api.operations import (
    LANGUAGE,
    TEXT,
    GetOperation,
    PostOperation,
    Shape,
    Tag,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

SHOW = {"show": TEXT | {"description": "Any value: also show what the moves are worth."}}
TRIED = {"tried": TEXT | {"description": "The move whose answer to show again."}}
ANSWER = {"move": TEXT | {"maxLength": 400, "examples": ["bid 9S"]}, "answers": TEXT}

register(
    Tag("coach", "Your decisions in a finished match, judged", order=62),
    Shape(schemas.Coaching, order=165),
    Shape(schemas.CoachQuestion, order=166),
    Shape(schemas.CoachAnswer, order=167),
    *GetOperation(
        "/m/{code}/coach.json",
        "get_coaching",
        "coach",
        "The progress and the results of coaching one of your matches",
        "Coaching",
        query=LANGUAGE,
        order=302,
    ).and_text(),
    *GetOperation(
        "/m/{code}/coach/{number}.json",
        "get_coach_question",
        "coach",
        "One of your decisions as a question",
        "CoachQuestion",
        query=SHOW | TRIED | LANGUAGE,
        order=304,
    ).and_text(),
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
