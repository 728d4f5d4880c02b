"""Matches over days as people meet them: opened, played, on vacation; in all voices."""

import json

import pytest

from kaboom.db.times import DAY
from kaboom.games import GAMES
from kaboom.tables.clock import table_time
from tests.support.builtin_games import OURS
from tests.tables.test_correspondence import plays


def moves(service, path, seat):
    """Let somebody make a move that the table waits for."""
    code = path[3:]
    plays(service, code, service.look(code).table.chairs[seat].player, service.look(code).version)


def looks(browser, path):
    """Return the table as a program finds it, and as text and as speech."""
    answer = browser.client.get(f"{path}.json")
    return (
        json.loads(answer.text),
        browser.client.get(f"{path}.txt").text,
        browser.client.get(f"{path}.say?about=clock").text,
    )


def test_the_form_and_the_rules_say_what_over_days_means_for_each_game(browser):
    ann = browser()
    for game in (GAMES[key] for key in OURS):
        assert game.over_days
        assert game.over_days in ann.open(f"/start/{game.key}").text
        assert game.over_days in ann.open(f"/rules/{game.key}").text


def test_a_table_over_days_says_so_before_anybody_sits_down(table):
    path, (ann, ben) = table("Ann", "Ben", game="kaboom", days="3", ready=False, listed="1")
    sentence = "Played over days: everybody has 3 days for each decision."
    assert sentence in ann.open(path).text
    assert "patient" in ann.page.text
    assert sentence in ben.open("/lobby").text
    ben.open(f"{path}/options")
    assert sentence in ben.page.text


@pytest.mark.parametrize("days", ["4", "x", "-1", "1000000000000"])
def test_other_lengths_are_refused_in_a_sentence_beside_the_field(browser, days):
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", days=days)
    assert ann.status == 422
    assert 'id="w-days"' in ann.html
    assert "cannot be chosen" in ann.page.text


def test_the_host_may_change_it_before_a_match(table):
    path, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/options"), days="7")
    assert "Played over days: everybody has 7 days" in ann.open(path).text
    assert "The host lets matches be played over days: 7 days for each decision." in ann.page.text
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/options"), days="9")
    assert ann.status == 422
    ann.open(f"{path}/options")
    assert 'value="7" selected' in ann.html


def test_the_time_left_is_said_in_words_at_the_table(table, watch, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    assert "You have 2 days left." in ann.open(path).text
    assert "data-left" not in ann.html
    watch.sleep(DAY)
    moves(service, path, 0)
    assert "Ben has 24 hours left." in ann.open(path).text
    watch.sleep(DAY - 3600)
    assert "You have 60 minutes left." in ben.open(path).text


def test_who_plays_over_days_is_told_at_once_that_a_seat_can_be_kept(table):
    slow, (ann, _) = table("Ann", "Ben", game="gops", days="2")
    assert "/me/keep" in [link for link, _ in ann.open(slow).links]
    quick, (cleo, _) = table("Cleo", "Dora", game="gops")
    assert "/me/keep" not in [link for link, _ in cleo.open(quick).links]


def test_programs_and_listeners_are_told_too(table, watch, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    moves(service, path, 0)
    whole, text, speech = looks(ann, path)
    (wait,) = whole["waits"]
    assert (whole["days"], wait["seat"], wait["left"], wait["nudge"]) == (2, 1, 2 * DAY, False)
    assert "Ben has 2 days left." in text
    assert "Ben has 2 days left." in speech
    assert "You have 2 days left." in looks(ben, path)[1]
    assert whole["links"]["nudge"] == f"{path}/nudge"


def test_a_program_opens_one(browser):
    ann = browser()
    ann.open("/start/gops")
    headers = {"Accept": "application/json"}
    form = {"game": "gops", "name": "Ann", "days": "2"}
    answer = ann.client.post("/tables", data=form, headers=headers)
    assert answer.status_code == 201
    assert json.loads(answer.text)["days"] == 2


def test_turns_are_listed_by_what_runs_out_first_in_words(browser, table, watch):
    first, (ann, _) = table("Ann", "Ben", game="gops", days="7")
    codes = {7: first}
    for days in (1, 3, 2):
        ann.open("/start/gops")
        ann.send(ann.page.form("/tables"), name="Ann", days=str(days))
        path = "/" + "/".join(ann.page.form("/bot").action.split("/")[1:3])
        ben = browser()
        ben.open(path)
        ben.send(ben.page.form("/sit"), name="Ben")
        ann.open(path)
        ann.send(ann.page.form("/start"))
        codes[days] = path
    ann.open("/turns")
    tables = [link for link, _ in ann.page.links if link.startswith("/t/")]
    assert tables == [codes[days] for days in (1, 2, 3, 7)]
    assert "2 days left" in ann.page.text
    watch.sleep(6 * DAY)
    assert "less than a minute left" in ann.open("/turns").text


def test_votes_that_wait_are_listed_for_whom_they_wait_for_and_no_longer_once_answered(
    table, watch, service
):
    path, (ann, ben, cid) = table("Ann", "Ben", "Cid", game="kaboom", days="2")
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    sentence = "Ann proposes a pause. All clocks stop, nobody moves."
    ben.open("/turns")
    listed = ben.page.text.split("Votes that wait for your answer")[1]
    assert sentence in listed and "2 days left" in listed and path in dict(ben.page.links)
    assert "Votes that wait" not in ann.open("/turns").text
    (told,) = ben.client.get("/turns.json").json["tables"]
    assert (told["vote"], told["vote_left"]) == (sentence, 2 * DAY)
    (hers,) = ann.client.get("/turns.json").json["tables"]
    assert (hers["vote"], hers["vote_left"]) == (None, None)
    text = " ".join(ben.client.get("/turns.txt").text.split())
    assert f"{path[3:]} Kaboom, a vote waits for your answer, 2 days left: {sentence}" in text
    ben.open("/me/calls")
    ben.press("Make its secret address")
    feed = ben.client.get(next(link for link, _ in ben.page.links if link.endswith(".atom"))).text
    assert "Kaboom: a vote waits for your answer" in feed and "proposes a pause" in feed
    ben.open(path)
    ben.press("Agree")
    assert "Votes that wait" not in ben.open("/turns").text
    assert "Votes that wait" in cid.open("/turns").text
    watch.sleep(2 * DAY)  # it lapses
    while service.lapse(path[3:]):
        pass
    assert "Votes that wait" not in cid.open("/turns").text


def test_who_is_voted_about_reads_until_when_they_can_say_that_they_are_here(table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="7")
    ann.open(f"{path}/leave")
    ann.press("Let a bot play for Ben")
    (told,) = ben.client.get("/turns.json").json["tables"]
    assert (told["vote"], told["vote_left"]) == ("Ann proposes that a bot plays for Ben.", DAY)


def test_a_vote_among_those_who_are_there_is_not_listed(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    (told,) = ben.client.get("/turns.json").json["tables"]
    assert told["vote"] is None


def test_a_vacation_says_what_counts_before_and_is_shown_to_the_others(table, watch, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    ann.open("/me")
    assert ("/me/vacation", "Vacation") in [(link, words[:8]) for link, words in ann.page.links]
    ann.open("/me/vacation")
    assert "21 days are left this year" in ann.page.text
    assert "every day begun counts" in ann.page.text
    form = ann.page.form("/me/vacation")
    ann.send(form, days="22")
    assert ann.status == 422
    ann.send(form, days="x")
    assert ann.status == 422
    ann.send(form, days="5")
    assert "You are on vacation until" in ann.page.text
    assert "your clock stands still" in ann.open("/turns").text
    assert "You are on vacation: your clock stands still." in ann.open(path).text
    moves(service, path, 1)
    ben.open(path)
    assert "Ann is on vacation until" in ben.page.text
    whole, text, _ = looks(ben, path)
    assert whole["waits"][0]["left"] is None
    assert "Ann is on vacation until" in text
    assert '"word":"vacation"' in ben.client.get(f"{path}/talk.json").text.replace(" ", "")
    watch.sleep(DAY)
    ann.open("/me/vacation")
    ann.send(ann.page.form("/me/vacation"), ("end", "1", "I am back"))
    assert "20 days are left this year" in ann.page.text
    assert "You have 2 days left." in ann.open(path).text


def test_a_vacation_is_over_the_very_second_it_ends(table, watch):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    ann.open("/me/vacation")
    ann.send(ann.page.form("/me/vacation"), days="5")

    def word():
        (it,) = (it for it in ben.client.get(f"{path}/talk.json").json["people"] if not it["seat"])
        return it["word"]

    watch.sleep(5 * DAY - 1)
    assert word() == "vacation"
    watch.sleep(1)
    assert word() == "here"


def test_nobody_in_particular_has_no_vacation(browser):
    ann = browser()
    assert ann.open("/me/vacation").forms == [] or "Go on vacation" not in ann.page.text
    assert ann.client.post("/me/vacation", data={"days": "3"}).status_code == 403


def test_whoever_let_the_time_run_out_reads_what_a_bot_did(table, watch, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="1")
    moves(service, path, 0)
    watch.sleep(DAY)
    while service.lapse(path[3:]):
        pass
    assert "Ben has let the time run out: a bot decides this turn." in ann.open(path).text
    ben.open(path)
    assert "Done in your name:" in ben.page.text


def test_in_kiswahili(table, watch):
    path, (ann, _) = table("Ann", "Ben", game="kaboom", days="2")
    ann.open("/settings")
    ann.send(ann.page.form("/settings"), language="sw")
    for address in (path, f"{path}/options", "/turns", "/me/vacation", "/start/kaboom"):
        ann.open(address)
        for english in ("days left", "vacation", "over days", "Vacation"):
            assert english not in ann.page.text, address


def test_the_same_at_a_table_in_one_go_costs_a_page_nothing(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    ann.open(path)
    assert "days" not in ann.page.text
    assert looks(ann, path)[0]["waits"] == []
    assert table_time.LONGEST == 30.0
