"""Tables whose cards are dealt the same in every run."""

import pytest

from kaboom.tables.table import Table
from tests.lots import ChosenLots, numbered_seeds


@pytest.fixture
def lots():
    """What a test finds at a table must not hang on the cards of the day."""
    return ChosenLots(seed=numbered_seeds())


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
