"""The director at its bounds: what it does when, at which tables, and what it leaves alone."""

import threading
from dataclasses import replace

import pytest

from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.tables.maintenance.cleanup import delete
from kaboom.tournaments import organizer, pairing_tables
from kaboom.tournaments import queries as store
from kaboom.tournaments import scheduler as director
from kaboom.tournaments.cache import cache_of
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules.events import Format, How, PodOver, Ruling, Spare, Verb
from kaboom.tournaments.scheduler import REST, Director, direct, direct_all
from tests.chaos import damage
from tests.support.tournaments import FOUR, all_ready, begun, end, ended, opened, pods, settled


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough: no statement is asked about here that others do not ask on both."""
    return open_tables(sqlite_url)


def due(tables, now=None):
    return tables.database.read(lambda c: store.due(c, tables.now() if now is None else now, 20))


def states(tables, code):
    return [state for _, _, state in pods(tables, code)]


# By itself


def test_it_looks_at_what_is_due_until_it_is_stopped(tables, monkeypatch):
    looked, enough = [], threading.Event()

    def look_at_all(tables):
        looked.append(tables)
        if len(looked) == 1:
            raise LookupError("the store was away for a moment")
        if len(looked) == 3:
            enough.set()

    monkeypatch.setattr(director, "direct_all", look_at_all)
    monkeypatch.setattr(director, "LOOK", 0.001)
    it = Director(tables)
    before = set(threading.enumerate())
    it.start()
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon, "a process that ends does not wait for it"
    assert enough.wait(10), "a failure does not end it"
    it.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert set(looked) == {tables}


def test_one_that_fails_is_left_alone_for_half_a_minute_and_delays_no_other(
    tables, watch, monkeypatch
):
    bad, _ = opened(tables, *FOUR, begins_at=watch.time)
    good, _ = opened(tables, *FOUR, begins_at=watch.time)
    seen = []

    def fails(tables, code):
        seen.append(code)
        if code == bad:
            raise ValueError("this one cannot go on")
        return direct(tables, code)

    monkeypatch.setattr(director, "direct", fails)
    direct_all(tables)
    assert seen[0] == bad and good in seen and look(tables, good).of.begun
    assert look(tables, bad).row.due_at == watch.time + REST
    seen.clear()
    watch.sleep(REST - 1)
    direct_all(tables)
    assert bad not in seen
    watch.sleep(1)
    direct_all(tables)
    assert seen.count(bad) == 1


def test_one_that_is_gone_meanwhile_is_no_failure(tables, monkeypatch, caplog):
    code, _ = opened(tables, *FOUR)
    monkeypatch.setattr(store, "due", lambda *_: ["NOTHING2", code])
    directed = []
    monkeypatch.setattr(
        director, "direct", lambda tables, at: directed.append(at) or direct(tables, at)
    )
    direct_all(tables)
    assert directed[0] == "NOTHING2" and code in directed, "the next one goes on"
    assert not caplog.records


def test_many_steps_of_one_are_done_in_a_row_but_others_come_in_between(tables, monkeypatch):
    monkeypatch.setattr(director, "STEPS", 3)
    monkeypatch.setattr(director, "direct", lambda tables, code: steps.append(code) or True)
    monkeypatch.setattr(store, "due", lambda *_: ["ONE", "TWO"])
    steps = []
    direct_all(tables)
    assert steps == ["ONE"] * 3 + ["TWO"] * 3


@pytest.mark.parametrize("format", Format)
def test_what_waits_for_its_tables_is_due_when_the_grace_ends(tables, watch, format):
    code, _ = begun(tables, format=format)
    assert look(tables, code).row.due_at == watch.time + GRACE
    assert due(tables) == []
    all_ready(tables, code)
    assert settled(tables, code).row.due_at == watch.time + GRACE
    watch.sleep(GRACE)
    assert due(tables) == [code]
    assert settled(tables, code).row.due_at is None
    assert due(tables, 1e12) == []


def test_a_round_with_a_limit_is_due_then(tables, watch):
    code, ids = begun(tables, format=Format.SWISS, limit=10)
    all_ready(tables, code)
    start = watch.time
    watch.sleep(GRACE)
    assert settled(tables, code).row.due_at == start + 600
    organizer.rule(tables, code, ids[0], Ruling(Verb.EXTEND, round=1, minutes=5))
    assert settled(tables, code).row.due_at == start + 900


# Its tables


def test_a_table_is_as_a_tournament_wants_it(tables):
    code, _ = begun(tables)
    for number, at, _ in pods(tables, code):
        table = tables.look(at).table
        chairs = [chair for _, chair in table.sitting()]
        entrants = look(tables, code).of.rounds[0].pods[number].entrants
        assert tuple(chair.entrant for chair in chairs) == entrants
        assert [chair.name for chair in chairs] == [FOUR[it - 1] for it in entrants]
        assert (table.tournament, table.by_house, table.host) == (code, True, -1)
        assert (table.banter, table.board, table.watch, table.audience) == (False, "", 0, True)
        assert not any(chair.ready or chair.bot for chair in chairs)
        assert sorted(table.turns) == [0, 1], "whoever is to be ready is called"


def test_two_of_one_name_at_a_table_are_told_apart_and_bots_are_ready(tables):
    code, _ = begun(tables, "Ann", bots=1, format=Format.SWISS)
    ((_, at, _),) = pods(tables, code)
    chairs = {chair.entrant: chair for _, chair in tables.look(at).table.sitting()}
    assert [chairs[1].ready, chairs[2].ready] == [False, True]
    assert (chairs[2].name, chairs[2].level, chairs[2].player) == ("bot 2", "easy", None)


def test_tables_of_bots_alone_begin_at_once(tables):
    code, _ = begun(tables, "Ann", bots=3, format=Format.SWISS)
    of = look(tables, code).of
    alone = [number for number, it in enumerate(of.rounds[0].pods) if 1 not in it.entrants]
    assert [states(tables, code)[it] for it in alone] == ["playing"]
    assert sorted(states(tables, code)) == ["open", "playing"]


def test_after_three_minutes_it_begins_with_those_who_came_and_not_before(tables, watch):
    code, ids = begun(tables, *FOUR[:3], format=Format.SWISS, game="kaboom", size=3)
    all_ready(tables, code, missing={ids[2]})
    watch.sleep(GRACE - 0.5)
    settled(tables, code)
    assert states(tables, code) == ["open"]
    watch.sleep(0.5)
    settled(tables, code)
    assert states(tables, code) == ["playing"]
    ((_, at, _),) = pods(tables, code)
    assert [chair.entrant for _, chair in tables.look(at).table.sitting()].count(3) == 0
    end(tables, at)
    settled(tables, code)
    result = look(tables, code).of.rounds[0].pods[0].result
    assert {it.entrant: it.how for it in result}[3] == How.ABSENT


def test_where_nobody_comes_all_are_absent_and_where_one_does_they_have_won(tables, watch):
    code, ids = begun(tables, format=Format.SWISS)
    there = look(tables, code).of.rounds[0].pods[0].entrants[0]
    all_ready(tables, code, missing=set(ids) - {ids[there - 1]})
    watch.sleep(GRACE)
    seen = settled(tables, code)
    one, none = (it.result for it in seen.of.rounds[0].pods)
    assert {it.entrant: it.how for it in one}[there] == How.THROUGH
    assert sorted(it.how for it in one) == sorted([How.THROUGH, How.ABSENT])
    assert {it.how for it in none} == {How.ABSENT}
    assert len([it for it in seen.log if isinstance(it.event, PodOver)]) == 2


def test_a_match_whose_rules_are_gone_ends_with_all_equal_when_its_time_is_up(tables, watch):
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS, limit=10, game="taken")
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    damage.other_rules(tables, at)
    assert tables.look(at).frozen
    watch.sleep(600)
    seen = settled(tables, code)
    assert [it.place for it in seen.of.rounds[0].pods[0].result] == [1, 1]


def test_at_the_end_of_its_time_a_match_counts_as_it_stands(tables, watch, monkeypatch):
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], so_far=lambda state: (2, 1)))
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS, limit=10)
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    watch.sleep(599)
    settled(tables, code)
    assert tables.look(at).table.playing
    watch.sleep(1)
    seen = settled(tables, code)
    assert not tables.look(at).table.playing
    assert [it.place for it in seen.of.rounds[0].pods[0].result] == [2, 1]


def test_a_round_that_was_paired_anew_takes_its_old_tables_away(tables):
    code, ids = begun(tables, format=Format.SWISS)
    old = {at for _, at, _ in pods(tables, code)}
    organizer.rule(tables, code, ids[0], Ruling(Verb.PAIR, "anew"))
    settled(tables, code)
    new = {at for _, at, _ in pods(tables, code)}
    assert len(new) == 2 and not old & new
    for at in old:
        with pytest.raises(LookupError):
            tables.look(at)
    assert states(tables, code) == ["open", "open"]


def test_one_table_that_cannot_go_on_holds_up_no_other(tables, watch, monkeypatch):
    code, _ = begun(tables, format=Format.SWISS)
    (_, first, _), _ = pods(tables, code)
    begin = pairing_tables.begin

    def fails(tables, at, *more):
        if at == first:
            raise ValueError("this table cannot begin")
        return begin(tables, at, *more)

    monkeypatch.setattr(pairing_tables, "begin", fails)
    watch.sleep(GRACE)
    settled(tables, code)
    assert states(tables, code)[0] == "open" and states(tables, code)[1] != "open"


def test_nothing_new_is_opened_once_it_was_ended(tables):
    tables.tournament_tables = 1
    code, ids = begun(tables, format=Format.SWISS)
    assert len(pods(tables, code)) == 1
    all_ready(tables, code)
    organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    ended(tables, code)
    seen = settled(tables, code)
    assert len(pods(tables, code)) == 1
    assert seen.of.rounds[0].pods[0].result is not None, "what was being played counts"
    assert seen.of.rounds[0].pods[1].result is None


def test_where_the_house_fills_up_it_does_to_as_many_as_can_play(tables, watch):
    code, ids = begun(
        tables, *FOUR[:3], format=Format.SWISS, game="koth", size=5, spare=Spare.HOUSE
    )
    ((_, at, _),) = pods(tables, code)
    chairs = [chair for _, chair in tables.look(at).table.sitting()]
    assert [bool(chair.entrant) for chair in chairs] == [True] * 3 + [False] * 2
    assert [chair.bot for chair in chairs] == [False] * 3 + [True] * 2
    all_ready(tables, code, missing={ids[1]})
    watch.sleep(GRACE)
    settled(tables, code)
    table = tables.look(at).table
    assert table.playing and len(table.seats) == 5
    assert sorted(chair.entrant for _, chair in table.sitting()) == [0, 0, 0, 1, 3]


def test_results_of_several_tables_are_taken_in_together(tables):
    code, _ = begun(tables, format=Format.SWISS)
    all_ready(tables, code)
    ended(tables, code)
    before = look(tables, code).of.seq
    assert direct(tables, code)
    seen = look(tables, code)
    over = [it.event for it in seen.log if it.seq > before]
    assert [(it.round, it.pod) for it in over] == [(1, 0), (1, 1)]
    assert all(isinstance(it, PodOver) and len(it.record) > 4 for it in over)


def test_who_left_a_match_is_told_by_how_it_ended(tables):
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS)
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    tables.change(at, lambda transaction: transaction.end(Outcome((1, 1), (1, 1), "won")))
    settled(tables, code)
    result = look(tables, code).of.rounds[0].pods[0].result
    assert [(it.how, it.place) for it in result] == [(How.PLAYED, 1)] * 2


def test_a_table_that_was_taken_away_leaves_its_result_in_the_log(tables):
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS)
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    ended(tables, code)
    delete(tables, at)
    assert settled(tables, code).of.rounds[0].pods[0].result is not None


def test_a_result_is_not_taken_in_by_what_was_seen_before_something_else_happened(tables):
    code, ids = begun(tables, format=Format.SWISS)
    all_ready(tables, code)
    ended(tables, code)
    seen = look(tables, code)
    rows = director._pods(tables, seen)
    organizer.rule(tables, code, ids[0], Ruling(Verb.ANNOUNCE, "tea"))
    assert not director._collect(tables, seen, rows)
    assert not any(isinstance(it.event, PodOver) for it in look(tables, code).log)
    assert settled(tables, code).of.rounds[0].pods[0].result is not None


def test_what_was_read_in_a_transaction_that_failed_is_read_again(tables):
    code, ids = begun(tables, format=Format.SWISS)
    kept = cache_of(tables)._kept
    assert code in kept
    with pytest.raises(InvalidState):
        organizer.begin(tables, code, ids[0])
    assert code not in kept


@pytest.mark.parametrize("what", ["check-in", "begin", "pair"])
def test_a_step_that_another_worker_has_done_meanwhile_is_not_done_again(tables, what):
    code, _ = opened(tables, *FOUR)
    seen = look(tables, code)
    if what == "pair":
        assert director._step(tables, seen, "begin")
        seen = look(tables, code)
    assert director._step(tables, seen, what)
    done = look(tables, code).of.seq
    assert not director._step(tables, seen, what)
    assert look(tables, code).of.seq == done
