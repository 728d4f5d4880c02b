"""Ratings and leaderboards as JSON, text and speech."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from babel.dates import format_skeleton
from flask import Response
from flask_babel import get_locale

from kaboom.engine.i18n import gettext as _
from kaboom.ratings import schemas
from kaboom.ratings.leaderboards import Ratings, Standing
from kaboom.ratings.months import first_day
from kaboom.ratings.seasons import Place, Season
from kaboom.web.api.responses import answer

# Who reads it (friends, a club, everybody), the club's name, and its rows.
Board = tuple[str, str, Sequence[Any]]


def ratings(
    key: str, days: bool, called: str, found: Ratings, names: Mapping[str, str], public: bool
) -> Response:
    """Return the response with the ratings of a game. `called` is the game's title, `names` those
    of the rating pools.
    """
    boards = _boards(found, found.wish is not None, public)
    shape = schemas.Ratings(
        game=key,
        days=days,
        own=[_rated(it, names.get(it.game, it.game)) for it in found.own],
        boards=[
            schemas.Leaderboard(who, name, [_rated(it, called) for it in rows])
            for who, name, rows in boards
        ],
        months=list(found.months),
    )
    return answer(shape, _told(called, found, names, boards))


def season(key: str, days: bool, called: str, found: Season, public: bool) -> Response:
    """Return the response with a month's leaderboards of a game; `called` is the game's title."""
    boards = _boards(found, found.known, public)
    shape = schemas.Season(
        game=key,
        days=days,
        month=found.month,
        closed=found.closed,
        own=_place(found.own) if found.own else None,
        boards=[
            schemas.SeasonBoard(who, name, [_place(it) for it in rows])
            for who, name, rows in boards
        ],
        months=list(found.months),
    )
    return answer(shape, _season_told(called, found, boards))


def _boards(found: Ratings | Season, known: bool, public: bool) -> list[Board]:
    """Return the leaderboards that a reader is shown; `known`: this browser has a player."""
    return [
        *([("friends", "", found.friends)] if known else []),
        *(("club", name, rows) for name, rows in found.clubs),
        *([("everybody", "", found.everybody)] if public else []),
    ]


def _board(
    heading: str, placed: Sequence[tuple[int, Standing | Place]], points: Callable[[Any], str]
) -> Iterator[str]:
    yield heading if placed else f"{heading}: {_('no one')}"
    for place, it in placed:
        about = it.name or _("a player without a name")
        mine = f" {_('(you)')}" if it.mine else ""
        yield f"{place}: {about}{mine}, {points(it)}"


def month_name(month: str) -> str:
    """Return the name of a month with its year, in the reader's language."""
    written: str = format_skeleton("yMMMM", first_day(month), locale=get_locale())
    return written


def _place(it: Place) -> schemas.SeasonPlace:
    return schemas.SeasonPlace(it.place, it.name, it.points, it.spread, it.played, it.mine)


def _season_told(called: str, found: Season, boards: Sequence[Board]) -> Iterator[str]:
    yield month_name(found.month)
    yield _("Final.") if found.closed else _("Not final yet.")
    if found.own:
        yield f"{_('You')}: {_season_points(found.own)}"
    for who, name, rows in boards:
        placed = [(it.place, it) for it in rows]
        yield from _board(_heading(who, name, called), placed, _season_points)


def _season_points(it: Place) -> str:
    points = _("{points}, plus or minus {spread}", points=it.points, spread=it.spread)
    return _("{points}, matches: {played}", points=points, played=it.played)


def _rated(it: Standing, game: str) -> schemas.Rated:
    return schemas.Rated(it.name, game, it.points, it.spread, it.played, it.provisional, it.mine)


def _told(
    called: str,
    found: Ratings,
    names: Mapping[str, str],
    boards: Sequence[Board],
) -> Iterator[str]:
    yield _("Ratings")
    for it in found.own:
        yield f"{names.get(it.game, it.game)}: {_points(it)}"
    if found.wish is not None and not found.own:
        yield _("None of your matches has counted yet.")
    for who, name, rows in boards:
        yield from _board(_heading(who, name, called), list(enumerate(rows, 1)), _points)


def _heading(who: str, name: str, called: str) -> str:
    if who == "friends":
        return _("{game}, among friends", game=called)
    if who == "club":
        return _("{game}, in the club {name}", game=called, name=name)
    return _("{game}, on this server", game=called)


def _points(it: Standing) -> str:
    rating = _("{points}, plus or minus {spread}", points=it.points, spread=it.spread)
    return _("{rating}, too early to tell", rating=rating) if it.provisional else rating
