"""The suite is limited to the built-in games, whatever else is installed."""

from kaboom.games import FAULTS, GAMES, LEFT_OUT, PACKAGES
from tests.conftest import pytest_report_header
from tests.support import builtin_games


def test_games_of_other_packages_are_ignored_by_the_suite(monkeypatch):
    before = set(GAMES)
    for known, value in (
        (GAMES, GAMES["gops"]),
        (PACKAGES, "far_nines"),
        (FAULTS, ["it is odd"]),
    ):
        monkeypatch.setitem(known, "nines", value)
    monkeypatch.setitem(LEFT_OUT, "broken", "OSError: the disk is full")
    monkeypatch.setitem(LEFT_OUT, "hearts", "an example that cannot be played is ours to fix")
    assert builtin_games.forget_strangers() == ["broken", "nines"]
    assert set(GAMES) == before and "nines" not in {**PACKAGES, **FAULTS}
    assert set(LEFT_OUT) == {"hearts"}


def test_skipped_packages_are_named_above_the_tests(monkeypatch):
    monkeypatch.setattr("tests.conftest.STRANGERS", ["nines"])
    (line,) = pytest_report_header()
    assert "nines (pytest --pyargs kaboom.testing -k KEY" in line
    monkeypatch.setattr("tests.conftest.STRANGERS", [])
    assert pytest_report_header() == []


def test_the_examples_are_known_by_their_entry_points():
    assert "hearts" in builtin_games.IN_EXAMPLES and not builtin_games.IN_EXAMPLES & set(
        builtin_games.OURS
    )
