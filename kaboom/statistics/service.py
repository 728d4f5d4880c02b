"""A player's own statistics: figures, head-to-head results, and the summary on their page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TypeVar

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.statistics import days, figures, queries, stamps
from kaboom.statistics.days import Days
from kaboom.statistics.figures import GameFigures, Month
from kaboom.statistics.head_to_head import Rival, rivals_of
from kaboom.statistics.stamps import Stamp
from kaboom.tables.service import TableService

Found = TypeVar("Found")


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

    def work(connection: Connection, player: int, name: str) -> Portrait:
        own = days.of_player(connection, player, tables.now())
        return Portrait(name, own, stamps.of_player(connection, player, own))

    return _about(tables, key_hash, work, None)


def days_in_a_row(tables: TableService, key_hash: str) -> int:
    """Return the current streak of finished daily deals, in days."""
    return _about(tables, key_hash, lambda c, me, _: days.streak_of(c, me, tables.now()), 0)


def all_games(tables: TableService, key_hash: str) -> list[GameFigures]:
    """Return the player's figures by game, the most played game first."""
    return _about(tables, key_hash, lambda c, me, _: figures.of_player(c, me), [])


def one_game(tables: TableService, key_hash: str, game: str) -> Course | None:
    """Return the player's figures for a game, or None if they have no match of it."""

    def work(connection: Connection, player: int, _name: str) -> Course | None:
        every = figures.of_player(connection, player)
        found = next((it for it in every if it.game == game), None)
        if found is None:
            return None
        priced = figures.prices(connection, player, game)
        months = figures.over_time(queries.course(connection, player, game), priced, tables.now())
        cost = fsum(it for _unused, it in priced) / len(priced) if priced else None
        return Course(found, months, None if cost is None else round(cost, 2))

    return _about(tables, key_hash, work, None)


def head_to_head(tables: TableService, key_hash: str) -> list[Rival]:
    """Return the player's head-to-head results."""
    return _about(tables, key_hash, lambda c, me, _: rivals_of(c, me), [])


def _about(
    tables: TableService, key_hash: str, work: Callable[[Connection, int, str], Found], none: Found
) -> Found:
    """Return work(connection, id, name) for the player with that session key, or `none` for an
    unknown key.
    """

    def asked(connection: Connection) -> Found:
        player = player_queries.player(connection, key_hash)
        return none if player is None else work(connection, *player)

    return tables.database.read(asked)
