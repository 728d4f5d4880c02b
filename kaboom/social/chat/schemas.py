"""The published schemas of a table's chat; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class Person(Struct):
    """A seated player. `word` is here, away, gone, deputy (a bot plays for them), vacation, bot, or
    empty while unknown.
    """

    seat: int
    name: str
    word: str


class Line(Struct):
    """A chat line; `at` is in seconds since 1970."""

    n: int
    name: str
    text: str
    at: float
    own: bool
    watcher: bool
    deleted: bool
    seat: int | None


class Muted(Struct):
    """A player you have muted; send `who` to unmute them."""

    who: str
    name: str


class Talk(Struct, kw_only=True):
    """The chat and the people at a table. It is never sent together with cards. `watch` is the
    spectators' delay in minutes, -1 if watching is off; `audience` says whether they may write,
    `hush` whether players read what they write only after the match. `hands` are the seats' answers
    on whether spectators may see all hands. `muted` and the URL to `call` are your own. With
    `only_phrases`, only a `phrase` can be sent.
    """

    format: str = "kaboom talk"
    version: int = VERSION
    code: str
    room: int
    people: list[Person]
    watchers: int
    lines: list[Line]
    more: bool
    silent: str
    phrases: dict[str, str]
    watch: int = 0
    audience: bool = True
    hush: bool = False
    hands: dict[int, bool] = {}
    muted: list[Muted] = []
    call: str = ""
    only_phrases: bool = False
