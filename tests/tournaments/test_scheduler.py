"""The tournament scheduler: what it does, when and at which tables, and what it leaves alone."""

import threading
from dataclasses import replace

import pytest

from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.tables.maintenance.interventions import delete
from kaboom.tournaments import organizer, round_tables, scheduler
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import cache_of
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format, How, PodOver, Ruling, Spare, Verb
from kaboom.tournaments.scheduler import REST, TournamentScheduler, direct, direct_all
from tests.chaos import damage
from tests.support.tournaments import FOUR, all_ready, begun, end, ended, opened, pods, settled


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough, since other tests run these statements on both."""
    return open_tables(sqlite_url)


def due(tables, now=None):
    return tables.database.read(lambda c: store.due(c, tables.now() if now is None else now, 20))


def states(tables, code):
    return [state for _, _, state in pods(tables, code)]


# Automatic steps


def test_scheduler_runs_due_steps_until_stopped(tables, monkeypatch):
    looked, enough = [], threading.Event()

    def look_at_all(tables):
        looked.append(tables)
        if len(looked) == 1:
            raise LookupError("the store was briefly unavailable")
        if len(looked) == 3:
            enough.set()

    monkeypatch.setattr(scheduler, "direct_all", look_at_all)
    monkeypatch.setattr(scheduler, "LOOK", 0.001)
    it = TournamentScheduler(tables)
    before = set(threading.enumerate())
    it.start()
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon, "an ending process does not wait for it"
    assert enough.wait(10), "a failure does not end it"
    it.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert set(looked) == {tables}


def test_failing_tournament_rests_30_seconds_alone(tables, fake_clock, monkeypatch):
    bad, _ = opened(tables, *FOUR, begins_at=fake_clock.time)
    good, _ = opened(tables, *FOUR, begins_at=fake_clock.time)
    seen = []

    def fails(tables, code):
        seen.append(code)
        if code == bad:
            raise ValueError("this one cannot continue")
        return direct(tables, code)

    monkeypatch.setattr(scheduler, "direct", fails)
    direct_all(tables)
    assert seen[0] == bad and good in seen and get_tournament(tables, good).of.begun
    assert get_tournament(tables, bad).row.due_at == fake_clock.time + REST
    seen.clear()
    fake_clock.sleep(REST - 1)
    direct_all(tables)
    assert bad not in seen
    fake_clock.sleep(1)
    direct_all(tables)
    assert seen.count(bad) == 1


def test_deleted_tournament_is_not_a_failure(tables, monkeypatch, caplog):
    code, _ = opened(tables, *FOUR)
    monkeypatch.setattr(store, "due", lambda *_: ["NOTHING2", code])
    directed = []
    monkeypatch.setattr(
        scheduler, "direct", lambda tables, at: directed.append(at) or direct(tables, at)
    )
    direct_all(tables)
    assert directed[0] == "NOTHING2" and code in directed, "the next one continues"
    assert not caplog.records


def test_steps_per_tournament_are_limited_in_a_row(tables, monkeypatch):
    monkeypatch.setattr(scheduler, "STEPS", 3)
    monkeypatch.setattr(scheduler, "direct", lambda tables, code: steps.append(code) or True)
    monkeypatch.setattr(store, "due", lambda *_: ["ONE", "TWO"])
    steps = []
    direct_all(tables)
    assert steps == ["ONE"] * 3 + ["TWO"] * 3


@pytest.mark.parametrize("format", Format)
def test_tournament_waiting_for_tables_is_due_after_the_grace(tables, fake_clock, format):
    code, _ = begun(tables, format=format)
    assert get_tournament(tables, code).row.due_at == fake_clock.time + GRACE
    assert due(tables) == []
    all_ready(tables, code)
    assert settled(tables, code).row.due_at == fake_clock.time + GRACE
    fake_clock.sleep(GRACE)
    assert due(tables) == [code]
    assert settled(tables, code).row.due_at is None
    assert due(tables, 1e12) == []


def test_round_with_a_limit_is_due_at_its_limit(tables, fake_clock):
    code, ids = begun(tables, format=Format.SWISS, limit=10)
    all_ready(tables, code)
    start = fake_clock.time
    fake_clock.sleep(GRACE)
    assert settled(tables, code).row.due_at == start + 600
    organizer.rule(tables, code, ids[0], Ruling(Verb.EXTEND, round=1, minutes=5))
    assert settled(tables, code).row.due_at == start + 900


# Tables


def test_table_has_the_tournaments_settings(tables):
    code, _ = begun(tables)
    for number, at, _ in pods(tables, code):
        table = tables.get(at).table
        chairs = [occupant for _, occupant in table.sitting()]
        entrants = get_tournament(tables, code).of.rounds[0].pods[number].entrants
        assert tuple(occupant.entrant for occupant in chairs) == entrants
        assert [occupant.name for occupant in chairs] == [FOUR[it - 1] for it in entrants]
        assert (table.tournament, table.by_house, table.host) == (code, True, -1)
        assert (table.banter, table.board, table.watch, table.audience) == (False, "", 0, True)
        assert not any(occupant.ready or occupant.bot for occupant in chairs)
        assert sorted(table.turns) == [0, 1], "players who must be ready are called"


def test_tournament_bot_is_ready_and_named_by_its_number(tables):
    code, _ = begun(tables, "Ann", bots=1, format=Format.SWISS)
    ((_, at, _),) = pods(tables, code)
    chairs = {occupant.entrant: occupant for _, occupant in tables.get(at).table.sitting()}
    assert [chairs[1].ready, chairs[2].ready] == [False, True]
    assert (chairs[2].name, chairs[2].level, chairs[2].player) == ("bot 2", "easy", None)


def test_tables_of_bots_alone_begin_at_once(tables):
    code, _ = begun(tables, "Ann", bots=3, format=Format.SWISS)
    of = get_tournament(tables, code).of
    alone = [number for number, it in enumerate(of.rounds[0].pods) if 1 not in it.entrants]
    assert [states(tables, code)[it] for it in alone] == ["playing"]
    assert sorted(states(tables, code)) == ["open", "playing"]


def test_match_begins_after_three_minutes_with_players_present(tables, fake_clock):
    code, ids = begun(tables, *FOUR[:3], format=Format.SWISS, game="kaboom", size=3)
    all_ready(tables, code, missing={ids[2]})
    fake_clock.sleep(GRACE - 0.5)
    settled(tables, code)
    assert states(tables, code) == ["open"]
    fake_clock.sleep(0.5)
    settled(tables, code)
    assert states(tables, code) == ["playing"]
    ((_, at, _),) = pods(tables, code)
    assert [occupant.entrant for _, occupant in tables.get(at).table.sitting()].count(3) == 0
    end(tables, at)
    settled(tables, code)
    result = get_tournament(tables, code).of.rounds[0].pods[0].result
    assert {it.entrant: it.how for it in result}[3] == How.ABSENT


def test_all_no_shows_are_absent_and_the_only_arrival_wins(tables, fake_clock):
    code, ids = begun(tables, format=Format.SWISS)
    there = get_tournament(tables, code).of.rounds[0].pods[0].entrants[0]
    all_ready(tables, code, missing=set(ids) - {ids[there - 1]})
    fake_clock.sleep(GRACE)
    seen = settled(tables, code)
    one, none = (it.result for it in seen.of.rounds[0].pods)
    assert {it.entrant: it.how for it in one}[there] == How.THROUGH
    assert sorted(it.how for it in one) == sorted([How.THROUGH, How.ABSENT])
    assert {it.how for it in none} == {How.ABSENT}
    assert len([it for it in seen.log if isinstance(it.event, PodOver)]) == 2


def test_match_without_its_rules_ends_in_a_tie_at_its_limit(tables, fake_clock):
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS, limit=10, game="taken")
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    damage.other_rules(tables, at)
    assert tables.get(at).frozen
    fake_clock.sleep(600)
    seen = settled(tables, code)
    assert [it.place for it in seen.of.rounds[0].pods[0].result] == [1, 1]


def test_match_at_its_time_limit_counts_as_it_stands(tables, fake_clock, monkeypatch):
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], so_far=lambda state: (2, 1)))
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS, limit=10)
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    fake_clock.sleep(599)
    settled(tables, code)
    assert tables.get(at).table.playing
    fake_clock.sleep(1)
    seen = settled(tables, code)
    assert not tables.get(at).table.playing
    assert [it.place for it in seen.of.rounds[0].pods[0].result] == [2, 1]


def test_re_paired_round_removes_its_old_tables(tables):
    code, ids = begun(tables, format=Format.SWISS)
    old = {at for _, at, _ in pods(tables, code)}
    organizer.rule(tables, code, ids[0], Ruling(Verb.PAIR, "anew"))
    settled(tables, code)
    new = {at for _, at, _ in pods(tables, code)}
    assert len(new) == 2 and not old & new
    for at in old:
        with pytest.raises(LookupError):
            tables.get(at)
    assert states(tables, code) == ["open", "open"]


def test_failed_table_delays_no_other(tables, fake_clock, monkeypatch):
    code, _ = begun(tables, format=Format.SWISS)
    (_, first, _), _ = pods(tables, code)
    begin = round_tables.begin

    def fails(tables, at, *more):
        if at == first:
            raise ValueError("this table cannot begin")
        return begin(tables, at, *more)

    monkeypatch.setattr(round_tables, "begin", fails)
    fake_clock.sleep(GRACE)
    settled(tables, code)
    assert states(tables, code)[0] == "open" and states(tables, code)[1] != "open"


def test_no_table_is_opened_after_the_end(tables):
    tables.tournament_tables = 1
    code, ids = begun(tables, format=Format.SWISS)
    assert len(pods(tables, code)) == 1
    all_ready(tables, code)
    organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    ended(tables, code)
    seen = settled(tables, code)
    assert len(pods(tables, code)) == 1
    assert seen.of.rounds[0].pods[0].result is not None, "the match in progress counts"
    assert seen.of.rounds[0].pods[1].result is None


def test_bots_fill_tables_to_a_playable_size(tables, fake_clock):
    code, ids = begun(
        tables, *FOUR[:3], format=Format.SWISS, game="koth", size=5, spare=Spare.HOUSE
    )
    ((_, at, _),) = pods(tables, code)
    chairs = [occupant for _, occupant in tables.get(at).table.sitting()]
    assert [bool(occupant.entrant) for occupant in chairs] == [True] * 3 + [False] * 2
    assert [occupant.bot for occupant in chairs] == [False] * 3 + [True] * 2
    all_ready(tables, code, missing={ids[1]})
    fake_clock.sleep(GRACE)
    settled(tables, code)
    table = tables.get(at).table
    assert table.playing and len(table.seats) == 5
    assert sorted(occupant.entrant for _, occupant in table.sitting()) == [0, 0, 0, 1, 3]


def test_results_of_several_tables_are_recorded_together(tables):
    code, _ = begun(tables, format=Format.SWISS)
    all_ready(tables, code)
    ended(tables, code)
    before = get_tournament(tables, code).of.seq
    assert direct(tables, code)
    seen = get_tournament(tables, code)
    over = [it.event for it in seen.log if it.seq > before]
    assert [(it.round, it.pod) for it in over] == [(1, 0), (1, 1)]
    assert all(isinstance(it, PodOver) and len(it.record) > 4 for it in over)


def test_shared_first_place_is_recorded_for_both_players(tables):
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS)
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    tables.change(at, lambda transaction: transaction.end(Outcome((1, 1), (1, 1), "won")))
    settled(tables, code)
    result = get_tournament(tables, code).of.rounds[0].pods[0].result
    assert [(it.how, it.place) for it in result] == [(How.PLAYED, 1)] * 2


def test_removed_table_leaves_its_result_in_the_log(tables):
    code, _ = begun(tables, "Ann", "Ben", format=Format.SWISS)
    all_ready(tables, code)
    ((_, at, _),) = pods(tables, code)
    ended(tables, code)
    delete(tables, at)
    assert settled(tables, code).of.rounds[0].pods[0].result is not None


def test_result_read_before_a_later_event_is_not_taken(tables):
    code, ids = begun(tables, format=Format.SWISS)
    all_ready(tables, code)
    ended(tables, code)
    seen = get_tournament(tables, code)
    pairing = seen.of.round.pairing
    rows = tables.database.read(lambda c: store.pods_to_see_to(c, seen.row.id, pairing))
    organizer.rule(tables, code, ids[0], Ruling(Verb.ANNOUNCE, "tea"))
    assert not scheduler._collect(tables, seen, rows)
    assert not any(isinstance(it.event, PodOver) for it in get_tournament(tables, code).log)
    assert settled(tables, code).of.rounds[0].pods[0].result is not None


def test_failed_transaction_drops_the_cached_tournament(tables):
    code, ids = begun(tables, format=Format.SWISS)
    kept = cache_of(tables)._kept
    assert code in kept
    with pytest.raises(InvalidState):
        organizer.begin(tables, code, ids[0])
    assert code not in kept


@pytest.mark.parametrize("what", ["check-in", "begin", "pair"])
def test_step_done_by_another_worker_is_not_repeated(tables, what):
    code, _ = opened(tables, *FOUR)
    seen = get_tournament(tables, code)
    if what == "pair":
        assert scheduler._step(tables, seen, "begin")
        seen = get_tournament(tables, code)
    assert scheduler._step(tables, seen, what)
    done = get_tournament(tables, code).of.seq
    assert not scheduler._step(tables, seen, what)
    assert get_tournament(tables, code).of.seq == done
