"""The clock runs what is due at every table, even if one of them fails."""

import threading
import time

import pytest

from kaboom.accounts import players
from kaboom.db.signals import Signals
from kaboom.errors import InvalidState, NotPermitted
from kaboom.table_page import service as match
from kaboom.tables.clock import scheduler as clock
from kaboom.tables.clock import table_time
from kaboom.tables.clock.scheduler import LONGEST_SLEEP, Heartbeat, Ticker
from kaboom.tables.maintenance.interventions import delete
from tests.tables.test_service import KABOOM, all_ready, playing, press


def timed(tables, names=("Ann", "Ben"), seconds=30):
    code, ids = playing(tables, *names, options=KABOOM.options(turn_seconds=seconds))
    all_ready(tables, code, ids)
    return code, ids


def test_tick_runs_due_moves_and_returns_the_time_to_sleep(tables, fake_clock):
    code, _ = timed(tables)
    ticker = Ticker(tables)
    assert ticker.tick() == LONGEST_SLEEP
    before = tables.get(code).table.seq
    fake_clock.sleep(29.5)
    assert ticker.tick() == pytest.approx(0.5)
    fake_clock.sleep(0.5)
    ticker.tick()
    assert tables.get(code).table.seq == before + 1


def test_lateness_is_reported_only_if_the_clock_had_work(open_tables, store_url, fake_clock):
    late = []
    tables = open_tables(store_url, signals=Signals(late=late.append))
    code, _ = timed(tables)
    fake_clock.sleep(29.5)
    Ticker(tables).tick()
    assert late == []
    fake_clock.sleep(1.5)
    assert tables.run_due(code)
    assert late == [pytest.approx(1.0)]
    tables.run_due(code)
    assert len(late) == 1


def test_table_time_advances_with_every_heartbeat(tables, fake_clock):
    code, _ = timed(tables)
    heart = Heartbeat(tables)
    heart.beat()
    began = tables.get(code).table_time(fake_clock())
    for _ in range(6):
        fake_clock.sleep(table_time.EVERY)
        heart.beat()
        passed = tables.get(code).table_time(fake_clock()) - began
        tables.get(code)
    assert passed == 6 * table_time.EVERY


def test_clock_sleeps_long_if_nothing_is_due(tables):
    playing(tables, "Ann", "Ben")
    assert Ticker(tables).tick() == LONGEST_SLEEP


def test_clock_without_expiry_deletes_no_table(tables, fake_clock):
    code, _ = playing(tables, "Ann", "Ben")
    fake_clock.sleep(10 * 365 * 24 * 3600)
    Ticker(tables).tick()
    assert tables.get(code)


def test_a_table_that_fails_does_not_stop_the_others(tables, fake_clock, monkeypatch, caplog):
    bad, _ = timed(tables)
    good, _ = timed(tables, ("Cid", "Dot"))
    before = tables.get(good).table.seq
    real = tables.run_due

    def lapse(code):
        if code == bad:
            raise RuntimeError("broken")
        return real(code)

    monkeypatch.setattr(tables, "run_due", lapse)
    fake_clock.sleep(30)
    ticker = Ticker(tables)
    ticker.tick()
    ticker.tick()
    assert tables.get(good).table.seq > before
    assert sum("the clock failed" in record.message for record in caplog.records) == 1


def test_deleted_failed_table_is_forgotten(tables, fake_clock, monkeypatch):
    code, _ = timed(tables)
    ticker = Ticker(tables)
    monkeypatch.setattr(clock, "REST_AFTER_FAILURE", 0.0)

    def fails(code):
        raise RuntimeError("an unforeseen error")

    fake_clock.sleep(31)
    with monkeypatch.context() as patched:
        patched.setattr(tables, "run_due", fails)
        ticker.tick()
    delete(tables, code)
    ticker.tick()
    assert not ticker._resting


def test_failing_cleanup_does_not_block_the_clock(tables, monkeypatch):
    tidied, merged = [], []

    def fails(tables):
        tidied.append(tables)
        raise RuntimeError("no room on the disk")

    monkeypatch.setattr(clock, "tidy", fails)
    monkeypatch.setattr(clock, "continue_all_merges", merged.append)
    ticker = Ticker(tables)
    for _ in range(3):
        ticker.tick()
    assert (tidied, merged) == ([tables], [tables])


def begun():
    """Return the threads of running clocks: each has three."""
    return [it for it in threading.enumerate() if it.name in ("clock", "heart", "tournaments")]


def stop(ticker):
    """Stop a clock, and wait until no thread of it uses the store, which is then closed."""
    threads = begun()
    ticker.stop()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


def test_a_running_clock_is_woken_and_stopped(tables, fake_clock):
    code, _ = timed(tables)
    before = tables.get(code).table.seq
    ticker = Ticker(tables)
    ticker.start()
    fake_clock.sleep(30)
    ticker.expect(0.0)
    deadline = time.monotonic() + 10
    while tables.get(code).table.seq == before and time.monotonic() < deadline:
        time.sleep(0.01)
    stop(ticker)
    assert tables.get(code).table.seq > before


def test_more_time_is_given_once_per_decision(tables, fake_clock):
    code, ids = timed(tables)
    (before,) = tables.get(code).table.timers.values()
    match.more_time(tables, code, ids[1])  # not the player on turn: asking reveals nothing
    (after,) = tables.get(code).table.timers.values()
    assert after.due == before.due + 30
    with pytest.raises(InvalidState, match="cannot get more time"):
        match.more_time(tables, code, ids[0])
    press(tables, code, ids[0], "draw")
    match.more_time(tables, code, ids[0])  # a new decision
    stranger = players.player(tables, "stranger", "Eve")[0]
    with pytest.raises(NotPermitted):
        match.more_time(tables, code, stranger)


def test_untimed_decision_gets_no_more_time(tables):
    code, ids = playing(tables, "Ann", "Ben")
    with pytest.raises(InvalidState):
        match.more_time(tables, code, ids[0])


def test_give_pauses_the_turn_clock_which_then_continues(tables, fake_clock):
    """A sub-prompt pauses the timer of the decision it interrupts."""
    code, ids = timed(tables, ("Ann", "Ben"), 30)
    for n in range(60):
        snapshot = tables.get(code)
        state = snapshot.state
        top = state.discards[-1].card[0] if state.discards else ""
        place = next(
            (f"0.{i}" for i, card in enumerate(state.grids[0]) if card and card[0] == top), None
        )
        flips = snapshot.game.listeners(state)
        if place and any(li.seat == 1 and li.verb == "flip" for li in flips):
            break
        player = ids[state.turn]
        press(tables, code, player, "draw" if n % 2 == 0 else "discard")
    fake_clock.sleep(10)
    running = next(t for t in tables.get(code).table.timers.values())
    left = running.due - fake_clock()
    press(tables, code, ids[1], "flip", place)
    held = [t for t in tables.get(code).table.timers.values() if t.left is not None]
    assert [t.left for t in held] == [pytest.approx(left)]
    fake_clock.sleep(5)
    press(tables, code, ids[1], "no_give")
    (again,) = tables.get(code).table.timers.values()
    assert again.due - fake_clock() == pytest.approx(left)


def test_next_due_time_of_any_table_is_returned(tables, fake_clock):
    assert tables.due_in() is None
    timed(tables, seconds=60)
    timed(tables, ("Cid", "Dot"), seconds=30)
    assert tables.due_in() == 30
    fake_clock.sleep(10)
    assert tables.due_in() == 20
    fake_clock.sleep(25)
    assert tables.due_in() == -5


def test_clock_threads_do_not_delay_process_exit(tables):
    ticker = Ticker(tables)
    ticker.start()
    for _ in range(500):
        if len(begun()) == 3:
            break
        time.sleep(0.01)
    threads = begun()
    stop(ticker)
    assert [it.daemon for it in threads] == [True, True, True]


def test_only_an_earlier_due_time_wakes_the_clock(tables):
    ticker = Ticker(tables)
    ticker._next_look = time.monotonic() + 10
    for due_in in (None, 20.0):
        ticker.expect(due_in)
        assert not ticker._wake.is_set()
    ticker.expect(5.0)
    assert ticker._wake.is_set()
