"""The tournaments that a club's page shows: the room of tournaments says which there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kaboom.tables.service import Tables


@dataclass(frozen=True, slots=True)
class ClubTournament:
    """A tournament for a club; `begins_in` is empty where it does not begin by itself."""

    code: str
    name: str
    key: str  # of its game
    game: str
    begins_in: str


# By a club's code and the hash of a member's key: those that have not ended, as that member finds
# them.
sources: list[Callable[[Tables, str, str], Sequence[ClubTournament]]] = []


def of_club(tables: Tables, code: str, key_hash: str) -> list[ClubTournament]:
    """Return the tournaments for a club that have not ended; none to others than members."""
    return [it for source in sources for it in source(tables, code, key_hash)]
