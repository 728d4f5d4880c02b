"""Leaderboards, a player's own ratings, and who may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.credentials import known
from kaboom.db.times import DAY
from kaboom.ratings import queries as store
from kaboom.ratings import seasons
from kaboom.ratings.openskill import Rating, after_days, is_provisional
from kaboom.ratings.queries import CLUBS, EVERYBODY, FRIENDS, NOBODY, PreferenceRow, RatingRow
from kaboom.tables.service import TableService

LISTED = 50  # entries of a leaderboard
ASKED = 500  # ratings read for a leaderboard, from which provisional ones are then left out


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating for display. `points` is accurate to `spread` either way; `game` is the
    rating pool.
    """

    name: str
    game: str
    points: int
    spread: int
    played: int
    provisional: bool
    mine: bool = False
    player: int = 0  # never leaves the server

    @property
    def lowest(self) -> int:
        """The least that the rating may be."""
        return self.points - self.spread

    @property
    def highest(self) -> int:
        """The most that the rating may be."""
        return self.points + self.spread


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings that a player is shown: their own, and the leaderboards of one game; `clubs` are
    the names of the player's clubs, each with its leaderboard.
    """

    wish: PreferenceRow | None  # None: this browser has no player
    own: Sequence[Standing]
    friends: Sequence[Standing]
    everybody: Sequence[Standing]
    clubs: Sequence[tuple[str, Sequence[Standing]]] = ()
    months: Sequence[str] = ()  # that can be shown, latest first


def get(tables: TableService, key_hash: str, game: str, public: bool) -> Ratings:
    """Return what the player with that key is shown of a rating pool; `public`: the server has a
    leaderboard of all players.
    """
    today = int(tables.now() // DAY)

    def work(connection: Connection) -> Ratings:
        player = player_queries.player(connection, key_hash)
        me = player[0] if player else 0
        best = store.of_everybody(connection, me, game, ASKED) if public else []
        months = seasons.months_shown(connection, tables.now())
        everybody = ranked(best, me, today)
        if player is None:
            return Ratings(None, [], [], everybody, months=months)
        own = [standing(player[1], row, me, today) for row in store.of_player(connection, me)]
        friends = ranked(store.among_friends(connection, me, game), me, today)
        clubs = [
            (name, ranked(rows, me, today)) for name, rows in store.in_clubs(connection, me, game)
        ]
        return Ratings(store.wish(connection, me), own, friends, everybody, clubs, months)

    return tables.database.read(work)


def standing(name: str, row: RatingRow, me: int, today: int) -> Standing:
    """Return a rating as of today."""
    rating = after_days(Rating(row.mu, row.sigma), today - row.last_day)
    provisional = is_provisional(rating, row.played)
    mine = row.player_id == me
    return Standing(
        name, row.game, rating.points, rating.spread, row.played, provisional, mine, row.player_id
    )


def ranked(rows: Sequence[tuple[str, RatingRow]], me: int, today: int) -> list[Standing]:
    """Return a leaderboard, best first, without provisional ratings."""
    found = [standing(name, row, me, today) for name, row in rows]
    sure = [it for it in found if not it.provisional]
    return sorted(sure, key=lambda it: (-it.points, it.name))[:LISTED]


def want(tables: TableService, key_hash: str, counts: bool, shown: str) -> None:
    """Store whether a player's matches are rated and who may see the rating. Raises
    NotPermitted.
    """
    chosen = shown if shown in (NOBODY, FRIENDS, CLUBS, EVERYBODY) else FRIENDS

    def work(connection: Connection) -> None:
        store.save_wish(connection, known(connection, key_hash), PreferenceRow(counts, chosen))

    tables.database.write(work)


def forget(tables: TableService, key_hash: str) -> None:
    """Delete a player's ratings, and stop rating them. Raises NotPermitted."""
    tables.database.write(lambda c: store.forget(c, known(c, key_hash)))
