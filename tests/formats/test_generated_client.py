"""A client generated from the API description is fully typed and can play."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.server import Server, with_us

CONFIG = Path(__file__).with_name("generator.yml")
NAMED = "generated_client"


@pytest.fixture
def server(sqlite_url):
    running = Server(sqlite_url).start()
    yield running
    running.stop()


@pytest.fixture
def generated(app, tmp_path, monkeypatch):
    """Return a function that imports a module of the client generated from our description."""
    description = tmp_path / "openapi.json"
    description.write_bytes(app.test_client().get("/openapi.json").data)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
    asked = ["--path", description, "--config", CONFIG, "--meta", "none", "--output-path"]
    made = subprocess.run(
        [*with_us(), *command, *asked, tmp_path / NAMED], capture_output=True, text=True
    )
    told = made.stdout + made.stderr
    assert made.returncode == 0 and "WARNING" not in told, told
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda name: import_module(f"{NAMED}.{name}")
    for name in [it for it in sys.modules if it.partition(".")[0] == NAMED]:
        del sys.modules[name]


def test_a_generated_client_plays_gops_to_its_end(generated, server):
    models, client = generated("models"), generated("client")
    body = models.MakeGuestBody(name="Ann")
    with client.Client(server.url, raise_on_unexpected_status=True) as visitor:
        guest = generated("api.guests.make_guest").sync(client=visitor, body=body)
    assert isinstance(guest, models.Guest)
    with client.AuthenticatedClient(server.url, guest.key, raise_on_unexpected_status=True) as ann:
        plays_gops(ann, generated, models)


def plays_gops(ann, generated, models):
    """Play a match against a bot; read its record."""
    ask = {
        name: generated(f"api.{name}").sync
        for name in ("tables.open_table", "tables.get_table", "matches.make_move")
    }
    body = models.OpenTableBody(game="gops", name="Ann", bots=1, start=True)
    table = ask["tables.open_table"](client=ann, body=body)
    assert isinstance(table, models.Table) and table.stage == "playing"
    played = 0
    while table.stage == "playing":
        offers = [it for it in table.moves if it.blocks and it.some]
        if table.waited and offers:
            words = " ".join([offers[0].verb, *offers[0].some[0]])
            body = models.MakeMoveBody(answers=offers[0].answers, move=words)
            table = ask["matches.make_move"](table.code, client=ann, body=body)
            assert isinstance(table, models.Table), table
            played += 1
        else:
            table = ask["tables.get_table"](table.code, client=ann, v=table.revision, wait=5)
    assert table.stage == "over" and played >= 13
    assert isinstance(table.outcome, models.Outcome) and len(table.outcome.places) == 2
    code = table.record.rpartition("/")[2]
    step = generated("api.records.get_match_step").sync(code, 1, client=ann)
    assert isinstance(step, models.Step) and step.last >= played
    lost = generated("api.records.get_match_step").sync("ZZZZZZZZ", 1, client=ann)
    assert isinstance(lost, models.Problem) and lost.status == 404
