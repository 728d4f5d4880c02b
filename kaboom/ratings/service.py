"""Which matches count, what they do to ratings, and who stays to the end of matches.

A match counts if all who sit at the table want theirs to, and no bot or program is among them. That
is said before the deal. Whoever has left when it ends, or lets a bot play then, comes last.
`rating_steps` say in order what each match did: folding them again gives the same digits.
"""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection

from kaboom.db.times import DAY
from kaboom.engine.i18n import mark
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.ratings import queries as store
from kaboom.ratings.openskill import Rating, after_days, rated
from kaboom.ratings.queries import RatingRow, StepRow
from kaboom.tables.change import TableChange
from kaboom.tables.table import Chair, Hints, Table

LATELY = 30  # days in which matches of the same people are counted
LAST = 50  # matches that say whether somebody stays
FEW = 5  # below so many nothing is said of it
BENEFIT = 5  # matches to the end with which everybody begins

# From which share of matches played to the end on somebody is called what.
MANNERS = ((0.95, mark("stays")), (0.8, mark("mostly stays")), (0.0, mark("often leaves")))


def kept_as(game: str, days: int) -> str:
    """Return under what the ratings of a game are kept: those of matches over days are apart."""
    return f"{game} days" if days else game


# Before a match


def counts(table: Table) -> bool:
    """Say whether the next match at a table counts for ratings."""
    chairs = [chair for _, chair in table.sitting()]
    wanted = len(chairs) > 1 and all(chair.counts and not chair.program for chair in chairs)
    return wanted and not (table.board or table.pod) and table.hints != Hints.ALL


def said_before(table: Table) -> str:
    """Return whether the next match counts, or why not, in English, for say(); nothing where nobody
    there wants it to.
    """
    people = [chair for _, chair in table.sitting() if not chair.bot]
    if counts(table):
        return mark("This match counts for ratings.")
    if table.board or table.pod or not any(chair.counts for chair in people):
        return ""
    if len(people) < 2:
        return mark("Only matches of two or more people count for ratings.")
    if len(people) < len(table.sitting()) or any(chair.program for chair in people):
        return mark("With a bot among you this match does not count for ratings.")
    if table.hints == Hints.ALL:
        return mark("Where all may ask what a bot would do, matches do not count for ratings.")
    return mark("Not all of you want their matches to count for ratings, so this one does not.")


def introduce(connection: Connection, chair: Chair) -> None:
    """Note on the chair of somebody who sits down what the others are told of them."""
    if chair.player is None:
        return
    chair.counts = store.wish(connection, chair.player).counts
    chair.manner = manner(store.stays(connection, chair.player, LAST))


def manner(stayed: Sequence[bool]) -> str:
    """Return in a word, in English, for say(), whether somebody stays to the end of matches."""
    if len(stayed) < FEW:
        return ""
    share = (sum(stayed) + BENEFIT) / (len(stayed) + BENEFIT)
    return next(word for least, word in MANNERS if share >= least)


def agree(change: TableChange) -> None:
    """Let the match that begins count for ratings, if it does, and say so."""
    table = change.table
    table.rated = counts(table)
    if table.rated:
        change.tell("table.rated")


# After a match


def note_who_left(change: TableChange, outcome: Outcome) -> None:
    """Note who did not stay to the end of a match, whether it counts or not."""
    for seat in gone(change.table):
        store.note_gone(change.connection, change.table.match_id, seat)


def gone(table: Table) -> list[Seat]:
    """Return the seats of people who have left, or for whom a bot plays."""
    return [
        seat
        for seat, chair in table.sitting()
        if not chair.bot and (not chair.present or chair.stand_in)
    ]


def places_with_leavers_last(places: Sequence[int], left: Iterable[Seat]) -> list[int]:
    """Return the places as they count: whoever has left comes last, and they tie."""
    away = {*left}
    order = [(seat in away, 0 if seat in away else place) for seat, place in enumerate(places)]
    return [1 + sum(other < mine for other in order) for mine in order]


def rate_if_it_counts(change: TableChange, outcome: Outcome) -> None:
    """Let a match that has ended change the ratings of those who played it, if it counts."""
    table = change.table
    if table.rated:
        kept = kept_as(change.game.key, table.days)
        rate(change.connection, table.match_id, kept, table, outcome, change.now)


def rate(
    connection: Connection, match_id: int, game: str, table: Table, outcome: Outcome, now: float
) -> None:
    """Let a match that has ended change the ratings of those who played it.

    One that was stopped changes none, nor does one that everybody has left.
    """
    away = gone(table)
    players = [chair.player for _, chair in table.sitting() if chair.player is not None]
    if outcome.reason == "stopped" or len(away) == len(players):
        return
    store.hold(connection, players)
    known = store.of_game(connection, players, game)
    day = int(now // DAY)
    circle, since = frozenset(players), day - LATELY
    nth = 1 + store.circles(connection, players[0], game, since).count(circle)
    places = places_with_leavers_last(outcome.places, away)
    before = [known.get(player) for player in players]
    done = list(_moved(before, players, game, places, nth, day))
    for row in done:
        store.save(connection, row)
    store.add_steps(
        connection,
        [
            StepRow(0, match_id, seat, game, row.player_id, day, place, nth, row.mu, row.sigma)
            for seat, (row, place) in enumerate(zip(done, places, strict=True))
        ],
    )


def _moved(
    before: Sequence[RatingRow | None],
    players: Sequence[int],
    game: str,
    places: Sequence[int],
    nth: int,
    day: int,
) -> Iterator[RatingRow]:
    """Yield by seat what a match leads to; None is somebody who has not been rated yet."""
    aged = [
        Rating() if row is None else after_days(Rating(row.mu, row.sigma), day - row.last_day)
        for row in before
    ]
    after = rated(aged, places, nth)
    for row, player, rating in zip(before, players, after, strict=True):
        played, last = (row.played, row.last_day) if row else (0, day)
        yield RatingRow(player, game, rating.mu, rating.sigma, played + 1, max(day, last))


# All of them again


def folded(
    steps: Iterable[StepRow],
) -> tuple[dict[int, RatingRow], list[StepRow]]:
    """Return the ratings to which steps lead, by player, and the steps as they should be.

    `steps` are of one game, in order. What they say a match led to, and how many there were of the
    same people, is found anew.
    """
    known: dict[int, RatingRow] = {}
    past: dict[frozenset[int], list[int]] = {}
    right: list[StepRow] = []
    # Steps of a match lie together but where one that shares nobody with it ended just then.
    matches: dict[int, list[StepRow]] = {}
    for step in steps:
        matches.setdefault(step.match_id, []).append(step)
    for rows in matches.values():
        rows.sort(key=lambda row: row.seat)
        players, day = [row.who for row in rows], rows[0].day
        days = past.setdefault(frozenset(players), [])
        nth = 1 + sum(day - LATELY <= other for other in days)
        days.append(day)
        places = [row.place for row in rows]
        before = [known.get(player) for player in players]
        for row, now in zip(
            rows, _moved(before, players, rows[0].game, places, nth, day), strict=True
        ):
            known[now.player_id] = now
            right.append(row._replace(nth=nth, mu=now.mu, sigma=now.sigma))
    return known, right
