"""Texts around a match: invitation, opening a table, and the rules."""

import pytest

from kaboom.daily import service as daily
from kaboom.games import GAMES
from tests.daily.test_service import NOON


def test_invitation_shows_the_host_and_the_game(browser, table):
    path, _ = table("Ann", ready=False)
    text = browser().open(path).text
    asked, _, _ = text.partition("Your name")
    assert "A table for Kaboom. Your host is Ann." in asked
    assert text.count(GAMES["kaboom"].tagline) == 1


def test_guest_is_asked_to_be_ready_and_then_waits(table):
    _, (_, ben, _) = table("Ann", "Ben", "Cid", ready=False)
    assert "Say when you are ready" in ben.page.text
    ben.press("I am ready")
    assert "Say when you are ready" not in ben.page.text
    assert "Waiting for the others" in ben.page.text


@pytest.mark.parametrize("game", GAMES)
def test_start_button_is_above_and_below_the_options(app, game):
    page = app.test_client().get(f"/start/{game}").text
    before, _, options = page.partition("More options")
    for part in (before, options):
        assert part.count("Start now against bots") == 1


@pytest.mark.parametrize("game", GAMES)
def test_rules_open_with_a_summary_before_the_contents(app, game):
    page = app.test_client().get(f"/rules/{game}").text
    title, contents, first = (page.index(it) for it in ("<h1", 'id="h-toc"', "<article"))
    assert title < contents < first
    assert page.count("<h1") == 1
    assert "<p>" in page[title:contents]


def test_upcoming_days_are_listed_nearest_first(service, fake_clock, browser):
    fake_clock.time = NOON
    daily.promise_ahead(service)
    ann = browser()
    ann.open("/daily")
    days = ann.html.partition('id="h-days"')[2]
    assert days.index("/daily/2026-11-26") < days.index("/daily/2026-11-27")


def test_empty_code_shows_its_field_again(app):
    answer = app.test_client().get("/join?code=+")
    assert answer.status_code == 303
    assert answer.location.endswith("/#code")


def test_error_heading_says_what_happened_and_body_what_to_do(app):
    page = app.test_client().get("/t/NOTABLES").text
    assert "<h1>There is no table with that code.</h1>" in page
    assert '<p class="lead">Ask for the link again, or start one yourself.</p>' in page
    assert "<h1>Page not found.</h1>" in app.test_client().get("/nowhere").text


def test_a_waiting_room_has_one_button_that_copies_the_link(browser, table):
    path, (ann, ben) = table("Ann", "Ben", ready=False)
    for person in (ann, ben):
        assert person.client.get(path).text.count('data-copy="link"') == 1
    visitor = browser().client.get(path).text
    assert "Take a seat" in visitor and 'id="h-invite"' not in visitor


def test_mistyped_code_stays_in_its_field(app):
    page = app.test_client().get("/t/NOTABLES").text
    assert 'value="NOTABLES"' in page


def test_short_code_is_called_too_short(app):
    page = app.test_client().get("/t/ABC").text
    assert "<h1>A code has eight characters.</h1>" in page and 'value="ABC"' in page
