"""A player's figures by game and by month."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import fsum

from sqlalchemy import Connection

from kaboom.coach.queries import average_costs
from kaboom.statistics import queries, streaks
from kaboom.statistics.queries import Line, Total
from kaboom.statistics.results import LEVELS, PEOPLE

RIVALS = (PEOPLE, *LEVELS)
MONTHS = 12  # months shown


@dataclass(frozen=True, slots=True)
class Against:
    """Matches of a game against one kind of opponent."""

    matches: int = 0
    won: int = 0

    @property
    def share(self) -> int | None:
        """Return the percentage of matches won, or None without a match."""
        return round(100 * self.won / self.matches) if self.matches else None


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A player's figures for one game.

    `places` is the number of matches by place. `points` is the mean per match and `seconds` the
    mean per decision; they are None if unknown.
    """

    game: str
    against: Mapping[str, Against]
    points: float | None
    seconds: float | None
    places: Mapping[int, int] = field(default_factory=dict)
    streak: int = 0  # current winning streak
    best: int = 0  # longest winning streak

    @property
    def all(self) -> Against:
        """Return the matches against all opponents."""
        them = self.against.values()
        return Against(sum(it.matches for it in them), sum(it.won for it in them))


@dataclass(frozen=True, slots=True)
class Month:
    """A player's figures for a month; `first` is its start in seconds since 1970."""

    first: float
    matches: int = 0
    won: int = 0
    points: float | None = None
    seconds: float | None = None
    cost: float | None = None

    @property
    def share(self) -> int | None:
        """Return the percentage of matches won, or None without a match."""
        return round(100 * self.won / self.matches) if self.matches else None


def of_player(connection: Connection, player: int) -> list[GameFigures]:
    """Return a player's figures by game, the most played game first."""
    by_game: dict[str, list[Total]] = {}
    for total in queries.totals(connection, player):
        by_game.setdefault(total.game, []).append(total)
    won: dict[str, list[bool]] = {}
    for game, it in queries.wins(connection, player):
        won.setdefault(game, []).append(it)
    found = [_game(game, rows, won[game]) for game, rows in by_game.items()]
    return sorted(found, key=lambda it: (-it.all.matches, it.game))


def _game(game: str, totals: Sequence[Total], won: Iterable[bool]) -> GameFigures:
    against: dict[str, list[Total]] = {key: [] for key in RIVALS}
    places: Counter[int] = Counter()
    for it in totals:
        against.setdefault(it.rivals, []).append(it)
        if it.place is not None:
            places[it.place] += it.matches
    return GameFigures(
        game,
        {key: _against(rows) for key, rows in against.items()},
        mean(fsum(it.points for it in totals), sum(it.scored for it in totals)),
        _timed(fsum(it.seconds for it in totals), sum(it.decisions for it in totals)),
        dict(sorted(places.items())),
        *streaks.of_wins(won),
    )


def _against(totals: Sequence[Total]) -> Against:
    return Against(
        sum(it.matches for it in totals), sum(it.matches for it in totals if it.place == 1)
    )


def mean(total: float, count: int) -> float | None:
    """Return a mean rounded to one decimal, or None without values."""
    return round(total / count, 1) if count else None


def _timed(seconds: float, decisions: int) -> float | None:
    """Return the mean time per decision, or None if it is too short to have been measured."""
    return mean(seconds, decisions) or None


def over_time(
    lines: Sequence[Line], priced: Sequence[tuple[float, float]], now: float
) -> list[Month]:
    """Return the figures for the last months up to now, without months before the first match."""
    by_month: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        by_month.setdefault(_month_of(line.ended_at), []).append(line)
    cost: dict[tuple[int, int], list[float]] = {}
    for ended_at, it in priced:
        cost.setdefault(_month_of(ended_at), []).append(it)
    shown = last_months(now)
    while shown and shown[0] not in by_month:
        shown = shown[1:]
    return [_month(it, by_month.get(it, []), cost.get(it, [])) for it in shown]


def last_months(now: float, count: int = MONTHS) -> list[tuple[int, int]]:
    """Return the last months as (year, month) in UTC, the current one last."""
    year, month = _month_of(now)
    ordinals = range(12 * year + month - count, 12 * year + month)
    return [(it // 12, it % 12 + 1) for it in ordinals]


def _month_of(seconds: float) -> tuple[int, int]:
    at = datetime.fromtimestamp(seconds, UTC)
    return at.year, at.month


def _month(month: tuple[int, int], lines: Sequence[Line], cost: Sequence[float]) -> Month:
    points = [it.points for it in lines if it.points is not None]
    timed = [it for it in lines if it.decisions]
    return Month(
        datetime(*month, 1, tzinfo=UTC).timestamp(),
        len(lines),
        sum(it.place == 1 for it in lines),
        mean(fsum(points), len(points)),
        _timed(fsum(it.seconds or 0.0 for it in timed), sum(it.decisions or 0 for it in timed)),
        round(fsum(cost) / len(cost), 2) if cost else None,
    )


def prices(connection: Connection, player: int, game: str) -> list[tuple[float, float]]:
    """Return, for each judged match of a game, its time and the mean cost of the player's
    decisions.
    """
    return [(it.ended_at, it.cost) for it in average_costs(connection, player, game)]
