"""Statistics as JSON, as text and as speech."""

from collections.abc import Iterator, Sequence

from flask import Response

from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.bots.horizon import Unit
from kaboom.engine.i18n import figures as number
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.games import GAMES
from kaboom.ratings.months import month_at
from kaboom.statistics import schemas
from kaboom.statistics.days import WON, Days, Square
from kaboom.statistics.figures import GameFigures, Month
from kaboom.statistics.head_to_head import Rival
from kaboom.statistics.public import PublicPage
from kaboom.statistics.service import Course, Portrait
from kaboom.statistics.stamps import STAMPS, Stamp
from kaboom.table_page.page_data import day
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted

AT = "/statistics"


def overview(it: Portrait | None, games: Sequence[GameFigures]) -> Response:
    """Return the response with a player's statistics for all games."""
    days, stamps = (it.days, it.stamps) if it else (None, ())
    found = schemas.Statistics(
        name=it.name if it else "",
        games=[_game(each) for each in games],
        streak=days.streak if days else 0,
        longest=days.longest if days else 0,
        days=_days(days) if days else [],
        stamps=[schemas.StampGot(stamp.key, stamp.at) for stamp in stamps],
        links=_links(rooted(AT)) | {"people": rooted(f"{AT}/people.json")},
    )
    return answer(found, _told(it, games))


def _told(it: Portrait | None, games: Sequence[GameFigures]) -> Iterator[str]:
    yield _("Your statistics")
    if not games:
        yield _("No match has been finished in this browser yet.")
    for each in games:
        yield line_of(each)
    if it is not None:
        yield from _said(it.days, it.stamps)


def _said(days: Days | None, stamps: Sequence[Stamp]) -> Iterator[str]:
    if days is not None:
        yield streak_in_words(days)
        for square in days.played:
            yield f"{square.date.isoformat()} {name_of(square.game)}: {made_in_words(square)}"
    for stamp in stamps:
        yield f"{_(STAMPS[stamp.key])}: {day(stamp.at)}"


def game(it: Course) -> Response:
    """Return the response with a player's statistics for one game."""
    at = rooted(f"{AT}/{it.figures.game}")
    found = schemas.StatisticsOfGame(
        statistics=_game(it.figures, it.cost),
        months=[_month(month) for month in it.months],
        links=_links(at) | {"all": rooted(f"{AT}.json")},
    )
    return answer(found, _told_of_game(it))


def _told_of_game(it: Course) -> Iterator[str]:
    own = it.figures
    yield line_of(own)
    for key, against in own.against.items():
        if against.matches:
            yield f"{rivals_in_words(key)}: {won_of(against.won, against.matches)}"
    for place, matches in own.places.items():
        yield _("{times} × place {place}", times=matches, place=place)
    for words, value in means(it):
        yield f"{words}: {number(value)}"
    yield streak_of_wins(own)
    for month in it.months:
        yield f"{month_at(month.first)}: {won_of(month.won, month.matches)}"


def cost_in_words(game: str) -> str:
    """Return what the coach's mean cost of a decision counts: points, or wins in 100 games."""
    if analysis_of(GAMES[game]).unit is Unit.WINS:
        return _("Wins in 100 games lost per decision")
    return _("Points lost per decision")


def means(it: Course) -> Iterator[tuple[str, float]]:
    """Yield a player's known averages in a game, in words."""
    own = it.figures
    for words, value in (
        (_("Points per match"), own.points),
        (_("Seconds per decision"), own.seconds),
        (cost_in_words(own.game), it.cost),
    ):
        if value is not None:
            yield words, value


def heads(rivals: Sequence[Rival]) -> Response:
    """Return the response with a player's head-to-head results."""
    found = schemas.HeadToHead(
        people=[
            schemas.Head(
                name=it.name,
                friend=it.friend,
                matches=it.all.matches,
                before=it.all.before,
                behind=it.all.behind,
                games={key: [to.matches, to.before, to.behind] for key, to in it.games},
            )
            for it in rivals
        ],
        links=_links(rooted(f"{AT}/people")),
    )
    return answer(found, _told_of_heads(rivals))


def _told_of_heads(rivals: Sequence[Rival]) -> Iterator[str]:
    yield _("Head to head")
    if not rivals:
        yield _("You have not finished a match with other people yet.")
    for it in rivals:
        yield f"{it.name}: {head_in_words(it)}"


def public_page(it: PublicPage) -> Response:
    """Return the response with a player's public page."""
    found = schemas.PublicPage(
        name=it.name,
        games=None if it.games is None else [_game(each) for each in it.games],
        streak=it.days.streak if it.days else None,
        longest=it.days.longest if it.days else None,
        days=_days(it.days) if it.days else None,
        stamps=None if it.stamps is None else [schemas.StampGot(*each) for each in it.stamps],
        manner=it.manner,
        links=_links(rooted(f"/players/{it.code}")),
    )
    return answer(found, _told_in_public(it))


def _told_in_public(it: PublicPage) -> Iterator[str]:
    yield it.name
    if it.manner:
        yield it.manner
    for each in it.games or ():
        yield line_of(each)
    yield from _said(it.days, it.stamps or ())


# Wording that pages also use


def name_of(game: str) -> str:
    """Return the name of a game, or its key if the game is no longer installed."""
    return GAMES[game].name if game in GAMES else game


def line_of(it: GameFigures) -> str:
    """Return the figures for a game in one line."""
    return f"{name_of(it.game)}: {won_of(it.all.won, it.all.matches)}"


def won_of(won: int, matches: int) -> str:
    """Return the wins out of a number of matches, in words."""
    return ngettext("{won} of {count} match won", "{won} of {count} matches won", matches, won=won)


def rivals_in_words(key: str) -> str:
    """Return a kind of opponent in words."""
    return {
        "people": _("with people"),
        "easy": _("against easy bots"),
        "normal": _("against normal bots"),
        "hard": _("against hard bots"),
    }[key]


def streak_in_words(days: Days) -> str:
    """Return the current and longest streak of days, in words."""
    now = ngettext("{count} day in a row", "{count} days in a row", days.streak)
    return _("Daily deals: {streak}, longest {longest}", streak=now, longest=days.longest)


def streak_of_wins(it: GameFigures) -> str:
    """Return the current and longest streak of wins, in words."""
    now = ngettext("{count} match won in a row", "{count} matches won in a row", it.streak)
    return _("{streak}, longest {longest}", streak=now, longest=it.best)


def made_in_words(square: Square) -> str:
    """Return a player's result in a daily deal, in words."""
    if square.made == WON:
        return _("won")
    if square.place is not None:
        return _("place {place}", place=square.place)
    return {"": _("not played"), "begun": _("begun")}.get(square.made, _("no winner"))


def head_in_words(it: Rival) -> str:
    """Return a head-to-head result in words."""
    score = it.all
    matches = ngettext("{count} match", "{count} matches", score.matches)
    return _(
        "{matches}: you finished ahead in {before}, they did in {behind}",
        matches=matches,
        before=score.before,
        behind=score.behind,
    )


def _game(it: GameFigures, cost: float | None = None) -> schemas.GameStatistics:
    return schemas.GameStatistics(
        game=it.game,
        matches=it.all.matches,
        won=it.all.won,
        against={key: [to.matches, to.won] for key, to in it.against.items()},
        places=[[place, times] for place, times in it.places.items()],
        points=it.points,
        seconds=it.seconds,
        streak=it.streak,
        best=it.best,
        cost=cost,
    )


def _month(it: Month) -> schemas.MonthStatistics:
    return schemas.MonthStatistics(
        month=month_at(it.first),
        matches=it.matches,
        won=it.won,
        points=it.points,
        seconds=it.seconds,
        cost=it.cost,
    )


def _days(days: Days) -> list[schemas.DayMade]:
    return [schemas.DayMade(it.date.isoformat(), it.game, it.made, it.place) for it in days.played]


def _links(at: str) -> dict[str, str]:
    return {"self": f"{at}.json", "text": f"{at}.txt", "page": at}
