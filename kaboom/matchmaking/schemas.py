"""The published schemas of matchmaking; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class WaitingPlayer(Struct, kw_only=True):
    """A waiting player: the game (empty: any), the days for each decision (0: live play), whether
    the match is rated (null: either), and the seconds waited.
    """

    name: str
    game: str
    days: int
    rated: bool | None
    waited: float


class Matchmaking(Struct, kw_only=True):
    """The waiting players, and the paces to choose from, in days for each decision."""

    format: str = "kaboom matchmaking"
    version: int = VERSION
    waiting: list[WaitingPlayer]
    paces: list[int]
    links: dict[str, str]


class MatchRequest(Struct, kw_only=True):
    """Your own request. `state` is none, waiting or seated; if seated, `table` is the code of your
    table.

    `others` is the number of other players with whom you could play, `needed` the smallest number
    of players with which a game you want can be played. `usual` is the usual waiting time in
    seconds, null if unknown. Ask again within `again` seconds, or your request ends.
    """

    format: str = "kaboom match request"
    version: int = VERSION
    state: str
    game: str = ""
    days: int = 0
    rated: bool | None = None
    waited: float = 0.0
    others: int = 0
    needed: int = 2
    usual: float | None = None
    bots_offered: bool = False
    bots: bool = False
    again: float = 0.0
    table: str = ""
    links: dict[str, str]
