"""What a tournament's page says to those it waits for."""

import re

import pytest

from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import all_ready, opened, settled
from tests.tournaments.pages.test_routes import press

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.mark.parametrize(
    ("language", "wanted"), [("en", "It ends in"), ("sw", "Litaisha baada"), ("fr", "se termine")]
)
def test_the_page_says_until_when_somebody_can_come_back(app, service, watch, language, wanted):
    code, ids = opened(service, *FOUR, format=Format.SWISS, between=15)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    all_ready(service, code, missing=set(ids[1:]))
    watch.sleep(GRACE)
    settled(service, code)
    page = app.test_client().get(f"/e/{code}", headers={"Accept-Language": language}).text
    assert wanted in page


def test_who_missed_the_check_in_finds_the_button_that_strangers_find(browser, service, watch):
    ann, dan = browser(), browser()
    ann.open("/e/new?game=kaboom")
    ann.send(ann.page.form("/e"), name="Cup", who="Ann", check_in="5", format="swiss")
    path = re.search(r"/e/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    people = [ann, browser(), browser(), dan]
    for number, one in enumerate(people):
        one.open(path)
        press(one, "enter", name=f"Player {number}")
    ann.open(f"{path}/run")
    press(ann, "check-in")
    for one in people[:3]:
        one.open(path)
        press(one, "check-in")
    watch.sleep(301)
    direct_all(service)
    dan.open(path)
    assert "You can enter as long as half of its rounds are not over." in dan.page.text
    press(dan, "back")
    assert "It has begun without you." not in dan.page.text
    assert 4 in look(service, path[3:]).of.active()
