"""Forgetting somebody, and making one of two, reach every table that knows a player.

The tables are found by themselves: a new one that is forgotten fails here.
"""

import pytest
from sqlalchemy import Boolean, Float, Integer, LargeBinary, String, insert, select
from sqlalchemy.types import BigInteger

from kaboom.store import forgetting, merging
from kaboom.store.database import Database
from kaboom.store.models import accounts, keys, metadata, passkeys, players
from tests.server import SECRET

# What stays of somebody forgotten, and why.
STAYS = {
    "lines.player_id": "what was said goes with its table",
    "mutes.muted_id": "what they said stays muted for who muted them",
}
# What is neither carried along nor dropped when two become one: only who has no account is carried.
APART = {keys.c.player_id, accounts.c.player_id, passkeys.c.player_id}

PLAYER_WORDS = ("player", "muted", "from", "to", "by", "low", "high", "host")


def columns_of_players():
    """Return every column that holds a player's number."""
    return [
        column
        for table in metadata.sorted_tables
        for column in table.columns
        if table is not players and any(key.column is players.c.id for key in column.foreign_keys)
    ]


def test_whatever_is_called_after_a_player_says_so():
    """So that no table hides one in a bare number."""
    known = set(columns_of_players())
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.name.removesuffix("_id") in PLAYER_WORDS and column.name.endswith("_id"):
                assert column in known, column


@pytest.fixture
def database(store_url):
    opened = Database(store_url, SECRET)
    yield opened
    opened.close()


REFERRED = ("tables", "matches", "boards")  # by rows about a player


def filled(connection, mine, other):
    """Put a row about a player into every table that knows one, beside another player."""
    made = {}
    for table in metadata.sorted_tables:
        who = [column for column in columns_of_players() if column.table is table]
        for turn in range(max(1, len(who))) if who or table.name in REFERRED else ():
            values = {}
            for number, column in enumerate(table.columns):
                if column in who:
                    values[column.name] = mine if who.index(column) == turn else other
                elif column.foreign_keys:
                    (key,) = column.foreign_keys
                    values[column.name] = made[key.column.table.name]
                elif column.primary_key and isinstance(column.type, BigInteger):
                    continue
                else:
                    values[column.name] = some(column, f"{number}{turn}")
            if any(it.name == "low_id" for it in who):
                values["low_id"], values["high_id"] = sorted((mine, other))
                if turn:
                    continue
            done = connection.execute(insert(table), values)
            if table.name in REFERRED:
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


def two(connection):
    """Store two players; return their numbers."""
    return [
        connection.execute(
            insert(players), {"key_hash": name, "name": name, "created_at": 0.0, "acted_at": 0.0}
        ).inserted_primary_key[0]
        for name in ("Zebedee", "Other")
    ]


def left_of(connection, player):
    return {
        str(column)
        for column in columns_of_players()
        if connection.execute(select(column).where(column == player)).first()
    }


def test_who_is_forgotten_is_in_no_table(database):
    def work(connection):
        mine, other = two(connection)
        filled(connection, mine, other)
        assert len(left_of(connection, mine)) == len(columns_of_players())
        forgetting.forget_player(connection, mine, "nobody's")
        assert left_of(connection, mine) == set(STAYS)
        row = connection.execute(select(players).where(players.c.id == mine)).one()
        assert (row.name, row.key_hash) == ("", "nobody's")
        texts = [
            cell
            for table in metadata.sorted_tables
            for found in connection.execute(select(table))
            for cell in found
        ]
        assert not [cell for cell in texts if cell == "Zebedee"]

    database.write(work)


def test_who_becomes_another_is_in_no_table_and_loses_nothing(database):
    def work(connection):
        mine, other = two(connection)
        filled(connection, mine, other)
        merging.carry(connection, mine, other, "nobody's key", "nobody's")
        assert left_of(connection, mine) <= {str(column) for column in APART}

    database.write(work)


def test_each_column_of_a_player_is_carried_dropped_or_kept_apart():
    told = [*(column for column, _ in merging.CARRIED), *merging.DROPPED, *APART]
    assert sorted(map(str, told)) == sorted(map(str, columns_of_players()))
