"""Statements about the sets of options that players have given names."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from kaboom.db.models import rule_sets


class RuleSetRow(NamedTuple):
    """A set of options; `options` is as kaboom.engine.options.short writes it."""

    id: int
    game: str
    name: str
    options: str


_its: Any = (rule_sets.c.player_id == bindparam("whose"), rule_sets.c.id == bindparam("which"))
_named: Any = (
    rule_sets.c.player_id == bindparam("whose"),
    rule_sets.c.game == bindparam("of_game"),
    rule_sets.c.name == bindparam("called"),
)
_of = (
    select(*(rule_sets.c[name] for name in RuleSetRow._fields))
    .where(rule_sets.c.player_id == bindparam("whose"))
    .order_by(rule_sets.c.game, rule_sets.c.name, rule_sets.c.id)
)
_count = (
    select(func.count()).select_from(rule_sets).where(rule_sets.c.player_id == bindparam("whose"))
)
_replace = update(rule_sets).where(*_named)
_add = insert(rule_sets)
_rename = update(rule_sets).where(*_its)
_delete = delete(rule_sets).where(*_its)


def of(connection: Connection, player_id: int) -> Sequence[RuleSetRow]:
    """Return a player's sets, by game and name."""
    return [RuleSetRow(*row) for row in connection.execute(_of, {"whose": player_id})]


def count(connection: Connection, player_id: int) -> int:
    """Return how many sets a player has."""
    return connection.execute(_count, {"whose": player_id}).scalar_one()


def replace(connection: Connection, player_id: int, game: str, name: str, options: str) -> bool:
    """Change the options of the set of that name; return whether there is one."""
    keys = {"whose": player_id, "of_game": game, "called": name}
    return connection.execute(_replace, {**keys, "options": options}).rowcount > 0


def add(connection: Connection, player_id: int, game: str, name: str, options: str) -> None:
    """Keep a set; raises IntegrityError when another of that name is being kept."""
    values = {"player_id": player_id, "game": game, "name": name, "options": options}
    connection.execute(_add, values)


def rename(connection: Connection, player_id: int, which: int, name: str) -> bool:
    """Give a player's set another name; return whether there is such a set."""
    keys = {"whose": player_id, "which": which}
    return connection.execute(_rename, {**keys, "name": name}).rowcount > 0


def forget(connection: Connection, player_id: int, which: int) -> bool:
    """Delete a player's set; return whether there was one."""
    return connection.execute(_delete, {"whose": player_id, "which": which}).rowcount > 0
