"""The API operations for lessons: reading them and answering their questions."""

from kaboom.learn import schemas
from kaboom.web.api.operations import TEXT, Part, PostOperation, Shape, Tag, json_and_text, register
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
    *json_and_text(
        "/learn", "get_lessons", "learn", "All lessons", "Lessons", scope=FREE, order=330
    ),
    *json_and_text(
        "/learn/{key}",
        "get_lessons_of_game",
        "learn",
        "The lessons of a game",
        "Lessons",
        scope=FREE,
        order=332,
    ),
    *json_and_text(
        "/learn/{key}/{lesson}/{number}",
        "get_lesson_step",
        "learn",
        "A step of a lesson, from 1",
        "LessonStep",
        query=STEP,
        scope=FREE,
        order=334,
    ),
    *json_and_text(
        "/learn/{key}/{lesson}/done",
        "finish_lesson",
        "learn",
        "The end of a lesson",
        "LessonDone",
        scope=FREE,
        order=336,
    ),
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
