"""The API operations for the daily deal."""

from kaboom.accounts.openapi import NAME
from kaboom.daily import schemas
from kaboom.web.api.operations import YES, Part, PostOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import Scope, let_read

register(
    Tag("days", "The deal of a day", order=70),
    Part("when", {"type": "string", "format": "date"}),
    Shape(schemas.Day, order=140),
    *json_and_text(
        "/daily", "get_today", "days", "Today's deal (in UTC), and the calendar", "Day", order=80
    ),
    *json_and_text(
        "/daily/{when}",
        "get_day",
        "days",
        "The deal of a day, with your progress",
        "Day",
        order=100,
    ),
    PostOperation(
        "/daily/{when}",
        "play_day",
        "days",
        "Play the deal of a day (in UTC): at your own table, or at another one for fun",
        {"name": NAME, "again": YES},
        status=201,
        scope=Scope.TABLE,
        order=30,
    ),
)

let_read("daily")
