"""The published schemas of the daily deal; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class OtherDay(Struct):
    """A day of the calendar; its stage is to-come, today or over."""

    date: str
    game: str
    stage: str


class Day(Struct, kw_only=True):
    """The daily deal of a day (in UTC), against `bots`; `stage` is to-come, today, over, or empty
    if there is no deal. `table` is that of your own attempt; once you have finished, `others` and
    `worse` count the other finishers and those who did worse. `cut` is known from the first deal
    on, and `secret` (hexadecimal) three hours after the day.
    """

    format: str = "kaboom day"
    version: int = VERSION
    date: str
    stage: str
    game: str
    bots: int
    table: str
    finished: bool
    others: int | None
    worse: int | None
    commitment: str
    cut: str
    secret: str
    days: list[OtherDay]
    links: dict[str, str]
