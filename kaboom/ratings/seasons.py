"""Seasons: ratings that count the rated matches of one month only.

Every player begins a month at 1000, and the month's rating steps are added up by the usual rules.
An hourly job counts the current month again and closes earlier ones; after that, only voiding a
match changes a season. A player who deletes their ratings keeps their place but appears without a
name.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.db.times import DAY
from kaboom.ratings import queries as ratings_store
from kaboom.ratings import season_queries as store
from kaboom.ratings.months import days_of, month_at, months_between
from kaboom.ratings.openskill import Rating
from kaboom.ratings.queries import StepRow
from kaboom.ratings.season_queries import PlaceRow, SeasonRow
from kaboom.ratings.service import folded, pools
from kaboom.tables.service import TableService

LEAST = 5  # rated matches in a month before a player is listed
LISTED = 50  # entries of a leaderboard
GRACE = 3600.0  # seconds after a month's end by which all its matches have been stored
RECENTLY = 1800.0  # seconds for which a counted season is not counted again by another worker


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in a season. `points` is accurate to `spread` either way."""

    place: int
    name: str
    points: int
    spread: int
    played: int
    mine: bool = False
    player: int = 0  # never leaves the server


@dataclass(frozen=True, slots=True)
class Season:
    """What a player is shown of a month; `months` are the available ones, latest first."""

    month: str
    closed: bool
    months: Sequence[str]
    known: bool  # True if this browser has a player
    own: Place | None  # shown even with too few matches to be listed
    friends: Sequence[Place]
    everybody: Sequence[Place]
    clubs: Sequence[tuple[str, Sequence[Place]]] = ()


# Counting


def count(tables: TableService) -> None:
    """Count the current month of all rating pools again, and close those before it. Any worker may
    call it at any time.
    """
    for game in pools():
        for month in _open(tables, game):
            _count(tables, month, game)


def _open(tables: TableService, game: str) -> list[str]:
    """Return the months up to now that may have matches and are not closed."""

    def work(connection: Connection) -> list[str]:
        day = store.earliest(connection, game)
        if day is None:
            return []
        closed = store.closed(connection, game)
        months = months_between(month_at(day * DAY), month_at(tables.now()))
        return [month for month in months if month not in closed]

    return tables.database.read(work)


def _count(tables: TableService, month: str, game: str) -> None:
    now = tables.now()
    closes = now >= days_of(month).stop * DAY + GRACE

    def done(row: SeasonRow | None) -> bool:
        return row is not None and (
            row.closed or (not closes and 0 <= now - row.counted_at < RECENTLY)
        )

    # 1. Compute outside of the transaction that writes: it may take a second.
    def look(connection: Connection) -> Sequence[StepRow] | None:
        if done(store.season(connection, month, game)):
            return None
        return store.steps(connection, game, days_of(month))

    steps = tables.database.read(look)
    if not steps:
        return
    rows = folded_places(month, game, steps)

    def work(connection: Connection) -> None:
        # 2. Lock: no player is forgotten or merged, and no match voided, between reading and
        # writing.
        ratings_store.hold(connection, sorted(it.who for it in rows if it.who > 0))
        # 3. Let one worker at a time continue; the others find the work done.
        row = store.season(connection, month, game, lock=True)
        if done(row):
            return
        if row is None:
            store.add_season(connection, SeasonRow(month, game, False, now))
        same = store.steps(connection, game, days_of(month))
        right = rows if same == steps else folded_places(month, game, same)
        shown = store.shown_to_all(connection, [it.who for it in right if it.who > 0])
        # 4. Write.
        store.replace_places(connection, month, game, placed(right, shown))
        store.save_season(connection, SeasonRow(month, game, closes, now))

    tables.database.write(work)


def folded_places(month: str, game: str, steps: Iterable[StepRow]) -> list[PlaceRow]:
    """Return the ratings after the steps of a month, as if all players had been new at its
    beginning.
    """
    found, _ = folded(steps)
    return [
        PlaceRow(month, game, who, row.mu, row.sigma, row.played, None)
        for who, row in sorted(found.items())
    ]


def placed(rows: Sequence[PlaceRow], listed: Collection[int]) -> list[PlaceRow]:
    """Return the rows with the places of listed players who have played enough; equal points share
    a place.
    """
    there = {it.who for it in rows if it.who in listed and it.played >= LEAST}
    places = _places([it for it in rows if it.who in there])
    return [it._replace(place=places[points_of(it)] if it.who in there else None) for it in rows]


def _places(rows: Sequence[PlaceRow]) -> dict[int, int]:
    """Return the place of each number of points."""
    best_first = sorted(map(points_of, rows), reverse=True)
    found: dict[int, int] = {}
    for place, points in enumerate(best_first, 1):
        found.setdefault(points, place)
    return found


def points_of(row: PlaceRow) -> int:
    """Return the displayed points."""
    return Rating(row.mu, row.sigma).points


# A match is voided


def touched(connection: Connection, code: str) -> list[tuple[str, str]]:
    """Return the months and rating pools of a rated match: one, or none if it was not rated."""
    return sorted({(month_at(day * DAY), game) for game, day in store.touched(connection, code)})


def count_again(connection: Connection, month: str, game: str) -> None:
    """Count a season again after one of its matches was voided, in the caller's transaction.

    A closed season keeps its listed players if they have still played enough.
    """
    season = store.season(connection, month, game, lock=True)
    if season is None:
        return
    before = store.places(connection, month, game)
    rows = folded_places(month, game, store.steps(connection, game, days_of(month)))
    listed = (
        {it.who for it in before if it.place is not None}
        if season.closed
        else store.shown_to_all(connection, [it.who for it in rows if it.who > 0])
    )
    store.replace_places(connection, month, game, placed(rows, listed))


# Reading


def get(tables: TableService, key_hash: str, game: str, month: str, public: bool) -> Season | None:
    """Return what the player with that key is shown of a month of a rating pool; None if that month
    has no ratings. `public`: the server has a leaderboard of all players.
    """

    def work(connection: Connection) -> Season | None:
        months = months_shown(connection, tables.now())
        if month not in months:
            return None
        season = store.season(connection, month, game)
        player = player_queries.player(connection, key_hash)
        me = player[0] if player else 0
        closed = season.closed if season else month != months[0]
        everybody = _everybody(connection, me, month, game) if public else []
        if player is None:
            return Season(month, closed, months, False, None, [], everybody)
        rows = store.among_friends(connection, me, month, game)
        own = next((it for it in rows if it[1].who == me), None)
        place = own and _place((own[1].place or 0) if public else 0, *own, me)
        clubs = [
            (name, ranked(members, me))
            for name, members in store.in_clubs(connection, me, month, game, LEAST)
        ]
        return Season(month, closed, months, True, place, ranked(rows, me), everybody, clubs)

    return tables.database.read(work)


def months_shown(connection: Connection, now: float) -> list[str]:
    """Return the current month and those with ratings, latest first."""
    return sorted({month_at(now), *store.months(connection)}, reverse=True)


def _everybody(connection: Connection, me: int, month: str, game: str) -> list[Place]:
    """Return the server's list. A player who is no longer shown, or whom the viewer blocks, keeps
    the place, without a name.
    """
    return [
        _place(it.place or 0, name, it, me)
        if shown or it.who == me
        else _place(it.place or 0, "", it._replace(who=-1), me)
        for name, shown, it in store.best(connection, me, month, game, LISTED)
    ]


def ranked(rows: Sequence[tuple[str, PlaceRow]], me: int) -> list[Place]:
    """Return the players who have played enough, best first; equal points share a place."""
    enough = [(name, it) for name, it in rows if it.played >= LEAST]
    places = _places([it for _, it in enough])
    found = [_place(places[points_of(it)], name, it, me) for name, it in enough]
    return sorted(found, key=lambda it: (it.place, it.name))[:LISTED]


def _place(place: int, name: str, row: PlaceRow, me: int) -> Place:
    rating = Rating(row.mu, row.sigma)
    mine = row.who == me
    return Place(place, name, rating.points, rating.spread, row.played, mine, max(0, row.who))
