"""The API operations for reviews."""

from kaboom.accounts.names import EACH
from kaboom.accounts.openapi import NAME
from kaboom.review import schemas
from kaboom.review.service import LONGEST
from kaboom.web.api.operations import (
    CHARACTERS,
    CODE,
    NATURAL,
    TEXT,
    WHOLE,
    Part,
    PostOperation,
    Shape,
    Tag,
    json_and_text,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

PLACE = {
    "step": NATURAL | {"description": "0 is the deal."},
    "seat": TEXT | {"description": "The point of view: a seat, watch, or empty for all cards."},
}
REMARK = TEXT | {
    "maxLength": EACH * LONGEST,
    CHARACTERS: LONGEST,
    "description": f"At most {LONGEST} characters (grapheme clusters).",
}
AT = "/m/{code}/review"


def _act(name: str, address: str, summary: str, fields: dict[str, object], order: int,
         must: tuple[str, ...] = ()) -> PostOperation:  # fmt: skip
    return PostOperation(
        f"{AT}/{{review}}/{address}",
        name,
        "reviews",
        summary,
        fields,
        must,
        answer="Review",
        scope=Scope.TALK,
        order=order,
    )


register(
    Tag("reviews", "Reviewing a finished match together", order=65),
    Part("review", CODE),
    Shape(schemas.Reviews, order=175),
    Shape(schemas.Review, order=176),
    *json_and_text(
        f"{AT}",
        "get_reviews",
        "reviews",
        "The reviews of a match that you may list, and the remarks that you may see",
        "Reviews",
        scope=Scope.TALK,
        order=400,
    ),
    *json_and_text(
        f"{AT}/{{review}}",
        "get_review",
        "reviews",
        "The leader's place, the people present and the remarks",
        "Review",
        scope=Scope.TALK,
        order=402,
    ),
    PostOperation(
        AT,
        "open_review",
        "reviews",
        "Begin a review of a match, and lead it",
        {"name": NAME, **PLACE},
        answer="Review",
        status=201,
        scope=Scope.TALK,
        order=400,
    ),
    _act("join_review", "join", "Come in", {"name": NAME}, 401),
    _act("lead_review", "lead", "As the leader, go to a step", PLACE, 402, ("step",)),
    _act("ask_for_the_lead", "ask", "Ask to lead", {}, 403),
    _act("hand_over_the_lead", "hand-over", "Let another lead", {"who": TEXT}, 404, ("who",)),
    _act(
        "say_remark",
        "say",
        "Comment on a step",
        PLACE | {"text": REMARK},
        405,
        ("step", "text"),
    ),
    _act("delete_remark", "delete", "Delete a remark", {"line": WHOLE}, 406, ("line",)),
    _act("leave_review", "leave", "Leave the review", {}, 407),
)

for _endpoint in (
    "index", "index_json", "index_text", "show", "show_json", "show_text", "events", "begin",
    "join", "lead", "ask", "hand_over", "say", "delete", "leave",
):  # fmt: skip
    let_read(f"review.{_endpoint}", Scope.TALK)
