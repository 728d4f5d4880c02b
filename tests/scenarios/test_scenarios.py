"""Lives of tables, of those who sit at them, and of the store: each step, and all that follows.

They lie beside this file; `make snapshots` tells them anew.
"""

from pathlib import Path

import pytest

from tests.support.scenarios import told_again

LIVES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("life", LIVES, ids=[life.stem for life in LIVES])
def test_a_life_is_as_it_was_told(life, sqlite_url, snapshot):
    snapshot.check(life, list(told_again(life.read_text().splitlines(), sqlite_url)))
