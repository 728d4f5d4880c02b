"""Tables whose cards are dealt the same in every run."""

from itertools import count

import pytest


@pytest.fixture(autouse=True)
def the_same_deals_each_time(monkeypatch):
    """What a test finds at a table must not hang on the cards of the day."""
    seeds = count(1)
    monkeypatch.setattr("kaboom.tables.draft.new_seed", lambda: next(seeds).to_bytes(32, "big"))
