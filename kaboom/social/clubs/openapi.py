"""The API operations for clubs."""

from kaboom.social.clubs import schemas
from kaboom.web.api.operations import CODE, Part, Shape, Tag, json_and_text, register

register(
    Tag("clubs", "Clubs, as their members see them", order=90),
    Part("club", CODE),
    Shape(schemas.Club, order=50),
    *json_and_text(
        "/clubs/{club}",
        "get_club",
        "clubs",
        "One of your clubs; for other clubs, only the name",
        "Club",
        order=270,
    ),
)
