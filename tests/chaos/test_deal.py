"""The clock deals in King of the Hill; killed mid-deal, it continues where it was."""

import re
import time

import pytest

from kaboom.db.database import Database
from kaboom.records.verify import check
from kaboom.tables import queries
from kaboom.tables.service import TableService
from tests.support.browsing import table_path
from tests.support.effort import some
from tests.support.forms import Browser
from tests.support.server import SECRET, HttpClient


def fact(tables, code, name):
    snapshot = tables.get(code)
    return snapshot.game.view(snapshot.state, None).facts[name]


def dealt(tables, code):
    return fact(tables, code, "dealt") or 0


def wait_for(done, seconds=30):
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "this takes too long"
        time.sleep(0.1)  # two cards


@pytest.mark.parametrize("store_url", some(["postgresql", "sqlite"], first=1), indirect=True)
def test_worker_killed_mid_deal_does_no_harm(server, store_url):
    ann = Browser(HttpClient(server.url))
    ann.open("/start/koth")
    form = ann.page.form("/tables")
    button = next(b for b in form.buttons if b[0] == "start")
    ann.send(form, button, name="Ann", deal_interval="0.05", last_call_seconds="1")
    path = table_path(ann)
    code = path[3:]
    ann.open(path)
    ann.send(*next(m for m in ann.page.moves() if re.search(r" ready$", m[1][1])))
    database = Database(store_url, SECRET)
    tables = TableService(database)
    for stop in (20, 60):
        wait_for(lambda stop=stop: dealt(tables, code) >= stop)
        server.kill()
        before = dealt(tables, code)
        assert stop <= before < 100
        server.start()
        wait_for(lambda before=before: dealt(tables, code) > before, 10)
    wait_for(lambda: fact(tables, code, "stage") not in ("ready_round", "deal"))
    match_id = tables.get(code).table.match_id
    log = database.read(lambda connection: queries.log(connection, match_id))
    deals = [row.text for row in log if row.text.startswith("-1 deal")]
    assert len(deals) == len(set(deals)) == 100
    assert check(tables, code).wrong == []
    database.close()
