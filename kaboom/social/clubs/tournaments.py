"""The tournaments on a club's page; the tournaments room registers the function that lists them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kaboom.tables.service import TableService


@dataclass(frozen=True, slots=True)
class ClubTournament:
    """A club's tournament; `begins_in` is empty if it does not start automatically."""

    code: str
    name: str
    key: str  # of its game
    game: str
    begins_in: str


# Called with a club's code and the hash of a member's key. Returns the club's tournaments that have
# not ended, as that member sees them.
sources: list[Callable[[TableService, str, str], Sequence[ClubTournament]]] = []


def of_club(tables: TableService, code: str, key_hash: str) -> list[ClubTournament]:
    """Return a club's tournaments that have not ended; none for players who are not members."""
    return [it for source in sources for it in source(tables, code, key_hash)]
