"""The games: one folder each here, and games from other packages. No list needs to be edited.

A folder that defines GAME is a game. Another package provides one through an entry point in the
group `kaboom.games` that refers to a Game. The package's folder is the game's folder.

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
FIRST = "kaboom"


class Found(NamedTuple):
    """Games and the import names of their packages, by key; and why other games are left out, by
    the name of their entry point.

    `faults` are messages by key about games that are played without the faulty part.
    """

    games: dict[str, Game[Any]]
    packages: dict[str, str]
    left_out: dict[str, str]
    faults: dict[str, list[str]]


class Broken(Exception):
    """An entry point does not refer to a playable game; str() is the reason."""


def found(points: Iterable[EntryPoint]) -> Found:
    """Return the built-in games and then those of these entry points, each sorted by name.

    The game that the room is named after is the first.
    """
    games = dict(_ours())
    packages = {key: f"{__name__}.{key}" for key in games}
    left_out = {}
    for point in sorted(points):
        try:
            game = _named_by(point, games)
        except Exception as error:  # importing it may raise anything
            left_out[point.name] = f"{type(error).__name__}: {error}"
        else:
            games[game.key], packages[game.key] = game, point.module
    wrong = {
        key: [*faults(game), *_beside(games, key), *_of_folder(packages[key])]
        for key, game in games.items()
    }
    wrong = {key: sentences for key, sentences in wrong.items() if sentences}
    games |= {key: without_faults(games[key]) for key in wrong}

    def place(key: str) -> tuple[bool, bool, str]:
        return not _is_ours(packages[key]), key != FIRST, games[key].name

    in_order = {key: games[key] for key in sorted(games, key=place)}
    return Found(in_order, packages, left_out, wrong)


def _beside(games: Mapping[str, Game[Any]], key: str) -> Iterator[str]:
    """Yield an error for a game whose name is already taken."""
    for other, game in games.items():
        if other == key:
            return
        if game.name.casefold() == games[key].name.casefold():
            own = games[key].name
            yield f"its name {own!r} is also that of the game {other!r}; give it another"


def _of_folder(package: str) -> Iterator[str]:
    """Yield an error for each part that a game's folder lacks."""
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
        raise Broken(f"its key {game.key!r} may contain only lower-case letters, digits and _")
    if game.key in known:
        raise Broken(f"there is already a game {game.key!r}")
    if why := unplayable(game):
        raise Broken(why)
    return game


def _is_ours(package: str) -> bool:
    return package.startswith(f"{__name__}.")


def _folder(package: str) -> Path:
    file = import_module(package).__file__
    assert file is not None, f"{package} is not a package"
    return Path(file).parent


GAMES, PACKAGES, LEFT_OUT, FAULTS = found(entry_points(group=GROUP))


def is_built_in(key: str) -> bool:
    """Return True if a game comes with this program, not with another package."""
    return _is_ours(PACKAGES[key])


def folder(key: str) -> Path:
    """Return a game's folder, with its rules page, templates, style sheet and translations.

    Raises KeyError for an unknown game.
    """
    return _folder(PACKAGES[key])


def sample(key: str) -> Sample:
    """Return the test data of a game: the SAMPLE in its `sample.py`, or the defaults without one.

    Raises KeyError for an unknown game.
    """
    name = f"{PACKAGES[key]}.sample"
    told: Sample = import_module(name).SAMPLE if find_spec(name) else Sample()
    return told
