"""What players are called about, and the call itself: all that it may tell."""

from dataclasses import dataclass

TURN, NUDGE, OPENS = "turn", "nudge", "opens"  # opens: a tournament's table, before its match
CHECK_IN, VOTE, DATE = "check-in", "vote", "date"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table, a tournament or a club that waits for somebody. `code` is its own; `title` the name
    of the tournament or the club, `left` the seconds until its time.
    """

    code: str
    game: str
    names: tuple[str, ...]
    what: str = TURN  # nudge: one of the others asked for it
    title: str = ""
    left: float = 0.0

    @property
    def path(self) -> str:
        """Return the address of what waits, from a server's own on."""
        return {CHECK_IN: "/e/", DATE: "/c/"}.get(self.what, "/t/") + self.code


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent to one address: what waits, in which language, and how links begin."""

    kind: str
    address: str
    tables: tuple[Waiting, ...]
    language: str = "en"
    base: str = ""
