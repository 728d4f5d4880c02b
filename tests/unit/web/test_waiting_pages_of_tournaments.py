"""What a tournament's page says to those it waits for."""

import pytest

from kaboom.tables.commands import organising
from kaboom.tables.tournaments import GRACE
from kaboom.tournaments.events import Format
from tests.unit.tables.tournaments import all_ready, opened, settled

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.mark.parametrize(
    ("language", "wanted"), [("en", "It ends in"), ("sw", "Litaisha baada"), ("fr", "se termine")]
)
def test_the_page_says_until_when_somebody_can_come_back(app, service, watch, language, wanted):
    code, ids = opened(service, *FOUR, format=Format.SWISS, between=15)
    organising.begin(service, code, ids[0])
    settled(service, code)
    all_ready(service, code, missing=set(ids[1:]))
    watch.sleep(GRACE)
    settled(service, code)
    page = app.test_client().get(f"/e/{code}", headers={"Accept-Language": language}).text
    assert wanted in page
