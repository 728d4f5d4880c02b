"""Messages of a tournament's page to the players it waits for."""

import re

import pytest

from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import all_ready, opened, settled
from tests.tournaments.pages.test_routes import press

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.mark.parametrize(
    ("language", "wanted"), [("en", "It ends in"), ("sw", "Litaisha baada"), ("fr", "se termine")]
)
def test_page_says_until_when_an_entrant_can_return(app, service, fake_clock, language, wanted):
    code, ids = opened(service, *FOUR, format=Format.SWISS, between=15)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    all_ready(service, code, missing=set(ids[1:]))
    fake_clock.sleep(GRACE)
    settled(service, code)
    page = app.test_client().get(f"/tournaments/{code}", headers={"Accept-Language": language}).text
    assert wanted in page


def test_entrant_who_missed_check_in_finds_the_entry_button(browser, service, fake_clock):
    ann, dan = browser(), browser()
    ann.open("/tournaments/new?game=kaboom")
    ann.send(ann.page.form("/tournaments"), name="Cup", who="Ann", check_in="5", format="swiss")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    people = [ann, browser(), browser(), dan]
    for number, one in enumerate(people):
        one.open(path)
        press(one, "enter", name=f"Player {number}")
    ann.open(f"{path}/manage")
    press(ann, "check-in")
    for one in people[:3]:
        one.open(path)
        press(one, "check-in")
    fake_clock.sleep(301)
    direct_all(service)
    dan.open(path)
    assert "You can enter until half of its rounds are over." in dan.page.text
    press(dan, "back")
    assert "It began without you." not in dan.page.text
    assert 4 in get_tournament(service, path[13:]).of.active()
