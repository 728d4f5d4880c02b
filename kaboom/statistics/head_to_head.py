"""Head to head: a player's results against each person they have met in a match."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.engine.codec import from_json
from kaboom.social.friends.queries import friends_of
from kaboom.social.friends.service import MOST_FRIENDS
from kaboom.statistics import queries
from kaboom.statistics.queries import Met

MOST = 100  # maximum number of people listed


@dataclass(frozen=True, slots=True)
class Score:
    """Matches with another player: how often each finished ahead. In the rest, they shared a place
    or no player won.
    """

    matches: int
    before: int
    behind: int


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent from past matches. `name` is the current name of a friend, and otherwise the name
    used in the last match.

    `player` never leaves the server.
    """

    player: int
    name: str
    friend: bool
    games: Sequence[tuple[str, Score]]

    @property
    def all(self) -> Score:
        """Return the totals for all games."""
        scores = [it for _unused, it in self.games]
        return Score(
            sum(it.matches for it in scores),
            sum(it.before for it in scores),
            sum(it.behind for it in scores),
        )


def rivals_of(connection: Connection, player: int) -> list[Rival]:
    """Return the people a player has met in matches, friends first, then by number of matches."""
    met: dict[int, list[Met]] = {}
    for row in queries.met(connection, player):
        met.setdefault(row.player, []).append(row)
    friends = {it.id: it.name for it in friends_of(connection, player, MOST_FRIENDS)}
    often = sorted(
        met, key=lambda it: (it not in friends, -sum(row.matches for row in met[it]), it)
    )[:MOST]
    names = _last_names(connection, {it: max(row.last for row in met[it]) for it in often})
    return [_rival(it, met[it], it in friends, friends.get(it) or names[it]) for it in often]


def _rival(player: int, rows: Sequence[Met], friend: bool, name: str) -> Rival:
    games = sorted(rows, key=lambda it: (-it.matches, it.game))
    scores = [(it.game, Score(it.matches, it.before, it.behind)) for it in games]
    return Rival(player, name, friend, scores)


def _last_names(connection: Connection, last: dict[int, int]) -> dict[int, str]:
    """Return the names players used in these matches, by player id."""
    return {
        player: from_json(names, list)[seat]
        for player, names, seat, match in queries.called(connection, sorted({*last.values()}))
        if last.get(player) == match
    }
