"""Whole tables for programs over real connections: two kinds of streams, and long polls."""

import http.client
import json
import time

import pytest

from kaboom.db.migrate import upgrade
from tests.support.server import SECRET, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('streams') / 'kaboom.sqlite3'}"
    upgrade(url, SECRET)
    server = Server(url).start()
    yield server
    server.kill()


class Program:
    """A program with a cookie, a connection for each request."""

    def __init__(self, server):
        self.port, self.cookie = server.port, ""
        self.open = []

    def close(self):
        """Close every connection."""
        for each in self.open:
            each.close()

    def ask(self, path, body=None, timeout=30):
        """Return an answer whose body has not been read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Cookie": self.cookie}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Accept": "application/json"}
        connection.request(
            "GET" if body is None else "POST", path, body and json.dumps(body), headers
        )
        answer = connection.getresponse()
        for line in answer.msg.get_all("Set-Cookie", []):
            if line.startswith("kb="):
                self.cookie = line.split(";")[0]
        self.open += [answer, connection]
        return answer

    def json(self, path, body=None):
        return json.load(self.ask(path, body))


@pytest.fixture
def people(server):
    """Return two programs at a table of GOPS, and its address."""
    ann, ben = Program(server), Program(server)
    path = "/t/" + ann.json("/tables", {"game": "gops", "name": "Ann"})["code"]
    assert ben.json(f"{path}/sit", {"name": "Ben"})["me"] == 1
    ben.json(f"{path}/ready", {})
    assert ann.json(f"{path}/ready", {})["stage"] == "playing"
    yield path, ann, ben
    ann.close()
    ben.close()


def move(person, path):
    """Play the first legal move; return the table after it."""
    table = person.json(f"{path}.json")
    offer = table["moves"][0]
    words = " ".join([offer["verb"], *offer["some"][0]])
    return person.json(f"{path}/move", {"answers": offer["answers"], "move": words})


def lines_of(answer):
    while line := answer.readline():
        yield json.loads(line)


def events_of(answer):
    event = {}
    while line := answer.readline().decode():
        name, _, value = line.rstrip("\n").partition(":")
        if name:
            event[name] = value.lstrip()
        else:
            yield event
            event = {}


def test_long_poll_responds_only_on_a_change(people):
    path, ann, ben = people
    table = ann.json(f"{path}.json")
    waiting = ann.ask(f"{path}.json?v={table['revision']}&wait=20")
    assert waiting.status == 200
    began = time.monotonic()
    move(ben, path)
    found = json.load(waiting)
    assert found["revision"] != table["revision"]
    assert found["log"][-1]["kind"] == "bid_made"
    assert time.monotonic() - began < 10
    assert found == ann.json(f"{path}.json")


def test_closing_connection_is_announced_in_the_response(people):
    """A program that kept the connection would lose its next request."""
    path, ann, _ = people
    revision = ann.json(f"{path}.json")["revision"]
    said = [
        ann.ask(f"{path}{how}").getheader("Connection")
        for how in (f".json?v={revision}&wait=1", ".ndjson", "/events", ".json")
    ]
    assert said == ["close", "close", "close", "keep-alive"]


def test_long_poll_timeout_gets_the_same_response(people):
    path, ann, _ = people
    table = ann.json(f"{path}.json")
    assert ann.json(f"{path}.json?v={table['revision']}&wait=1") == table


def test_client_with_an_old_table_gets_a_response_at_once(people):
    path, ann, _ = people
    assert ann.json(f"{path}.json?v=1&wait=25") == ann.json(f"{path}.json")


@pytest.mark.parametrize("suffix", ["txt", "say"])
def test_long_poll_works_in_text_and_speech(people, suffix):
    path, ann, ben = people
    revision = ann.json(f"{path}.json")["revision"]
    waiting = ann.ask(f"{path}.{suffix}?v={revision}&wait=20")
    move(ben, path)
    assert waiting.read() == ann.ask(f"{path}.{suffix}").read()


def test_reconnecting_client_gets_lines_after_the_last_seen(server, people):
    """Also after the server was killed: the revisions continue without a gap."""
    path, ann, ben = people
    stream = lines_of(ann.ask(f"{path}.ndjson"))
    heard = next(stream)["table"]["log"][-1]["n"]
    move(ann, path)
    newest = move(ben, path)
    server.kill()
    with pytest.raises((StopIteration, OSError, http.client.HTTPException)):
        while next(stream):
            pass
    server.start()
    assert ben.json(f"{path}.json") == newest
    since = [line["n"] for line in ann.json(f"{path}.json?after={heard}")["log"]]
    assert since == list(range(heard + 1, heard + 1 + len(since))) and since
    assert ann.json(f"{path}.json?after={since[-1]}")["log"] == []


def test_both_streams_send_the_same_at_start_and_on_change(people):
    path, ann, ben = people
    events = events_of(ann.ask(f"{path}/events?full=1"))
    lines = lines_of(ann.ask(f"{path}.ndjson"))
    for number in range(2):
        event = next(it for it in events if it["event"] == "table")
        line = next(it for it in lines if it["kind"] == "table")
        assert line.keys() >= {"kind", "id", "table"}
        assert json.loads(event["data"]) == line["table"] == ann.json(f"{path}.json")
        assert int(event["id"]) == line["id"] == line["table"]["revision"]
        if not number:
            move(ben, path)


@pytest.mark.nightly  # takes a minute
@pytest.mark.parametrize(("address", "lines"), [("/events?full=1", "sse"), (".ndjson", "lines")])
def test_update_arrives_within_a_second_and_after_four_beats(people, address, lines):
    path, ann, ben = people
    began = time.monotonic()
    stream = ann.ask(path + address)
    told = (
        (it["event"] for it in events_of(stream))
        if lines == "sse"
        else (it["kind"] for it in lines_of(stream))
    )
    assert next(told) == "table" and time.monotonic() - began < 1
    beats = 0
    while beats < 4:
        beats += next(told) == "beat"
    began = time.monotonic()
    move(ben, path)
    assert next(told) == "table" and time.monotonic() - began < 1


def test_fifth_stream_of_a_key_is_refused_and_others_live(people):
    path, ann, ben = people
    streams = [lines_of(ann.ask(f"{path}.ndjson")) for _ in range(4)]
    firsts = [next(stream) for stream in streams]
    fifth = ann.ask(f"{path}/events?full=1")
    assert (fifth.status, fifth.getheader("Retry-After")) == (429, "5")
    assert json.load(fifth)["type"] == "/problems/too-fast"
    revision = firsts[0]["id"]
    assert ann.ask(f"{path}.json?v={revision}&wait=9").status == 429
    move(ben, path)
    assert [next(it for it in s if it["kind"] == "table")["id"] > revision for s in streams]
    assert ben.ask(f"{path}.ndjson").status == 200


def test_client_may_reopen_closed_streams_at_once(people):
    path, ann, _ = people
    for _ in range(3):
        asked = [ann.ask(f"{path}.ndjson") for _ in range(4)]
        assert [it.status for it in asked] == [200] * 4
        for answer in asked:
            assert next(lines_of(answer))["kind"] == "table"
        ann.close()
        time.sleep(0.1)  # the server needs this long to notice the closed connections
        ann.open.clear()


def test_waiting_client_gets_a_response_when_the_server_stops(server, people):
    path, ann, _ = people
    table = ann.json(f"{path}.json")
    waiting = ann.ask(f"{path}.json?v={table['revision']}&wait=25")
    stream = ann.ask(f"{path}.ndjson")
    assert server.stop() < 10
    assert json.load(waiting) == table
    told = {line["kind"]: line for line in lines_of(stream)}
    assert list(told)[-1] == "bye" and told["bye"].keys() >= {"kind", "id", "retry"}
    assert "room" not in told or told["room"].keys() >= {"kind", "room"}
