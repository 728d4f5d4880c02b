"""Erasing and merging players reaches every table that names a player.

The tables are found automatically; a forgotten new one fails here.
"""

import pytest
from sqlalchemy import Boolean, Float, Integer, LargeBinary, String, insert, select, text
from sqlalchemy.types import BigInteger

from kaboom.accounts import erase, merge_queries, player_queries
from kaboom.accounts.models import players
from kaboom.db.database import Database
from kaboom.db.metadata import all_tables
from kaboom.db.player_columns import OnErase, OnMerge, player_columns
from kaboom.notifications.models import call_settings
from kaboom.tables.maintenance import cleanup_queries
from tests.support import effort
from tests.support.server import SECRET
from tests.support.statement_cache import prepared

PARENTS = (
    "clubs",
    "tables",
    "matches",
    "boards",
    "tournaments",
    "club_dates",
    "reviews",
)  # rows that belong to several players
PLAYER_WORDS = ("player", "muted", "from", "to", "by", "low", "high", "host")


def columns_of_players():
    """Return every column with a player's id."""
    return [
        column
        for table in all_tables().sorted_tables
        for column in table.columns
        if table is not players and any(key.column is players.c.id for key in column.foreign_keys)
    ]


def test_every_player_id_column_is_declared():
    """No column may hide a player id in a plain number."""
    known = set(columns_of_players())
    for table in all_tables().sorted_tables:
        for column in table.columns:
            if column.name.removesuffix("_id") in PLAYER_WORDS and column.name.endswith("_id"):
                assert column in known, column


@pytest.fixture
def database(store_url):
    opened = prepared(Database(store_url, SECRET))
    yield opened
    opened.close()


def filled(connection, mine, other, only=None):
    """Put a row about a player into every table that names players, with another player if needed.

    With `only`, fill just that column of that table.
    """
    made = {}
    for table in all_tables().sorted_tables:
        who = [column for column in columns_of_players() if column.table is table]
        turns = range(max(1, len(who))) if who or table.name in PARENTS else ()
        if only is not None and table.name not in PARENTS:
            turns = [who.index(only)] if only in who else []
        for turn in turns:
            values = {}
            for number, column in enumerate(table.columns):
                if column in who:
                    asked = who.index(column) == turn and (only is None or only is column)
                    values[column.name] = mine if asked else other
                elif column.foreign_keys:
                    (key,) = column.foreign_keys
                    values[column.name] = made[key.column.table.name]
                elif column.primary_key and isinstance(column.type, BigInteger):
                    continue
                else:
                    values[column.name] = some(column, f"{number}{turn}")
            done = connection.execute(insert(table), values)
            if table.name in PARENTS:
                made[table.name] = done.inserted_primary_key[0]


def some(column, text):
    if isinstance(column.type, Boolean):
        return True
    if isinstance(column.type, Float | Integer):
        return 1
    if isinstance(column.type, LargeBinary):
        return b"x"
    assert isinstance(column.type, String), column
    return f"x{text}"[: column.type.length or 9]


def two(connection, key=""):
    """Store two players; return their ids."""
    return [
        connection.execute(
            insert(players),
            {"key_hash": name + key, "name": name, "created_at": 0.0, "acted_at": 0.0},
        ).inserted_primary_key[0]
        for name in ("Zebedee", "Other")
    ]


def named(what):
    """Return the declared columns."""
    return {str(it.column) for it in player_columns() if what in (it.on_erase, it.on_merge)}


def left_of(connection, player):
    return {
        str(column)
        for column in columns_of_players()
        if connection.execute(select(column).where(column == player)).first()
    }


def test_erased_player_is_in_no_database_table(database):
    def work(connection):
        mine, other = two(connection)
        filled(connection, mine, other)
        assert len(left_of(connection, mine)) == len(columns_of_players())
        erase.erase_player(connection, mine)
        assert left_of(connection, mine) == named(OnErase.KEEP)
        row = connection.execute(select(players).where(players.c.id == mine)).one()
        assert (row.name, row.key_hash[0]) == ("", player_queries.NO_KEY)
        texts = [
            cell
            for table in all_tables().sorted_tables
            for found in connection.execute(select(table))
            for cell in found
        ]
        assert not [cell for cell in texts if cell == "Zebedee"]

    database.write(work)


def test_merged_guest_remains_in_no_database_table(database):
    def work(connection):
        mine, other = two(connection)
        filled(connection, mine, other)
        merge_queries.carry(connection, mine, other, "nobody's key")
        # Only a guest who is signed out elsewhere can be merged.
        assert left_of(connection, mine) <= named(OnMerge.ELSEWHERE)

    database.write(work)


def test_every_player_column_declares_its_fate_on_erasure():
    told = [str(it.column) for it in player_columns()]
    assert sorted(told) == sorted(map(str, columns_of_players()))


@pytest.mark.slow
def test_player_with_data_is_not_idle(database):
    """A row about a player, in one table at a time; `make test` tries a third of the columns."""

    def work(connection):
        for it in effort.some(player_columns(), every=3):
            mine, other = two(connection, str(it.column))
            filled(connection, mine, other, only=it.column)
            assert str(it.column) in left_of(connection, mine)
            idle = set(cleanup_queries.idle(connection, 1.0, 1000))
            assert (mine in idle) is not it.keeps, it.column
            cleanup_queries.forget_idle(connection, [mine], 1.0)
            assert (left_of(connection, mine) == set()) is not it.keeps, it.column
            for name in (it.column.table.name, *reversed(PARENTS)):
                connection.execute(text(f"DELETE FROM {name}"))

    database.write(work)


HOURS = {"quiet_from": 60, "quiet_to": 420, "zone": "Africa/Nairobi"}
FEED = {"feed_hash": "f", "feed": b"f", "results_hash": "r"}
NOTHING = {
    "quiet_from": None, "quiet_to": None, "zone": "UTC", "digest": 0, "language": "en", "base": "",
    "feed_hash": None, "feed": None, "results_hash": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("theirs", "kept"),
    [
        (None, {**HOURS, **FEED}),
        ({}, {**HOURS, **FEED}),
        ({"quiet_from": 0, "quiet_to": 1}, {"quiet_from": 0, "zone": "UTC", **FEED}),
        ({"feed_hash": "g", "feed": b"g"}, {**HOURS, "feed_hash": "g", "feed": b"g"}),
    ],
    ids=["none", "nothing settled", "hours of their own", "a feed of their own"],
)
def test_merge_moves_quiet_hours_and_feed_if_missing(database, theirs, kept):
    def work(connection):
        mine, other = two(connection)
        connection.execute(insert(call_settings), {**NOTHING, **HOURS, **FEED, "player_id": mine})
        if theirs is not None:
            connection.execute(insert(call_settings), {**NOTHING, **theirs, "player_id": other})
        merge_queries.carry(connection, mine, other, "nobody's key")
        (row,) = connection.execute(select(call_settings)).mappings()
        assert row["player_id"] == other
        assert {name: row[name] for name in kept} == kept

    database.write(work)
