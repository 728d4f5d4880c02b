"""Tables whose cards are dealt the same in every run."""

from itertools import count

import pytest

from kaboom.tables.table import Table


@pytest.fixture(autouse=True)
def the_same_deals_each_time(monkeypatch):
    """What a test finds at a table must not hang on the cards of the day."""
    seeds = count(1)
    monkeypatch.setattr(
        "kaboom.tables.transaction.new_seed", lambda: next(seeds).to_bytes(32, "big")
    )


@pytest.fixture(autouse=True)
def whatever_is_told_can_be_said(monkeypatch):
    """A line that lacks a fact would be no sentence on anybody's page."""
    hear = Table.hear

    def said(table, events, words):
        events = list(events)
        for event in events:
            words.say(event.kind, event.facts, table.names(event.to))
        hear(table, events, words)

    monkeypatch.setattr(Table, "hear", said)
