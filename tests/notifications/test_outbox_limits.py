"""The outbox at its limits: when it runs again, what it skips, what it does not send."""

import threading

import pytest
from sqlalchemy import text

from kaboom.notifications import outbox, retries
from kaboom.notifications.outbox import GATHERED, LOOK, PATIENCE, UNKNOWN, Outbox
from kaboom.table_page import service as match
from kaboom.tables.clock.whose_turn import Turn
from tests.notifications.test_outbox import ADDRESS, BENS, Box, wants
from tests.support.notifications import due
from tests.tables.test_service import opened, playing


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough, since other tests run these statements on both."""
    return open_tables(sqlite_url)


@pytest.fixture
def box(tables):
    return Box(tables, [])


@pytest.fixture
def waiting(tables, box):
    """Return a match that waits for both players, of whom Ann has a channel: code and ids."""
    code, ids = playing(tables, "Ann", "Ben")
    wants(tables, ids[0])
    box.calls.begun(code, ids)
    return code, ids


def left(tables):
    """Return the state of each alert, and the seconds until it is checked again."""

    def work(connection):
        rows = connection.execute(text("SELECT state, due_at, tries FROM calls ORDER BY due_at"))
        return [tuple(row) for row in rows]

    found = tables.database.read(work)
    return [(state, due and due - tables.now(), tries) for state, due, tries in found]


def seen_to(tables, box, fake_clock, seconds=PATIENCE):
    """Process the outbox after this many seconds; return the state of its alerts."""
    box.calls.tick()
    fake_clock.sleep(seconds)
    box.calls.tick()
    return left(tables)


def test_alert_is_due_five_seconds_into_a_turn_and_sent_once(tables, box, waiting, fake_clock):
    assert box.calls.tick() == PATIENCE
    assert left(tables) == [("waiting", PATIENCE, 0)]
    fake_clock.sleep(PATIENCE - 0.5)
    assert box.calls.tick() == GATHERED, "it looks at most once a second"
    assert box.sent == []
    fake_clock.sleep(0.5)
    assert box.calls.tick() == LOOK, "others may add something in the meantime"
    assert left(tables) == [("sent", None, 1)]
    box.calls.tick()
    assert len(box.sent) == 1


def test_distant_alert_is_checked_before_it_is_due(tables, box, waiting, fake_clock):
    box.answers = [retries.NotArrived("away")]
    seen_to(tables, box, fake_clock)
    assert left(tables) == [("waiting", 60, 1)]
    assert box.calls.tick() == LOOK
    fake_clock.sleep(50)
    assert box.calls.tick() == 10


@pytest.mark.parametrize(
    ("failed", "stands"),
    [
        ({}, ("waiting", 60, 1)),
        ({"after": 30.0}, ("waiting", 60, 1)),
        ({"after": 61.0}, ("waiting", 61, 1)),
        ({"after": 1e9}, ("waiting", retries.LONGEST_WAIT, 1)),
        ({"hopeless": True}, ("failed", None, 1)),
    ],
)
def test_undelivered_alert_is_retried_if_sensible(tables, box, waiting, fake_clock, failed, stands):
    box.answers = [retries.NotArrived("no", **failed)]
    assert seen_to(tables, box, fake_clock) == [stands]


def test_alert_is_retried_after_any_failure(tables, box, waiting, fake_clock):
    box.answers = [ZeroDivisionError("an internal error")]
    assert seen_to(tables, box, fake_clock) == [("waiting", 60, 1)]


def test_unprocessable_alert_blocks_no_other(tables, box, fake_clock, monkeypatch, caplog):
    """It is retried later, like an undelivered one, and finally dropped."""
    (bad, (ann, _)), (good, (cid, _)) = playing(tables, "Ann", "Ben"), playing(tables, "Cid", "Dot")
    wants(tables, ann)
    wants(tables, cid, BENS)
    look = outbox._get

    def found(tables, code):
        if code == bad:
            raise ZeroDivisionError("an internal error")
        return look(tables, code)

    box.calls.begun(bad, [ann])
    box.calls.begun(good, [cid])
    box.calls.tick()
    monkeypatch.setattr(outbox, "_get", found)
    fake_clock.sleep(PATIENCE)
    box.calls.tick()
    assert [call.address for call in box.sent] == [BENS]
    assert sorted(left(tables), key=repr) == [("sent", None, 1), ("waiting", 60, 1)]
    for seconds in retries.RETRIES:
        fake_clock.sleep(seconds)
        box.calls.tick()
    assert sorted(left(tables), key=repr) == [("failed", None, 4), ("sent", None, 1)]
    assert caplog.messages == [f"could not process a notification of table {bad}"] * 4


def test_gone_channel_is_deleted_with_its_alerts(tables, box, waiting, fake_clock):
    box.answers = [retries.NotArrived("gone", gone=True)]
    assert seen_to(tables, box, fake_clock) == []


def test_unreadable_table_sends_no_alert(tables, box, waiting, fake_clock, monkeypatch):
    box.calls.tick()
    fake_clock.sleep(PATIENCE)
    monkeypatch.setattr(outbox, "_get", lambda tables, code: None)
    box.calls.tick()
    assert left(tables) == [("moot", None, 0)] and box.sent == []
    assert due(tables, *(waiting[0], waiting[1][0])) == []
    box.calls.begun(waiting[0], waiting[1])
    box.calls.tick()
    assert len(left(tables)) == 1


def test_open_table_postpones_the_check_by_half_a_minute(tables, box, waiting, fake_clock):
    box.open = {waiting[1][0]}
    assert seen_to(tables, box, fake_clock) == [("waiting", 30, 0)] and box.sent == []


def test_alert_of_an_earlier_turn_is_not_sent_later(tables, box, waiting, fake_clock, monkeypatch):
    code, (ann, _) = waiting
    monkeypatch.setattr(outbox, "turn_of", lambda snapshot, player: Turn(99, 0.0, "a move"))
    assert seen_to(tables, box, fake_clock) == [("moot", None, 0)]
    monkeypatch.undo()
    assert outbox.turn_of(tables.get(code), ann).number == 4, "a table counts all players' turns"
    turn = outbox.turn_of(tables.get(code), 999)
    assert turn is None, "a player without a seat has no turn"


def test_player_who_moved_or_uses_a_bot_is_not_awaited(tables, box, waiting, fake_clock):
    code, (ann, _) = waiting
    match.start_stand_in(tables, code, ann)
    assert seen_to(tables, box, fake_clock) == []
    assert due(tables, code, ann) == []
    match.end_stand_in(tables, code, ann)
    assert [call.address for call in due(tables, code, ann)] == [ADDRESS]


def test_alerts_are_sent_up_to_the_capacity(tables, box, fake_clock, monkeypatch):
    code, ids = playing(tables, "Ann", "Ben")
    for player, address in zip(ids, (ADDRESS, BENS), strict=True):
        wants(tables, player, address)
    box.calls.begun(code, ids)
    box.calls._slots = threading.Semaphore(1)
    late = []
    box.calls._spawn = late.append
    stands = seen_to(tables, box, fake_clock)
    assert [due for _, due, _ in stands] == [0, GATHERED], "the other is checked a second later"
    assert len(late) == 1 and box.sent == []
    late.pop()()
    assert len(box.sent) == 1
    fake_clock.sleep(GATHERED)
    box.calls.tick()
    late.pop()()
    assert sorted(call.address for call in box.sent) == [ADDRESS, BENS]


def test_shared_channel_url_gets_one_alert_with_both_names(tables, box, fake_clock):
    code, ids = playing(tables, "Ann", "Ben")
    for player in ids:
        wants(tables, player)
    box.calls.begun(code, ids)
    assert [state for state, _, _ in seen_to(tables, box, fake_clock)] == ["sent", "sent"]
    (call,) = box.sent
    assert [it.names for it in call.tables] == [("Ann", "Ben")]


def test_turn_start_records_only_players_with_a_channel(tables, box, fake_clock):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    box.calls.begun(code, [ben])
    box.calls.tick()
    assert left(tables) == []
    box.calls.begun(code, [ben])
    box.calls.begun(code, [ann])
    box.calls.tick()
    assert len(left(tables)) == 1


def test_alerts_of_a_killed_worker_are_found_at_startup(tables, box, fake_clock):
    _, ids = playing(tables, "Ann", "Ben")
    wants(tables, ids[1], BENS)
    opened(tables, "Cid", "Dot")
    box.calls.sweep()
    assert left(tables) == [("waiting", PATIENCE, 0)]
    seen_to(tables, box, fake_clock)
    assert [call.address for call in box.sent] == [BENS]


def test_alert_waits_a_limited_time_if_presence_is_unknown(tables, box, waiting, fake_clock):
    box.open = None
    assert seen_to(tables, box, fake_clock) == [("waiting", PATIENCE, 0)]
    box.calls._born -= UNKNOWN
    assert seen_to(tables, box, fake_clock)[0][0] == "sent"


def test_notifier_runs_until_closed_and_starts_once(tables, monkeypatch):
    looked = threading.Event()
    it = Outbox(tables, pytest.fail)
    monkeypatch.setattr(it, "tick", lambda: looked.set() or 0.01)
    before = set(threading.enumerate())
    it.start()
    it.start()
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon, "an ending process does not wait for it"
    assert looked.wait(10)
    it.close()
    assert not thread.is_alive()
    it.begun("ABC", [1])
    it.start()
    assert it._begun == {} and set(threading.enumerate()) <= before


def test_notifier_survives_a_store_failure(tables, monkeypatch):
    monkeypatch.setattr(outbox, "GATHERED", 0.001)
    monkeypatch.setattr(outbox, "LOOK", 0.001)
    it, looked, enough = Outbox(tables, pytest.fail), [], threading.Event()

    def tick():
        looked.append(1)
        if len(looked) == 3:
            enough.set()
        raise OSError("the store is unavailable")

    swept = []
    monkeypatch.setattr(it, "tick", tick)
    monkeypatch.setattr(it, "sweep", lambda: swept.append(1))
    it.start()
    assert enough.wait(10)
    it.close()
    assert swept == [1], "unrecorded turns are looked for at the start, then once an hour"
