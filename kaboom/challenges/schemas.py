"""The published schemas of challenges; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class ChallengeLine(Struct, kw_only=True):
    """A finished attempt. `parted` is the number of the first decision that differs from yours,
    with the step in your record and in theirs (null if a match was over). It is null if none
    differs, or if the attempt was not `compared`. `record` is empty if its player has hidden it.
    """

    name: str
    mine: bool
    place: int
    points: int | float
    left: bool
    record: str
    compared: bool
    parted: list[int | None] | None


class DayBar(Struct, kw_only=True):
    """The number of players who had from `least` to `most` points; `mine` is true if you are one of
    them.
    """

    least: int | float
    most: int | float
    count: int
    mine: bool


class DayCompared(Struct, kw_only=True):
    """The comparison of a daily deal. It has no `lines` or `bars` until you have finished the deal
    or it is public.
    """

    format: str = "kaboom day compared"
    version: int = VERSION
    date: str
    game: str
    beaten: int | None
    bars: list[DayBar]
    lines: list[ChallengeLine]
    links: dict[str, str]


class RoundCompared(Struct, kw_only=True):
    """The results of all tables in your `seat`, with the same cards of a tournament round. `lines`
    is filled once all tables, including yours, have finished. `open` is true while some tables are
    still playing.
    """

    format: str = "kaboom round compared"
    version: int = VERSION
    code: str
    round: int
    open: bool
    seat: int
    lines: list[ChallengeLine]
    links: dict[str, str]


class Challenge(Struct, kw_only=True):
    """A challenge: the same deal for all players, in `seat`, from `step` of the match `origin`,
    against bots at a `level`. `table` is the table of your own attempt; `lines` is filled once you
    have finished or it is closed. Attempts count until `closes_at` (seconds since 1970); after that
    `secret` is shown.
    """

    format: str = "kaboom challenge"
    version: int = VERSION
    code: str
    game: str
    seat: int
    level: str
    step: int
    origin: str
    as_it_was: bool
    closes_at: float
    closed: bool
    table: str
    done: bool
    finished: int
    playing: int
    lines: list[ChallengeLine]
    commitment: str
    cut: str
    secret: str
    links: dict[str, str]
