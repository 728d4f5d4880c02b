"""The games: one folder each. A folder that defines GAME is a game; no list is edited."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from kaboom.core.game import Game


def _found() -> dict[str, Game[Any]]:
    games = {}
    for module in iter_modules(__path__):
        if module.ispkg:
            game: Game[Any] | None
            game = getattr(import_module(f"{__name__}.{module.name}"), "GAME", None)
            if game is not None:
                games[game.key] = game
    return dict(sorted(games.items(), key=lambda item: item[1].name))


GAMES: dict[str, Game[Any]] = _found()
