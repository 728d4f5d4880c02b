"""Personal pages stay fast in a large store: each statement finds its rows by an index.

The statements are captured from the pages, on both stores. SQLite's plans are those of a store
without statistics; PostgreSQL is kept from scanning small tables.
"""

import re
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from kaboom.accounts import login, merge, players
from kaboom.accounts.erase import erase
from kaboom.records import feed
from kaboom.social.friends import service as friends
from kaboom.tables.maintenance.cleanup import tidy
from kaboom.tables.maintenance.interventions import stop
from tests.records.test_feed_routes import key_of
from tests.social.clubs.test_routes import begun, joined, link_of
from tests.support.app import served
from tests.support.forms import Browser
from tests.support.statement_cache import by_sqlalchemy

# A row or a few, however many people there are (CONSTANT: an empty list); the forms of the last
# minutes.
SMALL = {
    "CONSTANT",
    "pulse",
    "server_keys",
    "alembic_version",
    "commands",
    "sanctions",
    "server_hosts",
    "server_notices",
    "keys_set_aside",
}
# Each reads a list that an index keeps in order, up to its limit.
IN_ORDER = {"ix_players_acted_at", "ix_tables_due_at"}


@contextmanager
def caught(database, monkeypatch):
    """Yield a list that collects the executed statements, with their values."""
    found = []

    def note(connection, cursor, statement, values, context, many):
        if re.match(r"\s*(SELECT|UPDATE|DELETE|INSERT INTO \S+ .*SELECT)", statement):
            found.append((statement, values))

    by_sqlalchemy(monkeypatch)
    engines = {database._reader, database._writer}
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield found
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


def read_whole(connection, sqlite, statement, values):
    """Return the tables that a statement would scan completely."""
    if sqlite:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        scans = [
            row[3] for row in plan if row[3].startswith("SCAN ") and "CONSTANT ROW" not in row[3]
        ]
        return [it for it in scans if not _allowed(it.split()[1], it)]
    found = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values).scalar_one()
    return [
        f"{node['Node Type']} on {node['Relation Name']}"
        for node in nodes(found[0]["Plan"])
        if "Relation Name" in node
        and node["Node Type"]
        not in ("ModifyTable", "Bitmap Heap Scan")  # their children are checked
        and "Index Cond" not in node
        and not _allowed(node["Relation Name"], node.get("Index Name", ""))
    ]


def _allowed(name, index):
    part_of_one = name.startswith(
        ("(", "anon_")
    )  # a subquery, whose own tables are checked separately
    return name in SMALL or part_of_one or any(it in index for it in IN_ORDER)


def nodes(plan):
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


@pytest.fixture
def many(one_app, store_url, fake_clock, fake_ids):
    """The application on each store; Ann has a club, a friend who shares results, and finished
    matches.
    """
    with served(one_app, store_url, now=fake_clock, fake_ids=fake_ids) as tables:
        yield one_app, tables


def world(app, tables):
    """Return Ann's browser, the address of her club, and that of her feed."""
    ann, club = begun(lambda: Browser(app.test_client()))
    ben = joined(lambda: Browser(app.test_client()), link_of(ann, club), "Ben")
    for person in (ann, ben):
        person.client.post("/feed", data={"do": "share"})
    ann.open("/friends")
    ann.press("Create a link for a friend")
    link = re.search(r'value="[^"]*(/friends/add/[\w-]+)"', ann.html)[1]
    ben.open(link)
    ben.send(ben.page.form(link))
    ann.open(club)
    ann.send(ann.page.form("/tables"), game="gops")
    path = "/".join(next(f.action for f in ann.page.forms if "/t/" in f.action).split("/")[:3])
    ann.client.post(f"{path}/bot")
    ann.client.post(f"{path}/start")
    stop(tables, path[3:])
    ann.open("/feed")
    ann.press("Create a secret address")
    return ann, club, re.search(r'value="[^"]*(/feed/[\w-]+\.atom)"', ann.html)[1], path


PAGES = [
    "/", "/account", "/account?page=2", "/settings/devices", "/settings/account", "/friends",
    "/settings/notifications", "/turns", "/clubs", "/settings/presets", "/settings/api-keys",
    "/statistics", "/statistics/gops", "/statistics/people", "/feed", "/login",
    "{club}", "{club}/settings", "{feed}", "{table}", "{table}/people", "{table}/talk",
]  # fmt: skip


def test_personal_page_scans_no_whole_table(many, monkeypatch):
    app, tables = many
    ann, club, atom, table = world(app, tables)
    database = tables.database
    with caught(database, monkeypatch) as asked:
        for page in PAGES:
            path = page.format(club=club, feed=atom, table=table)
            assert ann.client.get(path).status_code == 200, path
    assert len({statement for statement, _ in asked}) > 30
    assert whole(database, asked) == {}


def test_erasing_merging_and_cleanup_scan_no_whole_table(many, monkeypatch):
    app, tables = many
    world(app, tables)
    ids = {name: players.player(tables, key_of(name), name)[0] for name in ("Cleo", "Dan")}
    friends.take_link(tables, friends.new_link(tables, key_of("Cleo")), ids["Dan"])
    feed.new_address(tables, key_of("Cleo"), True)
    with caught(tables.database, monkeypatch) as asked:
        secret = login.arrive(tables, ids["Dan"], key_of("Cleo"), key_of("fresh")).secret
        merge.merge_guest(tables, secret, key_of("Cleo"))
        erase(app.config["TABLES"], key_of("Dan"))
        tables.now.sleep(30 * 86_400)
        tidy(tables)
    assert len({statement for statement, _ in asked}) > 50
    assert whole(tables.database, asked) == {}


def whole(database, asked):
    """Return the statements that scan whole tables, with the tables."""

    def work(connection):
        for way in () if database.sqlite else ("seqscan", "hashjoin", "mergejoin"):
            connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
        return {
            " ".join(statement.split()): read
            for statement, values in dict(asked).items()
            if (read := read_whole(connection, database.sqlite, statement, values))
        }

    return database.write(work)


def test_missing_index_is_detected(many):
    """Proves that the check above can fail."""
    _, tables = many
    mark = "?" if tables.database.sqlite else "%s"
    for column, by_index in (("key_hash", True), ("name", False)):
        statement = f"SELECT id FROM players WHERE {column} = {mark}"
        assert (whole(tables.database, [(statement, ("x",))]) == {}) is by_index
