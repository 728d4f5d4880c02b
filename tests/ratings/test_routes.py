"""Ratings in browsers without scripts."""

from dataclasses import replace

import pytest

from tests.support.browsing import table_path
from tests.support.finished_matches import finish


def wants(person, shown="friends"):
    person.open("/me")
    person.open(next(link for link, words in person.page.links if words == "Ratings"))
    form = person.page.form("/me/ratings")
    person.send(form, ("do", "keep", "Save"), ticked=[("counts", "1")], shown=shown)
    assert person.status == 200


def test_a_match_counts_once_all_say_so_and_the_page_tells_it_beforehand(table, service):
    path, people = table("Ann", "Ben", game="gops", ready=False)
    ann, ben = people
    assert "count" not in ann.page.text
    wants(ann)
    wants(ben)
    path, (ann, ben) = sit_again(people, service)
    assert "This match counts for ratings." in ann.open(path).text
    ann.send(ann.page.form("/start"))
    finish(service, path.split("/")[2])
    for person in (ann, ben):
        person.open("/ratings/gops")
        assert "Your ratings" in person.page.text
        assert "?" in person.page.text  # one match says little
        assert "GOPS, among friends" in person.page.text
        told = person.client.get("/ratings/gops.json").json
        (own,) = told["own"]
        assert (own["game"], own["provisional"], own["played"]) == ("GOPS", True, 1)
        assert [it["of"] for it in told["boards"]] == ["friends"]
        text = person.client.get("/ratings/gops.txt").text
        assert f"GOPS: {own['points']}, {own['spread']} more or less, too early to tell\n" in text
        assert "GOPS, among friends: nobody\n" in text
    ann.press("Forget my ratings")
    assert "None of your matches has counted yet." in ann.page.text


def sit_again(people, service):
    """Let the two sit down at a new table; return its address and them."""
    ann, ben = people
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ben.open(path)
    ben.send(ben.page.form("/sit"), name="Ben")
    return path, people


def test_nobody_is_rated_who_has_said_nothing(table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    finish(service, path.split("/")[2])
    assert "None of your matches has counted yet." in ann.open("/ratings").text


def test_a_stranger_is_told_how_it_works(browser):
    ann = browser()
    ann.open("/ratings")
    assert (ann.status, len([f for f in ann.page.forms if "ratings" in f.action])) == (200, 0)
    assert "Everybody begins at 1000" in ann.page.text
    assert ann.client.post("/me/ratings", data={"counts": "1"}).status_code == 403
    for bad in ("/ratings/nothing", "/ratings/" + "x" * 9000):
        ann.open(bad)
        assert ann.status == 404


@pytest.mark.parametrize(
    "form", [{"shown": "the world"}, {"shown": "\u202e" * 5000}, {"counts": "2"}, {}]
)
def test_whatever_is_sent_is_read_as_no_or_friends(table, form):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops", ready=False)
    assert ann.client.post("/me/ratings", data=form).status_code == 303
    page = ann.open("/ratings")
    assert "checked" not in ann.html
    assert page.form("/me/ratings").hidden["shown"] == "friends"


def test_only_a_server_that_wants_it_has_a_list_for_all(browser, app, monkeypatch):
    ann = browser()
    assert "on this server" not in ann.open("/ratings").text
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], leaderboard=True))
    assert "Kaboom, on this server" in ann.open("/ratings").text


def test_matches_over_days_have_lists_of_their_own(table):
    _, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    ann.open("/ratings/gops")
    assert "GOPS, among friends" in ann.page.text
    ann.open(next(link for link, words in ann.page.links if words == "GOPS over days"))
    assert ann.status == 200 and "GOPS over days, among friends" in ann.page.text
    assert ann.client.get("/ratings/chess?over=days").status_code == 404
    assert ann.client.get("/ratings/gops?over=" + "x" * 5000).status_code == 200
