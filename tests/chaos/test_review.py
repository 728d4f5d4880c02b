"""Reviewing a match together while the server is killed: the step is kept, and each remark once."""

import http.client
import json
import random
import re
import threading
import time

import pytest

from kaboom.db.database import Database
from kaboom.tables.service import TableService
from tests.chaos.play import two_people
from tests.support.effort import PATIENCE, often, some
from tests.support.finished_matches import finish
from tests.support.server import SECRET, Server

KILLS = often(2, soak=20)
LEAST = 4  # remarks
LAST = 20  # the step at which the leader stays


@pytest.fixture
def server(store_url):
    running = Server(store_url).start()
    yield running
    running.kill()


def finished(server, store_url):
    """Play a match of Ann and Ben to its end; return their browsers and its record's address."""
    path, people = two_people(server.url, server.url, "gops", {})
    code = path.rsplit("/", 1)[1]
    database = Database(store_url, SECRET)
    try:
        tables = TableService(database)
        finish(tables, code)
        return people, f"/m/{tables.get(code).table.record}"
    finally:
        database.close()


def insist(act):
    """Do something until the server answers: a browser sends the same form again."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return act()
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.05)


def press(person, words):
    """Press a button until the server answers."""
    found = [(form, it) for form in person.page.forms for it in form.buttons if it[2] == words]
    insist(lambda: person.send(*found[0]))


@pytest.mark.parametrize("store_url", some(["postgresql", "sqlite"], first=1), indirect=True)
def test_killed_server_keeps_each_remark_once_and_the_step(server, store_url):
    (ann, ben), at = finished(server, store_url)
    ann.open(f"{at}/review?step=0")
    ann.press("Begin at the deal")
    review = re.search(rf"{at}/review/\w{{8}}", ann.html)[0]
    ben.open(review)
    ben.press("Join")
    thread = threading.Thread(target=kill_often, args=(server, random.Random(5)))
    thread.start()
    said, step = [], 0
    while thread.is_alive() or len(said) < LEAST:
        for person in (ann, ben):
            insist(lambda person=person: person.open(review))
            said.append((step, f"remark {len(said) + 1}"))
            form = person.page.form("/say")
            insist(lambda: person.send(form, form.buttons[0], text=said[-1][1]))  # noqa: B023
        insist(lambda: ann.open(review))
        if step < LAST:
            press(ann, "Forward")
            step += 1
    thread.join()
    for person in (ann, ben):
        kept = json.loads(person.client.get(f"{review}.json").text)
        assert kept["step"] == step and kept["leader"] == "Ann"
        assert sorted(it["name"] for it in kept["people"]) == ["Ann", "Ben"]
        assert [(it["step"], it["text"]) for it in kept["remarks"]] == said


def kill_often(server, rng):
    """Kill the server again and again, at any instant, and start it again."""
    for _ in range(KILLS):
        time.sleep(rng.uniform(0.2, 0.8))
        server.kill()
        server.start()
