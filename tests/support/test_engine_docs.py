"""docs/engine.md is up to date with the engine."""

import pytest

from kaboom.engine import options
from tests.support import engine_docs


@pytest.mark.slow
def test_engine_page_is_up_to_date():
    assert engine_docs.PAGE.read_text(encoding="utf-8") == engine_docs.page(), "make engine-page"


def test_engine_page_has_the_public_names_that_games_use():
    text = "\n".join(engine_docs.module("options"))
    assert "def time_limit(label: str, help: str, most: int = 300) -> Any:" in text
    assert options._number and "def _number" not in text
    assert options.InvalidOptions and "class InvalidOptions" not in text
