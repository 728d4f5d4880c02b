"""Stamps: a player's first-time achievements with their dates, computed from stored data about
matches, tournaments and friends.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.statistics import queries, streaks
from kaboom.statistics.days import Days

IN_A_ROW = 10  # days
MANY = 100  # matches
GAMES = 5

# The stamps in display order, with their texts.
STAMPS = {
    "match": N_("First match"),
    "win": N_("First win"),
    "people": N_("First win against people"),
    "hard": N_("First win against a hard bot"),
    "perfect": N_("First perfect match"),
    "day": N_("First daily deal"),
    "row": N_("Ten days in a row"),
    "games": N_("Five different games"),
    "tournament": N_("First tournament"),
    "friend": N_("First friend"),
    "hundred": N_("A hundred matches"),
}


class Stamp(NamedTuple):
    """A stamp and the time the player earned it, in seconds since 1970."""

    key: str
    at: float


def of_player(connection: Connection, player: int, days: Days) -> list[Stamp]:
    """Return the stamps a player has earned."""
    rows = queries.firsts(connection, player)
    matches = sorted(it.match for it in rows)
    found: dict[str, float | None] = {
        "match": _first(matches),
        "win": _first(it.win for it in rows),
        "people": _first(it.over_people for it in rows),
        "hard": _first(it.over_hard for it in rows),
        "perfect": _first(it.perfect for it in rows),
        "day": _first(days.began),
        "row": streaks.reached(days.began, IN_A_ROW),
        "games": _nth(matches, GAMES),
        "tournament": queries.first_tournament(connection, player),
        "friend": queries.first_friend(connection, player),
        "hundred": queries.nth_match(connection, player, MANY),
    }
    return [Stamp(key, at) for key in STAMPS if (at := found[key]) is not None]


def _first(times: Iterable[float | None]) -> float | None:
    return min((it for it in times if it is not None), default=None)


def _nth(times: Sequence[float], number: int) -> float | None:
    return times[number - 1] if len(times) >= number else None
