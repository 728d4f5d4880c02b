"""Correspondence matches on pages and in all formats: opening, playing, vacations."""

import json

import pytest

from kaboom.db.times import DAY
from kaboom.games import GAMES
from kaboom.tables.clock import table_time
from tests.correspondence.test_service import plays
from tests.support.builtin_games import OURS


def moves(service, path, seat):
    """Let a player make a move that the table waits for."""
    code = path[3:]
    plays(service, code, service.get(code).table.chairs[seat].player, service.get(code).version)


def looks(browser, path):
    """Return the table as JSON, as text and as speech."""
    answer = browser.client.get(f"{path}.json")
    return (
        json.loads(answer.text),
        browser.client.get(f"{path}.txt").text,
        browser.client.get(f"{path}.say?about=clock").text,
    )


def test_form_and_rules_explain_correspondence_per_game(browser):
    ann = browser()
    for game in (GAMES[key] for key in OURS):
        assert game.over_days
        assert game.over_days in ann.open(f"/start/{game.key}").text
        assert game.over_days in ann.open(f"/rules/{game.key}").text


def test_correspondence_table_is_labeled_before_sitting_down(table):
    path, (ann, ben) = table("Ann", "Ben", game="kaboom", days="3", ready=False, listed="1")
    sentence = "Correspondence: each player has 3 days for each decision."
    assert sentence in ann.open(path).text
    assert "patient" in ann.page.text
    assert sentence in ben.open("/lobby").text
    ben.open(f"{path}/options")
    assert sentence in ben.page.text


@pytest.mark.parametrize("days", ["4", "x", "-1", "1000000000000"])
def test_invalid_length_is_refused_beside_its_field(browser, days):
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", days=days)
    assert ann.status == 422
    assert 'id="w-days"' in ann.html
    assert "That choice is not available" in ann.page.text


def test_host_may_change_the_days_before_a_match(table):
    path, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/options"), days="7")
    assert "Correspondence: each player has 7 days" in ann.open(path).text
    assert "The host switches to correspondence play: 7 days for each decision." in ann.page.text
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/options"), days="9")
    assert ann.status == 422
    ann.open(f"{path}/options")
    assert 'value="7" selected' in ann.html


def test_time_bank_is_shown_in_words_and_json(table, fake_clock, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2", bank="7")
    assert "You have 2 days left, then 7 days in your time bank." in ann.open(path).text
    moves(service, path, 0)
    assert "Ben has 2 days left, then 7 days in the time bank." in ann.open(path).text
    found, words, said = looks(ben, path)
    assert (found["bank"], found["waits"][0]["bank"]) == (7, 7 * DAY)
    assert found["waits"][0]["left"] == 9 * DAY
    assert "then 7 days in your time bank" in words + said
    fake_clock.sleep(3 * DAY)
    assert "You are using your time bank: 6 days left." in ben.open(path).text
    assert "Ben is using the time bank: 6 days left." in ann.open(path).text
    ann.open(f"{path}/options")
    assert "Each player also has a time bank of 7 days for the whole match." in ann.page.text


@pytest.mark.parametrize("bank", ["4", "x", "-1"])
def test_invalid_time_bank_is_refused_beside_its_field(browser, bank):
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", days="2", bank=bank)
    assert ann.status == 422
    assert 'id="w-bank"' in ann.html


def test_time_left_is_shown_in_words_at_the_table(table, fake_clock, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    assert "You have 2 days left." in ann.open(path).text
    assert "data-left" not in ann.html
    fake_clock.sleep(DAY)
    moves(service, path, 0)
    assert "Ben has 24 hours left." in ann.open(path).text
    fake_clock.sleep(DAY - 3600)
    assert "You have 60 minutes left." in ben.open(path).text


def test_correspondence_player_is_advised_to_secure_an_account(table):
    slow, (ann, _) = table("Ann", "Ben", game="gops", days="2")
    assert "/settings/account" in [link for link, _ in ann.open(slow).links]
    quick, (cleo, _) = table("Cleo", "Dora", game="gops")
    assert "/settings/account" not in [link for link, _ in cleo.open(quick).links]


def test_json_and_speech_have_the_correspondence_fields(table, fake_clock, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    moves(service, path, 0)
    whole, text, speech = looks(ann, path)
    (wait,) = whole["waits"]
    assert (whole["days"], wait["seat"], wait["left"], wait["nudge"]) == (2, 1, 2 * DAY, False)
    assert "Ben has 2 days left." in text
    assert "Ben has 2 days left." in speech
    assert "You have 2 days left." in looks(ben, path)[1]
    assert whole["links"]["nudge"] == f"{path}/nudge"


def test_program_opens_a_correspondence_table(browser):
    ann = browser()
    ann.open("/start/gops")
    headers = {"Accept": "application/json"}
    form = {"game": "gops", "name": "Ann", "days": "2"}
    answer = ann.client.post("/tables", data=form, headers=headers)
    assert answer.status_code == 201
    assert json.loads(answer.text)["days"] == 2


def test_turns_are_sorted_by_deadline_and_shown_in_words(browser, table, fake_clock):
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
    assert list(dict.fromkeys(tables)) == [codes[days] for days in (1, 2, 3, 7)]
    assert "2 days left" in ann.page.text
    fake_clock.sleep(6 * DAY)
    assert "less than a minute left" in ann.open("/turns").text


def test_pending_votes_are_listed_until_answered(table, fake_clock, service):
    path, (ann, ben, cid) = table("Ann", "Ben", "Cid", game="kaboom", days="2")
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    sentence = "Ann proposes a pause. All clocks stop, and no one can play."
    ben.open("/turns")
    listed = ben.page.text.split("Votes waiting for your answer")[1]
    assert sentence in listed and "2 days left" in listed and path in dict(ben.page.links)
    assert "Votes waiting" not in ann.open("/turns").text
    (told,) = ben.client.get("/turns.json").json["tables"]
    assert (told["vote"], told["vote_left"]) == (sentence, 2 * DAY)
    (hers,) = ann.client.get("/turns.json").json["tables"]
    assert (hers["vote"], hers["vote_left"]) == (None, None)
    text = " ".join(ben.client.get("/turns.txt").text.split())
    assert f"{path[3:]} Kaboom, a vote is waiting for your answer, 2 days left: {sentence}" in text
    ben.open("/settings/notifications")
    ben.press("Create its secret address")
    feed = ben.client.get(next(link for link, _ in ben.page.links if link.endswith(".atom"))).text
    assert "Kaboom: a vote is waiting for your answer" in feed and "proposes a pause" in feed
    ben.open(path)
    ben.press("Agree")
    assert "Votes waiting" not in ben.open("/turns").text
    assert "Votes waiting" in cid.open("/turns").text
    fake_clock.sleep(2 * DAY)  # it lapses
    while service.run_due(path[3:]):
        pass
    assert "Votes waiting" not in cid.open("/turns").text


def test_vote_target_sees_the_deadline_to_answer(table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="7")
    ann.open(f"{path}/leave")
    ann.press("Let a bot play for Ben")
    (told,) = ben.client.get("/turns.json").json["tables"]
    assert (told["vote"], told["vote_left"]) == ("Ann proposes letting a bot play for Ben.", DAY)


def test_live_vote_is_not_listed(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    (told,) = ben.client.get("/turns.json").json["tables"]
    assert told["vote"] is None


def test_vacation_page_shows_the_allowance_and_tables_show_it(table, fake_clock, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    ann.open("/account")
    assert ("/settings/vacation", "Vacation") in [
        (link, words[:8]) for link, words in ann.page.links
    ]
    ann.open("/settings/vacation")
    assert "21 days left this year" in ann.page.text
    assert "Each day that has begun counts" in ann.page.text
    form = ann.page.form("/settings/vacation")
    ann.send(form, days="22")
    assert ann.status == 422
    ann.send(form, days="x")
    assert ann.status == 422
    ann.send(form, days="5")
    assert "You are on vacation until" in ann.page.text
    assert "your clock is paused" in ann.open("/turns").text
    assert "You are on vacation: your clock is paused." in ann.open(path).text
    moves(service, path, 1)
    ben.open(path)
    assert "Ann is on vacation until" in ben.page.text
    whole, text, _ = looks(ben, path)
    assert whole["waits"][0]["left"] is None
    assert "Ann is on vacation until" in text
    assert '"word":"vacation"' in ben.client.get(f"{path}/talk.json").text.replace(" ", "")
    fake_clock.sleep(DAY)
    ann.open("/settings/vacation")
    ann.send(ann.page.form("/settings/vacation"), ("end", "1", "I am back"))
    assert "20 days left this year" in ann.page.text
    assert "You have 2 days left." in ann.open(path).text


def test_vacation_ends_at_the_exact_second(table, fake_clock):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    ann.open("/settings/vacation")
    ann.send(ann.page.form("/settings/vacation"), days="5")

    def word():
        (it,) = (it for it in ben.client.get(f"{path}/talk.json").json["people"] if not it["seat"])
        return it["word"]

    fake_clock.sleep(5 * DAY - 1)
    assert word() == "vacation"
    fake_clock.sleep(1)
    assert word() == "here"


def test_anonymous_viewer_has_no_vacation(browser):
    ann = browser()
    assert ann.open("/settings/vacation").forms == [] or "Go on vacation" not in ann.page.text
    assert ann.client.post("/settings/vacation", data={"days": "3"}).status_code == 403


def test_timed_out_player_is_told_what_a_bot_did(table, fake_clock, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="1")
    moves(service, path, 0)
    fake_clock.sleep(DAY)
    while service.run_due(path[3:]):
        pass
    assert "Ben ran out of time: a bot plays this turn." in ann.open(path).text
    ben.open(path)
    assert "Done on your behalf:" in ben.page.text


def test_correspondence_pages_in_kiswahili_have_no_english(table, fake_clock):
    path, (ann, _) = table("Ann", "Ben", game="kaboom", days="2")
    ann.open("/settings")
    ann.send(ann.page.form("/settings"), language="sw")
    for address in (path, f"{path}/options", "/turns", "/settings/vacation", "/start/kaboom"):
        ann.open(address)
        for english in ("days left", "vacation", "by correspondence", "Vacation"):
            assert english not in ann.page.text, address


def test_live_table_has_no_correspondence_text(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    ann.open(path)
    assert "days" not in ann.page.text
    assert looks(ann, path)[0]["waits"] == []
    assert table_time.LONGEST == 30.0
