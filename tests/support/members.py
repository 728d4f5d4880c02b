"""Tables with the same cards in every run."""

import hashlib

import pytest

from kaboom.accounts import players
from kaboom.social.clubs import invitations
from kaboom.social.clubs import service as clubs
from kaboom.tables.table import Table

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
KEYS = {name: hashlib.sha256(name.encode()).hexdigest() for name in NAMES}


@pytest.fixture(autouse=True)
def whatever_is_told_can_be_said(monkeypatch):
    """Check that every log line can be put into words: a missing fact would break a page."""
    hear = Table.hear

    def said(table, events, words):
        events = list(events)
        for event in events:
            words.say(event.kind, event.facts, table.names(event.to))
        hear(table, events, words)

    monkeypatch.setattr(Table, "hear", said)


@pytest.fixture
def ids(tables):
    return {name: players.player(tables, KEYS[name], name)[0] for name in NAMES}


@pytest.fixture
def club(tables, ids):
    """A club of Ann's, with Ben and Cleo as members."""
    code = clubs.found(tables, ids["Ann"], "The Gulls", "Ann")
    secret = invitations.new_link(tables, code, KEYS["Ann"])
    for name in ("Ben", "Cleo"):
        invitations.join(tables, secret, ids[name], name)
    return code
