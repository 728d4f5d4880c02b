"""The subjects of notifications, and the notification itself with everything it may reveal."""

from dataclasses import dataclass

TURN, NUDGE, OPENS = "turn", "nudge", "opens"  # a tournament table opens, before its match
CHECK_IN, VOTE, DATE = "check-in", "vote", "date"
INVITED = "invited"  # a friend invites to a table: `title` is their name
SEEK = "seek"  # a player waits for an opponent: `code` is the query of /play
REPORT = "report"  # a player was reported to the hosts of the server: `code` is "reports"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is waiting for a player: a table, a tournament, a club, another player or reports.
    `code` is its code, `title` the name of the tournament or club, `left` the seconds left.
    """

    code: str
    game: str
    names: tuple[str, ...]
    what: str = TURN  # nudge: another player asked for it
    title: str = ""
    left: float = 0.0

    @property
    def path(self) -> str:
        """Return the path of the page where it is waiting."""
        return {
            CHECK_IN: "/tournaments/", DATE: "/clubs/", SEEK: "/play?", REPORT: "/host/",
            INVITED: "/",
        }.get(self.what, "/t/") + self.code  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notification:
    """A message to one address: what is waiting, the language, and the base URL of its links."""

    kind: str
    address: str
    tables: tuple[Waiting, ...]
    language: str = "en"
    base: str = ""
