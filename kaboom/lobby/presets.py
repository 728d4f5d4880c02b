"""Presets: options that a player saves under a name, to use them again and to share them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import InvalidOptions, from_short, short
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import preset_queries as store
from kaboom.tables.forms.options_form import LONGEST_NAME, NAME_POINTS, RuleSet
from kaboom.tables.service import TableService

MOST = 40  # presets of one player


def own(tables: TableService, key_hash: str, game: str | None = None) -> list[RuleSet]:
    """Return the presets of the player with that key, of all games or of one, by game and name."""

    def work(connection: Connection) -> Sequence[store.RuleSetRow]:
        known = player_queries.player(connection, key_hash)
        return store.of(connection, known[0]) if known else []

    rows = tables.database.read(work)
    return [
        RuleSet(row.id, row.game, row.name, row.options, _options(row))
        for row in rows
        if game in (None, row.game)
    ]


def count(tables: TableService, key_hash: str) -> int:
    """Return the number of presets of the player with that key."""

    def work(connection: Connection) -> int:
        known = player_queries.player(connection, key_hash)
        return store.count(connection, known[0]) if known else 0

    return tables.database.read(work)


def keep(tables: TableService, key_hash: str, game: str, options: Any, name: str) -> None:
    """Save options under a name; a preset of the game with this name is replaced.

    Raises InvalidState if the name has no visible characters or there are too many presets.
    """
    name = shown(name)

    def work(connection: Connection) -> None:
        player = _player(connection, key_hash, tables.now())
        if store.replace(connection, player, game, name, short(options)):
            return
        if store.count(connection, player) >= MOST:
            raise InvalidState(_("You already have {most} presets. Delete one first.", most=MOST))
        store.add(connection, player, game, name, short(options))

    tables.database.write(work)


def rename(tables: TableService, key_hash: str, which: int, name: str) -> None:
    """Rename a preset. Raises InvalidState if the name has no visible characters or is taken, or if
    there is no such preset.
    """
    name = shown(name)

    def work(connection: Connection) -> None:
        player = _player(connection, key_hash, tables.now())
        sets = store.of(connection, player)
        game = next((row.game for row in sets if row.id == which), None)
        if any((row.game, row.name) == (game, name) and row.id != which for row in sets):
            raise InvalidState(_("You already have a preset with that name."))
        _require_found(store.rename(connection, player, which, name))

    tables.database.write(work)


def forget(tables: TableService, key_hash: str, which: int) -> None:
    """Delete a preset; raises InvalidState if there is none."""

    def work(connection: Connection) -> None:
        player = _player(connection, key_hash, tables.now())
        _require_found(store.forget(connection, player, which))

    tables.database.write(work)


def shown(name: str) -> str:
    """Return a preset's name in the form that is shown; raises InvalidState if no visible character
    is left.
    """
    found = cleaned(name, LONGEST_NAME, NAME_POINTS)
    if not found:
        raise InvalidState(_("The preset’s name needs at least one visible character."))
    return found


def _player(connection: Connection, key_hash: str, now: float) -> int:
    """Return the id of the player with that key; if there is none, a player without a name is
    stored.
    """
    known = player_queries.acting(connection, key_hash, now)
    return known[0] if known else player_queries.add_player(connection, key_hash, "", now)


def _require_found(found: bool) -> None:
    if not found:
        raise InvalidState(_("You have no such preset."))


def _options(row: store.RuleSetRow) -> Any:
    game = GAMES.get(row.game)
    try:
        return game and from_short(game.options, row.options)
    except InvalidOptions:
        return None
