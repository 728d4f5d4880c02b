"""Sets of options that a player has given names, to choose them again and to share them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import say
from kaboom.engine.options import InvalidOptions, from_short, short
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import preset_queries as store
from kaboom.tables.pages.options_form import LONGEST_NAME, NAME_POINTS, RuleSet
from kaboom.tables.service import Tables

MOST = 40  # sets of one player


def own(tables: Tables, key_hash: str, game: str | None = None) -> list[RuleSet]:
    """Return the sets of the player with that key, all or those of one game, by game and name."""
    if not key_hash:
        return []

    def work(connection: Connection) -> Sequence[store.RuleSetRow]:
        known = player_queries.player(connection, key_hash)
        return store.of(connection, known[0]) if known else []

    rows = tables.database.read(work)
    return [
        RuleSet(row.id, row.game, row.name, row.options, _options(row))
        for row in rows
        if game in (None, row.game)
    ]


def count(tables: Tables, key_hash: str) -> int:
    """Return how many sets the player with that key has."""

    def work(connection: Connection) -> int:
        known = player_queries.player(connection, key_hash)
        return store.count(connection, known[0]) if known else 0

    return tables.database.read(work) if key_hash else 0


def keep(tables: Tables, key_hash: str, game: str, options: Any, name: str) -> None:
    """Keep options under a name; a set of the game that has this name already is changed.

    Raises InvalidState when the name cannot be read or there are too many sets.
    """
    name = shown(name)

    def work(connection: Connection) -> None:
        player = _player(connection, key_hash, tables.now())
        if store.replace(connection, player, game, name, short(options)):
            return
        if store.count(connection, player) >= MOST:
            raise InvalidState(
                say("You have {most} sets of options. Delete one of them first.", most=MOST)
            )
        store.add(connection, player, game, name, short(options))

    tables.database.write(work)


def rename(tables: Tables, key_hash: str, which: int, name: str) -> None:
    """Give a set another name. Raises InvalidState when it cannot be read, is another set's, or
    there is no such set.
    """
    name = shown(name)

    def work(connection: Connection) -> None:
        player = _player(connection, key_hash, tables.now())
        sets = store.of(connection, player)
        game = next((row.game for row in sets if row.id == which), None)
        if any((row.game, row.name) == (game, name) and row.id != which for row in sets):
            raise InvalidState(say("Another of your sets of options has that name."))
        _require_found(store.rename(connection, player, which, name))

    tables.database.write(work)


def forget(tables: Tables, key_hash: str, which: int) -> None:
    """Delete a set; raises InvalidState when there is none."""

    def work(connection: Connection) -> None:
        player = _player(connection, key_hash, tables.now())
        _require_found(store.forget(connection, player, which))

    tables.database.write(work)


def shown(name: str) -> str:
    """Return the name of a set as it is shown; raises InvalidState when nothing readable is
    left.
    """
    found = cleaned(name, LONGEST_NAME, NAME_POINTS)
    if not found:
        raise InvalidState(say("Please give these options a name that can be read."))
    return found


def _player(connection: Connection, key_hash: str, now: float) -> int:
    """Return the player with that key, stored without a name if nobody has it yet."""
    known = player_queries.acting(connection, key_hash, now)
    return known[0] if known else player_queries.add_player(connection, key_hash, "", now)


def _require_found(found: bool) -> None:
    if not found:
        raise InvalidState(say("You have no such set of options."))


def _options(row: store.RuleSetRow) -> Any:
    game = GAMES.get(row.game)
    try:
        return game and from_short(game.options, row.options)
    except InvalidOptions:
        return None
