"""Premoves in a browser without scripts: their page, and the table afterwards."""

import re

import pytest


@pytest.fixture
def seated(table):
    path, people = table("Ann", "Ben", "Cid", game="karata")
    return path, people


def link(person, path):
    person.open(path)
    return next((href for href, words in person.page.links if words == "Move in advance"), None)


def form(person, words):
    return next(
        (form, button)
        for form in person.page.forms
        for button in form.buttons
        if button[2].startswith(words)
    )


def test_waiting_player_makes_and_cancels_a_premove(seated, service):
    path, (ann, ben, _) = seated
    assert link(ann, path) is None, "it is her turn"
    ben.open(link(ben, path))
    assert "No one can tell that you had planned it" in ben.page.text
    found, button = form(ben, "Plan this move")
    card = found.boxes[0][1]
    ben.send(found, button, [("pick", card)])
    assert ben.status == 200
    assert service.get(path[3:]).table.plans[1].choices == (card,)
    assert link(ben, path) is None
    found, button = form(ben, "In advance: Play: ")
    assert button[2].endswith("Cancel")
    ben.send(found, button)
    assert service.get(path[3:]).table.plans == {}
    assert link(ben, path)


def test_premove_changes_no_byte_for_others(seated, service, browser):
    path, (ann, ben, cid) = seated
    stranger = browser()

    def pages():
        found = []
        for person in (ann, cid, stranger):
            for address in (path, f"{path}/view", f"{path}/now"):
                found.append(re.sub(r"data-left=\S+", "", person.client.get(address).text))
        return found

    before = pages()
    ben.open(link(ben, path))
    ben.send(*form(ben, "Draw"))
    assert service.get(path[3:]).table.plans
    assert pages() == before


def test_late_premove_is_refused_with_a_sentence(seated, service):
    path, (_, ben, _) = seated
    ben.open(link(ben, path))
    found, button = form(ben, "Draw")
    found.hidden["plan"] = "0123456789"
    ben.send(found, button)
    assert ben.status == 422
    assert "too late to plan that" in ben.page.text
    for nonsense in (
        {"plan": "x" * 5000, "pick": ["4H"] * 99},
        {"match": "x"},
        {"plan": "é", "match": "1"},
    ):
        answer = ben.client.post(f"{path}/ahead", data=nonsense)
        assert answer.status_code in (409, 422), nonsense
    assert service.get(path[3:]).table.plans == {}
