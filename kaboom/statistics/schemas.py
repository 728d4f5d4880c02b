"""The published schemas of statistics; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class GameStatistics(Struct, kw_only=True):
    """Your matches of a game: `against` people, easy, normal and hard bots, as [matches, won];
    `places` as [place, matches]. `points` per match, `seconds` per decision and `cost` per decision
    are means, null if unknown. `streak` is the number of matches won in a row up to now, `best` the
    highest ever.
    """

    game: str
    matches: int
    won: int
    against: dict[str, list[int]]
    places: list[list[int]]
    points: float | None
    seconds: float | None
    streak: int
    best: int
    cost: float | None = None


class MonthStatistics(Struct, kw_only=True):
    """A month in UTC ("2026-11"), in one game."""

    month: str
    matches: int
    won: int
    points: float | None
    seconds: float | None
    cost: float | None


class DayMade(Struct):
    """A daily deal you have begun, played or won; `place` is yours, null if no player won."""

    date: str
    game: str
    made: str
    place: int | None


class StampGot(Struct):
    """A stamp: its reason, and when you got it, in seconds since 1970."""

    stamp: str
    at: float


class Statistics(Struct, kw_only=True):
    """Your statistics: all games, the days of the last twelve weeks, the days in a row, stamps."""

    format: str = "kaboom statistics"
    version: int = VERSION
    name: str
    games: list[GameStatistics]
    streak: int
    longest: int
    days: list[DayMade]
    stamps: list[StampGot]
    links: dict[str, str]


class StatisticsOfGame(Struct, kw_only=True):
    """Your statistics for one game, with its last twelve months."""

    format: str = "kaboom statistics of a game"
    version: int = VERSION
    statistics: GameStatistics
    months: list[MonthStatistics]
    links: dict[str, str]


class Head(Struct, kw_only=True):
    """Your matches with one person: `before` counts those in which you ranked higher, `behind`
    lower; `games` has the same by game.
    """

    name: str
    friend: bool
    matches: int
    before: int
    behind: int
    games: dict[str, list[int]]


class HeadToHead(Struct, kw_only=True):
    """The people you have met in matches, friends first."""

    format: str = "kaboom head to head"
    version: int = VERSION
    people: list[Head]
    links: dict[str, str]


class PublicPage(Struct, kw_only=True):
    """The public part of a player's statistics; null is hidden. `manner` is in words."""

    format: str = "kaboom player"
    version: int = VERSION
    name: str
    games: list[GameStatistics] | None
    streak: int | None
    longest: int | None
    days: list[DayMade] | None
    stamps: list[StampGot] | None
    manner: str | None
    links: dict[str, str]
