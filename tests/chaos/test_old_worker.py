"""Migrations while an old worker serves: it continues on the new schema, beside a new worker.

The old worker runs an earlier commit of the repository with the libraries it pinned. Without the
history or those libraries the tests are skipped.
"""

import io
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from kaboom.db.database import Database
from kaboom.tables.service import TableService
from tests.support.forms import Browser
from tests.support.server import ROOT, SECRET, HttpClient, Server

BEFORE_DAYS = "524ae5d"  # the last commit before correspondence games: its schema ends with 0014
RELEASE_1 = "c90d675~"  # 0.1.0: its schema ends with 0003
UV = str(Path(sys.executable).with_name("uv"))
VERBS = ("ready", "pass", "draw", "discard")  # the first one on offer is pressed


long = pytest.mark.nightly  # takes half a minute


@pytest.fixture(
    params=[
        (BEFORE_DAYS, "sqlite_url"),
        pytest.param((BEFORE_DAYS, "postgres_url"), marks=long),
        pytest.param((RELEASE_1, "sqlite_url"), marks=long),
        pytest.param((RELEASE_1, "postgres_url"), marks=long),
    ],
    ids=lambda case: " ".join(case),
)
def case(request):
    """An earlier commit, and a store migrated to the newest schema."""
    commit, url = request.param
    return commit, request.getfixturevalue(url)


@pytest.fixture
def old_code(case, tmp_path):
    """The code of the earlier commit, in a separate folder."""
    commit, _ = case
    command = ["git", "-C", str(ROOT), "archive", commit]
    found = subprocess.run(command, capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"the history of this repository does not go back to {commit}")
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as packed:
        packed.extractall(tmp_path / "old", filter="data")
    return tmp_path / "old"


@pytest.fixture
def old_libraries(old_code, tmp_path):
    """The libraries that the earlier commit pinned, in a separate folder."""
    folder, named = tmp_path / "libraries", ("requirements.lock", "requirements.txt")
    pinned = next(old_code / name for name in named if (old_code / name).exists())
    install = [UV, "pip", "install", "--quiet", "--python", sys.executable]
    command = [*install, "--target", str(folder), "--requirement", str(pinned)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and not os.environ.get("CI"):
        pytest.skip(f"the libraries of that commit cannot be installed: {done.stderr}")
    assert not done.returncode, done.stderr
    return folder


@pytest.fixture
def servers(case, old_code, old_libraries):
    """The old worker and the new one, on one store."""
    _, url = case
    old = Server(url, root=old_code, PYTHONPATH=str(old_libraries))
    new = Server(url)
    named = ("gunicorn.conf.py", "kaboom/serving.py", "kaboom/gunicorn_conf.py")
    settings = next(name for name in named if (old_code / name).exists())
    old.command = ["-m", "gunicorn", "-c", settings, "wsgi:app"]
    try:
        yield old.start(), new.start()
    finally:
        old.kill()
        new.kill()


def looks(person: Browser, server: Server, path: str) -> Browser:
    """Let a player read a page of one of the two servers, in the same browser."""
    person.client.url = server.url
    person.open(path)
    assert person.status == 200, f"{path}: {person.status}"
    return person


def moves(person: Browser, path: str) -> bool:
    """Press what the page prompts for; return True if it prompted."""
    offered = {button[1].split()[1]: (form, button) for form, button in person.page.moves()}
    for verb in VERBS:
        if verb in offered:
            person.send(*offered[verb])
            assert person.status == 200
            return True
    return False


def test_old_worker_beside_a_new_one_loses_no_moves_or_days(case, servers):
    old, new = servers
    ann, ben = Browser(HttpClient(new.url)), Browser(HttpClient(new.url))
    looks(ann, new, "/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", days="2")
    path = re.search(r"/t/\w{8}", ann.html)[0]
    looks(ben, old, path)
    ben.send(ben.page.form("/sit"), name="Ben")
    looks(ann, new, path)
    ann.send(ann.page.form("/start"))
    made = 0
    for n in range(8):
        for person in (ann, ben):
            looks(person, servers[n % 2], path)
            made += moves(person, path)
    database = Database(case[1], SECRET)
    try:
        found = TableService(database).get(path[3:])
        assert made >= 8
        assert found.table.seq == made  # moves acknowledged by either server are in the one log
        assert (found.table.days, found.frozen) == (2, "")
        looks(ann, old, "/start/gops")
        ann.send(ann.page.form("/tables"), name="Ann")
        another = re.search(r"/t/\w{8}", ann.html)[0]
        looks(ann, new, another)
        assert TableService(database).get(another[3:]).table.days == 0
        for page in ("/", "/lobby", path):
            looks(ben, old, page)
        while not moves(looks(ann, new, path), path):
            moves(looks(ben, new, path), path)
        assert re.search(r"ha(s|ve) 2 days left", looks(ann, new, path).page.text)
    finally:
        database.close()
