"""Static checks of a game's declaration, with sentences for its author.

A game with faults is served without the faulty parts (`without_faults`). Only the reasons of
`unplayable` prevent it from being served.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from kaboom.engine.game import Game
from kaboom.engine.options import InvalidOptions, Option, Preset, declared, read


def unplayable(game: Game[Any]) -> str | None:
    """Return a sentence that says why a game cannot be served, or None."""
    if type(game.version) is not int or game.version < 1:
        return f"its version is {game.version!r}; it must be a whole number, 1 or more"
    if not isinstance(game.name, str) or not game.name.strip():
        return f"its name is {game.name!r}; give it the name that people use"
    if not is_dataclass(game.options):
        return "its options are not a dataclass; write @dataclass(frozen=True) above them"
    for field in fields(game.options):
        if "kind" not in field.metadata:
            return (
                f"its option {field.name!r} is not an option; declare it with number, switch or "
                "choice (kaboom.engine.options)"
            )
    return None


def faults(game: Game[Any]) -> list[str]:
    """Return a sentence with a remedy for each fault in a game's presets, headings and other named
    options.
    """
    options = {option.name: option for option in declared(game.options)}
    found = [
        f"the default {option.default!r} of the option {option.name!r} is not allowed; fix its "
        "default or its range"
        for option in options.values()
        if not _allows(option, option.default)
    ]
    keys: list[str] = []
    for preset in (game.usual, *game.presets):
        if preset.key in keys:
            found.append(f"two presets have the key {preset.key!r}; give one of them another key")
        keys.append(preset.key)
        found += _of_values(f"the preset {preset.key!r}", preset.values, options)
    found += _of_contest(game, options)
    found += _of_values("`board`", game.board or {}, options)
    named: list[str] = []
    for heading, names in game.groups.items():
        for name in names:
            if name not in options:
                found.append(
                    f"the heading {heading!r} in `groups` names an option {name!r} that does not "
                    f"exist; {_instead(options)}"
                )
            elif name in named:
                found.append(f"`groups` names the option {name!r} twice; name it once")
            named.append(name)
    return found


def without_faults(game: Game[Any]) -> Game[Any]:
    """Return the same game without its faulty presets, values and headings."""
    options = {option.name: option for option in declared(game.options)}
    presets: dict[str, Preset] = {}
    for preset in game.presets:
        if preset.key != game.usual.key and not list(_of_values("", preset.values, options)):
            presets.setdefault(preset.key, preset)
    left = dict.fromkeys(options)
    groups = {
        heading: [name for name in names if left.pop(name, name) is None]
        for heading, names in game.groups.items()
    }
    return replace(
        game,
        usual=replace(game.usual, values=_allowed(game.usual.values, options)),
        presets=tuple(presets.values()),
        groups={heading: names for heading, names in groups.items() if names},
        contest={
            name: value
            for name, value in game.contest.items()
            if name in options and not _unread(game.options, name, value)
        },
        board=None if game.board is None else _allowed(game.board, options),
    )


def of_values(what: str, values: Mapping[str, Any], options: type[Any]) -> list[str]:
    """Return the faults in option values by name, each a sentence about `what`."""
    return list(_of_values(what, values, {it.name: it for it in declared(options)}))


def _of_values(
    what: str, values: Mapping[str, Any], options: Mapping[str, Option]
) -> Iterator[str]:
    for name, value in values.items():
        if name not in options:
            yield f"{what} sets an option {name!r} that does not exist; {_instead(options)}"
        elif not _allows(options[name], value):
            yield (
                f"{what} sets the option {name!r} to {value!r}, which it does not allow; it must "
                f"be {_range(options[name])}"
            )


def _of_contest(game: Game[Any], options: Mapping[str, Option]) -> Iterator[str]:
    """Yield the faults of the options proposed for tournaments, which are form values."""
    for name, value in game.contest.items():
        if name not in options:
            yield f"`contest` sets an option {name!r} that does not exist; {_instead(options)}"
        elif _unread(game.options, name, value):
            yield (
                f"`contest` sets the option {name!r} to {value!r}, which no form may send; it "
                f"must be {_range(options[name])}, as a string"
            )


def _unread(options: type[Any], name: str, value: Any) -> bool:
    try:
        read(options, {name: value})
    except InvalidOptions as bad:
        return name in bad.sentences
    except AttributeError:  # not a string
        return True
    return False


def _instead(options: Iterable[str]) -> str:
    names = ", ".join(options)
    return f"remove it, or name one of {names}" if names else "remove it"


def _allows(option: Option, value: Any) -> bool:
    if option.kind == "switch":
        return isinstance(value, bool)
    if option.kind == "choice":
        return value in option.values
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return option.least <= value <= option.most and (option.step != 1 or value == int(value))


def _range(option: Option) -> str:
    if option.kind == "switch":
        return "True or False"
    if option.kind == "choice":
        return " or ".join(map(repr, option.values))
    return f"a number from {option.least:g} to {option.most:g}"


def _allowed(values: Mapping[str, Any], options: Mapping[str, Option]) -> dict[str, Any]:
    return {
        name: value
        for name, value in values.items()
        if name in options and _allows(options[name], value)
    }
