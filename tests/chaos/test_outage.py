"""Time without a running server is credited once, even if the system's clock is set back."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kaboom.db.backup import load, save
from kaboom.db.database import Database
from kaboom.db.migrate import upgrade
from kaboom.lobby import service as lobby_service
from kaboom.records.verify import check
from kaboom.table_page import service as match
from kaboom.table_page import vote_service
from kaboom.tables import queries, votes
from kaboom.tables.clock.scheduler import SET_BACK, Heartbeat, Ticker
from kaboom.tables.clock.table_time import EVERY, GRACE, LONGEST, beaten, table_time
from kaboom.tables.service import TableService
from tests.chaos.play import SHOWN, two_people
from tests.support.server import SECRET, Server
from tests.tables.test_scheduler import timed
from tests.tables.test_service import KABOOM

LEFT = re.compile(r'data-left="([\d.]+)"')


def left(tables, code):
    """Return the seconds left for a table's decision, as a page would show them."""
    snapshot = tables.get(code)
    (timer,) = [timer for _, timer in snapshot.table.clocks()]
    return timer.due - snapshot.table_time(tables.now())


def serve(tables, fake_clock, seconds):
    """Let a server run for this many seconds."""
    ticker = Ticker(tables)
    ticker.heart.beat()
    for _ in range(int(seconds / 5)):
        fake_clock.sleep(5)
        ticker.heart.beat()
        ticker.tick()


def pulse(tables):
    return tables.database.read(queries.pulse_now)


def test_outage_time_is_credited_from_the_first_check(tables, open_tables, store_url, fake_clock):
    code, _ = timed(tables, seconds=30)
    serve(tables, fake_clock, 10)
    fake_clock.sleep(3)
    assert left(tables, code) == pytest.approx(17)
    fake_clock.sleep(600)
    tables = open_tables(store_url)
    ticker = Ticker(tables)
    assert left(tables, code) == pytest.approx(
        20 + GRACE
    )  # the last heartbeat preceded the three seconds
    ticker.tick()
    assert tables.get(code).table.seq == 2  # both have looked at their cards
    fake_clock.sleep(7)
    assert left(tables, code) == pytest.approx(20 + GRACE)  # there is no heartbeat yet
    ticker.heart.beat()
    assert left(tables, code) == pytest.approx(20 + GRACE)
    serve(tables, fake_clock, 35)
    assert left(tables, code) == pytest.approx(5)
    assert tables.get(code).table.seq == 2
    serve(tables, fake_clock, 5)
    assert tables.get(code).table.seq == 3
    assert left(tables, code) == pytest.approx(30)  # the next player has the table's usual time
    assert check(tables, code).wrong == []


def test_outage_as_short_as_a_restart_credits_no_time(tables, open_tables, store_url, fake_clock):
    code, _ = timed(tables, seconds=40)
    serve(tables, fake_clock, 5)
    fake_clock.sleep(LONGEST)
    serve(open_tables(store_url), fake_clock, 0)
    assert left(tables, code) == pytest.approx(35 - LONGEST)
    assert pulse(tables).outages == 0


def test_no_outage_is_credited_while_one_server_runs(tables, open_tables, store_url, fake_clock):
    code, _ = timed(tables, seconds=120)
    stays, goes = tables, open_tables(store_url)
    serve(goes, fake_clock, 10)
    serve(stays, fake_clock, 60)
    serve(goes, fake_clock, 10)
    assert left(tables, code) == pytest.approx(40)
    assert pulse(tables).outages == 0


def test_outage_time_is_credited_by_one_worker_only(tables, open_tables, store_url, fake_clock):
    code, _ = timed(tables, seconds=30)
    serve(tables, fake_clock, 10)
    fake_clock.sleep(600)
    workers = [open_tables(store_url) for _ in range(6)]
    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(lambda worker: Heartbeat(worker).beat(), workers))
    assert pulse(tables).outages == 1
    assert pulse(tables).given_back == pytest.approx(600 + GRACE)
    assert {round(left(worker, code), 3) for worker in workers} == {20 + GRACE}


def test_outage_outdates_every_page_of_a_match_once(tables, open_tables, store_url, fake_clock):
    code, ids = timed(tables, seconds=30)
    lobby = lobby_service.open(tables, "kaboom", KABOOM.options(), ids[0], "Ann")
    serve(tables, fake_clock, 5)

    def numbers(asked):
        return [asked.get(code).table.revision(viewer) for viewer in (0, 1, None)]

    before, unmoved = numbers(tables), tables.get(lobby).table.revision(0)
    serve(tables, fake_clock, 5)
    assert numbers(tables) == before
    fake_clock.sleep(600)
    serve(tables, fake_clock, 0)
    after = numbers(tables)
    assert all(new > old for new, old in zip(after, before, strict=True))
    assert tables.get(code).table is tables.get(code).table, "it is read only once more"
    assert numbers(open_tables(store_url)) == after  # another worker computes the same
    match.more_time(tables, code, ids[0])  # now they are stored
    changed = numbers(tables)
    assert all(new > old for new, old in zip(changed, after, strict=True))
    serve(tables, fake_clock, 5)
    assert numbers(tables) == changed == numbers(open_tables(store_url))
    assert tables.get(lobby).table.revision(0) == unmoved


def test_vote_waits_for_players_kept_out_by_the_outage(tables, fake_clock):
    code, (ann, ben) = timed(tables, seconds=0)
    tables.here.players = {ann}
    serve(tables, fake_clock, 5)
    vote_service.propose_vote(tables, code, ann, votes.END)
    fake_clock.sleep(600)
    serve(tables, fake_clock, 150)
    vote = tables.get(code).table.vote
    assert vote is not None, "it expired during the outage"
    tables.here.players = {ann, ben}
    vote_service.cast_vote(tables, code, ben, vote.number, False)
    assert tables.get(code).table.playing
    tables.here.players = {ann}
    vote_service.propose_vote(tables, code, ann, votes.END)  # later decisions take the usual time
    serve(tables, fake_clock, votes.HOLD_SECONDS)
    vote_service.cast_vote(tables, code, ann, tables.get(code).table.vote.number, True)
    assert not tables.get(code).table.playing


@pytest.mark.parametrize("hours", [1, -1, 24])
def test_clock_jump_of_hours_costs_and_credits_only_seconds(tables, fake_clock, hours):
    code, _ = timed(tables, seconds=60)
    heart = Heartbeat(tables)
    for _ in range(2):
        fake_clock.sleep(EVERY)
        heart.beat()
    fake_clock.sleep(3600 * hours)
    made = tables.get(code).table.seq
    for _ in range(SET_BACK + 2):
        Ticker(tables).tick()
        fake_clock.sleep(EVERY)
        heart.beat()
    assert tables.get(code).table.seq == made
    assert 10 <= left(tables, code) <= 50 + GRACE
    serve(tables, fake_clock, 60)
    assert tables.get(code).table.seq > made
    assert pulse(tables).outages == 1
    assert check(tables, code).wrong == []


def test_log_reports_outages_and_no_normal_heartbeat(tables, fake_clock, caplog):
    heart = Heartbeat(tables)
    for seconds in (0, EVERY, EVERY):
        fake_clock.sleep(seconds)
        heart.beat()
    assert "outage" not in caplog.text
    fake_clock.sleep(3600)
    heart.beat()
    assert "outage or clock jump: 36" in caplog.text


def test_future_heartbeat_counts_until_it_stalls_twice(tables, fake_clock):
    heart = Heartbeat(tables)
    heart.beat()
    fake_clock.sleep(-3600)
    for _ in range(SET_BACK):
        heart.beat()
        assert pulse(tables).beat_at > fake_clock()
    heart.beat()
    assert pulse(tables).beat_at == fake_clock()


def test_server_with_a_slow_clock_sends_heartbeats_only_if_alone(tables, open_tables, fake_clock):
    code, _ = timed(tables, seconds=600)
    behind = TableService(tables.database, now=lambda: fake_clock() - 90)
    ahead, late = Heartbeat(tables), Heartbeat(behind)
    for _ in range(20):
        ahead.beat()
        fake_clock.sleep(EVERY / 2)
        late.beat()
        fake_clock.sleep(EVERY / 2)
    assert pulse(tables).outages == 0
    assert left(tables, code) == pytest.approx(600 - 20 * EVERY)
    for _ in range(20):  # the one ahead is gone
        fake_clock.sleep(EVERY)
        late.beat()
    assert pulse(tables).beat_at == fake_clock() - 90


def test_table_time_resumes_where_it_stopped(fake_clock):
    """Whatever the system's clock does, a heartbeat alone moves no deadline."""
    last = beaten(None, fake_clock())
    for step in (3, 10, 29, 31, 4000, 5, -2000, 10, -1, 30, 10**6):
        fake_clock.sleep(step)
        stood = table_time(last, fake_clock())
        last = beaten(last, fake_clock())
        assert table_time(last, fake_clock()) == pytest.approx(stood)
    assert last.outages == 5


def test_time_between_backup_and_restore_is_credited(tables, tmp_path, fake_clock, open_tables):
    code, _ = timed(tables, seconds=30)
    serve(tables, fake_clock, 10)
    fake_clock.sleep(600)
    serve(tables, fake_clock, 5)
    save(tables.database, tmp_path / "backup")
    before = left(tables, code)
    fake_clock.sleep(24 * 3600)
    url = f"sqlite:///{tmp_path}/fresh.sqlite3"
    upgrade(url, SECRET)
    fresh = open_tables(url)
    Heartbeat(fresh).beat()  # a server that was started too early
    load(fresh.database, tmp_path / "backup")
    assert left(fresh, code) == pytest.approx(before + GRACE)
    serve(fresh, fake_clock, 0)
    assert left(fresh, code) == pytest.approx(before + GRACE)


def test_killed_server_credits_the_time_until_restart(sqlite_url):
    server = Server(sqlite_url)
    server.command = [*server.command[:-1], "tests.chaos.short_outages:app"]
    server.start()
    try:
        timed = {"rounds": "20", "peek_seconds": "120"}
        path, (ann, _) = two_people(server.url, server.url, options=timed)
        time.sleep(0.5)  # a heartbeat or two
        page = ann.client.get(path).text
        before, known = float(LEFT.search(page)[1]), SHOWN.search(page)[1]
        server.kill()
        time.sleep(2)
        server.start()
        until = time.monotonic() + 10
        while True:  # the first heartbeat comes with the first answers
            answer = ann.client.get(f"{path}/view", query_string={"v": known})
            if answer.status_code == 200:
                break
            assert time.monotonic() < until, "an open page never updates its clock"
            time.sleep(0.05)
        after = float(LEFT.search(answer.text)[1])
    finally:
        server.kill()
    database = Database(sqlite_url, SECRET)
    given = database.read(queries.pulse_now)
    database.close()
    assert given.outages >= 1  # a machine that is busy for a second makes another
    assert given.given_back > GRACE + 2
    assert before + GRACE - 3 < after < before + given.outages * GRACE + 0.5
