"""What erasing and merging do to every column that refers to a player; a test finds undeclared
ones.

Each column declares in its room's models.py what happens to its rows when an account is erased
(kaboom.accounts.erase) and when a guest becomes another player (kaboom.accounts.merge_queries), and
whether its rows keep a player who has been idle for a while
(kaboom.tables.maintenance.cleanup_queries).
"""

from collections.abc import Sequence
from enum import Enum, auto
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Column, ForeignKey

from kaboom.db.metadata import Id, all_tables


class OnErase(Enum):
    """What erasing a player does to the player's rows."""

    DELETE = auto()
    SET_NULL = auto()  # the row stays, without the player
    KEEP = auto()
    ELSEWHERE = auto()  # handled by a hook or a separate statement


class OnMerge(Enum):
    """What merging a guest into a player does to the guest's rows."""

    MOVE = auto()
    DELETE = auto()
    ELSEWHERE = auto()  # handled by a hook or a separate statement, or guests have no such rows


class PlayerColumn(NamedTuple):
    """A column that refers to a player, and what happens to its rows (see player_column)."""

    column: Column[Any]
    on_erase: OnErase
    on_merge: OnMerge
    same: tuple[Column[Any], ...]
    pair: Column[Any] | None
    keeps: bool


def player_column(
    name: str,
    on_erase: OnErase,
    on_merge: OnMerge,
    *,
    same: Sequence[str] = (),
    pair: str = "",
    keeps: bool = True,
    **options: Any,
) -> Column[Any]:
    """Return a column that refers to a player, and declares what happens to its rows.

    `same` names the columns in which two rows of one player must differ; in a merge, the guest's
    row is deleted if they do not. `pair` names the column of the other player; a row that would
    have the same player in both is deleted. With `keeps`, a player who has such a row is not idle.
    `options` are those of the column, such as `nullable`.
    """
    info = {"player": (on_erase, on_merge, tuple(same), pair, keeps)}
    return Column(name, Id, ForeignKey("players.id"), info=info, **options)


@cache
def player_columns() -> tuple[PlayerColumn, ...]:
    """Return the columns in all rooms' tables that refer to a player."""
    found = []
    for table in all_tables().sorted_tables:
        for column in table.columns:
            if "player" in column.info:
                on_erase, on_merge, same, pair, keeps = column.info["player"]
                others = tuple(table.c[name] for name in same)
                other = table.c[pair] if pair else None
                found.append(PlayerColumn(column, on_erase, on_merge, others, other, keeps))
    return tuple(found)
