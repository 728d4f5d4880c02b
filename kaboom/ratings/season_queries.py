"""SQL statements about seasons and the places in them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from kaboom.accounts.models import players
from kaboom.ratings.models import rating_steps, rating_wishes, season_places, seasons
from kaboom.ratings.queries import (
    EVERYBODY,
    StepRow,
    by_club,
    shown_among_friends,
    shown_in_clubs,
    shown_to_everybody,
)
from kaboom.tables.models import matches


class SeasonRow(NamedTuple):
    """The progress of counting a season."""

    month: str
    game: str
    closed: bool
    counted_at: float


class PlaceRow(NamedTuple):
    """A player's rating in a season, in thousandths. Without a `place`, the player is not on the
    server's list.
    """

    month: str
    game: str
    who: int
    mu: int
    sigma: int
    played: int
    place: int | None


_this = and_(seasons.c.month == bindparam("of_month"), seasons.c.game == bindparam("of_game"))
_season = select(*(seasons.c[name] for name in SeasonRow._fields)).where(_this)
_closed = select(seasons.c.month).where(seasons.c.game == bindparam("of_game"), seasons.c.closed)
_months = select(seasons.c.month).distinct()
_save_season = (
    update(seasons).where(_this).values(closed=bindparam("to"), counted_at=bindparam("at"))
)
_earliest = select(func.min(rating_steps.c.day)).where(rating_steps.c.game == bindparam("of_game"))
_steps = (
    select(*(rating_steps.c[name] for name in StepRow._fields))
    .where(
        rating_steps.c.game == bindparam("of_game"),
        rating_steps.c.day >= bindparam("first"),
        rating_steps.c.day < bindparam("after"),
    )
    .order_by(rating_steps.c.seq)
)
_touched = (
    select(rating_steps.c.game, rating_steps.c.day)
    .join(matches, matches.c.id == rating_steps.c.match_id)
    .where(matches.c.code == bindparam("of_code"))
    .distinct()
)
_place = [season_places.c[name] for name in PlaceRow._fields]
_in_season = and_(
    season_places.c.month == bindparam("of_month"), season_places.c.game == bindparam("of_game")
)
_places = select(*_place).where(_in_season)
_drop_places = delete(season_places).where(_in_season)
_shown_to_all = select(rating_wishes.c.player_id).where(
    rating_wishes.c.shown == EVERYBODY,
    rating_wishes.c.player_id.in_(bindparam("ids", expanding=True)),
)
_best = (
    select(players.c.name, shown_to_everybody(season_places.c.who), *_place)
    .outerjoin(players, players.c.id == season_places.c.who)
    .where(_in_season, season_places.c.place.is_not(None))
    .order_by(season_places.c.place, season_places.c.who)
)
_among_friends = (
    select(players.c.name, *_place)
    .join(players, players.c.id == season_places.c.who)
    .where(_in_season, shown_among_friends(season_places.c.who))
)
_in_clubs = shown_in_clubs(season_places.c.who, _place).where(
    _in_season, season_places.c.played >= bindparam("least")
)


def _keys(month: str, game: str) -> dict[str, Any]:
    return {"of_month": month, "of_game": game}


def season(connection: Connection, month: str, game: str, lock: bool = False) -> SeasonRow | None:
    """Return the progress of counting a season, or None; `lock` keeps other workers from counting
    it.
    """
    wanted = _season.with_for_update() if lock else _season
    row = connection.execute(wanted, _keys(month, game)).first()
    return None if row is None else SeasonRow(*row)


def closed(connection: Connection, game: str) -> set[str]:
    """Return the months of a game that are closed."""
    return set(connection.execute(_closed, {"of_game": game}).scalars())


def months(connection: Connection) -> set[str]:
    """Return the months in which any game has a season."""
    return set(connection.execute(_months).scalars())


def add_season(connection: Connection, row: SeasonRow) -> None:
    """Store a season; raises IntegrityError if another worker has stored it."""
    connection.execute(insert(seasons), row._asdict())


def save_season(connection: Connection, row: SeasonRow) -> None:
    """Store the progress of counting a season; the caller has locked it."""
    keys = _keys(row.month, row.game)
    connection.execute(_save_season, {**keys, "to": row.closed, "at": row.counted_at})


def earliest(connection: Connection, game: str) -> int | None:
    """Return the day, since 1970, of the first rated match of a game, or None."""
    found: int | None = connection.execute(_earliest, {"of_game": game}).scalar()
    return found


def steps(connection: Connection, game: str, days: range) -> Sequence[StepRow]:
    """Return the steps of a game on these days, in order."""
    keys = {"of_game": game, "first": days.start, "after": days.stop}
    return [StepRow(*row) for row in connection.execute(_steps, keys)]


def touched(connection: Connection, code: str) -> Sequence[tuple[str, int]]:
    """Return the rating pool and the day of a rated match; empty if it was not rated."""
    return [(row[0], row[1]) for row in connection.execute(_touched, {"of_code": code})]


def places(connection: Connection, month: str, game: str) -> Sequence[PlaceRow]:
    """Return all places of a season, in no particular order."""
    return [PlaceRow(*row) for row in connection.execute(_places, _keys(month, game))]


def replace_places(connection: Connection, month: str, game: str, rows: Sequence[PlaceRow]) -> None:
    """Replace all places of a season."""
    connection.execute(_drop_places, _keys(month, game))
    if rows:
        connection.execute(insert(season_places), [row._asdict() for row in rows])


def shown_to_all(connection: Connection, ids: Sequence[int]) -> set[int]:
    """Return the players among these who show their ratings to every player."""
    return {row[0] for row in connection.execute(_shown_to_all, {"ids": list(ids)})}


def best(
    connection: Connection, me: int, month: str, game: str, most: int
) -> Sequence[tuple[str, bool, PlaceRow]]:
    """Return the places on the server's list, each with the player's name and with True if the
    player still shows the rating to every player and the reader does not block the player.
    """
    found = connection.execute(_best.limit(most), {"me": me, **_keys(month, game)})
    return [(row[0] or "", bool(row[1]), PlaceRow(*row[2:])) for row in found]


def among_friends(
    connection: Connection, me: int, month: str, game: str
) -> Sequence[tuple[str, PlaceRow]]:
    """Return a player's own place and those that friends show, with names."""
    found = connection.execute(_among_friends, {"me": me, **_keys(month, game)})
    return [(row[0], PlaceRow(*row[1:])) for row in found]


def in_clubs(
    connection: Connection, me: int, month: str, game: str, least: int
) -> list[tuple[str, list[tuple[str, PlaceRow]]]]:
    """Return the names of a player's clubs, each with the places of members who show them to it,
    under the names used in the club.
    """
    keys = {"me": me, "least": least, **_keys(month, game)}
    return by_club(connection.execute(_in_clubs, keys), PlaceRow)
