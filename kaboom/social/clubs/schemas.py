"""The published schemas of clubs; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION, Listed


class Member(Struct):
    """A player in a club."""

    name: str
    officer: bool = False
    mine: bool = False


class Date(Struct):
    """A club's event; `at` is in the reader's time zone, `left` is the number of seconds until
    then, and `comes` is the reader's answer.
    """

    n: int
    game: str
    at: str
    left: float
    note: str = ""
    by: str = ""
    coming: list[str] = []
    comes: bool = False


class Cup(Struct):
    """A tournament in a list."""

    code: str
    name: str
    game: str


class Club(Struct, kw_only=True):
    """A club as its members see it. A player who is not `inside` gets only its name, and whether
    requests to join are open.
    """

    format: str = "kaboom club"
    version: int = VERSION
    code: str
    name: str
    inside: bool
    called: str = ""
    asking: bool = False
    members: list[Member] = []
    tables: list[Listed] = []
    dates: list[Date] = []
    tournaments: list[Cup] = []
