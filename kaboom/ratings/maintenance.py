"""For hosts: checking all ratings, and voiding a match, which recomputes them."""

from sqlalchemy import Connection

from kaboom.ratings import queries as store
from kaboom.ratings import seasons
from kaboom.ratings.service import folded, pools
from kaboom.tables.service import TableService


def check(tables: TableService) -> list[str]:
    """Return a sentence about each stored rating that differs from the sum of its steps."""
    return [sentence for game in pools() for sentence in _wrong(tables, game)]


def _wrong(tables: TableService, game: str) -> list[str]:
    def work(connection: Connection) -> list[str]:
        steps = store.steps(connection, game)
        ratings, right = folded(steps)
        wrong = [
            f"{game}: step {step.seq} of match {step.match_id} differs when it is recomputed"
            for step, so in zip(sorted(steps), sorted(right), strict=True)
            if step != so
        ]
        people = [player for player in ratings if player > 0]
        stored = store.of_game(connection, people, game)
        return wrong + [
            f"{game}: the rating of player {player} differs from the sum of its steps"
            for player in people
            if stored.get(player) != ratings[player]
        ]

    return tables.database.read_one_moment(work)


def void(connection: Connection, code: str) -> int:
    """Void a match and recompute the ratings; return the number of rating steps deleted."""
    touched = seasons.touched(connection, code)
    gone = store.drop_steps(connection, code)
    if gone:
        for game in pools():
            _again(connection, game)
        for month, game in touched:
            seasons.count_again(connection, month, game)
    return gone


def _again(connection: Connection, game: str) -> None:
    """Recompute the ratings of a game from its steps."""
    steps = store.steps(connection, game)
    store.hold(connection, sorted({step.who for step in steps if step.who > 0}))
    ratings, right = folded(steps)
    for step, so in zip(sorted(steps), sorted(right), strict=True):
        if step != so:
            store.save_step(connection, so)
    people = [row for player, row in sorted(ratings.items()) if player > 0]
    store.replace_all(connection, game, people)
