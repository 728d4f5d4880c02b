"""Recording of the tests that enter a function."""

import importlib

from kaboom.games.koth.cards import trump_ranking


def test_cached_result_does_not_hide_its_users(tmp_path, monkeypatch):
    """With a cached result, only the first test that ranks trumps would enter the function."""
    monkeypatch.setenv("KABOOM_ENTERED", str(tmp_path))
    entered = importlib.import_module("tests.mutation.entered")
    trump_ranking("7", "H")
    entered.forget()
    assert trump_ranking.cache_info().currsize == 0
