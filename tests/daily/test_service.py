"""The daily deal: committed, the same for all, counted once, compared by those who finished."""

from datetime import UTC, date, datetime, timedelta

import pytest

from kaboom.accounts import players
from kaboom.daily import service as daily
from kaboom.daily.service import label_of
from kaboom.db.times import DAY, begins, day_of
from kaboom.engine.codec import to_json
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.records.access import RecordNotFound
from kaboom.records.service import MatchArchive
from kaboom.tables.maintenance.cleanup import tidy
from kaboom.tables.seats import leaving
from kaboom.tables.shared_deals import queries as store
from kaboom.tables.shared_deals.service import GONE, result_of
from kaboom.tables.transaction import TableTransaction
from tests.support.effort import LONG
from tests.support.finished_matches import finish
from tests.tables.test_shared_deals import play_it, stored

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()
TODAY = date(2026, 11, 25)  # of GOPS, the quickest game


@pytest.fixture
def tables(open_tables, sqlite_url, fake_clock):
    fake_clock.time = NOON
    return open_tables(sqlite_url)


def new_player(tables, name):
    return players.player(tables, f"key of {name}", name)[0]


def try_it(tables, name, day=TODAY, again=False):
    player = new_player(tables, name)
    return daily.play(tables, day, player, name, again), player


def test_week_is_committed_once_and_never_redrawn(tables, fake_clock):
    tidy(tables)
    first = {it.date: it.board for it in daily.calendar(tables)}
    assert sorted(first) == [TODAY + timedelta(days=n) for n in range(8)]
    assert all(board.cut == "" for board in first.values())
    assert len({board.commitment for board in first.values()}) == 8
    fake_clock.sleep(DAY)
    tidy(tables)
    again = {it.date: it.board for it in daily.calendar(tables)}
    assert len(again) == 9
    assert {day: again[day] for day in first} == first


def test_first_of_two_committing_workers_sets_the_deal(tables, monkeypatch):
    daily.promise_ahead(tables)
    first = daily.calendar(tables)
    # The slower one read the store before the other had written.
    monkeypatch.setattr(daily, "_board", lambda tables, day: None)
    daily.promise_ahead(tables)
    assert daily.calendar(tables) == first


def test_every_game_with_boards_has_an_untimed_daily_deal(tables):
    games = [daily.game_of(TODAY + timedelta(days=n)) for n in range(5)]
    assert {game.key for game in games} == {key for key, it in GAMES.items() if it.board}
    for game in games:
        options = daily.options_of(game)
        assert not any(options.times().values())


def test_deal_does_not_exist_before_its_day(tables, fake_clock):
    daily.promise_ahead(tables)
    tomorrow = TODAY + timedelta(days=1)
    with pytest.raises(InvalidState):
        try_it(tables, "Ann", tomorrow)
    assert daily.get(tables, tomorrow, "").board.cut == ""
    with pytest.raises(InvalidState):
        try_it(tables, "Ann", TODAY - timedelta(days=1))
    fake_clock.sleep(DAY)
    try_it(tables, "Ann", tomorrow)
    assert len(daily.get(tables, tomorrow, "").board.cut) == 64


def test_first_table_counts_whatever_its_result(tables):
    daily.promise_ahead(tables)
    code, _ = try_it(tables, "Ann")
    assert try_it(tables, "Ann")[0] == code
    finish(tables, code)
    found = daily.get(tables, TODAY, "key of Ann")
    assert found.at == code and found.result is not None and found.tries == 1
    again, _ = try_it(tables, "Ann", again=True)
    assert again != code
    finish(tables, again)
    after = daily.get(tables, TODAY, "key of Ann")
    assert (after.at, after.result, after.tries) == (code, found.result, 1)
    left, ben = try_it(tables, "Ben")
    leaving.leave(tables, left, ben)
    finish(tables, left)
    assert daily.get(tables, TODAY, "key of Ben").result == GONE


def test_undealt_table_after_a_crash_is_dealt_by_the_next_press(tables, monkeypatch):
    daily.promise_ahead(tables)
    with monkeypatch.context() as broken:
        broken.setattr(TableTransaction, "begin", lambda transaction: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            try_it(tables, "Ann")
    code, _ = try_it(tables, "Ann")
    assert tables.get(code).table.playing and tables.get(code).table.match == 1


@pytest.mark.parametrize("shift", range(5) if LONG else (0, 2))
def test_identical_play_scores_the_same_in_each_game_of_the_week(tables, fake_clock, shift):
    fake_clock.sleep(shift * DAY)
    day = day_of(fake_clock())
    daily.promise_ahead(tables)
    ends = []
    for name in ("Ann", "Ben"):
        code, player = try_it(tables, name, day)
        fake_clock.sleep(5)
        play_it(tables, code, fake_clock, player)
        ends.append((to_json(tables.get(code).state), daily.get(tables, day, f"key of {name}")))
    assert ends[0][0] == ends[1][0]
    assert ends[0][1].result == ends[1][1].result


def test_share_of_worse_results_is_shown_from_twenty_players(tables):
    daily.promise_ahead(tables)
    label = label_of(TODAY)
    code, ann = try_it(tables, "Ann")

    others = [new_player(tables, f"P{n}") for n in range(19)]

    def eighteen_finish(connection):
        for n, player in enumerate(others):
            store.add_try(connection, label, player, f"T{n}")
            if n < 18:
                store.end_try(connection, label, player, f"T{n}", 10 if n < 12 else 30)

    tables.database.write(eighteen_finish)
    assert daily.get(tables, TODAY, "key of P0").beaten is None  # 18 have finished
    tables.database.write(lambda c: store.end_try(c, label, ann, code, 20))
    assert daily.get(tables, TODAY, "key of Ann").tries == 19
    assert daily.get(tables, TODAY, "key of Ann").beaten is None
    tables.database.write(lambda c: store.end_try(c, label, others[18], "T18", 30))
    assert daily.get(tables, TODAY, "key of Ann").beaten == 100 * 12 // 19
    assert daily.get(tables, TODAY, "key of P3").beaten == 0
    assert daily.get(tables, TODAY, "key of P12").beaten == 100 * 13 // 19


def test_unfinished_player_sees_no_other_results(tables):
    daily.promise_ahead(tables)
    code, _ = try_it(tables, "Ann")
    try_it(tables, "Ben")
    before = [daily.get(tables, TODAY, f"key of {name}") for name in ("Ben", "Cid")]
    finish(tables, code)
    assert [daily.get(tables, TODAY, f"key of {name}") for name in ("Ben", "Cid")] == before


def test_records_are_open_three_hours_after_the_day(tables, fake_clock):
    daily.promise_ahead(tables)
    code, _ = try_it(tables, "Ann")
    finish(tables, code)
    record = stored(tables, code).code
    fake_clock.time = begins(TODAY) + DAY + daily.GRACE - 1
    for key in ("", "key of Ben"):
        with pytest.raises(RecordNotFound):
            MatchArchive(tables).find(record, key)
    assert (
        MatchArchive(tables).find(record, "key of Ann")[1].own == 0
    )  # from her own viewpoint only
    fake_clock.sleep(1)
    assert MatchArchive(tables).find(record, "key of Ann")[1].own is None
    replay, _ = MatchArchive(tables).find(record)
    assert replay.wrong == [] and replay.record.board.label == label_of(TODAY)
    assert daily.get(tables, TODAY, "").closed
    practice, _ = try_it(tables, "Ben")
    assert daily.get(tables, TODAY, "key of Ben").at == ""
    assert tables.get(practice).table.playing


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (
            ((9, 1, 1), (1, 2, 2)),
            ((9, 9, 1), (1, 1, 3)),
        ),  # an undivided first place beats a shared one
        (((9, 1), (1, 2)), ((9, 2), (1, 2))),  # the same place with more points
        (((1, 9), (1, 2)), ((2, 9), (1, 2))),  # where the fewest points win
        (((5, 5), (1, 1)), ((9, 0), (2, 1))),
        (((3, 2, 2), (1, 2, 2)), ((5, 6, 0), (2, 1, 3))),  # the first place, whatever the points
    ],
)
def test_results_are_ranked_by_place_and_then_points(better, worse):
    assert result_of(Outcome(*better), 0) > result_of(Outcome(*worse), 0) > GONE
