"""The outbox of calls at its bounds: when it looks again, what it leaves, what it does not send."""

import threading

import pytest
from sqlalchemy import text

from kaboom.notifications import outbox as calls
from kaboom.notifications.outbox import GATHERED, LOOK, PATIENCE, UNKNOWN, TurnCalls
from kaboom.play import service as in_match
from tests.notifications.test_outbox import ADDRESS, BENS, Box, wants
from tests.tables.test_service import opened, playing


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough: no statement is asked about here that others do not ask on both."""
    return open_tables(sqlite_url)


@pytest.fixture
def box(tables):
    return Box(tables, [])


@pytest.fixture
def waiting(tables, box):
    """A match of Ann's and Ben's that waits for both; Ann wants to be called: code and players."""
    code, ids = playing(tables, "Ann", "Ben")
    wants(tables, ids[0])
    box.calls.begun(code, ids)
    return code, ids


def left(tables):
    """Return how each call stands, and in how many seconds it is looked at again, if ever."""

    def work(connection):
        rows = connection.execute(text("SELECT state, due_at, tries FROM calls ORDER BY due_at"))
        return [tuple(row) for row in rows]

    found = tables.database.read(work)
    return [(state, due and due - tables.now(), tries) for state, due, tries in found]


def seen_to(tables, box, watch, seconds=PATIENCE):
    """See to the outbox after so many seconds; return how its calls stand then."""
    box.calls.tick()
    watch.sleep(seconds)
    box.calls.tick()
    return left(tables)


def test_a_call_is_due_five_seconds_into_a_turn_and_is_then_sent_once(tables, box, waiting, watch):
    assert box.calls.tick() == PATIENCE
    assert left(tables) == [("waiting", PATIENCE, 0)]
    watch.sleep(PATIENCE - 0.5)
    assert box.calls.tick() == GATHERED, "it looks no oftener than once a second"
    assert box.sent == []
    watch.sleep(0.5)
    assert box.calls.tick() == LOOK, "others may leave something meanwhile"
    assert left(tables) == [("sent", None, 1)]
    box.calls.tick()
    assert len(box.sent) == 1


def test_what_is_due_long_after_is_looked_for_before_that(tables, box, waiting, watch):
    box.answers = [calls.NotArrived("away")]
    seen_to(tables, box, watch)
    assert left(tables) == [("waiting", 60, 1)]
    assert box.calls.tick() == LOOK
    watch.sleep(50)
    assert box.calls.tick() == 10


@pytest.mark.parametrize(
    ("failed", "stands"),
    [
        ({}, ("waiting", 60, 1)),
        ({"after": 30.0}, ("waiting", 60, 1)),
        ({"after": 61.0}, ("waiting", 61, 1)),
        ({"after": 1e9}, ("waiting", calls.LONGEST_WAIT, 1)),
        ({"hopeless": True}, ("failed", None, 1)),
    ],
)
def test_what_did_not_arrive_is_tried_again_when_that_makes_sense(
    tables, box, waiting, watch, failed, stands
):
    box.answers = [calls.NotArrived("no", **failed)]
    assert seen_to(tables, box, watch) == [stands]


def test_whatever_goes_wrong_with_a_call_it_is_tried_again(tables, box, waiting, watch):
    box.answers = [ZeroDivisionError("a fault of ours")]
    assert seen_to(tables, box, watch) == [("waiting", 60, 1)]


def test_a_call_that_cannot_be_seen_to_keeps_no_other_from_its_receiver(
    tables, box, watch, monkeypatch, caplog
):
    """It rests like one that did not arrive, and is given up in the end."""
    (bad, (ann, _)), (good, (cid, _)) = playing(tables, "Ann", "Ben"), playing(tables, "Cid", "Dot")
    wants(tables, ann)
    wants(tables, cid, BENS)
    look = calls._look

    def found(tables, code):
        if code == bad:
            raise ZeroDivisionError("a fault of ours")
        return look(tables, code)

    box.calls.begun(bad, [ann])
    box.calls.begun(good, [cid])
    box.calls.tick()
    monkeypatch.setattr(calls, "_look", found)
    watch.sleep(PATIENCE)
    box.calls.tick()
    assert [call.address for call in box.sent] == [BENS]
    assert sorted(left(tables), key=repr) == [("sent", None, 1), ("waiting", 60, 1)]
    for seconds in calls.RETRIES:
        watch.sleep(seconds)
        box.calls.tick()
    assert sorted(left(tables), key=repr) == [("failed", None, 4), ("sent", None, 1)]
    assert caplog.messages == [f"a call of table {bad} could not be seen to"] * 4


def test_an_address_that_is_gone_is_dropped_with_its_calls(tables, box, waiting, watch):
    box.answers = [calls.NotArrived("gone", gone=True)]
    assert seen_to(tables, box, watch) == []


def test_a_table_that_cannot_be_read_calls_nobody(tables, box, waiting, watch, monkeypatch):
    box.calls.tick()
    watch.sleep(PATIENCE)
    monkeypatch.setattr(calls, "_look", lambda tables, code: None)
    box.calls.tick()
    assert left(tables) == [("moot", None, 0)] and box.sent == []
    assert box.calls.due(*(waiting[0], waiting[1][0])) == []
    box.calls.begun(waiting[0], waiting[1])
    box.calls.tick()
    assert len(left(tables)) == 1


def test_who_has_the_table_open_is_looked_for_again_in_half_a_minute(tables, box, waiting, watch):
    box.open = {waiting[1][0]}
    assert seen_to(tables, box, watch) == [("waiting", 30, 0)] and box.sent == []


def test_a_call_of_an_earlier_turn_is_not_made_at_a_later_one(
    tables, box, waiting, watch, monkeypatch
):
    code, (ann, _) = waiting
    monkeypatch.setattr(calls, "turn_of", lambda snapshot, player: 99)
    assert seen_to(tables, box, watch) == [("moot", None, 0)]
    monkeypatch.undo()
    assert calls.turn_of(tables.look(code), ann) == 4, "a table counts everybody's turns"
    assert calls.turn_of(tables.look(code), 999) is None, "who does not sit there has no turn"


def test_who_moved_or_let_a_bot_play_is_not_waited_for(tables, box, waiting, watch):
    code, (ann, _) = waiting
    in_match.hand_over(tables, code, ann)
    assert seen_to(tables, box, watch) == []
    assert box.calls.due(code, ann) == []
    in_match.take_over(tables, code, ann)
    assert [call.address for call in box.calls.due(code, ann)] == [ADDRESS]


def test_one_by_one_as_many_are_sent_as_there_is_room_for(tables, box, watch, monkeypatch):
    code, ids = playing(tables, "Ann", "Ben")
    for player, address in zip(ids, (ADDRESS, BENS), strict=True):
        wants(tables, player, address)
    box.calls.begun(code, ids)
    box.calls._room = threading.Semaphore(1)
    late = []
    box.calls._spawn = late.append
    stands = seen_to(tables, box, watch)
    assert [due for _, due, _ in stands] == [0, GATHERED], "the other is looked at in a second"
    assert len(late) == 1 and box.sent == []
    late.pop()()
    assert len(box.sent) == 1
    watch.sleep(GATHERED)
    box.calls.tick()
    late.pop()()
    assert sorted(call.address for call in box.sent) == [ADDRESS, BENS]


def test_two_who_share_an_address_are_called_once_by_both_names(tables, box, watch):
    code, ids = playing(tables, "Ann", "Ben")
    for player in ids:
        wants(tables, player)
    box.calls.begun(code, ids)
    assert [state for state, _, _ in seen_to(tables, box, watch)] == ["sent", "sent"]
    (call,) = box.sent
    assert [it.names for it in call.tables] == [("Ann", "Ben")]


def test_of_those_whose_turn_began_only_who_has_a_way_is_written_down(tables, box, watch):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    box.calls.begun(code, [ben])
    box.calls.tick()
    assert left(tables) == []
    box.calls.begun(code, [ben])
    box.calls.begun(code, [ann])
    box.calls.tick()
    assert len(left(tables)) == 1


def test_what_a_killed_worker_left_is_found_at_the_next_start(tables, box, watch):
    _, ids = playing(tables, "Ann", "Ben")
    wants(tables, ids[1], BENS)
    opened(tables, "Cid", "Dot")
    box.calls.sweep()
    assert left(tables) == [("waiting", PATIENCE, 0)]
    seen_to(tables, box, watch)
    assert [call.address for call in box.sent] == [BENS]


def test_a_call_waits_while_nobody_knows_who_has_the_table_open_but_not_for_ever(
    tables, box, waiting, watch
):
    box.open = None
    assert seen_to(tables, box, watch) == [("waiting", PATIENCE, 0)]
    box.calls._born -= UNKNOWN
    assert seen_to(tables, box, watch)[0][0] == "sent"


def test_it_works_until_it_is_closed_and_is_begun_once(tables, monkeypatch):
    looked = threading.Event()
    it = TurnCalls(tables, pytest.fail)
    monkeypatch.setattr(it, "tick", lambda: looked.set() or 0.01)
    before = set(threading.enumerate())
    it.start()
    it.start()
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon, "a process that ends does not wait for it"
    assert looked.wait(10)
    it.close()
    assert not thread.is_alive()
    it.begun("ABC", [1])
    it.start()
    assert it._begun == {} and set(threading.enumerate()) <= before


def test_a_failure_of_the_store_does_not_end_it(tables, monkeypatch):
    monkeypatch.setattr(calls, "GATHERED", 0.001)
    monkeypatch.setattr(calls, "LOOK", 0.001)
    it, looked, enough = TurnCalls(tables, pytest.fail), [], threading.Event()

    def tick():
        looked.append(1)
        if len(looked) == 3:
            enough.set()
        raise OSError("the store is away")

    swept = []
    monkeypatch.setattr(it, "tick", tick)
    monkeypatch.setattr(it, "sweep", lambda: swept.append(1))
    it.start()
    assert enough.wait(10)
    it.close()
    assert swept == [1], "what was never written down is looked for at a start, then once an hour"
