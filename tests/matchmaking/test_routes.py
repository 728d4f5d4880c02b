"""Looking for a game in browsers without scripts, as JSON and as text."""

import pytest

from tests.support.api_clients import JSON, TEXT
from tests.support.browsing import table_path


def test_two_browsers_without_scripts_are_led_to_one_table(browser):
    ann, ben = browser(), browser()
    ann.open("/")
    ann.send(ann.page.form("/play"), name="Ann", game="gops")
    assert "You are waiting for a match: GOPS, at once." in ann.page.text
    assert 'http-equiv="refresh" content="5"' in ann.html
    ben.open("/play")
    assert "Ann" in ben.page.text
    assert "Ann: GOPS, at once" in ben.open("/lobby").text
    ben.open("/play")
    ben.send(ben.page.form("/play"), name="Ben", game="gops")
    assert "Ann" in ben.page.text
    ann.open("/play/wait")
    assert table_path(ann) == table_path(ben)
    assert "No one is waiting" in browser().open("/play").text


def test_form_shows_who_waits_and_offers_bots(browser):
    ann, ben = browser(), browser()
    ann.open("/play")
    ann.send(ann.page.form("/play"), name="Ann", game="gops", days="0", rated="0")
    part = ben.client.get("/play/waiting").text
    assert part.startswith('<div id="sought">') and "GOPS, at once, not rated" in part
    ben.open("/play")
    ben.press("GOPS")
    assert ben.page.moves()


def test_waiting_page_is_left_by_its_button(browser):
    ann = browser()
    ann.open("/play")
    ann.send(ann.page.form("/play"), name="Ann")
    ann.press("Stop waiting")
    assert "What do you want to play?" in ann.page.text
    assert "What do you want to play?" in ann.open("/play/wait").text


def test_bots_are_offered_by_a_form_after_thirty_seconds(browser, fake_clock):
    ann = browser()
    ann.open("/play")
    ann.send(ann.page.form("/play"), name="Ann", game="kaboom")
    assert "Begin with bots" not in ann.html
    fake_clock.sleep(31)
    ann.open("/play/wait")
    assert '<button class="btn-secondary" name="game" value="kaboom">' in ann.html, "one primary"
    ann.press("Begin with bots")
    assert table_path(ann)


def test_fragment_reloads_the_page_once_seated(browser):
    ann, ben = browser(), browser()
    for person, name in ((ann, "Ann"), (ben, "Ben")):
        person.open("/play")
        person.send(person.page.form("/play"), name=name, game="gops")
    assert ann.client.get("/play/now").headers["HX-Refresh"] == "true"


def test_waiting_program_gets_its_table(app):
    ann, ben = app.test_client(), app.test_client()
    first = ann.post("/play", json={"name": "Ann", "game": "gops"}, headers=JSON).json
    assert (first["state"], first["others"], first["needed"]) == ("waiting", 0, 2)
    assert [it["name"] for it in ben.get("/play.json").json["waiting"]] == ["Ann"]
    second = ben.post("/play", json={"name": "Ben", "game": ""}, headers=JSON).json
    assert second["state"] == "seated"
    assert ann.get("/play/wait.json").json["table"] == second["table"]
    assert "GET /t/" in ann.get("/play/wait.txt").text
    assert ann.get("/play.txt", headers=TEXT).text.startswith("No one is waiting")


@pytest.mark.parametrize(
    "sent",
    [{"game": "chess"}, {"days": "5"}, {"days": "x"}, {"rated": "yes"}, {"name": "\u200b"}],
    ids=lambda it: next(iter(it)),
)
def test_impossible_request_is_refused_in_a_sentence(app, sent):
    ann = app.test_client()
    page = ann.post("/play", data={"name": "Ann"} | sent)
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    told = ann.post("/play", json={"name": "Ann"} | sent, headers=JSON)
    assert told.status_code == 422
    assert ann.get("/play.json").json["waiting"] == []


def test_stranger_without_a_request_changes_nothing(app):
    ann = app.test_client()
    assert ann.post("/play/leave").status_code == 303
    assert ann.post("/play/bots").status_code == 303
    assert ann.post("/play/notify", data={"hours": "2"}).status_code == 403
    assert ann.get("/play/wait").status_code == 303
    assert ann.get("/play/wait.json").json["state"] == "none"


def test_refused_request_shows_the_waiting_page_again(browser):
    ann = browser()
    ann.open("/play")
    ann.send(ann.page.form("/play"), name="Ann", game="gops")
    page = ann.client.post("/play/bots")
    assert page.status_code == 422
    assert "Bots are offered after 30 seconds" in page.text
    assert "Stop waiting" in page.text
