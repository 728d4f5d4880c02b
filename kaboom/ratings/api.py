"""Ratings, one's own and the leaderboards one is shown, as JSON, as text and for the ear."""

from collections.abc import Iterator, Mapping, Sequence

from flask import Response

from kaboom.engine.i18n import say
from kaboom.ratings.leaderboards import Ratings, Standing
from kaboom.web.api import schemas as shapes
from kaboom.web.api.responses import answer


def ratings(
    key: str, days: bool, called: str, found: Ratings, names: Mapping[str, str], public: bool
) -> Response:
    """Answer with the ratings of a game, `called` so; `names` are of what ratings are kept as."""
    boards = [
        *([("friends", "", found.friends)] if found.wish is not None else []),
        *(("club", name, rows) for name, rows in found.clubs),
        *([("everybody", "", found.everybody)] if public else []),
    ]
    shape = shapes.Ratings(
        game=key,
        days=days,
        own=[_rated(it, names.get(it.game, it.game)) for it in found.own],
        boards=[
            shapes.Leaderboard(who, name, [_rated(it, called) for it in rows])
            for who, name, rows in boards
        ],
    )
    return answer(shape, _told(called, found, names, boards))


def _rated(it: Standing, game: str) -> shapes.Rated:
    return shapes.Rated(it.name, game, it.points, it.spread, it.played, it.provisional, it.mine)


def _told(
    called: str,
    found: Ratings,
    names: Mapping[str, str],
    boards: Sequence[tuple[str, str, Sequence[Standing]]],
) -> Iterator[str]:
    yield say("Ratings")
    for it in found.own:
        yield f"{names.get(it.game, it.game)}: {_points(it)}"
    if found.wish is not None and not found.own:
        yield say("None of your matches has counted yet.")
    for who, name, rows in boards:
        heading = _heading(who, name, called)
        yield heading if rows else f"{heading}: {say('nobody')}"
        for place, it in enumerate(rows, 1):
            about = it.name or say("somebody without a name")
            mine = f" {say('(you)')}" if it.mine else ""
            yield f"{place}: {about}{mine}, {_points(it)}"


def _heading(who: str, name: str, called: str) -> str:
    if who == "friends":
        return say("{game}, among friends", game=called)
    if who == "club":
        return say("{game}, in the club {name}", game=called, name=name)
    return say("{game}, on this server", game=called)


def _points(it: Standing) -> str:
    rating = say("{points}, {spread} more or less", points=it.points, spread=it.spread)
    return say("{rating}, too early to tell", rating=rating) if it.provisional else rating
