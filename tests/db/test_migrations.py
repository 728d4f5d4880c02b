"""Migrations create exactly the tables that the code declares, on both stores."""

import json

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from kaboom.accounts import player_queries
from kaboom.db.database import Database
from kaboom.db.metadata import all_tables
from kaboom.db.migrate import missing, newest, upgrade
from kaboom.engine.codec import from_json
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.fairness.hash_chain import linked
from kaboom.tables import queries
from kaboom.tables.table import Table
from tests.support.server import SECRET


@pytest.fixture
def database(store_url):
    opened = Database(store_url, SECRET)
    yield opened
    opened.close()


def test_migrated_schema_equals_the_schema_in_the_code(database):
    def differences(connection):
        strictly = {"compare_type": True, "compare_server_default": True}
        return compare_metadata(MigrationContext.configure(connection, opts=strictly), all_tables())

    found = database.read(differences)
    assert not found, f"write a migration, or compare the defaults: {found}"


def test_migrating_twice_changes_nothing(store_url, database):
    def all_of_it(connection):
        version = connection.execute(text("SELECT version_num FROM alembic_version")).all()
        rows = {it.name: connection.execute(it.select()).all() for it in all_tables().sorted_tables}
        return version, rows

    database.write(
        lambda connection: player_queries.add_player(connection, "key of Ann", "Ann", 1.0)
    )
    before = database.read(all_of_it)
    upgrade(store_url, SECRET)
    assert database.read(all_of_it) == before


def set_to(database, number):
    at = text("UPDATE alembic_version SET version_num = :number")
    database.write(lambda connection: connection.execute(at, {"number": number}))


def test_old_schema_needs_migration_and_a_newer_one_does_not(store_url, database):
    assert database.read(missing) == ""
    set_to(database, "0012")
    try:
        assert database.read(missing) == (
            "The database has had migrations up to 0012, "
            f"and this version needs {newest()}. Run `kaboom migrate` first."
        )
        set_to(database, "9999")
        assert database.read(missing) == ""
        upgrade(store_url, SECRET)  # of a later version, as after a downgrade
    finally:
        set_to(database, newest())


def test_an_empty_database_has_not_been_set_up(tmp_path):
    empty = Database(f"sqlite:///{tmp_path}/new.sqlite3", SECRET)
    assert empty.read(missing).startswith("The database has not been set up, and ")
    empty.close()


def test_a_logged_move_cannot_be_edited(database):
    def one_move(connection):
        table = {
            "code": "AAAABBBB", "game": "kaboom", "match_id": None, "version": 1, "due_at": None,
            "body": b"{}", "listed": False, "password": "", "talk": 0,
            "created_at": 0.0, "touched_at": 0.0,
        }  # fmt: skip
        match = {
            "code": "CCCCDDDD", "cuts": "[]", "hidden": False,
            "table_id": queries.add_table(connection, table), "number": 1, "game": "kaboom",
            "game_version": 1, "options": "{}", "names": "[]", "seed": b"", "started_at": 0.0,
            "ended_at": None, "outcome": None,
        }  # fmt: skip
        match_id = queries.add_match(connection, match)
        move = {"match_id": match_id, "seq": 1, "cmd": "a", "text": "0 x", "at": 0.0, "chain": ""}
        queries.add_move(connection, move)

    database.write(one_move)
    with pytest.raises(DBAPIError, match="append-only"):
        database.write(lambda c: c.execute(text("UPDATE moves SET at = 1")))


OLD_TABLE = {"chairs": [], "options": {}, "host": 1, "match": 1, "match_id": 1, "seq": 1}
OLD_ROWS = f"""
INSERT INTO players VALUES (1, 'k', 'Ann', 0);
INSERT INTO tables VALUES (1, 'AAAABBBB', 'gops', 1, 3, NULL, '{json.dumps(OLD_TABLE)}', 0, 0);
INSERT INTO matches VALUES (1, 1, 1, 'gops', 1, '{{}}', '["Ann"]', :seed, 0, NULL, NULL);
INSERT INTO moves VALUES (1, 1, 'c', '0 bid KS', 5.0, 'old chain');
INSERT INTO sittings VALUES (1, 1)
"""


def test_first_schema_is_encrypted_and_its_log_chained(tmp_path):
    url, seed = f"sqlite:///{tmp_path}/old.sqlite3", bytes(range(32))
    upgrade(url, SECRET, "0001")
    database = Database(url, SECRET)

    def old_rows(connection):
        for statement in OLD_ROWS.split(";\n"):
            more = {"seed": seed} if ":seed" in statement else {}
            connection.execute(text(statement), more)

    database.write(old_rows)
    upgrade(url, SECRET)
    row = database.read(lambda c: queries.table(c, "AAAABBBB"))
    log = database.read(lambda c: queries.log(c, 1))
    match = database.read(lambda c: queries.match(c, 1))
    table = from_json(row.body, Table)
    database.close()
    assert (row.seed, match.seed, row.cuts) == (seed, seed, "[]")
    assert [move.text for move in log] == ["0 bid KS"]
    assert log[0].chain == linked(seed, commitment(seed), 1, "c", "0 bid KS", 5.0) == table.chain
    assert table.record == match.code
    assert len(table.next_seed) == len(seed)
