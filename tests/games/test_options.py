"""What can be chosen in each game: ranges, defaults and named ways to play are changed on purpose
only.
"""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from kaboom.games import GAMES
from tests.support.builtin_games import OURS

KEPT = Path(__file__).with_name("options.txt")


def line(key, option):
    """Return an option in a line: its game, its name, its default and what else can be chosen."""
    of = option.metadata
    if of["kind"] == "number":
        others = f"{of['least']:g} to {of['most']:g} by {of['step']:g}"
    else:
        others = ", ".join(of.get("values", ("True", "False")))
    return f"{key} {option.name}: {option.default} of {others}"


@pytest.mark.parametrize("key", sorted(OURS))
def test_the_options_of_a_game_are_those_that_are_written_down(key):
    found = [line(key, option) for option in fields(GAMES[key].options)]
    kept = [line for line in KEPT.read_text().splitlines() if line.startswith(f"{key} ")]
    assert found == kept


@pytest.mark.parametrize("key", sorted(OURS))
def test_the_version_of_a_game_s_rules_is_the_one_that_is_written_down(key):
    """A higher one freezes every match that is being played."""
    assert f"{key}, version {GAMES[key].version}" in KEPT.read_text().splitlines()


@pytest.mark.parametrize("key", sorted(OURS))
def test_the_ways_to_play_a_game_are_those_that_are_written_down(key):
    found = [
        f"{key}, {preset.key}: "
        + ", ".join(f"{name}={value}" for name, value in preset.values.items())
        for preset in GAMES[key].presets
    ]
    kept = [line for line in KEPT.read_text().splitlines() if re.match(rf"{key}, \w+: ", line)]
    assert found == kept


@pytest.mark.parametrize("key", sorted(OURS))
def test_the_headings_over_the_options_of_a_game_are_those_that_are_written_down(key):
    found = [
        f"{key}, under {heading}: {', '.join(names)}"
        for heading, names in GAMES[key].groups.items()
    ]
    kept = [line for line in KEPT.read_text().splitlines() if line.startswith(f"{key}, under ")]
    assert found == kept
