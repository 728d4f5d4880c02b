"""What a store is asked and answers, told step by step.

They lie in `lives/`, and are told anew by `python -m tests.lives tests/unit/store/lives/*.txt`.
"""

from pathlib import Path

import pytest

from tests.lives import must_be_as_told

FOLDER = Path(__file__).with_name("lives")


@pytest.fixture
def told(request, sqlite_url):
    """Tells the life that a test is called after."""
    name = request.node.name.removeprefix("test_")
    return lambda: must_be_as_told(FOLDER / f"{name}.txt", sqlite_url)


def test_every_life_is_told():
    named = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {path.stem for path in FOLDER.glob("*.txt")} <= named


def test_what_is_asked(told):
    told()
