"""Each game's options are recorded, so that ranges, defaults and presets never change by
accident."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from kaboom.games import GAMES
from tests.support.builtin_games import OURS

KEPT = Path(__file__).with_name("options.txt")


def line(key, option):
    """Return an option as a line: its game, name, default and other values."""
    of = option.metadata
    if of["kind"] == "number":
        others = f"{of['least']:g} to {of['most']:g} by {of['step']:g}"
    else:
        others = ", ".join(of.get("values", ("True", "False")))
    return f"{key} {option.name}: {option.default} of {others}"


@pytest.mark.parametrize("key", sorted(OURS))
def test_options_of_a_game_are_the_recorded_ones(key):
    found = [line(key, option) for option in fields(GAMES[key].options)]
    kept = [line for line in KEPT.read_text().splitlines() if line.startswith(f"{key} ")]
    assert found == kept


@pytest.mark.parametrize("key", sorted(OURS))
def test_game_rules_version_is_the_recorded_one(key):
    """A higher version freezes all running matches."""
    assert f"{key}, version {GAMES[key].version}" in KEPT.read_text().splitlines()


@pytest.mark.parametrize("key", sorted(OURS))
def test_presets_of_a_game_are_the_recorded_ones(key):
    found = [
        f"{key}, {preset.key}: "
        + ", ".join(f"{name}={value}" for name, value in preset.values.items())
        for preset in GAMES[key].presets
    ]
    kept = [line for line in KEPT.read_text().splitlines() if re.match(rf"{key}, \w+: ", line)]
    assert found == kept


@pytest.mark.parametrize("key", sorted(OURS))
def test_option_headings_are_the_recorded_ones(key):
    found = [
        f"{key}, under {heading}: {', '.join(names)}"
        for heading, names in GAMES[key].groups.items()
    ]
    kept = [line for line in KEPT.read_text().splitlines() if line.startswith(f"{key}, under ")]
    assert found == kept
