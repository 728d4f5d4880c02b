"""A player's own statistics: figures, head-to-head results, and the summary on their page."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.statistics import days, figures, queries, stamps
from kaboom.statistics.days import Days
from kaboom.statistics.figures import GameFigures, Month
from kaboom.statistics.head_to_head import Rival, rivals_of
from kaboom.statistics.stamps import Stamp
from kaboom.tables.service import TableService


@dataclass(frozen=True, slots=True)
class Portrait:
    """The summary of a player: name, daily deals and stamps."""

    name: str
    days: Days
    stamps: Sequence[Stamp]


@dataclass(frozen=True, slots=True)
class Course:
    """A player's figures for one game over time, with the mean costs of decisions."""

    figures: GameFigures
    months: Sequence[Month]
    cost: float | None


def portrait(tables: TableService, key_hash: str) -> Portrait | None:
    """Return the summary of the player with that session key; None for an unknown key."""

    def work(connection: Connection) -> Portrait | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        own = days.of_player(connection, player[0], tables.now())
        return Portrait(player[1], own, stamps.of_player(connection, player[0], own))

    return tables.database.read(work)


def days_in_a_row(tables: TableService, key_hash: str) -> int:
    """Return the current streak of finished daily deals, in days."""

    def work(connection: Connection) -> int:
        player = player_queries.player(connection, key_hash) if key_hash else None
        return days.streak_of(connection, player[0], tables.now()) if player else 0

    return tables.database.read(work)


def all_games(tables: TableService, key_hash: str) -> list[GameFigures]:
    """Return the player's figures by game, the most played game first."""

    def work(connection: Connection) -> list[GameFigures]:
        player = player_queries.player(connection, key_hash)
        return [] if player is None else figures.of_player(connection, player[0])

    return tables.database.read(work)


def one_game(tables: TableService, key_hash: str, game: str) -> Course | None:
    """Return the player's figures for a game, or None if they have no match of it."""

    def work(connection: Connection) -> Course | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        every = figures.of_player(connection, player[0])
        found = next((it for it in every if it.game == game), None)
        if found is None:
            return None
        priced = figures.prices(connection, player[0], game)
        lines = queries.course(connection, player[0], game)
        months = figures.over_time(lines, priced, tables.now())
        cost = fsum(it for _unused, it in priced) / len(priced) if priced else None
        return Course(found, months, None if cost is None else round(cost, 2))

    return tables.database.read(work)


def head_to_head(tables: TableService, key_hash: str) -> list[Rival]:
    """Return the player's head-to-head results."""

    def work(connection: Connection) -> list[Rival]:
        player = player_queries.player(connection, key_hash)
        return [] if player is None else rivals_of(connection, player[0])

    return tables.database.read(work)
