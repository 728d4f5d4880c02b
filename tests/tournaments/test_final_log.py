"""Events of a tournament cannot be edited, even by mistake."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from kaboom.tournaments.cache import cache_of
from tests.support.tournaments import opened, settled


def test_an_event_of_a_tournament_cannot_be_edited(tables):
    code, _ = opened(tables, "Ann", "Ben")
    log = settled(tables, code).log
    assert len(log) == 2
    for change in ("at = 1", "body = '{}'", "seq = seq + 10"):
        with pytest.raises(DBAPIError, match="append-only"):
            tables.database.write(
                lambda c, change=change: c.execute(text(f"UPDATE tournament_events SET {change}"))
            )
    cache_of(tables).forget(code)
    assert settled(tables, code).log == log
