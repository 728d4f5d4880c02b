"""Calls at one's turn: once a turn, after a while, never of cards, and not for ever in vain."""

import json
import threading

import pytest

from kaboom.tables.calls import FAILURES, Kept, TurnCalls, keep, kept
from kaboom.tables.chat import speak
from kaboom.tables.commands import seating
from kaboom.tables.signals import Signals
from tests.unit.tables.test_service import all_ready, opened, playing, press

ADDRESS = "https://hook.example.org/ann"


def wants(tables, code, player, address=ADDRESS):
    keep(tables, code, player, address, f"https://cards.example.org/t/{code}", "It is your turn")


class Listener:
    """Hears of turns that begin, and passes it on."""

    def __init__(self):
        self.heard = []
        self.pass_on = lambda code, players: None

    def turns(self, code, players):
        self.heard.append(players)
        self.pass_on(code, players)


@pytest.fixture
def listener():
    return Listener()


@pytest.fixture
def tables(open_tables, store_url, listener):
    return open_tables(store_url, signals=Signals(turns=listener.turns))


@pytest.fixture
def begun(listener):
    """Everything the service says of turns that begin."""
    return listener.heard


def test_a_turn_begins_once_however_many_moves_it_takes(tables, begun):
    code, ids = playing(tables, "Ann", "Ben")
    assert sorted(begun.pop(0)) == sorted(ids)  # Kaboom: all look at their cards and are ready
    all_ready(tables, code, ids)
    begun.clear()
    turn = tables.look(code).state.turn
    first, second = (ids[turn], ids[1 - turn])
    press(tables, code, first, "draw")
    assert begun == []
    press(tables, code, first, "discard")
    assert begun == [[second]]


def test_talk_and_other_things_begin_no_turn(tables, begun):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    begun.clear()
    speak(tables, code, ben, "Ben", "hello")
    seating.sit(tables, code, ann, "Ann")
    assert begun == []


def test_what_is_sent_is_the_link_the_game_and_a_sentence(tables):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, code, ann)
    calls = TurnCalls(tables, lambda address, body: None)
    address, body = calls.due(code, ann)
    assert address == ADDRESS
    assert json.loads(body.body) == {
        "table": f"https://cards.example.org/t/{code}",
        "game": "Kaboom",
        "text": "It is your turn",
    }
    assert calls.due(code, ben) is None  # nobody asked for it
    assert calls.due("NOTABLE1", ann) is None


def test_who_has_moved_in_the_meantime_is_not_called(tables):
    code, ids = playing(tables, "Ann", "Ben")
    wants(tables, code, ids[0])
    calls = TurnCalls(tables, lambda address, body: None)
    press(tables, code, ids[0], "ready")
    assert calls.due(code, ids[0]) is None


def test_the_address_is_sealed_at_rest_and_forgotten_when_it_is_taken_away(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    wants(tables, code, ann)

    def stored(connection):
        return str(connection.exec_driver_sql("SELECT webhook FROM sittings").fetchall())

    assert kept(tables, code, ann) == Kept(ADDRESS)
    assert "example" not in tables.database.read(stored)
    wants(tables, code, ann, "")
    assert kept(tables, code, ann) == Kept()


def test_an_address_that_fails_again_and_again_is_given_up_until_it_is_saved_again(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, code, ann)
    tried = []

    def fail(address, body):
        tried.append(address)
        raise OSError("no")

    calls = TurnCalls(tables, fail)
    for number in range(1, FAILURES + 1):
        called = calls.due(code, ann)
        calls._room.acquire()
        calls._call(code, ann, *called)
        assert kept(tables, code, ann).failures == number
    assert calls.due(code, ann) is None
    wants(tables, code, ann)
    assert kept(tables, code, ann) == Kept(ADDRESS)
    assert calls.due(code, ann) is not None


def test_one_call_that_arrives_makes_up_for_those_that_did_not(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, code, ann)
    answers = iter([OSError("no"), None])

    def send(address, body):
        if (error := next(answers)) is not None:
            raise error

    calls = TurnCalls(tables, send)
    for failures in (1, 0):
        calls._room.acquire()
        calls._call(code, ann, *calls.due(code, ann))
        assert kept(tables, code, ann) == Kept(ADDRESS, failures=failures)


@pytest.fixture
def called(tables, watch, listener):
    """Calls in their own threads; a function that lets the clock go on until so many were made.

    Turns are looked at in their order, so that whoever was passed over by then stays so.
    """
    sent, came = [], threading.Semaphore(0)

    def send(address, body):
        sent.append(address)
        came.release()

    calls = TurnCalls(tables, send, patience=0.05)
    listener.pass_on = calls.begun

    def wait_for(calls):
        watch.sleep(1)
        for _ in range(calls):
            assert came.acquire(timeout=30)
        for thread in threading.enumerate():
            if thread.name == "call":
                thread.join()  # it notes that it was made
        return sorted(sent)

    yield wait_for
    calls.close()


BENS = "https://hook.example.org/ben"


def test_whoever_the_table_waits_for_is_called_by_itself_and_once(tables, called):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, code, ann)
    wants(tables, code, ben, BENS)
    tables.signals.turns(code, [ann])
    for player in (ann, ben):
        seating.ready(tables, code, player)
    for _ in range(5):  # the same turn noted again is still one turn
        tables.signals.turns(code, [ann])
    tables.signals.turns(code, [ben])
    assert called(2) == [ADDRESS, BENS]


def test_once_the_calls_are_closed_their_thread_ends_and_nobody_is_called(tables, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, code, ann)
    sent = []
    calls = TurnCalls(tables, lambda address, body: sent.append(address), patience=5)
    calls.begun(code, [ann])
    calls.close()
    calls.begun(code, [ann])
    watch.sleep(60)
    calls._thread.join(timeout=30)
    assert not calls._thread.is_alive()
    assert sent == []


def test_the_quick_are_not_called(tables, called):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, code, ann)
    wants(tables, code, ben, BENS)
    for player in (ann, ben):
        seating.ready(tables, code, player)
    press(tables, code, ann, "ready")
    assert called(1) == [BENS]
