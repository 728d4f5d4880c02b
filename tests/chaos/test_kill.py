"""After a kill at any instant, acknowledged moves are stored once, and the table continues."""

import http.client
import os
import random
import re
import threading
import time

import pytest

from kaboom.db.database import Database
from kaboom.records.verify import check
from kaboom.tables import queries
from kaboom.tables.service import TableService
from tests.chaos.play import some_move, two_people
from tests.conftest import REDIS, missing
from tests.support.effort import PATIENCE, some
from tests.support.server import SECRET, Server

KILLS = int(os.environ.get("KABOOM_KILLS", "2"))


def without_presence(page):
    """Return a page without presence, which is not stored."""
    return re.sub(r'<ul class="who".*?</ul>', "", page)


@pytest.mark.parametrize("store_url", some(["postgresql", "sqlite"], first=1), indirect=True)
def test_server_killed_mid_match_resumes_at_the_same_prompt(server):
    path, people = two_people(server.url, server.url)
    rng = random.Random(1)
    for _ in range(25):
        person = rng.choice(people)
        move = some_move(person, path, rng)
        if move:
            person.send(*move)
    before = [without_presence(person.client.get(path).text) for person in people]
    server.kill()
    server.start()
    after = [without_presence(person.client.get(path).text) for person in people]
    assert after == before
    went_on = 0
    for _ in range(10):
        for person in people:
            if (move := some_move(person, path, rng)) and person.page.title.startswith("Your"):
                person.send(*move)
                went_on += person.status == 200
    assert went_on


# test_points.py kills workers in the middle of moves on PostgreSQL.
@pytest.mark.parametrize("store_url", some(["postgresql", "sqlite"], first=1), indirect=True)
def test_random_kills_neither_lose_nor_duplicate_moves(server, store_url):
    """An unanswered form is sent again, as a browser would; it counts at most once."""
    seed = int(os.environ.get("KABOOM_SEED", "7"))
    rng = random.Random(seed)
    path, people = two_people(server.url, server.url)
    acknowledged: list[str] = []
    killed = 0
    lock = threading.Lock()

    def killer():
        nonlocal killed
        while killed < KILLS:
            time.sleep(rng.uniform(0.3, 1.0))
            with lock:
                server.kill()
                server.start()
                killed += 1

    thread = threading.Thread(target=killer)
    thread.start()
    while thread.is_alive():
        person = rng.choice(people)
        try:
            move = some_move(person, path, rng)
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
            continue
        if move is None:
            time.sleep(0.02)
            continue
        form, button = move
        fields = {**dict(form.filled(button)), "sure": "1"}
        for _ in range(200):
            try:
                answer = person.client.post(path + "/move", data=fields)
                if answer.status_code == 200:
                    acknowledged.append(f"{fields['v']} {fields['match']}")
                break
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
    thread.join()
    database = Database(store_url, SECRET)
    tables = TableService(database)
    code = path[3:]
    found = check(tables, code)
    match_id = tables.get(code).table.match_id
    log = database.read(lambda connection: queries.log(connection, match_id))
    database.close()
    commands = [row.cmd.split(" ", 1)[1] for row in log]  # without the seat
    assert found.wrong == [], f"seed {seed}"
    assert len(acknowledged) > KILLS
    assert set(acknowledged) <= set(commands), f"seed {seed}: an acknowledged move is lost"
    assert len(commands) == len(set(commands)), f"seed {seed}: a move was made twice"


@pytest.mark.nightly  # `make test` does this behind nginx: test_two_servers.py
def test_a_match_is_played_across_two_servers(postgres_url):
    """PostgreSQL and Redis: Ann on one server, Ben on the other, and one of them dies."""
    import redis

    try:
        redis.Redis.from_url(REDIS, socket_timeout=2).ping()
    except redis.RedisError:
        missing(f"Redis at {REDIS}")
    first = Server(postgres_url, REDIS_URL=REDIS, WEB_CONCURRENCY="2").start()
    second = Server(postgres_url, REDIS_URL=REDIS).start()
    try:
        path, (ann, ben) = two_people(first.url, second.url)
        heard = threading.Event()

        def listen():
            connection = http.client.HTTPConnection("127.0.0.1", second.port, timeout=PATIENCE)
            cookies = "; ".join(f"{c.name}={c.value}" for c in ben.client.jar)
            connection.request("GET", path + "/events", headers={"Cookie": cookies})
            answer, seen = connection.getresponse(), set()
            while len(seen) < 2:
                line = answer.readline().decode()
                if line.startswith("data:"):
                    seen.add(line)
            heard.set()
            connection.close()

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        time.sleep(0.5)
        rng = random.Random(3)
        for person in (ann, ben):
            person.open(path)
            form, button = next(m for m in person.page.moves() if m[1][1].endswith(" ready"))
            person.send(form, button)
        assert heard.wait(10), "Ann's move on one server did not reach the other"
        first.kill()
        ann.client.url = second.url  # as a load balancer would redirect her
        for _ in range(10):
            for person in (ann, ben):
                if move := some_move(person, path, rng):
                    person.send(*move)
        database = Database(postgres_url, SECRET)
        found = check(TableService(database), path[3:])
        database.close()
        assert found.wrong == []
        assert found.moves > 8
        assert second.stop() < 4.5
    finally:
        first.kill()
        second.kill()
