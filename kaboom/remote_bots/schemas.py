"""The published schemas of remote bots; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class RemoteBotCall(Struct, kw_only=True):
    """A call to your bot: the time in seconds since 1970, the game (empty: a check of the URL), the
    result, the seconds it took, and the response or the error.

    `result` is moved, passed, lied (an invalid answer), failed, refused (the URL cannot be called)
    or replaced (a bot of the server plays on).
    """

    at: float
    game: str
    result: str
    seconds: float
    detail: str


class RemoteBot(Struct, kw_only=True):
    """Your bot. It is called once its URL has been `checked`, unless it is `paused`; `shared` bots
    may be invited by other players.

    `secret` signs the requests to the bot. It is sent once, after adding the bot, and is empty
    later. `calls` are the last calls, newest first; the list of your bots omits them.
    """

    format: str = "kaboom remote bot"
    version: int = VERSION
    id: int
    name: str
    address: str
    checked: bool
    paused: bool
    shared: bool
    secret: str = ""
    calls: list[RemoteBotCall] = []
    links: dict[str, str]


class RemoteBots(Struct, kw_only=True):
    """Your bots, oldest first, of which you may have `most`."""

    format: str = "kaboom remote bots"
    version: int = VERSION
    bots: list[RemoteBot]
    most: int
    links: dict[str, str]


class InvitableBot(Struct, kw_only=True):
    """A bot that you may invite, and whether it is `yours` or belongs to `owner`."""

    id: int
    name: str
    owner: str
    yours: bool


class InvitableBots(Struct, kw_only=True):
    """The bots that you may invite to a table; `welcome` is true if the table admits
    players' bots.
    """

    format: str = "kaboom invitable bots"
    version: int = VERSION
    bots: list[InvitableBot]
    welcome: bool
    links: dict[str, str]
