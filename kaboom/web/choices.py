"""What the form of a game's options shows: named ways to play, and all options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import request

from kaboom.bots.pace import Pace
from kaboom.core.game import Game
from kaboom.core.language import say
from kaboom.core.options import Option, Preset, asked_values, grouped
from kaboom.tables.table import Hints
from kaboom.web.fields import chosen

MANY = 16  # options, from which on the form would be too long to look through


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play as a link: what names it in the address, and whether it is chosen."""

    key: str
    name: str
    help: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """The ways to play, the options under their headings, and what their fields hold by name."""

    ways: Sequence[Way]
    groups: Sequence[tuple[str, Sequence[Option]]]
    values: Mapping[str, str]
    usual: Mapping[str, str]

    @property
    def many(self) -> bool:
        """Say whether there are so many options that each heading is folded, too."""
        return len(self.usual) > MANY

    def changed(self, options: Sequence[Option]) -> Sequence[str]:
        """Return the labels of those options whose fields do not hold what is usual."""
        return [o.label for o in options if self.values.get(o.name, "0") != self.usual[o.name]]

    @property
    def way(self) -> str | None:
        """Return the key of the way to play that the options are, if they are one."""
        return next((way.key for way in self.ways if way.chosen), None)

    @property
    def own(self) -> bool:
        """Say whether the options match no named way to play."""
        return self.way is None


def wished(game: Game[Any], otherwise: Any) -> Any:
    """Return the options of the way to play the address asks for, if it asks for one."""
    key = request.args.get("preset")
    found = [preset for preset in _presets(game) if preset.key == key]
    return game.options(**found[0].values) if found else otherwise


def choices(game: Game[Any], options: Any, typed: Mapping[str, str] | None = None) -> Choices:
    """Return what a form for these options shows; `typed` is what was refused."""
    ways = [
        Way(
            preset.key,
            say(preset.name),
            say(preset.help),
            typed is None and game.options(**preset.values) == options,
        )
        for preset in _presets(game)
    ]
    groups = grouped(game.options, game.groups)
    values = asked_values(options) if typed is None else typed
    return Choices(ways, groups, values, asked_values(game.options()))


def bots_wished(
    form: Mapping[str, str], pace: Pace, hints: Hints = Hints.ALONE
) -> tuple[Pace, Hints, bool]:
    """Return what a form says of a table's bots: how fast they play, who may ask them, and whether
    they talk. What it does not say stays.
    """
    quiet = "banter.asked" in form and form.get("banter") != "1"
    return chosen(form.get("bot_pace"), pace), chosen(form.get("hints"), hints), not quiet


def _presets(game: Game[Any]) -> Sequence[Preset]:
    return [game.usual, *game.presets]
