"""The clock: does what is due at every table, whatever happens at one of them."""

import threading
import time

import pytest

from kaboom.accounts import players
from kaboom.db.signals import Signals
from kaboom.errors import InvalidState, NotPermitted
from kaboom.play import service as in_match
from kaboom.tables.clock import scheduler as clock
from kaboom.tables.clock import table_time as table_clock
from kaboom.tables.clock.scheduler import LONGEST_SLEEP, Heart, Ticker
from kaboom.tables.maintenance.cleanup import delete
from tests.tables.test_service import KABOOM, all_ready, playing, press


def timed(tables, names=("Ann", "Ben"), seconds=30):
    code, ids = playing(tables, *names, options=KABOOM.options(turn_seconds=seconds))
    all_ready(tables, code, ids)
    return code, ids


def test_a_tick_does_what_is_due_and_says_how_long_to_sleep(tables, watch):
    code, _ = timed(tables)
    ticker = Ticker(tables)
    assert ticker.tick() == LONGEST_SLEEP
    before = tables.look(code).table.seq
    watch.sleep(29.5)
    assert ticker.tick() == pytest.approx(0.5)
    watch.sleep(0.5)
    ticker.tick()
    assert tables.look(code).table.seq == before + 1


def test_it_is_told_how_late_the_clock_was_and_nothing_when_it_had_nothing_to_do(
    open_tables, store_url, watch
):
    late = []
    tables = open_tables(store_url, signals=Signals(late=late.append))
    code, _ = timed(tables)
    watch.sleep(29.5)
    Ticker(tables).tick()
    assert late == []
    watch.sleep(1.5)
    assert tables.lapse(code)
    assert late == [pytest.approx(1.0)]
    tables.lapse(code)
    assert len(late) == 1


def test_the_time_of_a_table_seen_before_goes_on_with_every_beat(tables, watch):
    code, _ = timed(tables)
    heart = Heart(tables)
    heart.beat()
    began = tables.look(code).table_time(watch())
    for _ in range(6):
        watch.sleep(table_clock.EVERY)
        heart.beat()
        passed = tables.look(code).table_time(watch()) - began
        tables.look(code)
    assert passed == 6 * table_clock.EVERY


def test_nothing_due_anywhere_is_a_long_sleep(tables):
    playing(tables, "Ann", "Ben")
    assert Ticker(tables).tick() == LONGEST_SLEEP


def test_a_clock_that_was_told_no_days_takes_no_table_away(tables, watch):
    code, _ = playing(tables, "Ann", "Ben")
    watch.sleep(10 * 365 * 24 * 3600)
    Ticker(tables).tick()
    assert tables.look(code)


def test_a_table_that_fails_does_not_stop_the_others(tables, watch, monkeypatch, caplog):
    bad, _ = timed(tables)
    good, _ = timed(tables, ("Cid", "Dot"))
    before = tables.look(good).table.seq
    real = tables.lapse

    def lapse(code):
        if code == bad:
            raise RuntimeError("broken")
        return real(code)

    monkeypatch.setattr(tables, "lapse", lapse)
    watch.sleep(30)
    ticker = Ticker(tables)
    ticker.tick()
    ticker.tick()
    assert tables.look(good).table.seq > before
    assert sum("could not move" in record.message for record in caplog.records) == 1


def test_a_table_that_failed_and_is_gone_is_not_remembered(tables, watch, monkeypatch):
    code, _ = timed(tables)
    ticker = Ticker(tables)
    monkeypatch.setattr(clock, "REST_AFTER_FAILURE", 0.0)

    def fails(code):
        raise RuntimeError("nobody foresaw that")

    watch.sleep(31)
    with monkeypatch.context() as patched:
        patched.setattr(tables, "lapse", fails)
        ticker.tick()
    delete(tables, code)
    ticker.tick()
    assert not ticker._resting


def test_tidying_that_fails_keeps_nothing_else_from_being_done(tables, monkeypatch):
    tidied, merged = [], []

    def fails(tables):
        tidied.append(tables)
        raise RuntimeError("no room on the disk")

    monkeypatch.setattr(clock, "tidy", fails)
    monkeypatch.setattr(clock, "go_on_with_all", merged.append)
    ticker = Ticker(tables)
    for _ in range(3):
        ticker.tick()
    assert (tidied, merged) == ([tables], [tables])


def begun():
    """Return the threads of running clocks: each has three."""
    return [it for it in threading.enumerate() if it.name in ("clock", "heart", "director")]


def stop(ticker):
    """Stop a clock, and wait until none of its threads uses the store, which is closed then."""
    threads = begun()
    ticker.stop()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


def test_a_running_clock_is_woken_and_stopped(tables, watch):
    code, _ = timed(tables)
    before = tables.look(code).table.seq
    ticker = Ticker(tables)
    ticker.start()
    watch.sleep(30)
    ticker.expect(0.0)
    deadline = time.monotonic() + 10
    while tables.look(code).table.seq == before and time.monotonic() < deadline:
        time.sleep(0.01)
    stop(ticker)
    assert tables.look(code).table.seq > before


def test_more_time_is_given_once_a_decision_to_whoever_asks(tables, watch):
    code, ids = timed(tables)
    (before,) = tables.look(code).table.timers.values()
    in_match.more_time(tables, code, ids[1])  # not the one on turn: asking tells nothing
    (after,) = tables.look(code).table.timers.values()
    assert after.due == before.due + 30
    with pytest.raises(InvalidState, match="cannot get more time"):
        in_match.more_time(tables, code, ids[0])
    press(tables, code, ids[0], "draw")
    in_match.more_time(tables, code, ids[0])  # a new decision
    stranger = players.player(tables, "stranger", "Eve")[0]
    with pytest.raises(NotPermitted):
        in_match.more_time(tables, code, stranger)


def test_there_is_no_more_time_where_nothing_is_timed(tables):
    code, ids = playing(tables, "Ann", "Ben")
    with pytest.raises(InvalidState):
        in_match.more_time(tables, code, ids[0])


def test_a_give_holds_the_turns_clock_and_it_runs_on_afterwards(tables, watch):
    """A sub-prompt pauses the timer of the decision it interrupts (rule book 4.4, 5.3)."""
    code, ids = timed(tables, ("Ann", "Ben"), 30)
    for n in range(60):
        snapshot = tables.look(code)
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
    watch.sleep(10)
    running = next(t for t in tables.look(code).table.timers.values())
    left = running.due - watch()
    press(tables, code, ids[1], "flip", place)
    held = [t for t in tables.look(code).table.timers.values() if t.left is not None]
    assert [t.left for t in held] == [pytest.approx(left)]
    watch.sleep(5)
    press(tables, code, ids[1], "no_give")
    (again,) = tables.look(code).table.timers.values()
    assert again.due - watch() == pytest.approx(left)


def test_it_is_said_how_soon_something_is_due_at_any_table(tables, watch):
    assert tables.due_in() is None
    timed(tables, seconds=60)
    timed(tables, ("Cid", "Dot"), seconds=30)
    assert tables.due_in() == 30
    watch.sleep(10)
    assert tables.due_in() == 20
    watch.sleep(25)
    assert tables.due_in() == -5


def test_no_thread_of_the_clock_keeps_a_process_from_ending(tables):
    ticker = Ticker(tables)
    ticker.start()
    for _ in range(500):
        if len(begun()) == 3:
            break
        time.sleep(0.01)
    threads = begun()
    stop(ticker)
    assert [it.daemon for it in threads] == [True, True, True]


def test_only_what_is_due_sooner_than_planned_wakes_the_clock(tables):
    ticker = Ticker(tables)
    ticker._next_look = time.monotonic() + 10
    for due_in in (None, 20.0):
        ticker.expect(due_in)
        assert not ticker._wake.is_set()
    ticker.expect(5.0)
    assert ticker._wake.is_set()
