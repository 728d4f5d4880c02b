"""The coach in browsers without scripts, and by programs."""

import re

import pytest

from kaboom.coach import judging, queries
from tests.coach.coaching import HereCoach, coached
from tests.coach.test_judging import BRIEFLY
from tests.learn.test_routes import form_for
from tests.support.api_clients import JSON, TEXT
from tests.support.finished_matches import finish


@pytest.fixture
def done(finished_match, service, monkeypatch):
    """The same, with Ann’s decisions judged: her browser, the coach, and a mistake."""
    (ann, _ben), at = finished_match
    ann.open(f"{at}/coach")
    ann.press("Coach me")
    coached(service, monkeypatch)
    found = ann.client.get(f"{at}/coach.json").json
    mistake = max(found["decisions"], key=lambda it: it["cost"])
    assert mistake["mistake"], "this match has no mistake"
    return ann, f"{at}/coach", mistake


def follow(person, words):
    """Follow the first link with these words; return the page."""
    return person.open(next(link for link, text in person.page.links if text.startswith(words)))


def test_match_links_to_the_coach_and_back(finished_match):
    (ann, _ben), at = finished_match
    ann.open(at)
    follow(ann, "Coach")
    assert "Only you can see what it finds." in ann.page.text
    ann.open(f"{at}/3?seat=0")
    follow(ann, "Coach")
    follow(ann, "Back to the match")
    assert "Replay it step by step" in ann.page.text


def test_summary_counts_the_mistakes_and_leaves_their_costs_to_the_list(done):
    ann, at, _ = done
    found = ann.open(at).text.partition("What could have been better")[2]
    told = r"\s*Another move was clearly better in \d+ of your decisions, out of \d+\."
    summary = re.match(told, found)
    assert summary and "points" not in summary[0]


def test_summary_says_for_which_prize_a_costly_card_was_bid(done):
    ann, at, _ = done
    found = ann.open(at).text.partition("What could have been better")[2]
    assert re.search(r"Round \d+: .*? On offer: \d+ points?\. You chose: Bid the ", found)


def test_rail_says_what_to_do_while_a_decision_is_asked(done):
    ann, at, mistake = done
    ann.open(f"{at}/{mistake['number']}")
    assert "Your turn: bid" in ann.page.text
    assert "On the table" not in ann.page.text


def test_end_of_a_match_links_to_the_coach(finished_match, service):
    (ann, _ben), at = finished_match
    links = {link for link, text in ann.open(f"/t/{table_code(ann)}").links if "Coach" in text}
    assert links == {f"{at}/coach"}


def table_code(person):
    """Return the code of the table that a player's page shows."""
    return re.search(r'action="/t/(\w+)/|"/t/(\w+)/', person.html)[0].split("/")[2]


@pytest.mark.slow
def test_coach_page_shows_its_progress(finished_match, service, monkeypatch):
    (ann, _ben), at = finished_match
    ann.open(f"{at}/coach")
    ann.press("Coach me")
    assert "will begin in a moment" in ann.page.text
    assert 'http-equiv="refresh"' in ann.html and "<progress" in ann.html
    now = ann.client.get(f"{at}/coach/now")
    assert now.status_code == 200 and b'id="now"' in now.data
    assert ann.client.get(f"{at}/coach.json").json["state"] == "waiting"
    taken = service.database.write(lambda c: queries.take(c, "me", service.now()))
    service.database.write(lambda c: queries.keep(c, taken[0], "me", service.now(), [], 3, 20))
    assert "3 of 20 parts done." in ann.open(f"{at}/coach").text
    assert ann.client.get(f"{at}/coach.json").json["state"] == "working"
    later = service.now() + 60
    monkeypatch.setattr(service, "now", lambda: later)
    coached(service, monkeypatch)
    assert ann.client.get(f"{at}/coach/now").headers["HX-Refresh"] == "true"
    assert "decisions, " in ann.open(f"{at}/coach").text
    assert 'http-equiv="refresh"' not in ann.html


@pytest.mark.slow
def test_coach_at_work_lists_the_mistakes_found_so_far(finished_match, service, monkeypatch):
    (ann, _ben), at = finished_match
    ann.open(f"{at}/coach")
    ann.press("Coach me")
    pages = []

    class Watched(HereCoach):
        def progress(self, task):
            for progress in super().progress(task):
                yield progress
                pages.append(ann.client.get(f"{at}/coach/now"))  # with what was just stored

    for name, value in BRIEFLY.items():
        monkeypatch.setattr(judging, name, value)
    assert Watched(service).coach_next()
    assert {page.status_code for page in pages} == {200}
    found = [page.text for page in pages if "Found so far:" in page.text]
    assert found and all("You chose: Bid the " in page for page in found)


@pytest.mark.slow
def test_question_is_answered_without_revealing_the_answer(done):
    ann, coach, mistake = done
    at = f"{coach}/{mistake['number']}"
    solution = ann.client.get(f"{at}.json?show=1").json["considered"]
    best = next(it for it in solution if it["good"])
    own = next(it for it in solution if it["move"] == mistake["move"])
    assert not own["good"] and own["low"] > 0
    ann.open(at)
    assert "What would have been better?" in ann.page.text and mistake["text"] in ann.page.text
    assert best["text"] not in ann.open(coach).text.replace(mistake["text"], "")
    assert best["text"] not in ann.open(at).text.replace(mistake["text"], "")
    plain = ann.client.get(f"{at}.json").json
    assert plain["considered"] == [] and plain["reason"] == ""
    answered = ann.client.post(f"{at}/move", json={"move": best["move"]}, headers=JSON).json
    assert (answered["kind"], answered["right"]) == ("good", True)
    answered = ann.client.post(f"{at}/move", json={"move": mistake["move"]}, headers=JSON).json
    assert (answered["kind"], answered["right"]) == ("chosen", False)
    worst = max((it for it in solution if it["less"] is not None), key=lambda it: it["less"])
    answered = ann.client.post(f"{at}/move", json={"move": worst["move"]}, headers=JSON).json
    assert not answered["right"]
    told = ann.client.post(f"{at}/move", data={"move": best["move"]}, headers=TEXT)
    assert "Well done." in told.text


@pytest.mark.slow
def test_question_is_answered_through_its_forms(done):
    ann, coach, mistake = done
    at = f"{coach}/{mistake['number']}"
    best = next(it for it in ann.client.get(f"{at}.json?show=1").json["considered"] if it["good"])
    ann.open(at)
    ann.send(*form_for(ann.page, best["move"]))
    assert "Well done." in ann.page.text and "is worth about" in ann.page.text
    ann.open(at)
    ann.send(*form_for(ann.page, mistake["move"]))
    assert "That is what you chose." in ann.page.text
    follow(ann, "Try again")
    follow(ann, "Show me")
    assert best["text"] in ann.page.text and "as good as any" in ann.page.text


@pytest.mark.slow
@pytest.mark.parametrize("move", ["bid XX", "fly", "", "bid", "ready", "bid " + "2S " * 200])
def test_illegal_answers_are_refused(done, move):
    ann, coach, mistake = done
    at = f"{coach}/{mistake['number']}/move"
    assert ann.client.post(at, json={"move": move}, headers=JSON).status_code in (409, 422)
    answer = ann.client.post(at, data={"move": move})
    assert answer.status_code in (409, 422) and 'role="alert"' in answer.text


@pytest.mark.slow
def test_text_and_json_contain_the_whole_report(done):
    ann, coach, mistake = done
    text = ann.client.get(f"{coach}.txt").text
    assert "as good as any" in text and f"GET {coach}/{mistake['number']}.txt" in text
    found = ann.client.get(f"{coach}.json").json
    assert found["state"] == "done" and found["unit"] == "points" and found["average"] > 0
    assert found["text"].startswith("Another move was clearly better in ")
    question = ann.client.get(f"{coach}/{mistake['number']}.txt").text
    assert "show: GET" in question and "ready: POST" not in question
    good = next(it["number"] for it in found["decisions"] if not it["mistake"])
    assert "As good as any." in ann.client.get(f"{coach}/{good}.txt").text
    assert ann.client.get(f"{coach}/{good}.json").json["asks"] is False


@pytest.mark.slow
def test_only_players_of_the_match_see_its_coaching(done, finished_match, browser):
    (_ann, ben), at = finished_match
    _, coach, mistake = done
    zoe = browser()
    one = f"/{mistake['number']}"
    for path in ("", ".json", ".txt", "/now", one, f"{one}.json"):
        assert zoe.client.get(f"{coach}{path}").status_code == 403, path
    assert zoe.client.post(coach).status_code == 403
    assert zoe.client.post(f"{coach}/1/move", data={"move": "bid 2S"}).status_code == 403
    assert "Coach me" in ben.open(coach).text  # Ben's own coaching is separate
    assert ben.client.get(f"{coach}{one}").status_code == 404
    assert "Coach" not in [text for _link, text in zoe.open(at).links]


def test_unfinished_and_unknown_matches_are_not_found(browser, table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    record = service.get(path.rsplit("/", 1)[1]).table.record
    for code in (record, "AAAAAAAA"):
        if code:
            assert ann.client.get(f"/m/{code}/coach").status_code == 404
            assert ann.client.post(f"/m/{code}/coach").status_code == 404


def test_deal_that_others_still_play_is_not_coached(finished_match, service):
    (ann, _ben), at = finished_match
    ann.open(f"{at}/challenge-friends?step=2")
    ann.press("Create the challenge")
    ann.press("Accept the challenge")
    code = table_code(ann)
    finish(service, code)
    record = service.get(code).table.record
    assert ann.client.get(f"/m/{record}").status_code == 200
    for path in ("coach", "coach.json", "coach.txt", "coach/now", "coach/1"):
        answer = ann.client.get(f"/m/{record}/{path}")
        assert answer.status_code == 404 and "still being played" in answer.text, path
    assert ann.client.post(f"/m/{record}/coach").status_code == 404
    assert "Coach" not in [text for _link, text in ann.open(f"/m/{record}").links]


@pytest.mark.slow
def test_judgment_is_deleted_with_statistics_or_account(done, service):
    ann, coach, _mistake = done
    ann.client.post("/me/forget", data={"what": "statistics", "sure": "1"})
    assert service.database.read(lambda c: c.exec_driver_sql("SELECT * FROM coachings").all()) == []
    assert ann.client.get(coach).status_code == 403


@pytest.mark.slow
def test_curve_appears_with_its_numbers_after_two_matches(
    done, finished_match, service, monkeypatch
):
    ann, coach, _mistake = done
    (_ann, ben), _at = finished_match
    assert "Your GOPS matches" not in ann.open(coach).text
    home = service.database.read(lambda c: c.exec_driver_sql("SELECT code FROM tables").scalar())
    for person in (ann, ben):
        person.open(f"/t/{home}")
        person.press("Play again")
    finish(service, home)
    record = service.get(home).table.record
    ann.open(f"/m/{record}/coach")
    ann.press("Coach me")
    coached(service, monkeypatch)
    ann.open(f"/m/{record}/coach")
    assert "Your GOPS matches" in ann.page.text and "<polyline" in ann.html
    costs = ann.client.get(f"/m/{record}/coach.json").json["costs"]
    assert [it["match"] for it in costs] == [coach.split("/")[2], record]
    for it in costs:
        assert it["match"] in ann.page.text
