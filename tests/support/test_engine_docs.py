"""docs/engine.md is what the engine says of itself."""

from kaboom.engine import options
from tests.support import engine_docs as engine_page


def test_engine_page_is_what_the_engine_is():
    assert engine_page.PAGE.read_text(encoding="utf-8") == engine_page.page(), "make engine-page"


def test_engine_page_has_the_public_names_that_games_use():
    text = "\n".join(engine_page.module("options"))
    assert "def time_limit(label: str, help: str, most: int = 300) -> Any:" in text
    assert options._number and "def _number" not in text
    assert options.InvalidOptions and "class InvalidOptions" not in text
