"""Commands for hosts and developers."""

import errno
import gc
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from kaboom import gunicorn_conf
from kaboom.__main__ import kaboom
from kaboom.cli import develop
from kaboom.cli.errors import sentence
from kaboom.config import ROOT, SETTINGS, InvalidSetting, ServerSettings, from_environment, misspelt
from kaboom.engine.bots.evaluate import Measured
from kaboom.games import GAMES
from tests.support.finished_matches import play_to_the_end
from tests.support.server import SECRET, free_port
from tests.tables.test_service import all_ready, opened, playing, press


@pytest.fixture
def flask(app):
    return app.test_cli_runner().invoke


def test_replay_confirms_a_stored_match(flask, service):
    code, ids = playing(service, "Ann", "Ben")
    all_ready(service, code, ids)
    press(service, code, ids[0], "draw")
    result = flask(args=["replay", code])
    assert result.exit_code == 0
    assert result.output == f"{code}: 3 moves, all as stored\n"


TAMPERED = [
    ("UPDATE moves SET at = at + 1 WHERE seq = 1", "move 1 is not what was logged"),
    ("UPDATE moves SET text = x'00' WHERE seq = 1", "cannot decrypt a move"),
]


@pytest.mark.parametrize(("change", "said"), TAMPERED)
def test_replay_reports_a_log_that_was_tampered_with(flask, service, change, said):
    code, ids = playing(service, "Ann", "Ben")
    all_ready(service, code, ids)

    def tamper(connection):
        connection.exec_driver_sql("DROP TRIGGER moves_are_final")
        connection.exec_driver_sql(change)

    service.database.write(tamper)
    result = flask(args=["replay", code])
    assert result.exit_code == 1
    assert said in result.output


def test_a_record_is_printed_and_verified(flask, service, tmp_path):
    code, _ = play_to_the_end(service, "gops")
    record = service.get(code).table.record
    printed = flask(args=["record", record.lower()])
    assert printed.exit_code == 0
    file = tmp_path / "record.json"
    file.write_text(printed.output)
    good = flask(args=["verify", str(file)])
    assert (good.exit_code, good.output) == (0, f"{record}: 26 moves, all true\n")
    file.write_text(printed.output.replace('"Ann"', '"Eve"'))
    bad = flask(args=["verify", str(file)])
    assert bad.exit_code == 1
    assert "It was changed after it was closed." in bad.output
    file.write_text("nothing")
    assert flask(args=["verify", str(file)]).exit_code == 1
    assert "no match with that code" in flask(args=["record", "AAAABBBB"]).output


def test_replay_of_an_unknown_table_fails(flask):
    result = flask(args=["replay", "AAAABBBB"])
    assert result.exit_code == 1
    assert "no such table" in result.output


def test_migrate_succeeds(flask, app, sqlite_url, monkeypatch):
    monkeypatch.setitem(app.config, "SERVER", ServerSettings(sqlite_url))
    assert flask(args=["migrate"]).exit_code == 0


@pytest.mark.parametrize("key", list(GAMES))
def test_a_playthrough_can_be_written_for_every_game(flask, key, tmp_path):
    out = tmp_path / "new folder" / "match.txt"
    result = flask(args=["playthrough", key, "--seed", "7", "--most", "20", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_text().startswith(f"game: {key} version")


def test_invalid_option_is_reported_in_a_sentence(flask):
    result = flask(args=["playthrough", "kaboom", "-o", "rounds=99"])
    assert result.exit_code == 2
    assert "Rounds must be a whole number" in result.output


@pytest.mark.parametrize("against", ["random", "easy", "match-the-prize"])
def test_simulate_prints_the_share_of_wins_and_the_times(flask, against):
    result = flask(args=["simulate", "gops", "--games", "2", "--against", against])
    assert result.exit_code == 0, result.output
    assert f"GOPS, hard against {against}: " in result.output
    assert "% of the wins (fair 50.0 %)" in result.output
    assert re.search(r"worst: +[\d.]+ ms = +[\d.]+ loops", result.output)


def test_simulate_prints_shares_against_the_test_set(flask):
    result = flask(
        args=["simulate", "gops", "--games", "2", "--against", "population", "--half", "unseen"]
    )
    assert result.exit_code == 0, result.output
    assert "GOPS, hard against the unseen half:" in result.output
    assert re.search(r"  memory 3 +[\d.]+ ± [\d.]+ %", result.output)
    assert re.search(r"  all who think +[\d.]+ ± [\d.]+ %", result.output)
    assert "memory 2" not in result.output and "tuning" not in result.output


def test_each_rival_of_the_population_plays_different_deals(flask, monkeypatch):
    played = []

    def in_field(game, hero, rivals, deals, *rest):
        played.extend(deals)
        return Measured(2, shares=[0.5 for _ in deals])

    monkeypatch.setattr(develop, "in_field", in_field)
    result = flask(args=["simulate", "gops", "--games", "6", "--against", "population"])
    assert result.exit_code == 0, result.output
    half = len(played) // 2
    assert half == 15 * 3 and played[:half] == played[half:] == [*range(half)]


def test_simulate_lists_the_available_opponents(flask):
    result = flask(args=["simulate", "gops", "--against", "nobody"])
    assert result.exit_code == 2
    assert "random, easy, normal, hard, population, anything, match-the-prize" in result.output


def test_settings_come_from_the_environment():
    settings = from_environment({"BOT_PACE": "brisk", "PROXIES": "2", "RATE_LIMITS": "0"})
    assert settings.bot_pace == "brisk"
    assert settings.proxies == 2
    assert not settings.rate_limits
    assert from_environment({}) == ServerSettings()


@pytest.mark.parametrize(
    "environ",
    [
        {"BOT_PACE": "fast"}, {"PROXIES": "-1"}, {"PROXIES": "x"},
        {"WEB_CONCURRENCY": "two"}, {"EXPIRE_DAYS": "1.5"}, {"CLOCK": "yes"}, {"RATE_LIMITS": "2"},
        {"DATABASE_URL": "mysql://x"}, {"REDIS_URL": "127.0.0.1"}, {"PUBLIC_URL": "cards.org"},
        {"CONTACT": "call me"},
        {"SECRET_KEY": "short"}, {"SECRET_KEY": f"{'x' * 32} short"},
        {"DATABASE_URL": "postgresql://x", "SECRET_KEY": ""},
        {"DATABASE_URL": "sqlite:///"}, {"SECRET_KEY": "x" * 32, "DATABASE_URL": "postgresql://h:p/"},
        {"REDIS_URL": "redis://:a#b@localhost"}, {"PUBLIC_URL": "https://"}, {"PORT": "web"},
        {"PUBLIC_URL": "https://example.org/my cards"}, {"PUBLIC_URL": "https://example.org/a/../b"},
        {"PUBLIC_URL": "https://example.org//a"}, {"HOST": "unix:"}, {"HOST": "unix:kaboom.sock"},
        {"PUBLIC_URL": "https://example.org?lang=en"}, {"PUBLIC_URL": "https://example.org/#top"},
        {"PUBLIC_URL": "https:////"}, {"PUBLIC_URL": "https:///cards"},
        {"PORT": "65536"}, {"TRUSTED_HOSTS": "https://cards.example.org"},
    ],
)  # fmt: skip
def test_invalid_setting_is_reported_in_a_sentence(environ):
    with pytest.raises(InvalidSetting, match=f"^.*{list(environ)[-1]} (must|is needed)"):
        from_environment(environ)


def test_misspelled_setting_is_reported_with_a_suggestion():
    meant = {"DATABSE_URL": "x", "SECRETKEY": "x", "RATE_LIMIT": "0"}
    usual = {"HOSTNAME": "x", "HTTP_PROXY": "x", "PATH": "x", "LANGUAGE": "x", "MAIL": "x"}
    assert misspelt(meant | usual) == [
        "DATABSE_URL is not a setting. Did you mean DATABASE_URL?",
        "RATE_LIMIT is not a setting. Did you mean RATE_LIMITS?",
        "SECRETKEY is not a setting. Did you mean SECRET_KEY?",
    ]


def test_guide_lists_exactly_the_settings_that_exist():
    guide = (ROOT / "docs" / "hosting.md").read_text().split("## Every setting")[1]
    cells = re.findall(r"^\| (`[^|]+) \|", guide.split("## Commands")[0], re.MULTILINE)
    assert sorted(re.findall("`([A-Z_]+)`", " ".join(cells))) == sorted(SETTINGS)


def invoked(*command, **environ):
    """Return the result of a host's command, run in this process. The rate limiter is shared with
    other tests, so it stays off.
    """
    return CliRunner().invoke(kaboom, command, env={"RATE_LIMITS": "0"} | environ)


@pytest.mark.parametrize("text", ["some", "²"])  # Unicode calls a superscript a digit
def test_invalid_setting_ends_a_command_with_its_sentence(text):
    ended = invoked("migrate", PROXIES=text)
    assert (ended.exit_code, ended.stderr) == (
        1, f"Error: PROXIES must be a whole number, not “{text}”.\n"
    )  # fmt: skip


def test_help_needs_no_settings_and_describes_every_command():
    said = invoked("--help", PROXIES="some")
    assert said.exit_code == 0
    assert "..." not in said.output.split("Commands:")[1]


def unusable(folder):
    """Return unusable DATABASE_URLs with their error messages."""
    (folder / "text").write_text("This is no database. " * 99)
    return {
        "file is not a database": f"sqlite:///{folder}/text",
        "unable to open database file": f"sqlite:///{folder}",
        "Connection refused": "postgresql://nobody@127.0.0.1:1/none",
    }


def test_unusable_database_is_reported_on_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "x" * 32)
    for why, url in unusable(tmp_path).items():
        for command in (["migrate"], ["tables", "list"]):
            ended = invoked(*command, DATABASE_URL=url)
            assert ended.exit_code == 1
            assert ended.output.startswith("Error: The database cannot be used (")
            assert why in ended.output
            assert ended.output.count("\n") == 1


def test_damaged_database_is_reported_as_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "x" * 32)
    (tmp_path / "games.sqlite3").write_text("This was a database once. " * 40)
    ended = invoked("tables", "list", DATABASE_URL=f"sqlite:///{tmp_path}/games.sqlite3")
    assert ended.output == (
        "Error: The database cannot be used (file is not a database): its file is damaged. Keep a "
        "copy of it, and restore a backup into a new one (docs/when-something-goes-wrong.md).\n"
    )


def test_full_disk_is_reported_in_one_sentence():
    full = OSError(errno.ENOSPC, "No space left on device")
    assert sentence(full) == "No space left on device."


def test_a_secret_that_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    ended = invoked("tables", "list", DATABASE_URL=f"sqlite:///{tmp_path}/games.sqlite3")
    assert ended.output == f"Error: {tmp_path}/games.sqlite3.key: No space left on device.\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("host", "said"),
    [("127.0.0.1", "is already in use, perhaps by another Kaboom"), ("nowhere.invalid", "HOST")],
)
def test_play_reports_an_unavailable_port_at_once(tmp_path, host, said):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        ended = invoked("play", DATABASE_URL=f"sqlite:///{tmp_path}/x", HOST=host, PORT=port)
    assert ended.exit_code == 1
    assert said in ended.output
    assert "Kaboom is at" not in ended.output
    assert ended.output.count("\n") == 1


def test_uncreatable_folder_is_reported_on_one_line(tmp_path):
    (tmp_path / "file").touch()
    ended = invoked("migrate", DATABASE_URL=f"sqlite:///{tmp_path}/file/games.sqlite3")
    assert ended.exit_code == 1
    assert ended.output.startswith(f"Error: {tmp_path}/file")
    assert ended.output.count("\n") == 1


def test_unwritable_backup_is_reported_on_one_line(sqlite_url):
    ended = invoked("backup", "/no/such", DATABASE_URL=sqlite_url, SECRET_KEY=SECRET)
    assert ended.output == "Error: /no/such.part: No such file or directory.\n"


@pytest.mark.parametrize("name", ["HALL", "HALLS"])
def test_removed_hall_setting_is_refused_with_instructions(name):
    with pytest.raises(
        InvalidSetting, match=f"^{name} is set, but halls were removed.*docs/scale.md"
    ):
        from_environment({name: "B"})
    assert from_environment({name: ""}) == ServerSettings()


def test_servers_with_different_secrets_use_different_channels():
    one, other = (from_environment({"SECRET_KEY": secret * 32}) for secret in "xy")
    newer = from_environment({"SECRET_KEY": f"{'z' * 32} {'x' * 32}"})
    assert one.channel == newer.channel != other.channel  # on one Redis


def test_unmigrated_database_stops_the_server_with_advice(tmp_path):
    environ = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3", "PORT": "0", "HOST": "127.0.0.1"
    }  # fmt: skip
    ended = subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", "kaboom/gunicorn_conf.py", "kaboom.wsgi:app"],
        cwd=ROOT,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 3
    assert "has not been set up" in ended.stderr
    assert "Run `kaboom migrate` first." in ended.stderr
    assert "Traceback" not in ended.stderr


def test_invalid_setting_stops_the_server_with_its_sentence(tmp_path):
    for command in (["-m", "gunicorn", "-c", "kaboom/gunicorn_conf.py", "wsgi:app"], ["app.py"]):
        ended = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=os.environ | {"PROXIES": "some"},
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert ended.returncode == 1
        assert ended.stderr == "PROXIES must be a whole number, not “some”.\n"


def test_help_states_where_the_server_listens_and_stores_games():
    told = invoked("play", "--help").output
    for setting in ("HOST", "PORT", "DATABASE_URL"):
        assert setting in SETTINGS and setting in told


def test_app_py_can_be_run_from_any_folder(tmp_path):
    only_check = f"""
import os, runpy, sys
sys.path[0] = {str(ROOT)!r}  # as Python does for a file that is run
serve = os.execve
os.execve = lambda path, command, environ: serve(path, [*command, "--check-config"], environ)
runpy.run_path({str(ROOT / "app.py")!r}, run_name="__main__")
"""
    ended = subprocess.run(
        [sys.executable, "-c", only_check],
        cwd=tmp_path,
        env=os.environ
        | {"DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3", "HOST": "127.0.0.1"}
        | {"PORT": str(free_port())},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Kaboom is at" in ended.stdout


@pytest.mark.parametrize(
    "command",
    [
        ("gunicorn", "--check-config", "-c", str(ROOT / "kaboom" / "gunicorn_conf.py"), "wsgi:app"),
        ("flask", "--app", str(ROOT / "wsgi.py"), "tables", "list"),
    ],
    ids=lambda it: it[0],
)
def test_servers_and_commands_start_in_any_folder(command, tmp_path, migrated_sqlite):
    shutil.copy(migrated_sqlite, tmp_path / "kaboom.sqlite3")
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=tmp_path,
        env=kept | {"DATABASE_URL": f"sqlite:///{tmp_path}/kaboom.sqlite3", "SECRET_KEY": SECRET},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.fixture
def collector():
    """The garbage collector, restored at the end."""
    thresholds = gc.get_threshold()
    yield gc
    gc.enable()
    gc.set_threshold(*thresholds)


def test_worker_collects_garbage_only_once_it_serves(collector):
    worker = SimpleNamespace(application=None, log=logging.getLogger("gunicorn"))
    gunicorn_conf.post_fork(None, worker)
    assert not collector.isenabled()
    gunicorn_conf.post_worker_init(worker)
    assert collector.isenabled()


def test_worker_logs_through_gunicorn(collector, monkeypatch):
    """Its lines have the time and the process, like gunicorn's own."""
    lines = []
    told = logging.Handler()
    told.emit = lambda record: lines.append(record.getMessage())
    monkeypatch.setattr(logging.getLogger("gunicorn.error"), "handlers", [told])
    monkeypatch.setattr(logging.getLogger("kaboom"), "handlers", [])
    gunicorn_conf.post_fork(None, None)
    logging.getLogger("kaboom.db").warning("the database cannot be read")
    assert lines == ["the database cannot be read"]


def test_worker_exit_leaves_the_database_in_one_file(app, sqlite_url):
    """A host who copies only that file from a stopped server copies every move."""
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    log = file.with_name(file.name + "-wal")
    opened(app.config["TABLES"], "Ann")
    assert log.stat().st_size
    gunicorn_conf.worker_exit(None, SimpleNamespace(application=app))
    assert not log.exists()
    gunicorn_conf.worker_exit(None, SimpleNamespace())  # a worker that could not start


def test_a_server_accepts_its_own_host_names_only(app, monkeypatch):
    monkeypatch.setitem(app.config, "TRUSTED_HOSTS", ["cards.example.org"])
    client = app.test_client()
    assert client.get("/", headers={"Host": "cards.example.org"}).status_code == 200
    assert client.get("/", headers={"Host": "elsewhere.example.org"}).status_code == 400


def test_version_option_prints_the_version():
    answer = CliRunner().invoke(kaboom, ["--version"])
    assert answer.exit_code == 0
    assert answer.output == f"Kaboom {version('kaboom-cardroom')}\n"
