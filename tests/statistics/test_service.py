"""Results are stored when a match ends, counted, erased and merged with their player."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from kaboom.accounts import erase, merge_queries, players
from kaboom.coach.queries import Cost
from kaboom.daily import service as daily
from kaboom.db.times import day_of
from kaboom.engine.views import Outcome
from kaboom.lobby import service as lobby
from kaboom.records.service import MatchArchive
from kaboom.social.friends import queries as friends
from kaboom.statistics import days, figures, queries, service, stamps
from kaboom.statistics.head_to_head import Score, rivals_of
from kaboom.statistics.models import results
from kaboom.statistics.results import is_perfect
from kaboom.table_page import service as match
from kaboom.tables import start_match
from kaboom.tables.clock.decision_durations import LONGEST, Thought, thought_on
from kaboom.tables.clock.whose_turn import Turn
from kaboom.tables.maintenance.interventions import stop
from tests.support.finished_matches import finish, play_to_the_end

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()
ANN, BEN = "key of Ann", "key of Ben"


@pytest.fixture
def tables(open_tables, sqlite_url, fake_clock):
    fake_clock.time = NOON
    return open_tables(sqlite_url)


def read(tables, work, player):
    return tables.database.read(lambda c: work(c, player))


def kept(tables):
    return tables.database.read(lambda c: c.execute(select(results)).all())


def test_match_counts_for_each_player(tables):
    code, ids = play_to_the_end(tables, "gops", bots=1, names=("Ann", "Ben"), players=3)
    outcome = tables.get(code).table.outcome
    rows = {row.player_id: row for row in kept(tables)}
    assert set(rows) == set(ids)
    for row in rows.values():
        assert (row.game, row.rivals, row.board) == ("gops", "people", "")
        assert row.points == outcome.scores[row.seat]
        assert row.place == (outcome.places[row.seat] if outcome.winners else None)


def test_match_counts_by_its_strongest_bot(tables):
    player = players.player(tables, ANN, "Ann")[0]
    options = tables.get(play_to_the_end(tables, "gops")[0]).game.options(players=3)
    code = lobby.open(tables, "gops", options, player, "Ann")
    for level in ("easy", "hard"):
        lobby.add_bot(tables, code, player, level=level)
    start_match.start(tables, code, player)
    finish(tables, code)
    against = read(tables, figures.of_player, player)[0].against
    assert against["hard"].matches == 1
    assert against["easy"].matches == 0


def test_stopped_match_has_neither_place_nor_points(tables):
    player = players.player(tables, ANN, "Ann")[0]
    options = tables.get(play_to_the_end(tables, "gops")[0]).game.options(players=2)
    code = lobby.open(tables, "gops", options, player, "Ann")
    lobby.add_bot(tables, code, player)
    start_match.start(tables, code, player)
    stop(tables, code)
    row = kept(tables)[-1]
    assert (row.place, row.points, row.perfect) == (None, None, False)
    assert read(tables, figures.of_player, player)[0].all.matches == 2


def test_decisions_of_people_are_timed(tables, fake_clock):
    player = players.player(tables, ANN, "Ann")[0]
    game = tables.get(play_to_the_end(tables, "gops")[0]).game
    code = lobby.open(tables, "gops", game.options(players=2), player, "Ann")
    lobby.add_bot(tables, code, player)
    start_match.start(tables, code, player)
    fake_clock.sleep(7)
    snapshot = tables.get(code)
    seat = snapshot.table.seat_of(player)
    offer = snapshot.prompts[seat].offer("bid")
    move = f"bid {offer.options[0]}"
    table = snapshot.table
    match.submit(tables, code, player, move, offer.token, "x", table.match, table.revision(seat))
    finish(tables, code)
    row = kept(tables)[-1]
    assert (row.decisions, row.seconds) == (1, 7.0)


def test_thinking_time_starts_with_the_turn_or_last_decision():
    turn = Turn(3, 100.0, "")
    first = thought_on({}, 0, turn, 104.0)
    assert first == {0: Thought(1, 4.0, 104.0)}
    assert thought_on(first, 0, turn, 110.0)[0] == Thought(2, 10.0, 110.0)
    assert thought_on(first, 0, turn, 9e9)[0].seconds == 4.0 + LONGEST
    assert thought_on(first, 1, None, 110.0) == first


@pytest.mark.parametrize(
    ("scores", "places", "lowest", "perfect"),
    [
        ((0, 9), (1, 2), True, True),
        ((1, 9), (1, 2), True, False),
        ((0, 0), (1, 1), True, False),
        ((13, 0), (1, 2), False, True),
        ((13, 1), (1, 2), False, False),
    ],
)
def test_perfect_match_is_a_win_without_penalty(scores, places, lowest, perfect):
    assert is_perfect(Outcome(scores, places), 0, lowest) is perfect


def test_forfeit_is_not_perfect():
    assert not is_perfect(Outcome((13, 0), (1, 2), "forfeit"), 0, lowest_wins=False)


def test_months_are_those_since_the_first_match():
    line = queries.Line("gops", NOON - 40 * 86400, 1, 20.0, 30.0, 10)
    later = queries.Line("gops", NOON, 2, None, None, None)
    october, november = figures.over_time([line, later], [(NOON, 0.5)], NOON)
    assert (october.matches, october.share, october.points, october.seconds) == (1, 100, 20.0, 3.0)
    assert (november.matches, november.share, november.points) == (1, 0, None)
    assert (october.cost, november.cost) == (None, 0.5)


def test_months_of_a_year_end_with_the_present_one():
    january = datetime(2026, 1, 31, tzinfo=UTC).timestamp()
    assert figures.last_months(january, 3) == [(2025, 11), (2025, 12), (2026, 1)]


def test_average_cost_is_taken_from_the_coach(tables, monkeypatch):
    code, (player,) = play_to_the_end(tables, "gops")
    assert service.one_game(tables, ANN, "gops").cost is None
    found = {(player, "gops"): [Cost(code, NOON, 0.25), Cost(code, NOON, 0.75)]}
    monkeypatch.setattr(figures, "average_costs", lambda _connection, *whose: found[whose])
    assert service.one_game(tables, ANN, "gops").cost == 0.5


def test_deleted_statistics_are_gone(tables):
    play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    MatchArchive(tables).forget_statistics(ANN)
    assert service.all_games(tables, ANN) == []
    assert service.all_games(tables, BEN)[0].all.matches == 1


def test_erased_player_is_absent_from_head_to_head(tables):
    play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    for key in (ANN, BEN):
        assert len(service.head_to_head(tables, key)) == 1
    erase.erase(tables, BEN)
    assert service.head_to_head(tables, ANN) == []


def test_merged_guests_results_are_kept(tables):
    _code, (guest, _ben) = play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    other = players.player(tables, "key of Cleo", "Cleo")[0]
    tables.database.write(lambda c: merge_queries.carry(c, guest, other, ANN))
    assert read(tables, figures.of_player, other)[0].all.matches == 1
    assert read(tables, figures.of_player, guest) == []


def test_head_to_head_shows_the_leader(tables):
    code, (ann, ben) = play_to_the_end(tables, "gops", names=("Ann", "Ben"), players=2)
    places = tables.get(code).table.outcome.places
    own, theirs = places[0] < places[1], places[0] > places[1]
    (rival,) = read(tables, rivals_of, ann)
    assert (rival.name, rival.friend) == ("Ben", False)
    assert rival.games == [("gops", Score(1, own, theirs))]
    tables.database.write(lambda c: friends.befriend(c, ann, ben, NOON))
    assert read(tables, rivals_of, ann)[0].friend


def test_rival_has_the_name_of_the_last_match_unless_a_friend(tables):
    """The current name of a player who is no friend is not shown."""
    _code, (ann, ben) = play_to_the_end(tables, "gops", names=("Ann", "Ben"), players=2)
    players.player(tables, BEN, "Benedict")
    assert read(tables, rivals_of, ann)[0].name == "Ben"
    tables.database.write(lambda c: friends.befriend(c, ann, ben, NOON))
    assert read(tables, rivals_of, ann)[0].name == "Benedict"


@pytest.mark.parametrize("blocker", [0, 1])
def test_head_to_head_is_hidden_if_either_player_blocks(tables, blocker):
    _code, ids = play_to_the_end(tables, "gops", names=("Ann", "Ben"), players=2)
    one, two = ids[blocker], ids[1 - blocker]
    tables.database.write(lambda c: friends.block(c, one, two, NOON))
    assert read(tables, rivals_of, ids[0]) == []


def play_days(tables, fake_clock, number):
    """Let Ann play the deals of this many days in a row, at noon; the last is today's."""
    player = players.player(tables, ANN, "Ann")[0]
    for n in range(number):
        daily.promise_ahead(tables)
        code = daily.play(tables, day_of(tables.now()), player, "Ann")
        finish(tables, code)
        if n + 1 < number:
            fake_clock.sleep(24 * 3600)
    return player


@pytest.mark.slow
def test_calendar_and_streak_follow_the_days(tables, fake_clock):
    player = play_days(tables, fake_clock, 3)
    own = tables.database.read(lambda c: days.of_player(c, player, tables.now()))
    assert (own.streak, own.longest, own.is_done_today) == (3, 3, True)
    today = day_of(tables.now())
    assert [it.date for it in own.played] == [today - timedelta(days=n) for n in range(3)]
    assert own.weeks[-1][-1].date == today
    assert all(len(week) == 7 for week in own.weeks[:-1])


@pytest.mark.parametrize(
    ("monday", "written"),
    [
        ((2026, 8, 31), {0: (9, 1), 4: (10, 1), 8: (11, 1)}),
        ((2026, 9, 7), {0: (9, 7), 3: (10, 1), 7: (11, 1), 12: (12, 1)}),
        ((2026, 9, 14), {2: (10, 1), 6: (11, 1), 11: (12, 1)}),
    ],
)
def test_month_label_is_above_the_week_of_its_first_day(monday, written):
    first = date(*monday)
    squares = [days.Square(first + timedelta(days=n)) for n in range(13 * 7)]
    weeks = [squares[n : n + 7] for n in range(0, len(squares), 7)]
    months = days.Days(weeks, 0, 0, ()).months
    assert months == {n: date(2026, *it) for n, it in written.items()}


def test_unfinished_day_does_not_count_for_the_streak(tables):
    player = players.player(tables, ANN, "Ann")[0]
    daily.promise_ahead(tables)
    daily.play(tables, day_of(tables.now()), player, "Ann")
    own = tables.database.read(lambda c: days.of_player(c, player, tables.now()))
    assert (own.streak, own.played[0].made, own.is_done_today) == (0, days.BEGUN, False)


@pytest.mark.slow
def test_stamps_match_the_achievements(tables, fake_clock):
    player = play_days(tables, fake_clock, 10)
    got = {it.key: it.at for it in service.portrait(tables, ANN).stamps}
    assert {"match", "day", "row"} <= set(got) <= set(stamps.STAMPS)
    assert "people" not in got
    assert "friend" not in got
    assert got["match"] == NOON
    assert got["row"] == NOON + 9 * 24 * 3600
    ben = players.player(tables, BEN, "Ben")[0]
    tables.database.write(lambda c: friends.befriend(c, player, ben, NOON))
    assert "friend" in {it.key for it in service.portrait(tables, ANN).stamps}


def test_anonymous_player_has_no_portrait(tables):
    assert service.portrait(tables, "key of nobody") is None
    assert service.all_games(tables, "key of nobody") == []
    assert service.one_game(tables, "key of nobody", "gops") is None
    assert service.head_to_head(tables, "key of nobody") == []
