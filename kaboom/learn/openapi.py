"""The API operations for lessons: reading them and answering their questions."""

from kaboom.learn import schemas
from kaboom.web.api.operations import (
    LANGUAGE,
    TEXT,
    GetOperation,
    Part,
    PostOperation,
    Shape,
    Tag,
    register,
)
from kaboom.web.api.scopes import FREE, let_read

SHOW = {"show": TEXT | {"description": "Any value: also show the right move."}}
TRIED = {"tried": TEXT | {"description": "The move whose answer to show again."}}
AFTER = {
    "after": TEXT
    | {"description": "How the previous step ended: `good`, `also` (another good move) or `skip`."}
}
STEP = SHOW | TRIED | AFTER
ANSWER = {
    "move": TEXT | {"maxLength": 400, "examples": ["bid 9S"]},
    "answers": TEXT,
}

register(
    Part("lesson", {"type": "string", "examples": ["first"]}),
    Tag("learn", "Lessons: fixed deals, explained step by step", order=65),
    Shape(schemas.Lessons, order=161),
    Shape(schemas.LessonStep, order=162),
    Shape(schemas.LessonAnswer, order=163),
    Shape(schemas.LessonDone, order=164),
    *GetOperation(
        "/learn.json",
        "get_lessons",
        "learn",
        "All lessons",
        "Lessons",
        query=LANGUAGE,
        scope=FREE,
        order=330,
    ).and_text(),
    *GetOperation(
        "/learn/{key}.json",
        "get_lessons_of_game",
        "learn",
        "The lessons of a game",
        "Lessons",
        query=LANGUAGE,
        scope=FREE,
        order=332,
    ).and_text(),
    *GetOperation(
        "/learn/{key}/{lesson}/{number}.json",
        "get_lesson_step",
        "learn",
        "A step of a lesson, from 1",
        "LessonStep",
        query=STEP | LANGUAGE,
        scope=FREE,
        order=334,
    ).and_text(),
    *GetOperation(
        "/learn/{key}/{lesson}/done.json",
        "finish_lesson",
        "learn",
        "The end of a lesson",
        "LessonDone",
        query=LANGUAGE,
        scope=FREE,
        order=336,
    ).and_text(),
    PostOperation(
        "/learn/{key}/{lesson}/{number}/move",
        "answer_lesson",
        "learn",
        "Try a move at a step that asks for one; nothing is stored",
        fields=ANSWER,
        must=("move",),
        answer="LessonAnswer",
        scope=FREE,
        order=338,
    ),
)

let_read("learn", FREE)
