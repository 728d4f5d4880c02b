"""`flask run` gives developers what gunicorn gives hosts, including the clock and bots."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request

import click
import pytest

from kaboom.app import create_app
from kaboom.cli.flask_run import serves_here, settings_of_process
from kaboom.config import ServerSettings
from kaboom.web import assets, errors
from tests.support.app import close
from tests.support.effort import PATIENCE
from tests.support.server import ROOT, SECRET, free_port, with_us


def ask(url, path, key="", **fields):
    """Return the JSON at an address; with fields, the answer to posting them."""
    head = {"Accept": "application/json", "Content-Type": "application/json"}
    head |= {"Authorization": f"Bearer {key}"} if key else {}
    data = json.dumps(fields).encode() if fields else None
    with urllib.request.urlopen(
        urllib.request.Request(url + path, data, head), timeout=PATIENCE
    ) as it:
        return json.loads(it.read())


@pytest.fixture
def url(migrated_sqlite, tmp_path):
    """The address of Flask's own server with debugger and reloader, started in another folder."""
    shutil.copy(migrated_sqlite, tmp_path / "kaboom.sqlite3")
    port = free_port()
    settings = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/kaboom.sqlite3",
        "SECRET_KEY": SECRET,
        "BOT_PACE": "instant",
        "RATE_LIMITS": "0",
    }
    flask = (sys.executable, "-m", "flask", "--app", str(ROOT / "wsgi.py"))
    process = subprocess.Popen(
        [*with_us(), *flask, "run", "--debug", "--port", str(port)],
        cwd=tmp_path,
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    url, end = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url + "/healthz", timeout=5).read()
            break
        except OSError:
            assert process.poll() is None and time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)
    yield url
    os.killpg(process.pid, 15)
    process.wait(30)


def test_flask_run_drives_the_bots_and_the_clock(url):
    key = ask(url, "/guests", name="Ann")["key"]
    table = ask(url, "/tables", key, game="gops", name="Ann", bots=1, start=True)
    path, end = f"/t/{table['code']}", time.monotonic() + PATIENCE
    while "play" not in table["stage"]:
        assert time.monotonic() < end
        table = ask(url, f"{path}.json", key)
    offer = next(it for it in table["moves"] if it["blocks"])
    move = " ".join([offer["verb"], *offer["some"][0]])
    table = ask(url, f"{path}/move", key, answers=offer["answers"], move=move)
    while not table["facts"]["history"]:  # until the bot has bid and the bids were revealed
        assert time.monotonic() < end, table
        table = ask(url, f"{path}.json?wait=5&v={table['revision']}", key)


@pytest.mark.parametrize("debug", [True, False])
def test_error_is_raised_in_debug_mode_only(monkeypatch, app, debug):
    monkeypatch.setattr(app, "debug", debug)
    with app.test_request_context("/"):
        if debug:
            with pytest.raises(ZeroDivisionError):
                errors.failed(ZeroDivisionError())
        else:
            assert errors.failed(ZeroDivisionError()).status_code == 500


@pytest.mark.parametrize("debug", ["1", "0"])
def test_debug_mode_reads_a_changed_sheet_at_the_next_request(
    monkeypatch, sqlite_url, tmp_path, debug
):
    monkeypatch.setenv("FLASK_DEBUG", debug)
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    app = create_app(ServerSettings(sqlite_url, SECRET, clock=False, rate_limits=False))
    assets.load.cache_clear()
    seen = []
    for sheet in ("one{}", "two{}"):
        (tmp_path / "a.css").write_text(sheet)
        seen.append(app.test_client().get("/static/a.css").text)
    close(app)
    assets.load.cache_clear()
    assert seen == ["one{}", "two{}" if debug == "1" else "one{}"]


@pytest.mark.parametrize(
    ("command", "reload", "debug", "child", "serves"),
    [
        ("run", None, "0", "", True),
        ("run", None, "1", "", False),
        ("run", None, "1", "true", True),
        ("run", False, "1", "", True),
        ("run", True, "0", "", False),
        ("tables", None, "0", "", False),
    ],
)
def test_only_the_serving_process_has_a_clock(monkeypatch, command, reload, debug, child, serves):
    monkeypatch.setenv("FLASK_DEBUG", debug)
    monkeypatch.setenv("WERKZEUG_RUN_MAIN", child)
    with click.Context(click.Command(command), info_name=command) as context:
        context.params["reload"] = reload
        assert serves_here() == serves
        marked = "FLASK_RUN_FROM_CLI" in settings_of_process({"FLASK_RUN_FROM_CLI": "true"})
        assert marked != serves
    assert not serves_here()
