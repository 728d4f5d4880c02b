"""A host's commands: listing, showing, ending and deleting tables; backup and restore."""

import errno
import gzip
import json
import os
import threading
from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import pytest

from kaboom.accounts import players
from kaboom.admin import queries as hosts
from kaboom.cli.errors import sentence
from kaboom.daily.service import promise_ahead
from kaboom.db import backup
from kaboom.db.backup import InvalidBackup, load, save
from kaboom.db.database import Database
from kaboom.db.metadata import all_tables
from kaboom.db.migrate import MIGRATIONS, upgrade
from kaboom.engine.codec import to_json
from kaboom.errors import TableNotFound
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.notifications import channels
from kaboom.records.verify import check
from kaboom.social.friends import queries as friends
from kaboom.tables import queries, start_match
from kaboom.tables.maintenance.cleanup import expire
from kaboom.tables.models import sittings
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.service import TableService
from tests.chaos import damage
from tests.support.app import served
from tests.support.server import SECRET
from tests.tables.test_service import all_ready, moves_of, opened, playing, press

DAY = 24 * 3600


@pytest.fixture
def flask(app):
    return app.test_cli_runner().invoke


@pytest.mark.parametrize("command", [["tables", "list"], ["backup", "all.gz"], ["expire"]])
def test_command_on_an_unmigrated_database_gives_advice(flask, app, tmp_path, command):
    with served(app, f"sqlite:///{tmp_path}/new.sqlite3"):
        refused = flask(args=command)
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: The database has not been set up")


def test_table_list_is_paginated_most_recently_used_first(flask, service, fake_clock):
    codes = []
    for _ in range(52):
        fake_clock.sleep(60)
        codes.append(opened(service, "Ann")[0])
    first = flask(args=["tables", "list"]).output.splitlines()
    assert [line.split()[0] for line in first[:50]] == codes[:1:-1]
    assert first[50] == "Next page: --page 2"
    second = flask(args=["tables", "list", "--page", "2"]).output.splitlines()
    assert [line.split()[0] for line in second] == [codes[1], codes[0]]
    assert flask(args=["tables", "list", "--playing"]).output == "No tables.\n"


def test_table_command_shows_a_spectators_view(flask, service):
    ann, _ = players.player(service, "a" * 64, "Ann")
    code = lobby.open(service, "taken", GAMES["taken"].options(), ann, "Ann", bots=3)
    start_match.start(service, code, ann)
    shown = flask(args=["tables", "show", code.lower()]).output
    assert "seat 0: Ann (host)" in shown
    assert "match 1, 0 moves, playing" in shown
    hand = service.get(code).game.view(service.get(code).state, 0).zone("hand", 0).cards
    line = next(line for line in shown.splitlines() if line.startswith("hand Ann"))
    assert not set(hand) & set(line.split())


def test_a_match_is_ended_without_a_result_once_confirmed(flask, service):
    code, ids = playing(service, "Ann", "Ben")
    assert flask(args=["tables", "end", code], input="n\n").exit_code == 1
    assert service.get(code).table.playing
    assert "Ended." in flask(args=["tables", "end", code, "--yes"]).output
    table = service.get(code).table
    assert (table.playing, table.outcome.reason, table.outcome.winners) == (False, "stopped", ())
    assert "No match" in flask(args=["tables", "end", code, "--yes"]).output
    assert check(service, code).wrong == []
    start_match.ready(service, code, ids[0])
    start_match.ready(service, code, ids[1])
    assert service.get(code).table.match == 2, "the same people can play again"


def test_deleted_table_leaves_its_finished_matches(flask, service):
    code, _ = playing(service, "Ann", "Ben")
    flask(args=["tables", "end", code, "--yes"])
    record = service.get(code).table.match_id
    assert f"{code}: deleted" in flask(args=["tables", "delete", code, "--yes"]).output
    with pytest.raises(TableNotFound):
        service.get(code)
    assert service.database.read(lambda c: queries.match(c, record)).table_id is None
    assert flask(args=["tables", "delete", code, "--yes"]).exit_code == 1


def test_every_command_line_act_is_listed(flask, service):
    code, _ = playing(service, "Ann", "Ben")
    values = {"by_id": 1, "about_id": 2, "code": code, "reason": "insults"}
    values |= {"evidence": "[]", "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    for words in (
        ["tables", "end", code, "--yes"], ["tables", "end", code, "--yes"],
        ["reports", "close", "1"],
        ["tables", "delete", code, "--yes"],
        ["expire", "--days", "7"], ["ratings", "--void", code],
    ):  # fmt: skip
        flask(args=words)
    found = service.database.read(lambda c: hosts.acts(c, 9))
    assert [(it.host, it.act, it.about) for it in reversed(found)] == [
        ("command line", "end table", code),
        ("command line", "close report", "report 1"),
        ("command line", "note", f"table {code}"),
        ("command line", "expire 7 days", "0 tables"),
    ]


def test_idle_table_expires_and_active_table_stays(tables, fake_clock):
    old, _ = playing(tables, "Ann", "Ben")
    fake_clock.sleep(20 * DAY)
    used, _ = opened(tables, "Cid")
    fake_clock.sleep(11 * DAY)
    assert expire(tables, 0) == 0
    assert expire(tables, 30) == 1
    with pytest.raises(TableNotFound):
        tables.get(old)
    assert tables.get(used).table.chairs[0].name == "Cid"
    assert tables_of(tables, "0" * 64) == []


def test_every_table_is_replayed_with_one_command(flask, service):
    playing(service, "Ann", "Ben")
    code, ids = playing(service, "Cid", "Dot")
    all_ready(service, code, ids)
    assert flask(args=["replay"]).exit_code == 2
    result = flask(args=["replay", "--all"])
    assert "2 tables, 0 with a difference." in result.output
    assert result.exit_code == 0


@pytest.fixture
def fresh(tmp_path):
    """Another server's empty database, migrated."""
    url = f"sqlite:///{tmp_path}/fresh.sqlite3"
    upgrade(url, SECRET)
    database = Database(url, SECRET)
    yield database
    database.close()


def rows(database):
    def read(connection):
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in all_tables().sorted_tables
        }

    found = database.read(read)
    return {name: sorted(each, key=repr) for name, each in found.items()}


def test_a_backup_of_either_store_restores_every_row(tables, fresh, tmp_path):
    code, ids = playing(tables, "Ann", "Ben")
    all_ready(tables, code, ids)
    seen = []
    saved = save(tables.database, tmp_path / "saved.gz", seen.append)
    assert load(fresh, tmp_path / "saved.gz", seen.append) == saved == seen[-1]
    assert rows(fresh) == rows(tables.database)
    moved = TableService(fresh, now=tables.now)
    assert to_json(moved.get(code).state) == to_json(tables.get(code).state)
    press(moved, code, ids[0], "draw")
    assert check(moved, code).wrong == []


def test_backup_reports_progress_by_rows(tables, fresh, tmp_path, monkeypatch):
    """Restoring reads the same number of rows at a time, table by table."""
    monkeypatch.setattr(backup, "AT_ONCE", 3)
    playing(tables, "Ann", "Ben", "Cid", "Dot")
    saved, loaded = [], []
    rows = save(tables.database, tmp_path / "saved.gz", saved.append)
    assert saved == list(range(3, rows + 1, 3))
    load(fresh, tmp_path / "saved.gz", loaded.append)
    assert loaded[-1] == rows
    assert max(later - so_far for so_far, later in pairwise([0, *loaded])) == 3
    assert loaded[:2] == [3, 4], "four players: three together, then the last"


def rewritten(file, change):
    """Rewrite a backup: `change` receives each of its lines, and returns it, or None."""
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    kept = [line for line in map(change, map(json.loads, lines)) if line is not None]
    file.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in kept).encode()))


def test_backup_of_the_previous_version_is_restored(tables, fresh, tmp_path):
    code, ids = playing(tables, "Ann", "Ben")
    file = tmp_path / "old.gz"
    save(tables.database, file)

    def as_in_2(line):
        if isinstance(line, dict):
            return {"format": "kaboom-backup/2", "rows": line["rows"]}
        if line[0] == "players":
            line[1].pop()  # the time of the last action was not stored
        return line

    rewritten(file, as_in_2)
    load(fresh, file)
    moved = TableService(fresh, now=tables.now)
    assert moved.get(code, "key of Ann").player == ids[0]
    assert players.player(moved, "key of Ben", "Ben")[0] == ids[1]


# The number of columns when backups had format 5, and the tables that did not exist.
OF_5 = {"accounts": 7, "call_settings": 9, "tables": 13, "matches": 19, "parts": 4}
SINCE_5 = {
    *("clubs", "members", "club_dates", "date_goers", "notices", "rating_wishes", "ratings"),
    *("rating_steps", "tournaments", "tournament_events", "entrants", "pods"),
}


def test_old_backup_without_clubs_and_ratings_is_restored(tables, fresh, tmp_path):
    code, ids = playing(tables, "Ann", "Ben")
    all_ready(tables, code, ids)
    file = tmp_path / "old.gz"
    save(tables.database, file)

    def as_in_5(line):
        if isinstance(line, dict):
            return {"format": "kaboom-backup/5", "rows": line["rows"]}
        if line == "end":
            return line
        name, row = line
        return None if name in SINCE_5 else [name, row[: OF_5.get(name, len(row))]]

    rewritten(file, as_in_5)
    load(fresh, file)
    assert rows(fresh) == rows(tables.database)
    moved = TableService(fresh, now=tables.now)
    press(moved, code, ids[0], "draw")
    assert check(moved, code).wrong == []


def test_backup_names_its_schema_and_a_later_one_is_refused(tables, fresh, tmp_path):
    playing(tables, "Ann", "Ben")
    file = tmp_path / "saved.gz"
    save(tables.database, file)
    newest = max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    assert backup.head(file)["schema"] == newest

    def later(line):
        return line | {"schema": "9999"} if isinstance(line, dict) else line

    rewritten(file, later)
    with pytest.raises(InvalidBackup, match=rf"later version of Kaboom.*9999, ours {newest}"):
        load(fresh, file)
    assert not any(rows(fresh).values())


def test_backup_under_load_has_consistent_matches(tables, fresh, tmp_path):
    """Each match in it is an exact beginning of the match played meanwhile."""
    games = [playing(tables, "Ann", "Ben") for _ in range(4)]
    for code, ids in games:
        all_ready(tables, code, ids)
    done = threading.Event()

    def play():
        while not done.is_set():
            for code, ids in games:
                seat = tables.get(code).waiting_for()[0]
                for verb in ("draw", "discard"):
                    press(tables, code, ids[seat], verb)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        for number in range(5):
            save(tables.database, tmp_path / f"{number}.gz")
    finally:
        done.set()
        thread.join()
    load(fresh, tmp_path / "4.gz")
    restored = TableService(fresh, now=tables.now)
    for code, _ in games:
        assert check(restored, code).wrong == []
        then = restored.get(code).table
        assert moves_of(tables, code)[then.seq - 1].chain == then.chain


def test_restoring_ends_the_matches_that_were_being_played(flask, service, tmp_path):
    code, _ = playing(service, "Ann", "Ben")
    file = tmp_path / "saved.gz"
    assert "Keep SECRET_KEY" in flask(args=["backup", str(file)]).output
    assert "not empty" in flask(args=["restore", str(file)]).output
    service.database.write(lambda c: [c.execute(t.delete()) for t in CHILDREN_FIRST])
    assert "1 running matches ended" in flask(args=["restore", str(file)]).output
    assert service.get(code).table.outcome.reason == "stopped"
    service.database.write(lambda c: [c.execute(t.delete()) for t in CHILDREN_FIRST])
    flask(args=["restore", str(file), "--resume"])
    service.seen.clear()
    assert service.get(code).table.playing


CHILDREN_FIRST = list(reversed(all_tables().sorted_tables))


def test_restore_names_a_damaged_table_and_ends_other_matches(flask, service, tmp_path):
    (damaged, _), (whole, _) = playing(service, "Ann", "Ben"), playing(service, "Cid", "Dot")
    damage.run(service, "UPDATE tables SET game = 'whist' WHERE code = :code", code=damaged)
    file = tmp_path / "saved.gz"
    flask(args=["backup", str(file)])
    service.database.write(lambda c: [c.execute(t.delete()) for t in CHILDREN_FIRST])
    restored = flask(args=["restore", str(file)])
    assert restored.exit_code == 0, restored.output
    assert f"{damaged}: damaged; cannot be continued." in restored.output
    assert "1 running matches ended" in restored.output
    assert not service.get(whole).table.playing


def test_a_backup_is_restored_only_with_its_secret(tables, tmp_path):
    """Otherwise the server would have data it cannot use, and could not be restored again."""
    promise_ahead(tables)
    save(tables.database, tmp_path / "saved.gz")
    url = f"sqlite:///{tmp_path}/elsewhere.sqlite3"
    upgrade(url, "y" * 32)
    with closing(Database(url, "y" * 32)) as elsewhere:
        with pytest.raises(InvalidBackup, match=r"SECRET_KEY .* Nothing was restored"):
            load(elsewhere, tmp_path / "saved.gz")
        assert not any(rows(elsewhere).values())


def test_failed_backup_leaves_nothing(tables, tmp_path, monkeypatch):
    def no_more(rows):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    playing(tables, "Ann", "Ben")
    with (
        pytest.raises(OSError, match="No space left") as failed,
        pytest.MonkeyPatch.context() as it,
    ):
        it.setattr(backup, "AT_ONCE", 1)
        save(tables.database, tmp_path / "saved.gz", no_more)
    assert sentence(failed.value) == f"{tmp_path}/saved.gz: No space left on device."
    assert not list(tmp_path.glob("saved*"))


def test_a_damaged_backup_restores_nothing(tables, fresh, tmp_path):
    playing(tables, "Ann", "Ben")
    whole = tmp_path / "saved.gz"
    save(tables.database, whole)
    lines = gzip.decompress(whole.read_bytes()).splitlines(keepends=True)
    broken = {
        "incomplete": gzip.compress(b"".join(lines[:-1])),
        "damaged": whole.read_bytes()[:-20],
        "cannot be read as a Kaboom backup": b"something else",
        "not in the format": gzip.compress(b'{"format": "kaboom-backup/0"}\n'),
        "no table horses": gzip.compress(b"".join([lines[0], b'["horses", [[1]]]\n', lines[-1]])),
    }
    for said, content in broken.items():
        file = tmp_path / "broken.gz"
        file.write_bytes(content)
        with pytest.raises(InvalidBackup, match=said):
            load(fresh, file)
        assert not any(rows(fresh).values()), said


def test_restore_turns_old_table_webhooks_into_channels(flask, app, service, tmp_path, monkeypatch):
    """Backups of 0.1.0 have them; `migrate` does the same to databases."""
    code, (ann, ben) = playing(service, "Ann", "Ben")
    address, base = "https://hooks.slack.com/x", "https://cards.example"

    def as_of_old(connection):
        kept = json.dumps({"to": address, "link": f"{base}/t/{code}"})
        for player, what in ((ann, "damaged"), (ben, kept)):
            sealed = b64encode(connection.info["cipher"].encrypt(what.encode(), "webhook")).decode()
            mine = sittings.c.player_id == player
            connection.execute(sittings.update().where(mine).values(webhook=sealed, failures=5))

    service.database.write(as_of_old)
    file = tmp_path / "old.gz"
    save(service.database, file)

    def as_of_0020(line):
        if isinstance(line, dict):
            return line | {"schema": "0020"}
        return [line[0], line[1][:-1]] if line[0] == "matches" else line  # it had no `origin`

    rewritten(file, as_of_0020)
    url = f"sqlite:///{tmp_path}/new.sqlite3"
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], database_url=url))
    with served(app, url):
        assert "restored" in flask(args=["restore", str(file), "--resume"]).output
        tables = app.config["TABLES"]
        assert channels.hook(tables, code, ann) == channels.Hook()
        assert channels.hook(tables, code, ben) == channels.Hook(address)
        assert channels.kept(tables, ben).wishes.base == base
