"""Lessons in browsers without scripts, as JSON and as text."""

import re

import pytest

from kaboom.games import GAMES
from kaboom.learn.lessons import FIRST, found_of
from tests.support.api_clients import JSON, TEXT
from tests.support.finished_matches import finish

LESSONS = [(key, lesson.name) for key in GAMES for lesson in found_of(key).lessons]
AT = "/learn/kaboom/first"


def made(browser, move):
    """Make a move with the page's controls: together, or card by card in a row."""
    pieces = any(" add " in button[1] for _form, button in browser.page.moves())
    verb, *choices = move.split()
    if verb != "lay" or not pieces:
        browser.send(*form_for(browser.page, move))
        return
    for choice in choices:
        browser.send(*form_for(browser.page, f"add {choice}"))
    browser.send(*form_for(browser.page, "play"))


def form_for(page, move):
    """Return the form, button and ticked boxes that make a move, on an unchanged page."""
    verb, *choices = move.split()
    for form, button in page.moves():
        if button[1].split(" ")[1:] == [verb, *choices]:
            return form, button, []
    for form, button in page.moves():
        own = button[1] if button[0] == "offer" else form.hidden.get("offer", "")
        if own.split(" ")[1:] == [verb]:
            if "pick" in form.hidden:
                form.hidden["pick"] = choices[0]
                return form, button, []
            boxes = list(form.boxes)
            ticked = []
            for choice in choices:
                assert ("pick", choice) in boxes, f"{choice} cannot be ticked"
                boxes.remove(("pick", choice))
                ticked.append(("pick", choice))
            return form, button, ticked
    raise AssertionError(f"no form makes {move!r}")


@pytest.mark.slow
@pytest.mark.parametrize(("key", "name"), LESSONS)
def test_lesson_is_completed_through_its_forms(browser, key, name):
    lesson = next(it for it in found_of(key).lessons if it.name == name)
    ann = browser()
    ann.open(f"/learn/{key}")
    ann.open(next(link for link, _words in ann.page.links if link == f"/learn/{key}/{name}"))
    for number, asked in enumerate(lesson.steps, 1):
        assert f"step {number} of {len(lesson.steps)}" in ann.page.text
        assert len(ann.html) < 120_000
        if asked.ask:
            made(ann, asked.expect[0])
        else:
            assert not ann.page.moves()
            ann.follow("Next")
    assert "Well done!" in ann.page.text
    assert "done" in ann.open(f"/learn/{key}").text


@pytest.mark.slow
@pytest.mark.parametrize(("key", "name"), LESSONS)
def test_lesson_is_completed_as_json_and_as_text(client, key, name):
    lesson = next(it for it in found_of(key).lessons if it.name == name)
    at = f"/learn/{key}/{name}/1"
    for number, asked in enumerate(lesson.steps, 1):
        step = client.get(f"{at}.json").json
        text = client.get(f"{at}.txt").text
        assert (step["step"], step["text"], step["asks"]) == (number, asked.text, bool(asked.ask))
        assert asked.text.split()[0] in text
        if asked.ask:
            numbers = numbers_of(step, asked.expect[0])
            by_number = {"move": numbers, "answers": step["menu"]}
            assert client.post(f"{at}/move", json=by_number, headers=JSON).json["right"]
            told = client.post(f"{at}/move", data=by_number, headers=TEXT)
            assert told.text.startswith("Right.")
            answer = client.post(f"{at}/move", json={"move": asked.expect[0]}, headers=JSON).json
            assert answer["right"] and answer["next"] == step["links"]["next"]
        at = step["links"]["next"].removesuffix(".json")
    assert at == f"/learn/{key}/{name}/done"
    assert client.get(f"{at}.json").json["format"] == "kaboom lesson done"
    assert client.get(f"{at}.txt").text.startswith("Well done!")


def numbers_of(step, move):
    """Return a move as the numbers of the list."""
    verb, *choices = move.split()
    for offer in step["moves"]:
        if offer["verb"] == verb:
            if not choices:
                return str(offer["n"])
            known = [(it["choice"], it["n"]) for it in offer["options"]]
            found = []
            for choice in choices:
                place = next(at for at, (option, _n) in enumerate(known) if option == choice)
                found.append(str(known.pop(place)[1]))
            if len(found) == len(choices):
                return " ".join(found)
    raise AssertionError(f"{move!r} is not in the list")


def test_wrong_move_changes_nothing_and_cites_its_rule(browser):
    ann = browser()
    ann.open(f"{AT}/5")
    ann.send(*form_for(ann.page, "replace 0.4"))
    assert "That is the King of Diamonds" in ann.page.text
    assert ("/rules/kaboom#the-cards", "The rule: The cards") in ann.page.links
    assert "step 5 of" in ann.page.text
    ann.send(*form_for(ann.page, "replace 0.1"))
    assert "That is allowed, but the lesson needs another move." in ann.page.text
    assert "step 5 of" in ann.page.text


def test_next_step_says_what_was_done_in_the_previous_one(browser):
    ann = browser()
    ann.open("/learn/gops/first/2")
    ann.send(*form_for(ann.page, "bid TS"))
    assert "Right. Your 10 beat the 9" in ann.page.text
    ann.open("/learn/gops/first/2")
    ann.send(*form_for(ann.page, "bid 8S"))
    said = "The lesson goes on with “Bid the 10 of Spades”. Your 10 beat the 9"
    assert f"That is good, too. {said}" in ann.page.text
    ann.open("/learn/gops/first/2")
    ann.follow("Skip")
    assert "Done for you: “Bid the 10 of Spades”. Your 10 beat" in ann.page.text
    ann.open("/learn/gops/first/2?after=good")
    assert "Right." not in ann.page.text  # nothing was asked before


def test_button_without_a_card_says_to_choose_one(browser):
    ann = browser()
    ann.open("/learn/gops/first/2?tried=bid")
    assert "Choose a card first." in ann.page.text
    assert "The rules do not allow that." not in ann.page.text


def test_card_against_the_rules_can_be_tried_in_a_lesson(browser):
    ann = browser()
    ann.open("/learn/koth/first/7")
    ann.send(*form_for(ann.page, "play KD"))
    assert "The rules do not allow that. You hold a club" in ann.page.text
    assert ("/rules/koth#following", "The rule: Following") in ann.page.links


def test_buried_cards_cannot_be_kept_for_later_in_a_lesson(browser):
    ann = browser()
    ann.open("/learn/koth/first/3")
    assert "chosen to bury" in ann.page.text
    assert "Keep" not in ann.page.text and "kept so far" not in ann.page.text


def test_long_choice_stays_ticked_after_its_feedback(browser):
    ann = browser()
    ann.open("/learn/koth/first/3?tried=bury+3C+6C+7C+8C+3H+7H+8H+9H")
    assert ann.html.count(" checked>") == 8


def test_allowed_card_is_not_ticked_beside_its_feedback(browser):
    ann = browser()
    ann.open("/learn/koth/first/6?tried=play+JD")
    assert "You chose “Play the Jack of Diamonds”." in ann.page.text
    assert " checked>" not in ann.html
    ann.open("/learn/koth/first/8?tried=play+TC")
    assert "The rules do not allow that. Choose exactly 2, not 1." in ann.page.text
    assert ann.html.count(" checked>") == 1


@pytest.mark.parametrize(
    ("at", "title"),
    [
        ("karata/first/14", "You win!"),
        ("koth/first/12", "You and Juma win together"),
        ("kaboom/calling/5", "You win!"),
    ],
)
def test_end_of_a_match_names_the_winner(browser, at, title):
    ann = browser()
    ann.open(f"/learn/{at}")
    assert f'class="won">{title}</h2>' in ann.html
    lesson, _unused, number = at.rpartition("/")
    ann.open(f"/learn/{lesson}/{int(number) - 1}")
    assert 'class="won"' not in ann.html


def test_list_leads_to_the_next_lesson_and_shows_how_many_are_done(browser):
    ann = browser()
    ann.open("/learn")
    assert "<progress" not in ann.html
    first, second = (it.name for it in found_of("kaboom").lessons[:2])
    assert f'<a class="button" href="/learn/kaboom/{first}">' in ann.html
    ann.open(f"/learn/kaboom/{first}/done")
    ann.open("/learn")
    assert f'<a class="button" href="/learn/kaboom/{second}">' in ann.html
    assert f"1 of {len(found_of('kaboom').lessons)} done" in ann.page.text
    assert ann.html.count("<progress") == 1


def test_show_me_highlights_and_names_the_move(browser):
    ann = browser()
    ann.open(f"{AT}/6")
    ann.follow("Show me")
    assert "The right move: Flip your bottom left card" in ann.page.text
    assert len(re.findall(r'value="\w+ flip 0\.3" data-best', ann.html)) == 1


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/learn/nothing", 404),
        ("GET", "/learn/kaboom/nothing", 404),
        ("GET", f"{AT}/0", 404),
        ("GET", f"{AT}/99", 404),
        ("GET", f"{AT}/99.json", 404),
        ("GET", f"{AT}/3?tried=%00%ff", 400),
        ("GET", f"{AT}/3?tried=replace", 200),
        ("GET", f"{AT}/1?tried=peek&show=1", 200),
        ("POST", f"{AT}/99/move", 404),
        ("POST", f"{AT}/1/move", 303),
        ("POST", f"{AT}/2/move", 422),
    ],
)
def test_invalid_lesson_url_gets_a_clear_error(client, method, path, status):
    assert client.open(path, method=method).status_code == status


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"move": ""},
        {"move": "x" * 5000},
        {"move": "peek peek peek"},
        {"move": "9 9", "answers": "nonsense"},
        {"offer": "x look", "pick": "no"},
        {"match": "1", "move": "\0 \0"},
    ],
)
def test_forged_form_is_refused_in_a_sentence(client, form):
    answer = client.post(f"{AT}/9/move", data=form, follow_redirects=True)
    assert answer.status_code in (200, 409, 422)
    assert "The rules do not allow that." in answer.text
    told = client.post(f"{AT}/9/move", data=form, headers=JSON)
    assert told.status_code == 200 and not told.json["right"] and told.json["text"]


def test_finished_lesson_is_remembered_and_an_unknown_one_is_not(client):
    client.set_cookie("kb-lessons", "kaboom.nothing&x")
    assert not client.get("/learn/kaboom.json").json["lessons"][0]["finished"]
    client.get(f"{AT}/done")
    assert client.get_cookie("kb-lessons").value == "kaboom.first"
    assert client.get("/learn/kaboom.json").json["lessons"][0]["finished"]


def test_home_offers_a_first_game_until_one_is_finished(browser):
    ann = browser()
    links = {words: link for link, words in ann.open("/").links}
    assert links["New? Learn it in a few minutes"] == "/learn"
    ann.open("/learn")
    assert AT in [link for link, _words in ann.page.links]
    ann.open(f"{AT}/done")
    assert "New? Learn it" not in ann.open("/").text
    assert ("/learn", "Learn") in ann.page.links


@pytest.mark.parametrize("key", [key for key in GAMES if found_of(key).lessons])
def test_game_with_lessons_has_a_first_game(key):
    assert found_of(key).lessons[0].name == FIRST


def test_rules_link_to_the_lesson_beside_its_chapter(browser):
    ann = browser()
    ann.open("/rules/gops")
    links = {words: link for link, words in ann.page.links}
    assert links["Learn by playing"] == "/learn/gops"
    assert links["Lesson about Ties"] == "/learn/gops/ties"


def test_waiting_room_and_status_link_to_lessons(table, browser):
    path, (ann,) = table("Ann", game="gops", ready=False)
    assert "/learn/gops" in [link for link, _words in ann.page.links]
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open(f"{path}/now")
    assert ("/learn/gops", "Learn GOPS") in ann.page.links
    part = ann.client.get(f"{path}/now", headers={"HX-Request": "true"}).text
    assert 'href="/learn/gops"' in part


def test_loser_of_a_first_match_gets_a_link_to_lessons(table, service):
    path, people = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    for person in people:
        person.open(path)  # a newcomer is recognised by the running match
    finish(service, code)
    places = service.get(code).table.outcome.places
    for seat, person in enumerate(people):
        person.open(path)
        lost = places[seat] > 1
        assert ("Learn GOPS" in person.page.text) == lost
    assert sorted(places) == [1, 2]
