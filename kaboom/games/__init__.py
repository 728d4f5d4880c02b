"""The games: a folder here for each, and those of other packages. No list is edited.

A folder that defines GAME is a game. Another package brings one by an entry point of the group
`kaboom.games`: what it names is a Game, and its package is that game's folder.

    [project.entry-points."kaboom.games"]
    hearts = "kaboom_hearts:GAME"
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from kaboom.engine.faults import faults, unplayable, without_faults
from kaboom.engine.game import Game
from kaboom.engine.toolkit.fixtures import Sample

GROUP = "kaboom.games"
KEY = re.compile(r"[a-z][a-z0-9_]*")


class Found(NamedTuple):
    """Games and the import names of their packages, by key; why others are left out, by name.

    `faults` are sentences, by key, about games that are played without what is wrong with them.
    """

    games: dict[str, Game[Any]]
    packages: dict[str, str]
    left_out: dict[str, str]
    faults: dict[str, list[str]]


class Broken(Exception):
    """What an entry point names is no game that can be played here; str() says why."""


def found(points: Iterable[EntryPoint]) -> Found:
    """Return our own games and those of these entry points, by the order of their names."""
    games = dict(_ours())
    packages = {key: f"{__name__}.{key}" for key in games}
    left_out = {}
    for point in sorted(points):
        try:
            game = _named_by(point, games)
        except Exception as error:  # whatever its code does when it is imported
            left_out[point.name] = f"{type(error).__name__}: {error}"
        else:
            games[game.key], packages[game.key] = game, point.module
    wrong = {
        key: [*faults(game), *_beside(games, key), *_of_folder(packages[key])]
        for key, game in games.items()
    }
    wrong = {key: sentences for key, sentences in wrong.items() if sentences}
    games |= {key: without_faults(games[key]) for key in wrong}
    in_order = dict(sorted(games.items(), key=lambda item: item[1].name))
    return Found(in_order, packages, left_out, wrong)


def _beside(games: Mapping[str, Game[Any]], key: str) -> Iterator[str]:
    """Yield that a game has the name of one that was there before it."""
    for other, game in games.items():
        if other == key:
            return
        if game.name.casefold() == games[key].name.casefold():
            own = games[key].name
            yield f"its name {own!r} is that of the game {other!r}, too; give it another"


def _of_folder(package: str) -> Iterator[str]:
    """Yield what is missing in the folder of a game."""
    if not (_folder(package) / "rules.md").is_file():
        yield f"there is no rules page; write {_folder(package).name}/rules.md"


def _ours() -> Iterator[tuple[str, Game[Any]]]:
    for module in iter_modules(__path__):
        if module.ispkg:
            game = getattr(import_module(f"{__name__}.{module.name}"), "GAME", None)
            if game is not None:
                yield module.name, game


def _named_by(point: EntryPoint, known: Iterable[str]) -> Game[Any]:
    game = point.load()
    if not isinstance(game, Game):
        raise Broken(f"{point.value} is not a Game")
    if not KEY.fullmatch(game.key):
        raise Broken(f"its key {game.key!r} is not made of small letters, digits and _")
    if game.key in known:
        raise Broken(f"there is a game {game.key!r} already")
    if why := unplayable(game):
        raise Broken(why)
    return game


def _folder(package: str) -> Path:
    file = import_module(package).__file__
    assert file is not None, f"{package} is not a package"
    return Path(file).parent


GAMES, PACKAGES, LEFT_OUT, FAULTS = found(entry_points(group=GROUP))


def folder(key: str) -> Path:
    """Return the folder of a game: its rules page, templates, style sheet and translations.

    Raises KeyError where there is no such game.
    """
    return _folder(PACKAGES[key])


def sample(key: str) -> Sample:
    """Return what the tests must be told of a game: the SAMPLE of its `sample.py`, if it has one.

    Raises KeyError where there is no such game.
    """
    name = f"{PACKAGES[key]}.sample"
    told: Sample = import_module(name).SAMPLE if find_spec(name) else Sample()
    return told
