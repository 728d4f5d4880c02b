"""While nobody serves no time runs: it is given back, once; and a clock may be set back."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kaboom.db.backup import load, save
from kaboom.db.database import Database
from kaboom.db.migrate import upgrade
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.play import votes
from kaboom.records.replay import check
from kaboom.tables import queries
from kaboom.tables import votes as agreement
from kaboom.tables.clock.scheduler import SET_BACK, Heart, Ticker
from kaboom.tables.clock.table_time import EVERY, GRACE, LONGEST, beaten, table_time
from kaboom.tables.service import Tables
from tests.chaos.play import SHOWN, two_people
from tests.support.server import SECRET, Server
from tests.tables.test_scheduler import timed
from tests.tables.test_service import KABOOM

LEFT = re.compile(r'data-left="([\d.]+)"')


def left(tables, code):
    """The seconds left for the decision at a table, as a page would show them."""
    snapshot = tables.look(code)
    (timer,) = [timer for _, timer in snapshot.table.clocks()]
    return timer.due - snapshot.table_time(tables.now())


def serve(tables, watch, seconds):
    """Let a server serve for so long."""
    ticker = Ticker(tables)
    ticker.heart.beat()
    for _ in range(int(seconds / 5)):
        watch.sleep(5)
        ticker.heart.beat()
        ticker.tick()


def pulse(tables):
    return tables.database.read(queries.pulse_now)


def test_what_an_outage_took_is_given_back_from_the_first_look_on(
    tables, open_tables, store_url, watch
):
    code, _ = timed(tables, seconds=30)
    serve(tables, watch, 10)
    watch.sleep(3)
    assert left(tables, code) == pytest.approx(17)
    watch.sleep(600)
    tables = open_tables(store_url)
    ticker = Ticker(tables)
    assert left(tables, code) == pytest.approx(20 + GRACE)  # the last beat was before the three
    ticker.tick()
    assert tables.look(code).table.seq == 2  # both have looked at their cards
    watch.sleep(7)
    assert left(tables, code) == pytest.approx(20 + GRACE)  # nobody has beaten yet
    ticker.heart.beat()
    assert left(tables, code) == pytest.approx(20 + GRACE)
    serve(tables, watch, 35)
    assert left(tables, code) == pytest.approx(5)
    assert tables.look(code).table.seq == 2
    serve(tables, watch, 5)
    assert tables.look(code).table.seq == 3
    assert left(tables, code) == pytest.approx(30)  # the next to move has what the table chose
    assert check(tables, code).wrong == []


def test_a_pause_as_short_as_a_restart_gives_nothing_back(tables, open_tables, store_url, watch):
    code, _ = timed(tables, seconds=40)
    serve(tables, watch, 5)
    watch.sleep(LONGEST)
    serve(open_tables(store_url), watch, 0)
    assert left(tables, code) == pytest.approx(35 - LONGEST)
    assert pulse(tables).outages == 0


def test_while_one_server_stays_up_there_is_no_outage(tables, open_tables, store_url, watch):
    code, _ = timed(tables, seconds=120)
    stays, goes = tables, open_tables(store_url)
    serve(goes, watch, 10)
    serve(stays, watch, 60)
    serve(goes, watch, 10)
    assert left(tables, code) == pytest.approx(40)
    assert pulse(tables).outages == 0


def test_of_many_workers_that_find_an_outage_one_gives_the_time_back(
    tables, open_tables, store_url, watch
):
    code, _ = timed(tables, seconds=30)
    serve(tables, watch, 10)
    watch.sleep(600)
    workers = [open_tables(store_url) for _ in range(6)]
    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(lambda worker: Heart(worker).beat(), workers))
    assert pulse(tables).outages == 1
    assert pulse(tables).given_back == pytest.approx(600 + GRACE)
    assert {round(left(worker, code), 3) for worker in workers} == {20 + GRACE}


def test_after_an_outage_every_page_of_a_match_is_out_of_date_once(
    tables, open_tables, store_url, watch
):
    code, ids = timed(tables, seconds=30)
    lobby = seating.open(tables, "kaboom", KABOOM.options(), ids[0], "Ann")
    serve(tables, watch, 5)

    def numbers(asked):
        return [asked.look(code).table.revision(viewer) for viewer in (0, 1, None)]

    before, unmoved = numbers(tables), tables.look(lobby).table.revision(0)
    serve(tables, watch, 5)
    assert numbers(tables) == before
    watch.sleep(600)
    serve(tables, watch, 0)
    after = numbers(tables)
    assert all(new > old for new, old in zip(after, before, strict=True))
    assert tables.look(code).table is tables.look(code).table, "it is read only once more"
    assert numbers(open_tables(store_url)) == after  # another worker says the same
    in_match.more_time(tables, code, ids[0])  # now they are stored
    changed = numbers(tables)
    assert all(new > old for new, old in zip(changed, after, strict=True))
    serve(tables, watch, 5)
    assert numbers(tables) == changed == numbers(open_tables(store_url))
    assert tables.look(lobby).table.revision(0) == unmoved


def test_a_vote_waits_for_those_who_could_not_come(tables, watch):
    code, (ann, ben) = timed(tables, seconds=0)
    tables.here.players = {ann}
    serve(tables, watch, 5)
    votes.propose(tables, code, ann, agreement.END)
    watch.sleep(600)
    serve(tables, watch, 150)
    vote = tables.look(code).table.vote
    assert vote is not None, "it lapsed in the outage"
    tables.here.players = {ann, ben}
    votes.answer(tables, code, ben, vote.number, False)
    assert tables.look(code).table.playing
    tables.here.players = {ann}
    votes.propose(tables, code, ann, agreement.END)  # what begins afterwards takes as long as ever
    serve(tables, watch, agreement.HOLD_SECONDS)
    votes.answer(tables, code, ann, tables.look(code).table.vote.number, True)
    assert not tables.look(code).table.playing


@pytest.mark.parametrize("hours", [1, -1, 24])
def test_a_clock_that_jumps_by_hours_costs_and_gives_seconds_only(tables, watch, hours):
    code, _ = timed(tables, seconds=60)
    heart = Heart(tables)
    for _ in range(2):
        watch.sleep(EVERY)
        heart.beat()
    watch.sleep(3600 * hours)
    made = tables.look(code).table.seq
    for _ in range(SET_BACK + 2):
        Ticker(tables).tick()
        watch.sleep(EVERY)
        heart.beat()
    assert tables.look(code).table.seq == made
    assert 10 <= left(tables, code) <= 50 + GRACE
    serve(tables, watch, 60)
    assert tables.look(code).table.seq > made
    assert pulse(tables).outages == 1
    assert check(tables, code).wrong == []


def test_the_log_tells_of_an_outage_and_of_no_other_beat(tables, watch, caplog):
    heart = Heart(tables)
    for seconds in (0, EVERY, EVERY):
        watch.sleep(seconds)
        heart.beat()
    assert "given back" not in caplog.text
    watch.sleep(3600)
    heart.beat()
    assert "nobody served, or the clock jumped: 36" in caplog.text


def test_a_beat_in_the_future_holds_until_it_has_stood_still_twice(tables, watch):
    heart = Heart(tables)
    heart.beat()
    watch.sleep(-3600)
    for _ in range(SET_BACK):
        heart.beat()
        assert pulse(tables).beat_at > watch()
    heart.beat()
    assert pulse(tables).beat_at == watch()


def test_a_server_whose_clock_is_behind_leaves_the_beats_to_the_other(tables, open_tables, watch):
    code, _ = timed(tables, seconds=600)
    behind = Tables(tables.database, now=lambda: watch() - 90)
    ahead, late = Heart(tables), Heart(behind)
    for _ in range(20):
        ahead.beat()
        watch.sleep(EVERY / 2)
        late.beat()
        watch.sleep(EVERY / 2)
    assert pulse(tables).outages == 0
    assert left(tables, code) == pytest.approx(600 - 20 * EVERY)
    for _ in range(20):  # the one that is ahead is gone
        watch.sleep(EVERY)
        late.beat()
    assert pulse(tables).beat_at == watch() - 90


def test_table_time_goes_on_where_it_stood(watch):
    """Whatever the clock does, a beat itself moves no deadline."""
    last = beaten(None, watch())
    for step in (3, 10, 29, 31, 4000, 5, -2000, 10, -1, 30, 10**6):
        watch.sleep(step)
        stood = table_time(last, watch())
        last = beaten(last, watch())
        assert table_time(last, watch()) == pytest.approx(stood)
    assert last.outages == 5


def test_the_time_between_backup_and_restore_is_given_back(tables, tmp_path, watch, open_tables):
    code, _ = timed(tables, seconds=30)
    serve(tables, watch, 10)
    watch.sleep(600)
    serve(tables, watch, 5)
    save(tables.database, tmp_path / "backup")
    before = left(tables, code)
    watch.sleep(24 * 3600)
    url = f"sqlite:///{tmp_path}/fresh.sqlite3"
    upgrade(url, SECRET)
    fresh = open_tables(url)
    Heart(fresh).beat()  # a server that was started too early
    load(fresh.database, tmp_path / "backup")
    assert left(fresh, code) == pytest.approx(before + GRACE)
    serve(fresh, watch, 0)
    assert left(fresh, code) == pytest.approx(before + GRACE)


def test_a_killed_server_gives_back_the_time_until_it_is_there_again(sqlite_url):
    server = Server(sqlite_url)
    server.command = [*server.command[:-1], "tests.chaos.short_outages:app"]
    server.start()
    try:
        timed = {"rounds": "20", "peek_seconds": "120"}
        path, (ann, _) = two_people(server.url, server.url, options=timed)
        time.sleep(0.5)  # a beat or two
        page = ann.client.get(path).text
        before, known = float(LEFT.search(page)[1]), SHOWN.search(page)[1]
        server.kill()
        time.sleep(2)
        server.start()
        until = time.monotonic() + 10
        while True:  # the first beat comes with the first answers
            answer = ann.client.get(f"{path}/view", query_string={"v": known})
            if answer.status_code == 200:
                break
            assert time.monotonic() < until, "an open page never shows its clock anew"
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
