"""The package in clients/python: at a real server, with the same connection code as play.py."""

import dataclasses
import json
import os
import random
import re
import shutil
import socket
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kaboom_client import Client, Gone, Refused, Table
from kaboom_client import connection as package
from kaboom_client import table as typed

from kaboom.engine.options import written
from kaboom.games import sample
from tests.formats.pythons import python_of
from tests.support.server import ROOT, free_port

FOLDER = ROOT / "clients" / "python"
SHARED = re.compile(r"^# ---- The connection.*^# ---- The end of the connection$", re.M | re.S)
SCHEMAS = {"Line": "Heard", "Wait": "Waited", "Vote": "VoteLine"}  # others have the same name
NOT_THERE = {"Table": {"format", "version"}}
OURS = {"Table": {"raw"}}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder into which pip has installed the package."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    shutil.copytree(FOLDER, source, ignore=shutil.ignore_patterns("__pycache__"))
    quiet = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    pip = [sys.executable, "-m", "pip", "install", *quiet, "--target", folder / "here", source]
    subprocess.run(pip, check=True)
    return folder / "here"


def choose(table):
    """Return the longest legal choice, of a move selected by the revision."""
    offer = random.Random(table.revision).choice(table.blocking)
    return (offer, *max(offer.some, key=len))


def opened(client, game="gops", **more):
    return client.open(game, start=True, **{"bots": 1, **more})


def test_play_py_has_the_connection_of_the_package():
    (here,) = SHARED.findall(Path(package.__file__).read_text())
    (there,) = SHARED.findall((ROOT / "static" / "play.py").read_text())
    assert here == there


def test_types_have_each_field_of_the_description(app):
    schemas = app.test_client().get("/openapi.json").json["components"]["schemas"]
    for kind in typed.FIELDS:
        name = kind.__name__
        described = set(schemas[SCHEMAS.get(name, name)]["properties"])
        fields = {it.name for it in dataclasses.fields(kind)}
        assert fields - OURS.get(name, set()) == described - NOT_THERE.get(name, set()), name


def test_example_bot_as_installed_plays_at_a_table(server, installed, tmp_path):
    assert (installed / "kaboom_client" / "py.typed").exists()
    ann = Client.guest(server.url, "Ann")
    table = ann.open("gops")
    bot = subprocess.Popen(
        [
            python_of("3.10"),
            "-X",
            "dev",
            str(FOLDER / "example_bot.py"),
            f"{server.url}/t/{table.code}",
        ],
        env={**os.environ, "KABOOM_KEYS": str(tmp_path / "keys.json"), "PYTHONPATH": installed},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not any(it.program and it.ready for it in table.chairs):
        assert bot.poll() is None, bot.communicate()
        table = ann.wait(table)
    assert "bot of Random" in [it.name for it in table.chairs]
    table = ann.play(ann.do(table.code, "start"), choose)
    said, wrong = bot.communicate(timeout=60)
    assert (bot.returncode, wrong) == (0, "")
    assert table.outcome and said.startswith("The match is over")


@pytest.mark.parametrize(("home", "why"), [("http://127.0.0.1:1", "reached"), ("x", "https")])
def test_example_bot_without_a_server_explains_why(tmp_path, home, why):
    program = "import sys, time, example_bot; time.sleep = id; exit(example_bot.main(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", program, f"{home}/t/K7M2Q4XA"],
        env={**os.environ, "KABOOM_KEYS": str(tmp_path / "keys.json"), "PYTHONPATH": FOLDER},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and why in done.stderr and "Traceback" not in done.stderr


def test_readme_example_plays_a_match_as_printed(server, installed):
    (code,) = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)
    done = subprocess.run(
        [sys.executable, "-c", code.replace("https://cards.example", server.url)],
        env={**os.environ, "PYTHONPATH": installed},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and re.search(r"\(\d, \d\)", done.stdout), done


def test_a_match_with_several_choices_is_played_in_words(server):
    """In Hearts three cards are passed first."""
    client, longest = Client.guest(server.url, "Ann"), []

    def by_words(table):
        chosen = choose(table)
        longest.append(len(chosen) - 1)
        return (chosen[0].verb, *chosen[1:])

    options = written(sample("hearts").short)
    table = client.play(opened(client, "hearts", bots=3, **options), by_words)
    assert table.outcome.places and table.record
    assert max(longest) == 3


def test_numbers_of_the_list_choose_several_cards(server):
    client = Client.guest(server.url, "Ann")
    several = []

    def by_numbers(table):
        offer, *choices = choose(table)
        numbers = []
        for choice in choices:  # equal cards are two options
            left = [it.n for it in offer.options if it.choice == choice and it.n not in numbers]
            numbers.append(left[0])
        several.append(len(numbers))
        return numbers or (offer.n,)

    options = written(sample("hearts").short)
    assert client.play(opened(client, "hearts", bots=3, **options), by_numbers).outcome
    assert max(several) == 3


def test_one_client_plays_two_tables_concurrently(server):
    client = Client.guest(server.url, "Ann")
    with ThreadPoolExecutor(2) as threads:
        played = [threads.submit(client.play, opened(client), choose) for _ in range(2)]
        tables = [it.result(timeout=120) for it in played]
    assert all(it.outcome for it in tables)
    assert tables[0].code != tables[1].code


def test_wait_and_updates_report_others_moves(server):
    ann, ben = Client.guest(server.url, "Ann"), Client.guest(server.url, "Ben")
    table = ann.open("gops")
    assert ann.wait(table, 0) == table
    updates = ann.updates(table.code)
    assert next(updates) == table
    waited = []
    thread = threading.Thread(target=lambda: waited.append(ann.wait(table)))
    thread.start()
    assert ben.join(table.code).me == 1
    thread.join(20)
    assert "Ben" in [it.name for it in waited[0].chairs]
    told = next(it for it in updates if [chair for chair in it.chairs if chair.name == "Ben"])
    assert told.revision > table.revision and told.stage == "open"
    updates.close()


def test_updates_of_an_unknown_table_are_refused(server):
    with pytest.raises(Refused, match="table") as no:
        next(Client.guest(server.url, "Ann").updates("K7M2Q4XA"))
    assert no.value.slug == "no-table"


def test_a_move_that_is_not_legal_changes_nothing(server):
    client = Client.guest(server.url, "Ann")
    table = opened(client)
    with pytest.raises(Refused) as no:
        client.move(table, "bid", "8S", "9S")
    now = Table.of(no.value.problem["now"])
    assert "exactly 1" in str(no.value) and now.offer("bid").options == table.offer("bid").options
    offer = table.offer("bid")
    client.check(table, offer, *offer.some[0])
    with pytest.raises(Refused):
        client.check(table, "bid", "XX")
    assert client.look(table.code).offer("bid").options == offer.options
    assert table.code in client.text(table.code, width=40)


def test_choose_is_called_again_only_after_a_change(monkeypatch):
    """The client retries when the table has changed; an illegal move is the program's own fault."""
    playing = Table("K7M2Q4XA", "gops", 1, "playing", 1, 5, waited=True, menu="m")
    over = dataclasses.replace(playing, stage="over", outcome=typed.Outcome())
    client, asked = Client("http://here"), []
    answers = [Refused(409, {"type": "/problems/too-late"})] * 2 + [over]

    def answer(*told, **more):
        found = answers.pop(0)
        if isinstance(found, Refused):
            raise found
        return found

    monkeypatch.setattr(client, "_move", answer)
    monkeypatch.setattr(client, "look", lambda code: playing)
    assert client.play(playing, lambda table: asked.append(table) or (1,)) is over
    assert len(asked) == 3
    answers[:] = [Refused(422, {"type": "/problems/illegal"}), over]
    with pytest.raises(Refused):
        client.play(playing, lambda table: (1,))
    answers[:] = [Refused(409, {"type": "/problems/not-on-offer"})] * 9
    with pytest.raises(Refused):
        client.play(playing, lambda table: (1,))
    assert len(answers) == 5


def test_remembered_player_is_replaced_once_the_key_is_invalid(server, tmp_path):
    keys = tmp_path / "keys.json"
    first = Client.remembered(server.url, "Ann", file=str(keys))
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600
    assert Client.remembered(server.url, "Ann", file=str(keys)).key == first.key
    assert Client.remembered(server.url, "Ann", bot=True, file=str(keys)).key != first.key
    kept = json.loads(keys.read_text())
    kept[server.url]["key"] = first.key[:-4] + "zzzz"
    keys.write_text(json.dumps(kept))
    assert Client.remembered(server.url, "Ann", file=str(keys)).key not in first.key[:-4] + "zzzz"


def answered(*answers):
    """Return a client of a server with these answers, one per connection, and the server thread."""

    def answer(listening):
        with listening:
            for told in answers:
                asked, _ = listening.accept()
                with asked:
                    asked.recv(2**16)
                    asked.sendall(told)

    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=answer, args=(listening,), daemon=True)
    thread.start()
    client = Client(f"http://127.0.0.1:{listening.getsockname()[1]}")
    client.server.patience = (0, 0)
    return client, thread


def said(status, body=b"", *headers):
    lines = [f"HTTP/1.1 {status} -", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def test_request_to_a_busy_server_is_repeated_after_its_pause():
    client, thread = answered(
        said(503, b"", "Retry-After: 0"),
        said(429, b"", "Retry-After: Sat, 28 Nov 2026 12:00:00 GMT"),
        said(200, b"[]"),
    )
    assert client.server.get("/games.json") == []
    thread.join(10)


def test_retry_time_of_an_hour_raises_refused_at_once():
    client, thread = answered(said(429, b'{"detail": "Later."}', "Retry-After: 3600"))
    with pytest.raises(Refused, match="Later"):
        client.server.get("/games.json")
    thread.join(10)


def test_server_that_is_not_kaboom_is_reported_in_a_sentence():
    client, thread = answered(said(200, b"<p>Hello", "Content-Type: text/html"))
    with pytest.raises(Refused, match="no Kaboom server"):
        client.look("K7M2Q4XA")
    thread.join(10)


def test_url_schemes_other_than_http_raise():
    with pytest.raises(ValueError, match="https"):
        Client("file:///etc")


def test_streams_of_a_dead_server_end_with_gone():
    client = Client(f"http://127.0.0.1:{free_port()}")
    client.server.patience = (0, 0)
    with pytest.raises(Gone):
        next(client.updates("K7M2Q4XA"))
