"""Scenarios of tables, people and the store: each step with all of its effects.

The recordings are in this folder; `make snapshots` updates them.
"""

from pathlib import Path

import pytest

from tests.support.scenarios import told_again

LIVES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.slow
@pytest.mark.parametrize("life", LIVES, ids=[life.stem for life in LIVES])
def test_scenario_is_as_recorded(life, sqlite_url, snapshot):
    snapshot.check(life, list(told_again(life.read_text().splitlines(), sqlite_url)))
