"""Ratings in browsers without scripts."""

import re
from dataclasses import replace

import pytest

from kaboom.ratings import queries
from tests.support.browsing import table_path
from tests.support.finished_matches import finish


def wants(person, shown="friends"):
    person.open("/account")
    person.follow("Ratings")
    form = next(it for it in person.page.forms if ("do", "keep", "Save") in it.buttons)
    person.send(form, ("do", "keep", "Save"), ticked=[("counts", "1")], shown=shown)
    assert person.status == 200


def test_match_is_rated_once_all_agree_and_the_page_says_so(table, service):
    path, people = table("Ann", "Ben", game="gops", ready=False)
    ann, ben = people
    assert "count" not in ann.page.text
    wants(ann)
    wants(ben)
    path, (ann, ben) = sit_again(people, service)
    assert "This match is rated." in ann.open(path).text
    ann.send(ann.page.form("/start"))
    finish(service, path.split("/")[2])
    for person in (ann, ben):
        person.open("/leaderboards/gops")
        assert "Your ratings" in person.page.text
        assert "?" in person.page.text  # one match is little evidence
        assert "GOPS, rated matches: 1 of 10" in person.page.text
        told = person.client.get("/leaderboards/gops.json").json
        (own,) = told["own"]
        assert (own["game"], own["provisional"], own["played"]) == ("GOPS", True, 1)
        assert [it["of"] for it in told["boards"]] == ["friends"]
        text = person.client.get("/leaderboards/gops.txt").text
        assert f"GOPS: {own['points']}, plus or minus {own['spread']}, too early to tell\n" in text
        assert "GOPS, among friends: no one\n" in text
    ann.press("Delete my ratings")
    assert "rated matches: 0 of 10" in ann.page.text


def sit_again(people, service):
    """Let the two sit down at a new table; return its address and them."""
    ann, ben = people
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ben.open(path)
    ben.send(ben.page.form("/sit"), name="Ben")
    return path, people


def test_player_without_consent_is_not_rated(table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    finish(service, path.split("/")[2])
    assert "Kaboom, rated matches: 0 of 10" in ann.open("/leaderboards").text


def test_stranger_can_read_how_ratings_work(browser):
    ann = browser()
    ann.open("/leaderboards")
    assert (ann.status, len([f for f in ann.page.forms if "ratings" in f.action])) == (200, 0)
    assert "Ratings begin at 1000" in ann.page.text
    assert ann.client.post("/account/leaderboards", data={"counts": "1"}).status_code == 403
    for bad in ("/leaderboards/nothing", "/leaderboards/" + "x" * 9000):
        ann.open(bad)
        assert ann.status == 404


@pytest.mark.parametrize(
    "form", [{"shown": "the world"}, {"shown": "\u202e" * 5000}, {"counts": "2"}, {}]
)
def test_unknown_setting_is_read_as_no_or_friends(table, form):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops", ready=False)
    assert ann.client.post("/account/leaderboards", data=form).status_code == 303
    page = ann.open("/leaderboards")
    assert "checked" not in ann.html
    assert page.form("/account/leaderboards").hidden["shown"] == "friends"


def test_public_leaderboard_exists_only_if_configured(browser, app, monkeypatch):
    ann = browser()
    assert "on this server" not in ann.open("/leaderboards").text
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], leaderboard=True))
    assert "Kaboom, on this server" in ann.open("/leaderboards").text


def test_leaderboard_draws_each_rating_with_its_uncertainty(table, service, app, monkeypatch):
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], leaderboard=True))
    path, (ann, _ben) = table("Ann", "Ben", game="gops", ready=False)
    seats = service.get(path.split("/")[2]).table.chairs
    today = int(service.now() // 86400)

    def rate(connection):
        for occupant, mu in zip(seats[:2], (20_000, 30_000), strict=True):
            row = queries.RatingRow(occupant.player, "gops", mu, 3_000, 14, today)
            queries.save_wish(
                connection, occupant.player, queries.PreferenceRow(True, queries.EVERYBODY)
            )
            queries.save(connection, row)

    service.database.write(rate)
    ann.open("/leaderboards/gops")
    board = ann.html.partition('id="h-all"')[2]
    drawn = re.findall(r'<path d="M(\d+) 4H(\d+)"/><circle cx="(\d+)"', board)
    ben, mine = ([int(it) for it in row] for row in drawn)
    assert (ben[1], mine[0]) == (100, 0)  # the scale ends where the uncertainty does
    assert ben[0] > mine[0] and ben[1] - ben[0] == mine[1] - mine[0]
    assert [(low + high) // 2 for low, high, _ in (ben, mine)] == [ben[2], mine[2]]
    assert board.index(">1</span>") < board.index("Ben") < board.index('class="mine"')


def test_one_press_lets_matches_be_rated(table):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops", ready=False)
    ann.open("/leaderboards/gops")
    assert "Play a rated match" not in ann.page.text
    ann.press("Rate my matches")
    assert "Play a rated match" in ann.page.text and "checked" in ann.html


def test_correspondence_matches_have_their_own_leaderboards(table):
    _, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    ann.open("/leaderboards/gops")
    assert "GOPS, rated matches: 0 of 10" in ann.page.text
    ann.follow("Correspondence play")
    assert ann.status == 200 and "GOPS by correspondence, rated matches: 0 of 10" in ann.page.text
    assert ann.client.get("/leaderboards/chess?over=days").status_code == 404
    assert ann.client.get("/leaderboards/gops?over=" + "x" * 5000).status_code == 200
