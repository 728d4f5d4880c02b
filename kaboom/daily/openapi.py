"""The API operations for the daily deal."""

from kaboom.accounts.openapi import NAME
from kaboom.daily import schemas
from kaboom.web.api.operations import (
    LANGUAGE,
    YES,
    GetOperation,
    Part,
    PostOperation,
    Shape,
    Tag,
    register,
)
from kaboom.web.api.scopes import Scope, let_read

register(
    Tag("days", "The deal of a day", order=70),
    Part("when", {"type": "string", "format": "date"}),
    Shape(schemas.Day, order=140),
    *GetOperation(
        "/daily.json",
        "get_today",
        "days",
        "Today's deal (in UTC), and the calendar",
        "Day",
        query=LANGUAGE,
        order=80,
    ).and_text(),
    *GetOperation(
        "/daily/{when}.json",
        "get_day",
        "days",
        "The deal of a day, with your progress",
        "Day",
        query=LANGUAGE,
        order=100,
    ).and_text(),
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
