"""Which tests are seen to enter a function."""

import importlib

from kaboom.games.koth.cards import trump_ranking


def test_a_result_that_is_kept_does_not_hide_who_needs_it(tmp_path, monkeypatch):
    """Of all tests that rank trumps only the first would enter the function."""
    monkeypatch.setenv("KABOOM_ENTERED", str(tmp_path))
    entered = importlib.import_module("tests.mutation.entered")
    trump_ranking("7", "H")
    entered.forget()
    assert trump_ranking.cache_info().currsize == 0
