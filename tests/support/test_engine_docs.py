"""docs/engine.md is what the engine says of itself."""

from kaboom.engine import options
from tests.support import engine_docs as engine_page


def test_engine_page_is_what_the_engine_is():
    assert engine_page.PAGE.read_text(encoding="utf-8") == engine_page.page(), "make engine-page"


def test_engine_page_names_what_is_public_and_nothing_else():
    said = "\n".join(engine_page.module("options"))
    assert "def time_limit(label: str, help: str, most: int = 300) -> Any:" in said
    assert "class Option:\n    name: str\n" in said
    assert 'Return a value of an option in words: "yes"' in said
    assert options._number and "def _number" not in said
