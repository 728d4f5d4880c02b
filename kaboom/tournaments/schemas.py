"""The published schemas of tournaments; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class Standing(Struct):
    """A line of a tournament's standings. `points` has two decimals, or is a mean percentage if all
    play the same cards, or “–” if there is no result. `wins` is the number of rounds in which no
    one at the table did better; a tie for first counts as a win for each tied player.
    """

    place: int
    number: int
    name: str
    points: str
    wins: int


class Entered(Struct):
    """An entrant of a tournament, with the number used in the standings."""

    number: int
    name: str


class Pod(Struct):
    """A table of a tournament's round: its entrants by number. `link` leads to it once it is open;
    `over`: its result is known; `record` is the URL of its record, if there is one.
    """

    number: int
    entrants: list[int]
    link: str
    over: bool = False
    record: str = ""


class Standings(Struct, kw_only=True):
    """The current state of a tournament; `state` is for people. `stage` is entries, check-in,
    playing, over or cancelled; the last two are final. Entrants are listed until the first round
    is made, and `standings` from then on. `tables` are those of the last or the requested round.
    """

    format: str = "kaboom standings"
    version: int = VERSION
    code: str
    name: str
    game: str
    state: str
    round: int
    rounds: int
    standings: list[Standing]
    commitment: str = ""  # SHA-256 of the seed of all draws
    stage: str = ""
    paused: bool = False
    entered: list[Entered] = []
    tables: list[Pod] = []
    links: dict[str, str] = {}


class Draw(Struct, kw_only=True):
    """The sources of all random draws of a tournament: the entrants' contributions (`words`), in
    order of entry, and the seed (hexadecimal), empty until it is revealed.
    """

    format: str = "kaboom draw"
    version: int = VERSION
    code: str
    commitment: str
    seed: str
    words: list[str]
