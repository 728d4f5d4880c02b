"""Deciding ahead in a browser without scripts: a page of its own, and what the table then shows."""

import re

import pytest


@pytest.fixture
def seated(table):
    path, people = table("Ann", "Ben", "Cid", game="karata")
    return path, people


def link(person, path):
    person.open(path)
    return next((href for href, words in person.page.links if words == "Decide ahead"), None)


def form(person, words):
    return next(
        (form, button)
        for form in person.page.forms
        for button in form.buttons
        if button[2].startswith(words)
    )


def test_who_waits_decides_ahead_sees_it_and_cancels_it(seated, service):
    path, (ann, ben, _) = seated
    assert link(ann, path) is None, "it is her turn"
    ben.open(link(ben, path))
    assert "Nobody can tell that you had decided before" in ben.page.text
    found, button = form(ben, "Decide")
    card = found.boxes[0][1]
    ben.send(found, button, [("pick", card)])
    assert ben.status == 200
    assert service.look(path[3:]).table.plans[1].choices == (card,)
    assert link(ben, path) is None
    found, button = form(ben, "Decided: Play: ")
    assert button[2].endswith("Cancel")
    ben.send(found, button)
    assert service.look(path[3:]).table.plans == {}
    assert link(ben, path)


def test_nobody_elses_page_has_another_byte(seated, service, browser):
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
    assert service.look(path[3:]).table.plans
    assert pages() == before


def test_a_decision_that_comes_too_late_gets_a_sentence(seated, service):
    path, (_, ben, _) = seated
    ben.open(link(ben, path))
    found, button = form(ben, "Draw")
    found.hidden["plan"] = "0123456789"
    ben.send(found, button)
    assert ben.status == 422
    assert "cannot be decided ahead any more" in ben.page.text
    for nonsense in (
        {"plan": "x" * 5000, "pick": ["4H"] * 99},
        {"match": "x"},
        {"plan": "é", "match": "1"},
    ):
        answer = ben.client.post(f"{path}/ahead", data=nonsense)
        assert answer.status_code in (409, 422), nonsense
    assert service.look(path[3:]).table.plans == {}
