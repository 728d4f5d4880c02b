"""Playing on from a replay, in browsers without scripts and by programs."""

import json
import subprocess
import sys

import pytest

from kaboom.config import ROOT
from tests.support.api_clients import Program
from tests.support.browsing import table_of
from tests.support.finished_matches import finish


@pytest.fixture
def match(finished_match):
    """Return a finished match of Ann and Ben: Ann's browser, and the address of its record."""
    (ann, _ben), at = finished_match
    return ann, at


def test_step_opens_a_table_that_continues_from_it(match, service):
    ann, at = match
    ann.open(f"{at}/5?seat=0")
    ann.follow("Play on from here")
    assert "Bots play the other seats" in ann.page.text
    ann.press("Play")
    code = table_of(ann)
    table = service.get(code).table
    assert table.origin.step == 5 and not table.origin.as_it_was
    assert "continues from step 5" in ann.page.text
    finish(service, code)
    ann.open(f"/t/{code}")
    assert f"{at}/play-on?step=5&seat=0" in {link for link, _text in ann.page.links}
    ann.open(f"/m/{service.get(code).table.record}")
    assert "played on from step 5" in ann.page.text and "Verified" in ann.page.text
    ann.open("/account")
    assert "played on, not counted" in ann.page.text
    ann.open("/statistics")
    assert "</th><td>1</td>" in ann.html  # the match itself


def test_same_deal_again_keeps_all_cards(match, service):
    ann, at = match
    ann.open(at)
    ann.follow("Same deal again")
    ann.press("Play")
    code = table_of(ann)
    assert service.get(code).table.origin.as_it_was
    assert "with the cards as they were" in ann.page.text


def test_same_people_agree_on_the_same_deal(table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    finish(service, code)
    record = service.get(code).table.record
    ann.open(path)
    ann.follow("Same deal again")
    assert "With the same people" in ann.page.text
    assert "you get the cards of Ben" in ann.page.text
    ann.press("Propose it")
    assert "Ann proposes the same deal again, with the seats moved on by one." in ann.page.text
    ben.open(path)
    assert "Ann proposes the same deal again" in ben.page.text
    ben.press("Same deal again")
    begun = service.get(code).table
    assert begun.playing and begun.seats == ["Ben", "Ann"]
    assert begun.origin.code == record and "not counted" in ben.page.text
    ann.open(f"/m/{record}/play-on?step=0&unseen=was")
    assert "The next match is already being played at your table" in ann.page.text


def test_players_can_agree_on_a_new_deal_instead(table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    finish(service, code)
    assert ann.client.post(f"{path}/same-deal", data={"seats": "same"}).status_code < 400
    ben.open(path)
    ben.press("Prefer a new deal")
    assert service.get(code).table.same_deal is None
    assert "Ben prefers a new deal." in ben.page.text


def test_stranger_is_not_offered_the_same_people(match, browser):
    _ann, at = match
    zoe = browser()
    zoe.open(f"{at}/play-on?step=0&unseen=was")
    assert "With the same people" not in zoe.page.text


def test_stranger_plays_on_from_a_match_they_may_see(match, browser, service):
    _ann, at = match
    zoe = browser()
    zoe.open(f"{at}/play-on?step=3&seat=1")
    zoe.send(zoe.page.form("/play"), name="Zoe", level="hard")
    code = table_of(zoe)
    table = service.get(code).table
    assert [it.name for it in table.chairs].index("Zoe") == 1
    assert table.chairs[0].level == "hard"


@pytest.mark.slow
@pytest.mark.parametrize(
    "form",
    [
        {"seat": "7"},
        {"seat": "x"},
        {"level": "godlike"},
        {"unseen": "all"},
        {"name": "\u202e"},
        {"seat": "9" * 400},
    ],
)
def test_form_with_invalid_values_is_refused_with_a_sentence(match, form):
    ann, at = match
    answer = ann.client.post(f"{at}/play", data={"step": 3} | form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.get_data(as_text=True)


def test_refused_form_keeps_the_chosen_seat(match):
    ann, at = match
    answer = ann.client.post(f"{at}/play", data={"step": 3, "seat": 1, "name": "\u202e"})
    assert 'name="seat" value="1" checked' in answer.get_data(as_text=True)


def test_play_on_is_not_offered_when_the_match_is_over(match):
    ann, at = match
    last = len(json.loads(ann.client.get(f"{at}.json").get_data(as_text=True))["moves"])
    ann.open(f"{at}/{last}")
    assert "Play on from here" not in ann.page.text
    ann.open(f"{at}/play-on?step={last}")
    assert "over at this step" in ann.page.text
    assert ann.client.post(f"{at}/play", data={"step": last}).status_code == 422
    assert ann.client.get(f"{at}/play-on?step={last + 1}").status_code == 404


def test_only_its_players_can_play_on_from_a_hidden_match(match, browser):
    ann, at = match
    ann.client.post(f"{at}/hide", data={"hidden": "1"})
    assert browser().client.get(f"{at}/play-on?step=3").status_code == 404
    assert browser().client.post(f"{at}/play", data={"name": "Zoe"}).status_code == 404
    assert ann.client.get(f"{at}/play-on?step=3").status_code == 200


def test_program_plays_on_by_json(match, app, service):
    _ann, at = match
    zoe = Program(app)
    step = zoe.get(f"{at}/4.json").json
    assert step["links"]["play_on"] == f"{at}/play"
    answer = zoe.post(
        step["links"]["play_on"], {"name": "Zoe", "step": 4, "seat": 1, "unseen": "was"}
    )
    assert answer.status_code == 201, answer.text
    table = service.get(answer.json["code"]).table
    assert table.origin.step == 4 and table.origin.as_it_was and table.origin.seat == 1


def test_verify_program_accepts_the_record_of_a_match_played_on(match, service, tmp_path):
    ann, at = match
    ann.open(f"{at}/play-on?step=5")
    ann.press("Play")
    code = table_of(ann)
    finish(service, code)
    raw = ann.client.get(f"/m/{service.get(code).table.record}.json").get_data()
    file = tmp_path / "record.json"
    file.write_bytes(raw)
    program = [sys.executable, str(ROOT / "static" / "verify.py"), str(file)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "continues from step 5" in done.stdout, done.stdout
    changed = raw.replace(b'"step":5', b'"step":4')
    file.write_bytes(changed)
    assert subprocess.run(program, capture_output=True, check=False).returncode != 0
