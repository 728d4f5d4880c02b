"""Seasons: what counts in a month, which players are shown, and that a closed month stays as it
is."""

from dataclasses import replace
from threading import Thread

import pytest

from kaboom.accounts import merge_queries, players
from kaboom.accounts.erase import erase
from kaboom.engine.views import Outcome
from kaboom.ratings import leaderboards, maintenance, seasons
from kaboom.ratings import season_queries as store
from kaboom.ratings.months import days_of, is_month, month_at, months_between
from kaboom.ratings.queries import EVERYBODY, FRIENDS, NOBODY
from kaboom.ratings.service import folded, rate
from kaboom.social.friends import queries as friends
from kaboom.tables.table import Occupant, Table
from tests.ratings.test_service import new_player, void, with_matches
from tests.support.browsing import table_path

DAY = 24 * 3600.0
OCTOBER, NOVEMBER = 1_759_276_800.0, 1_761_955_200.0  # their first moments in 2025


def rate_some(tables, ids, first, start, count, places=(1, 2)):
    """Rate this many matches of these people, one a day, from a given time on."""

    def work(connection):
        chairs = [Occupant("x", it) for it in ids]
        for number in range(count):
            at = start + number * DAY
            outcome = Outcome((), places)
            rate(connection, first + number, "gops", Table(chairs, b"", 1), outcome, at)

    tables.database.write(work)


@pytest.fixture
def people(tables, fake_clock):
    """Ann wins six matches against Ben in October; Cid and Dee have four. All are visible."""
    ids = [new_player(tables, name) for name in ("Ann", "Ben", "Cid", "Dee")]
    for name in ("Ann", "Ben", "Cid", "Dee"):
        leaderboards.want(tables, f"key of {name}", True, EVERYBODY)
    with_matches(tables, 40)
    rate_some(tables, ids[:2], 1, OCTOBER, 6)
    rate_some(tables, ids[2:], 11, OCTOBER, 4)
    fake_clock.time = OCTOBER + 20 * DAY
    return ids


def shown(tables, month="2025-10", name="", public=True):
    return seasons.get(tables, f"key of {name}" if name else "", "gops", month, public)


def listed(tables, month="2025-10", name=""):
    return [(it.place, it.name) for it in shown(tables, month, name).everybody]


def kept(tables, month="2025-10"):
    return sorted(tables.database.read(lambda c: store.places(c, month, "gops")))


def close_october(tables, fake_clock):
    fake_clock.time = NOVEMBER + 2 * 3600
    seasons.count(tables)
    assert shown(tables).closed


def test_months_are_calendar_months_in_utc():
    assert (month_at(NOVEMBER - 1), month_at(NOVEMBER)) == ("2025-10", "2025-11")
    assert days_of("2025-10") == range(int(OCTOBER // DAY), int(NOVEMBER // DAY))
    assert len(days_of("2024-02")) == 29 and len(days_of("2025-12")) == 31
    assert months_between("2025-11", "2026-02") == ["2025-11", "2025-12", "2026-01", "2026-02"]
    assert months_between("2025-11", "2025-10") == []
    assert is_month("2025-12")
    for wrong in ("2025-13", "2025-00", "2025-1", "0000-01", "2025-12 ", "٢٠٢٥-١٢", ""):
        assert not is_month(wrong)


def test_season_lists_players_with_five_matches(tables, people):
    seasons.count(tables)
    assert listed(tables) == [(1, "Ann"), (2, "Ben")]
    assert not shown(tables).closed
    cid = shown(tables, name="Cid").own
    assert (cid.place, cid.played) == (0, 4)


def test_all_players_begin_a_month_at_1000(tables, people, fake_clock):
    rate_some(tables, [people[1], people[0]], 21, NOVEMBER, 5)
    close_october(tables, fake_clock)
    assert listed(tables, "2025-11") == [(1, "Ben"), (2, "Ann")]
    october = tables.database.read(lambda c: store.steps(c, "gops", days_of("2025-11")))
    alone, _ = folded(october)
    assert {it.who: it.mu for it in kept(tables, "2025-11")} == {
        who: row.mu for who, row in alone.items()
    }


def test_equal_points_share_a_place():
    row = store.PlaceRow("2025-10", "gops", 1, 30_000, 5_000, 9, None)
    same = [row, row._replace(who=2), row._replace(who=3, mu=20_000)]
    assert [it.place for it in seasons.placed(same, {1, 2, 3})] == [1, 1, 3]
    assert [it.place for it in seasons.placed(same, {2, 3})] == [None, 1, 2]


def test_month_closes_an_hour_after_its_end(tables, people, fake_clock):
    fake_clock.time = NOVEMBER + 1800
    seasons.count(tables)
    assert not shown(tables).closed
    close_october(tables, fake_clock)
    assert shown(tables).months == ["2025-11", "2025-10"]


def test_closed_season_is_unchanged_by_later_matches(tables, people, fake_clock):
    close_october(tables, fake_clock)
    before = kept(tables)
    rate_some(tables, people[2:], 25, OCTOBER + 25 * DAY, 3)  # it would count if it were in time
    leaderboards.want(tables, "key of Ben", True, FRIENDS)
    fake_clock.time += 40 * DAY
    seasons.count(tables)
    assert kept(tables) == before
    assert listed(tables) == [(1, "Ann"), (2, "")]


def test_season_is_recounted_only_after_half_an_hour(tables, people, fake_clock):
    seasons.count(tables)
    before = kept(tables)
    rate_some(tables, people[2:], 15, OCTOBER + 5 * DAY, 2)
    seasons.count(tables)
    assert kept(tables) == before
    fake_clock.time += 3600
    seasons.count(tables)
    assert len(listed(tables)) == 4


def test_concurrent_season_closings_write_one_result(tables, people, fake_clock):
    fake_clock.time = NOVEMBER + 2 * 3600
    wrong = []

    def close():
        try:
            seasons.count(tables)
        except Exception as error:
            wrong.append(error)

    threads = [Thread(target=close) for _ in range(4)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    assert wrong == []
    assert listed(tables) == [(1, "Ann"), (2, "Ben")]
    assert len(kept(tables)) == 4


def test_failed_season_closing_writes_nothing_and_is_retried(
    tables, people, fake_clock, monkeypatch
):
    fake_clock.time = NOVEMBER + 2 * 3600
    with monkeypatch.context() as patch:
        patch.setattr(store, "save_season", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            seasons.count(tables)
    assert kept(tables) == []
    close_october(tables, fake_clock)
    assert listed(tables) == [(1, "Ann"), (2, "Ben")]


def test_erased_player_keeps_a_nameless_place(tables, people, fake_clock):
    close_october(tables, fake_clock)
    points = [it.points for it in shown(tables).everybody]
    erase(tables, "key of Ann")
    assert listed(tables) == [(1, ""), (2, "Ben")]
    assert [it.points for it in shown(tables).everybody] == points
    assert people[0] not in {it.who for it in kept(tables)}
    leaderboards.forget(tables, "key of Ben")
    assert listed(tables) == [(1, ""), (2, "")]
    assert shown(tables, name="Ben").own is None


def test_merged_guest_keeps_their_place(tables, people, fake_clock):
    close_october(tables, fake_clock)
    newcomer, _ = players.player(tables, "key of new", "New")
    tables.database.write(lambda c: merge_queries.carry(c, people[0], newcomer, "x"))
    assert listed(tables)[0] == (1, "New")


def test_voiding_a_match_changes_a_closed_season(tables, people, fake_clock):
    rate_some(tables, people[2:], 15, OCTOBER + 5 * DAY, 2)
    close_october(tables, fake_clock)
    assert len(listed(tables)) == 4
    erase(tables, "key of Dee")
    leaderboards.want(tables, "key of Ben", True, NOBODY)
    assert void(tables, "M15") == 2
    assert len(listed(tables)) == 4  # five matches are enough
    assert void(tables, "M16") == 2
    assert listed(tables) == [(1, "Ann"), (2, "")]
    assert shown(tables).closed
    assert maintenance.check(tables) == []


def test_voiding_matches_changes_the_current_season_at_once(tables, people):
    seasons.count(tables)
    void(tables, "M1")
    void(tables, "M2")
    assert listed(tables) == []


def test_names_follow_the_players_visibility(tables, people, fake_clock):
    for name in ("Ann", "Ben"):
        leaderboards.want(tables, f"key of {name}", True, FRIENDS)
    seasons.count(tables)
    assert listed(tables) == []
    ann = shown(tables, name="Ann")
    assert [(it.place, it.name, it.mine) for it in ann.friends] == [(1, "Ann", True)]
    tables.database.write(lambda c: friends.befriend(c, people[0], people[1], 0.0))
    assert [it.name for it in shown(tables, name="Ann").friends] == ["Ann", "Ben"]
    leaderboards.want(tables, "key of Ben", True, NOBODY)
    assert [it.name for it in shown(tables, name="Ann").friends] == ["Ann"]
    assert shown(tables, name="Ann", public=False).everybody == []


def test_blocked_player_has_no_name_in_a_season(tables, people):
    seasons.count(tables)
    tables.database.write(lambda c: friends.block(c, people[0], people[1], 0.0))
    assert listed(tables, name="Ann") == [(1, "Ann"), (2, "")]
    assert listed(tables, name="Cid") == [(1, "Ann"), (2, "Ben")]


def test_month_without_matches_is_not_found(tables, people):
    seasons.count(tables)
    assert shown(tables, "2024-10") is None
    assert shown(tables, "2025-12") is None


def test_all_time_page_links_to_the_months(browser, app, service, fake_clock, monkeypatch):
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], leaderboard=True))
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    table_path(ann)
    ids = [service.get(table_path(ann).split("/")[2]).table.chairs[0].player]
    ids.append(new_player(service, "Ben"))
    ann.client.post("/account/leaderboards", data={"counts": "1", "shown": "everybody"})
    with_matches(service, 6)
    rate_some(service, ids, 1, OCTOBER, 6)
    close_october(service, fake_clock)
    ann.open("/leaderboards/gops")
    ann.follow("October 2025")
    assert ann.status == 200 and "These places are final." in ann.page.text
    assert "Your matches this month: 6." in ann.page.text
    ann.follow("This month")
    assert "These places are not final yet." in ann.page.text
    told = ann.client.get("/leaderboards/gops/2025-10.json").json
    assert (told["month"], told["closed"]) == ("2025-10", True)
    assert told["months"] == ["2025-11", "2025-10"]
    assert [it["of"] for it in told["boards"]] == ["friends", "everybody"]
    (mine,) = told["boards"][1]["places"]
    assert (mine["place"], mine["name"], mine["played"], mine["mine"]) == (1, "Ann", 6, True)
    text = ann.client.get("/leaderboards/gops/2025-10.txt").text
    assert text.startswith("October 2025\nFinal.\nYou: ")
    assert f"1: Ann (you), {mine['points']}, plus or minus {mine['spread']}, matches: 6\n" in text
    assert ann.client.get("/leaderboards/gops.json").json["months"] == told["months"]


@pytest.mark.parametrize("at", ["gops/2025-13", "gops/1999-01", "chess/2025-10", "gops/x.json"])
def test_invalid_month_is_not_found(browser, at):
    assert browser().client.get(f"/leaderboards/{at}").status_code == 404
