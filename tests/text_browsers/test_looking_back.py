"""Finished matches in w3m: playing on, the coach, challenges, the deal of the day, and reviews."""

import re

import pytest

from kaboom.daily import service as daily
from tests.coach.coaching import coached
from tests.daily.test_service import NOON
from tests.support.finished_matches import finish, play_to_the_end
from tests.text_browsers import people
from tests.text_browsers.test_days import codes, over_http


def read(one, words):
    """Assert that the screen shows these words, wherever its lines break."""
    assert words in " ".join(one.text.split()), one.report()


@pytest.fixture
def opened(app, browser, tmp_path):
    """A function that opens w3m for a player at an address of the application."""
    with over_http(app) as url:
        yield lambda name, path="": browser("w3m", tmp_path / name, f"{url}{path}")


@pytest.fixture
def played(service):
    """A function that plays the match being played to its end, and follows these links."""

    def to_the_end(one, *links):
        known = service.database.read(codes)
        finish(service, next(it for it in known if service.get(it).table.playing))
        for link in links:
            one.press(one.find(link))

    return to_the_end


def at_a_step(one):
    """Go from the end of a match to its first step."""
    one.press(one.find("^Replay it step by step"))
    one.press(one.find("^Forward"))


def test_match_is_played_on_from_a_step_in_w3m(opened, played):
    ann = opened("ann")
    people.begin(ann, "gops")
    played(ann, "^Kaboom", "^GOPS ")
    ann.press(ann.find("^Review this match"))
    at_a_step(ann)
    ann.press(ann.find("^Play on from here"))
    ann.press([it for it in ann.spots() if it.words == "Play"][-1])  # the first is in the header
    read(ann, "This match continues from step 1 of another one.")
    played(ann, "^Wait for the next move")
    ann.press(ann.find("^Review this match"))
    read(ann, "This match was played on from")


def test_coach_reviews_decisions_in_w3m(opened, played, service, monkeypatch):
    ann = opened("ann")
    people.begin(ann, "gops")
    played(ann, "^Kaboom", "^GOPS ")
    ann.press(ann.find("^Coach"))
    ann.press(ann.find("^Coach me"))
    coached(service, monkeypatch)
    ann.press(ann.find("^Look again"))
    ann.press(ann.find("^Find the better move"))
    read(ann, "What would have been better?")
    ann.press(ann.find("^Show me"))
    read(ann, "It cost ")
    ann.press(ann.find("^Coach"))
    read(ann, "All decisions")


def test_daily_deal_is_replayed_in_w3m(opened, played, service, fake_clock):
    fake_clock.time = NOON
    daily.promise_ahead(service)
    ann = opened("ann", "/daily")
    ann.type("Your name", "Ann")
    ann.press(ann.find("^Play today’s deal"))
    played(ann, "^Kaboom", "^Deal of the day")
    read(ann, "No one else has finished yet.")
    ann.press(ann.find("^Replay it step by step"))
    ann.press(ann.find("^Replay it step by step"))
    read(ann, "step 0 of")


def test_match_is_reviewed_by_two_in_w3m(opened, service):
    code, _people = play_to_the_end(service, "gops", names=("Ann", "Ben"))
    record = service.get(code).table.record
    ann = opened("ann", f"/m/{record}")
    at_a_step(ann)
    ann.press(ann.find("^Look back together"))
    ann.type("Your name", "Ann")
    ann.press(ann.find("^Begin at step 1"))
    read(ann, "You lead. The others see this step.")
    review = re.search(rf"/m/{record}/review/\w+", ann.text)[0]
    ben = opened("ben", review)
    ben.type("Your name", "Ben")
    ben.press(ben.find("^Join$"))
    read(ben, "You follow Ann.")
    ann.press(ann.find("^Forward"))
    ben.press(ben.find("^Check for updates"))
    read(ben, "step 2 of ")
    ben.press(ben.find("^Comment on this step"))
    read(ben, "You are looking around on your own.")
    ben.type("Comment on this step", "Why not the king?")
    ben.press(ben.find("^Say$"))
    read(ben, "Ben: Why not the king?")
    ben.press(ben.find("^Back to Ann, step 2"))
    ben.press(ben.find("^Ask for the lead"))
    read(ben, "You have asked for the lead.")
    ann.press(ann.find("^Forward"))
    read(ann, "Ben is asking to lead.")
    ann.press(ann.find("^Let Ben lead"))
    read(ann, "You follow Ben.")
    ben.press(ben.find("^Check for updates"))
    read(ben, "You lead. The others see this step.")
    ben.press(ben.find("^Back$"))
    ann.press(ann.find("^Check for updates"))
    read(ann, "Ben: Why not the king?")
