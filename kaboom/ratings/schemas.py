"""The published schemas of ratings, leaderboards and seasons; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class Rated(Struct):
    """A player's rating, accurate to `spread` either way; `provisional`: there are too few
    matches. `game` is in words.
    """

    name: str
    game: str
    points: int
    spread: int
    played: int
    provisional: bool
    mine: bool


class Leaderboard(Struct):
    """A leaderboard, best first; `of` friends, a club (its `name`), or everybody."""

    of: str
    name: str
    rated: list[Rated]


class Ratings(Struct, kw_only=True):
    """Your own ratings in all games, and the visible leaderboards of one; `days`: of its
    correspondence matches. `months` are the available seasons.
    """

    format: str = "kaboom ratings"
    version: int = VERSION
    game: str
    days: bool
    own: list[Rated]
    boards: list[Leaderboard]
    months: list[str] = []


class SeasonPlace(Struct):
    """A player's place in a season; `points` is accurate to `spread` either way. The name is
    empty if it is no longer shown.
    """

    place: int
    name: str
    points: int
    spread: int
    played: int
    mine: bool


class SeasonBoard(Struct):
    """A leaderboard of a season, best first; `of` friends, a club (its `name`), or everybody."""

    of: str
    name: str
    places: list[SeasonPlace]


class Season(Struct, kw_only=True):
    """A month (UTC) of rated matches of a game; `days`: of its correspondence matches. Until it is
    `closed`, its places can change. The place in `own` is 0 if you are not listed.
    """

    format: str = "kaboom season"
    version: int = VERSION
    game: str
    days: bool
    month: str
    closed: bool
    own: SeasonPlace | None
    boards: list[SeasonBoard]
    months: list[str]
