"""The deal of the day: promised, dealt alike, counted once, told when there are enough."""

from datetime import UTC, date, datetime, timedelta

import pytest

from kaboom.accounts import players
from kaboom.engine.codec import to_json
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.records.service import Library, RecordNotFound
from kaboom.tables import sittings
from kaboom.tables.maintenance.cleanup import tidy
from kaboom.tables.shared_deals import queries as store
from kaboom.tables.shared_deals.service import GONE, result_of
from kaboom.tournaments.daily import service as daily
from kaboom.tournaments.daily.service import day_of, label_of
from tests.support.effort import LONG
from tests.support.finished_matches import finish
from tests.tables.test_shared_deals import play_it, stored

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()
TODAY = date(2026, 11, 25)  # of GOPS, the quickest game


@pytest.fixture
def tables(open_tables, sqlite_url, watch):
    watch.time = NOON
    return open_tables(sqlite_url)


def somebody(tables, name):
    return players.player(tables, f"key of {name}", name)[0]


def try_it(tables, name, day=TODAY, again=False):
    player = somebody(tables, name)
    return daily.play(tables, day, player, name, again), player


def test_a_week_of_days_is_promised_once_and_nobody_rerolls(tables, watch):
    tidy(tables)
    first = {it.date: it.board for it in daily.calendar(tables)}
    assert sorted(first) == [TODAY + timedelta(days=n) for n in range(8)]
    assert all(board.cut == "" for board in first.values())
    assert len({board.commitment for board in first.values()}) == 8
    watch.sleep(daily.DAY)
    tidy(tables)
    again = {it.date: it.board for it in daily.calendar(tables)}
    assert len(again) == 9
    assert {day: again[day] for day in first} == first


def test_of_two_workers_that_promise_a_day_the_first_ones_deal_holds(tables, monkeypatch):
    daily.promise_ahead(tables)
    first = daily.calendar(tables)
    # The slower one looked before the other had written.
    monkeypatch.setattr(daily, "_board", lambda tables, day: None)
    daily.promise_ahead(tables)
    assert daily.calendar(tables) == first


def test_every_game_with_boards_and_bots_has_its_turn_and_can_be_dealt(tables):
    games = [daily.game_of(TODAY + timedelta(days=n)) for n in range(5)]
    assert {game.key for game in games} == {key for key, it in GAMES.items() if it.board}
    for game in games:
        options = daily.options_of(game)
        assert not any(options.times().values())


def test_before_its_day_a_deal_does_not_exist(tables, watch):
    daily.promise_ahead(tables)
    tomorrow = TODAY + timedelta(days=1)
    with pytest.raises(InvalidState):
        try_it(tables, "Ann", tomorrow)
    assert daily.look(tables, tomorrow, "").board.cut == ""
    with pytest.raises(InvalidState):
        try_it(tables, "Ann", TODAY - timedelta(days=1))
    watch.sleep(daily.DAY)
    try_it(tables, "Ann", tomorrow)
    assert len(daily.look(tables, tomorrow, "").board.cut) == 64


def test_the_first_table_counts_whatever_comes_of_it_and_others_do_not(tables):
    daily.promise_ahead(tables)
    code, _ = try_it(tables, "Ann")
    assert try_it(tables, "Ann")[0] == code
    finish(tables, code)
    found = daily.look(tables, TODAY, "key of Ann")
    assert found.at == code and found.result is not None and found.tries == 1
    again, _ = try_it(tables, "Ann", again=True)
    assert again != code
    finish(tables, again)
    after = daily.look(tables, TODAY, "key of Ann")
    assert (after.at, after.result, after.tries) == (code, found.result, 1)
    left, ben = try_it(tables, "Ben")
    sittings.leave(tables, left, ben)
    finish(tables, left)
    assert daily.look(tables, TODAY, "key of Ben").result == GONE


def test_a_table_that_a_crash_left_without_its_deal_is_dealt_on_the_next_press(tables, monkeypatch):
    daily.promise_ahead(tables)
    with monkeypatch.context() as broken:
        broken.setattr(daily, "_begin", lambda transaction: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            try_it(tables, "Ann")
    code, _ = try_it(tables, "Ann")
    assert tables.look(code).table.playing and tables.look(code).table.match == 1


@pytest.mark.parametrize("shift", range(5) if LONG else (0, 2))
def test_equal_play_has_an_equal_result_in_every_game_of_the_week(tables, watch, shift):
    watch.sleep(shift * daily.DAY)
    day = day_of(watch())
    daily.promise_ahead(tables)
    ends = []
    for name in ("Ann", "Ben"):
        code, player = try_it(tables, name, day)
        watch.sleep(5)
        play_it(tables, code, watch, player)
        ends.append((to_json(tables.look(code).state), daily.look(tables, day, f"key of {name}")))
    assert ends[0][0] == ends[1][0]
    assert ends[0][1].result == ends[1][1].result


def test_how_many_did_worse_is_told_from_twenty_on(tables):
    daily.promise_ahead(tables)
    label = label_of(TODAY)
    code, ann = try_it(tables, "Ann")

    others = [somebody(tables, f"P{n}") for n in range(19)]

    def eighteen_finish(connection):
        for n, player in enumerate(others):
            store.add_try(connection, label, player, f"T{n}")
            if n < 18:
                store.end_try(connection, label, player, f"T{n}", 10 if n < 12 else 30)

    tables.database.write(eighteen_finish)
    assert daily.look(tables, TODAY, "key of P0").beaten is None  # 18 have finished
    tables.database.write(lambda c: store.end_try(c, label, ann, code, 20))
    assert daily.look(tables, TODAY, "key of Ann").tries == 19
    assert daily.look(tables, TODAY, "key of Ann").beaten is None
    tables.database.write(lambda c: store.end_try(c, label, others[18], "T18", 30))
    assert daily.look(tables, TODAY, "key of Ann").beaten == 100 * 12 // 19
    assert daily.look(tables, TODAY, "key of P3").beaten == 0
    assert daily.look(tables, TODAY, "key of P12").beaten == 100 * 13 // 19


def test_whoever_has_not_finished_is_told_nothing_of_others(tables):
    daily.promise_ahead(tables)
    code, _ = try_it(tables, "Ann")
    try_it(tables, "Ben")
    before = [daily.look(tables, TODAY, f"key of {name}") for name in ("Ben", "Cid")]
    finish(tables, code)
    assert [daily.look(tables, TODAY, f"key of {name}") for name in ("Ben", "Cid")] == before


def test_records_are_open_three_hours_after_the_day(tables, watch):
    daily.promise_ahead(tables)
    code, _ = try_it(tables, "Ann")
    finish(tables, code)
    record = stored(tables, code).code
    watch.time = daily.begins(TODAY) + daily.DAY + daily.GRACE - 1
    for key in ("", "key of Ben"):
        with pytest.raises(RecordNotFound):
            Library(tables).find(record, key)
    assert Library(tables).find(record, "key of Ann")[1].own == 0  # by her own eyes alone
    watch.sleep(1)
    assert Library(tables).find(record, "key of Ann")[1].own is None
    replay, _ = Library(tables).find(record)
    assert replay.wrong == [] and replay.record.board.label == label_of(TODAY)
    assert daily.look(tables, TODAY, "").closed
    practice, _ = try_it(tables, "Ben")
    assert daily.look(tables, TODAY, "key of Ben").at == ""
    assert tables.look(practice).table.playing


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (((9, 1, 1), (1, 2, 2)), ((9, 9, 1), (1, 1, 3))),  # alone in front beats sharing it
        (((9, 1), (1, 2)), ((9, 2), (1, 2))),  # the same place by more points
        (((1, 9), (1, 2)), ((2, 9), (1, 2))),  # where few points are better
        (((5, 5), (1, 1)), ((9, 0), (2, 1))),
        (((3, 2, 2), (1, 2, 2)), ((5, 6, 0), (2, 1, 3))),  # first place, however many points
    ],
)
def test_a_result_is_the_place_and_then_the_points(better, worse):
    assert result_of(Outcome(*better), 0) > result_of(Outcome(*worse), 0) > GONE
