"""SQL statements for presets."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from kaboom.lobby.models import rule_sets


class RuleSetRow(NamedTuple):
    """A preset; `options` is written by kaboom.engine.options.short."""

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
_rename = update(rule_sets).where(*_its)
_delete = delete(rule_sets).where(*_its)


def of(connection: Connection, player_id: int) -> Sequence[RuleSetRow]:
    """Return a player's presets, by game and name."""
    return [RuleSetRow(*row) for row in connection.execute(_of, {"whose": player_id})]


def count(connection: Connection, player_id: int) -> int:
    """Return the number of a player's presets."""
    return connection.execute(_count, {"whose": player_id}).scalar_one()


def replace(connection: Connection, player_id: int, game: str, name: str, options: str) -> bool:
    """Change the options of the preset with that name; return False if there is none."""
    keys = {"whose": player_id, "of_game": game, "called": name}
    return connection.execute(_replace, {**keys, "options": options}).rowcount > 0


def add(connection: Connection, player_id: int, game: str, name: str, options: str) -> None:
    """Store a preset; raises IntegrityError if another one with that name is being stored."""
    values = {"player_id": player_id, "game": game, "name": name, "options": options}
    connection.execute(insert(rule_sets), values)


def rename(connection: Connection, player_id: int, which: int, name: str) -> bool:
    """Rename a player's preset; return False if there is none."""
    keys = {"whose": player_id, "which": which}
    return connection.execute(_rename, {**keys, "name": name}).rowcount > 0


def forget(connection: Connection, player_id: int, which: int) -> bool:
    """Delete a player's preset; return False if there was none."""
    return connection.execute(_delete, {"whose": player_id, "which": which}).rowcount > 0
