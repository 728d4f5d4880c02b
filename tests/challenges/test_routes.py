"""Challenges in browsers without scripts, and by programs."""

import re

import pytest

from kaboom.engine.moves import Move
from tests.support.api_clients import Program
from tests.support.browsing import table_of
from tests.support.finished_matches import finish


def made(person, at, step=0):
    """Create a challenge from a step; return its address."""
    person.open(f"{at}/challenge-friends?step={step}")
    person.press("Create the challenge")
    return re.search(r"/challenge/\w{8}", person.html)[0]


def test_two_friends_play_a_challenge_and_compare(finished_match, service):
    (ann, ben), at = finished_match
    ann.open(f"{at}/play-on?step=4")
    link = next(link for link, text in ann.page.links if "Challenge friends" in text)
    assert "challenge-friends?step=4" in link
    challenge = made(ann, at, 4)
    assert "players have finished" not in ann.page.text
    before, play, _ = ann.page.text.partition("Your first attempt counts")
    assert play and "Send this link" in before
    ben.open(challenge)
    assert "Pass it on" in ben.page.text.partition("Your first attempt counts")[2]
    for person in (ann, ben):
        person.open(challenge)
        person.press("Accept the challenge")
        code = table_of(person)
        bids = service.get(code).prompts[0].offer("bid").options
        bid = Move(0, "bid", (bids[0] if person is ann else bids[-1],))
        service.change(code, lambda it, bid=bid: it.play(bid, "1"))
        finish(service, code)
    ben.open(challenge)
    assert "2 players have finished" in ben.page.text
    assert "You and Ann" in ben.page.text and "You decided differently at decision" in ben.page.text
    assert "Your sealed bid is the " in ben.page.text and "Ann bids the " in ben.page.text
    links = [link for link, text in ben.page.links if "continued" in text]
    assert len(links) == 2
    for link in links:
        ben.open(link)
        assert ben.status == 200 and "Others may still be playing" in ben.page.text


def test_challenge_from_the_first_step_is_said_to_begin_with_the_deal(finished_match):
    (ann, _), at = finished_match
    assert "GOPS, from the deal" in ann.open(f"{at}/challenge-friends?step=0").text
    assert "GOPS, step 4 of" in ann.open(f"{at}/challenge-friends?step=4").text
    made(ann, at)
    assert "It begins with the deal of a match, in the seat of Ann." in ann.page.text
    made(ann, at, 4)
    assert "It continues from step 4 of a match" in ann.page.text


def test_others_records_are_hidden_until_the_viewer_finishes(finished_match, service, browser):
    (ann, _ben), at = finished_match
    challenge = made(ann, at)
    ann.press("Accept the challenge")
    code = table_of(ann)
    finish(service, code)
    record = service.get(code).table.record
    zoe = browser()
    zoe.open(challenge)
    assert "1 player has finished" in zoe.page.text and record not in zoe.html
    for path in ("", "/0", ".json", ".txt", "/0.json", "/verify", "/play-on", "/print"):
        assert zoe.client.get(f"/m/{record}{path}").status_code == 404, path
    own = ann.client.get(f"/m/{record}/5?seat=1").get_data(as_text=True)
    assert "Others may still be playing" in own
    for path in (".json", "/verify"):
        assert ann.client.get(f"/m/{record}{path}").status_code == 404, path
    assert ann.client.post(f"/m/{record}/play", data={}).status_code == 422


def test_program_makes_and_plays_a_challenge(finished_match, app, service):
    _people, at = finished_match
    zoe = Program(app)
    answer = zoe.post(f"{at}/challenge", {"name": "Zoe", "step": 2, "seat": 1})
    assert answer.status_code == 201, answer.text
    found = answer.json
    assert (found["seat"], found["step"], found["lines"]) == (1, 2, [])
    table = zoe.post(found["links"]["play"], {"name": "Zoe"}).json
    finish(service, table["code"])
    found = zoe.get(answer.headers["Location"]).json
    assert found["done"] and found["lines"][0]["mine"]
    text = zoe.get(found["links"]["text"]).text
    assert "A challenge: GOPS" in text and "Zoe: place" in text


@pytest.mark.parametrize("form", [{"seat": "7"}, {"level": "x"}, {"unseen": "x"}])
def test_challenge_with_invalid_values_is_refused(finished_match, form):
    (ann, _ben), at = finished_match
    answer = ann.client.post(f"{at}/challenge", data=form)
    assert answer.status_code == 422 and "alert" in answer.get_data(as_text=True)


def test_unknown_challenge_is_not_found_by_any_route(browser):
    zoe = browser()
    for code in ("ABCDEFGH", "x", "abc%00", "é" * 8):
        assert zoe.client.get(f"/challenge/{code}").status_code == 404
        assert zoe.client.post(f"/challenge/{code}/play", data={"name": "Z"}).status_code == 404
