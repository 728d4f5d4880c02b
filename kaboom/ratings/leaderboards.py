"""Ratings as players and hosts find them: what one wants, leaderboards, checking, voiding."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.credentials import known
from kaboom.db.times import DAY
from kaboom.games import GAMES
from kaboom.ratings import queries as store
from kaboom.ratings.openskill import Rating, after_days, is_provisional
from kaboom.ratings.queries import CLUBS, EVERYBODY, FRIENDS, NOBODY, RatingRow, WishRow
from kaboom.ratings.service import folded, kept_as
from kaboom.social.friends import queries as people
from kaboom.tables.service import Tables

LISTED = 50  # of a leaderboard
MOST_BLOCKED = 1000  # by one player, who does not find them in lists
ASKED = 500  # of which the listed ones are taken: provisional ones are not listed


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's rating as it is read. `points` may be wrong by `spread` either way; `game` is what
    it is kept as.
    """

    name: str
    game: str
    points: int
    spread: int
    played: int
    provisional: bool
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Ratings:
    """What a player is shown of ratings: their own, and leaderboards of one game; `clubs` are
    the names of the player's clubs, each with its leaderboard.
    """

    wish: WishRow | None  # None: nobody is known in this browser
    own: Sequence[Standing]
    friends: Sequence[Standing]
    everybody: Sequence[Standing]
    clubs: Sequence[tuple[str, Sequence[Standing]]] = ()


def look(tables: Tables, key_hash: str, game: str, public: bool) -> Ratings:
    """Return what the player with that key is shown of a game, by what its ratings are kept as;
    `public`: has the server a leaderboard for everybody?
    """
    today = int(tables.now() // DAY)

    def work(connection: Connection) -> Ratings:
        player = player_queries.player(connection, key_hash)
        best = store.of_everybody(connection, game, ASKED) if public else []
        me = player[0] if player else 0
        blocked = {who for who, _ in people.blocked_by(connection, me, MOST_BLOCKED)}
        best = [it for it in best if it[1].player_id not in blocked]
        everybody = ranked(best, me, today)
        if player is None:
            return Ratings(None, [], [], everybody)
        own = [standing(player[1], row, me, today) for row in store.of_player(connection, me)]
        friends = ranked(store.among_friends(connection, me, game), me, today)
        clubs = [
            (name, ranked(rows, me, today))
            for name, rows in store.in_clubs(connection, me, game).values()
        ]
        return Ratings(store.wish(connection, me), own, friends, everybody, clubs)

    return tables.database.read(work)


def standing(name: str, row: RatingRow, me: int, today: int) -> Standing:
    """Return a rating as it is read today."""
    rating = after_days(Rating(row.mu, row.sigma), today - row.last_day)
    provisional = is_provisional(rating, row.played)
    mine = row.player_id == me
    return Standing(name, row.game, rating.points, rating.spread, row.played, provisional, mine)


def ranked(rows: Sequence[tuple[str, RatingRow]], me: int, today: int) -> list[Standing]:
    """Return a leaderboard: the best first, and nobody of whom too little is known."""
    found = [standing(name, row, me, today) for name, row in rows]
    sure = [it for it in found if not it.provisional]
    return sorted(sure, key=lambda it: (-it.points, it.name))[:LISTED]


def want(tables: Tables, key_hash: str, counts: bool, shown: str) -> None:
    """Keep whether a player's matches may count, and to whom the rating is shown.

    Raises NotPermitted.
    """
    chosen = shown if shown in (NOBODY, FRIENDS, CLUBS, EVERYBODY) else FRIENDS

    def work(connection: Connection) -> None:
        store.save_wish(connection, known(connection, key_hash), WishRow(counts, chosen))

    tables.database.write(work)


def forget(tables: Tables, key_hash: str) -> None:
    """Forget a player's ratings, and rate them no more. Raises NotPermitted."""
    tables.database.write(lambda c: store.forget(c, known(c, key_hash)))


# For hosts


def check(tables: Tables) -> list[str]:
    """Return what is wrong with the stored ratings, in sentences: nothing if all follow from the
    steps to the digit.
    """
    return [sentence for game in kinds() for sentence in _wrong(tables, game)]


def kinds() -> list[str]:
    """Return what ratings are kept as: each game, and its matches over days."""
    return [kept_as(game, days) for game in GAMES for days in (0, 1)]


def _wrong(tables: Tables, game: str) -> list[str]:
    def work(connection: Connection) -> list[str]:
        steps = store.steps(connection, game)
        ratings, right = folded(steps)
        wrong = [
            f"{game}: step {step.seq} of match {step.match_id} leads elsewhere"
            for step, so in zip(sorted(steps), sorted(right), strict=True)
            if step != so
        ]
        people = [player for player in ratings if player > 0]
        stored = store.of_game(connection, people, game)
        return wrong + [
            f"{game}: the rating of player {player} is not what the steps lead to"
            for player in people
            if stored.get(player) != ratings[player]
        ]

    return tables.database.read_one_moment(work)


def void(tables: Tables, code: str) -> int:
    """Let a match count no more, and compute anew all that followed; return for how many it did."""

    def work(connection: Connection) -> int:
        gone = store.drop_steps(connection, code)
        if gone:
            for game in kinds():
                _again(connection, game)
        return gone

    return tables.database.write(work)


def _again(connection: Connection, game: str) -> None:
    """Compute the ratings of a game anew from its steps."""
    steps = store.steps(connection, game)
    store.hold(connection, sorted({step.who for step in steps if step.who > 0}))
    ratings, right = folded(steps)
    for step, so in zip(sorted(steps), sorted(right), strict=True):
        if step != so:
            store.save_step(connection, so)
    people = [row for player, row in sorted(ratings.items()) if player > 0]
    store.replace_all(connection, game, people)
