"""The subjects of notifications, and the notification itself with all it may reveal."""

from dataclasses import dataclass

TURN, NUDGE, OPENS = "turn", "nudge", "opens"  # opens: a tournament's table, before its match
CHECK_IN, VOTE, DATE = "check-in", "vote", "date"
SEEK = "seek"  # a player waits for an opponent: `code` is the query of /play


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a player: a table, a tournament, a club or another player. `code` is its code,
    `title` the name of the tournament or club, `left` the seconds left.
    """

    code: str
    game: str
    names: tuple[str, ...]
    what: str = TURN  # nudge: another player asked for it
    title: str = ""
    left: float = 0.0

    @property
    def path(self) -> str:
        """Return the path of its link."""
        return {CHECK_IN: "/tournaments/", DATE: "/clubs/", SEEK: "/play?"}.get(
            self.what, "/t/"
        ) + self.code


@dataclass(frozen=True, slots=True)
class Notification:
    """A message to one address: what waits, the language, and the base URL of its links."""

    kind: str
    address: str
    tables: tuple[Waiting, ...]
    language: str = "en"
    base: str = ""
