"""`flask run` does for who works on Kaboom what gunicorn does, the clock and bots included."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request

import click
import pytest

from kaboom.cli.flask_run import serves_here, settings_of_process
from tests.support.effort import PATIENCE
from tests.support.server import ROOT, SECRET, free_port, with_us


def ask(url, path, key="", **fields):
    """Return what JSON says at an address; with fields, after sending them."""
    head = {"Accept": "application/json", "Content-Type": "application/json"}
    head |= {"Authorization": f"Bearer {key}"} if key else {}
    data = json.dumps(fields).encode() if fields else None
    with urllib.request.urlopen(
        urllib.request.Request(url + path, data, head), timeout=PATIENCE
    ) as it:
        return json.loads(it.read())


@pytest.fixture
def url(migrated_sqlite, tmp_path):
    """Where Flask's own server serves, with its debugger and reloader, from another folder."""
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
            assert process.poll() is None and time.monotonic() < end, "it does not serve"
            time.sleep(0.1)
    yield url
    os.killpg(process.pid, 15)
    process.wait(30)


def test_under_flask_run_bots_play_and_the_clock_goes(url):
    key = ask(url, "/guests", name="Ann")["key"]
    table = ask(url, "/tables", key, game="gops", name="Ann", bots=1, start=True)
    path, end = f"/t/{table['code']}", time.monotonic() + PATIENCE
    while "play" not in table["stage"]:
        assert time.monotonic() < end
        table = ask(url, f"{path}.json", key)
    offer = next(it for it in table["moves"] if it["blocks"])
    move = " ".join([offer["verb"], *offer["some"][0]])
    table = ask(url, f"{path}/move", key, answers=offer["answers"], move=move)
    while not table["facts"]["history"]:  # the bot has bid, and the bids were turned up
        assert time.monotonic() < end, table
        table = ask(url, f"{path}.json?wait=5&v={table['revision']}", key)


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
def test_only_the_process_that_serves_has_a_clock(
    monkeypatch, command, reload, debug, child, serves
):
    monkeypatch.setenv("FLASK_DEBUG", debug)
    monkeypatch.setenv("WERKZEUG_RUN_MAIN", child)
    with click.Context(click.Command(command), info_name=command) as context:
        context.params["reload"] = reload
        assert serves_here() == serves
        marked = "FLASK_RUN_FROM_CLI" in settings_of_process({"FLASK_RUN_FROM_CLI": "true"})
        assert marked != serves
    assert not serves_here()
