"""The API operations for clubs."""

from kaboom.social.clubs import schemas
from kaboom.web.api.operations import (
    CODE,
    LANGUAGE,
    GetOperation,
    Part,
    Shape,
    Tag,
    register,
)

register(
    Tag("clubs", "Clubs, as their members see them", order=90),
    Part("club", CODE),
    Shape(schemas.Club, order=50),
    *GetOperation(
        "/clubs/{club}.json",
        "get_club",
        "clubs",
        "One of your clubs; for other clubs, only the name",
        "Club",
        query=LANGUAGE,
        order=270,
    ).and_text(),
)
