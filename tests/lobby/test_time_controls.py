"""A table may have a clock: it is announced before sitting down, and shown only while it runs."""

import re

import pytest

from kaboom.engine.options import declared, in_words, limits, notable
from kaboom.games import GAMES
from tests.support.browsing import BY_HTMX
from tests.tables.test_deadlines import press_something

NOTE = "The clock runs only while another person is kept waiting."
NONE = "No clock: take your time."


def read(person):
    return re.sub(r"\s+", " ", person.page.text)


def seconds(game, number):
    """Return a value for each option of a game that is a number of seconds."""
    return {o.name: str(number) for o in declared(game.options) if o.unit == "seconds"}


@pytest.mark.parametrize("key", sorted(GAMES))
def test_stranger_sees_every_time_limit_before_sitting(table, browser, key):
    path, _ = table("Ann", game=key, ready=False, listed="1", **seconds(GAMES[key], 2))
    stranger = browser()
    stranger.open(path)
    said = read(stranger)
    options = GAMES[key].options(**dict.fromkeys(seconds(GAMES[key], 2), 2))
    limited = limits(options)
    found = [(option, words) for option, words in notable(options) if option.name in limited]
    assert len(found) == len(limited) > 0
    for option, words in found:
        assert f"{option.label}: {words}" in said
    assert NOTE in said
    stranger.open("/lobby")
    assert all(f"{option.label}: {words}" in read(stranger) for option, words in found)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_stranger_is_told_that_no_clock_runs(table, browser, key):
    path, _ = table("Ann", game=key, ready=False, listed="1", **seconds(GAMES[key], 0))
    stranger = browser()
    stranger.open(path)
    assert NONE in read(stranger)
    stranger.open("/lobby")
    assert "No clock." in read(stranger)


def test_table_with_one_of_two_limits_has_a_clock(table, browser):
    table("Ann", game="taken", ready=False, listed="1", choose_seconds="30", take_seconds="0")
    stranger = browser()
    stranger.open("/lobby")
    assert "No clock." not in read(stranger)


def test_koth_time_limits_follow_the_pace(table, browser):
    for pace, said in (("seed", "10 seconds"), ("relaxed", "30 seconds"), ("untimed", NONE)):
        path, _ = table("Ann", game="koth", ready=False, pace=pace)
        stranger = browser()
        stranger.open(path)
        assert said in read(stranger)
        assert ("Playing to a trick" in read(stranger)) == (pace != "untimed")


def test_unused_time_limit_is_shown_as_no_limit(table, browser):
    path, _ = table("Ann", game="koth", ready=False, pace="untimed", play_seconds="25")
    stranger = browser()
    stranger.open(path)
    assert "Playing to a trick: no limit" in read(stranger)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_zero_time_limit_is_described_without_a_number(key):
    options = {option.name: option for option in declared(GAMES[key].options)}
    for name in limits(GAMES[key].options()):
        words = in_words(options[name], 0)
        assert words == options[name].zero
        assert not re.search(r"\d", words)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_rules_say_when_a_clock_runs(browser, key):
    person = browser()
    person.open(f"/rules/{key}")
    assert "With bots alone, take your time." in read(person)


def test_no_clock_is_shown_with_bots_alone(browser, service, fake_clock):
    """By default King of the Hill allows half a minute for a card, but here no player is kept
    waiting."""
    ann = browser()
    ann.open("/start/koth")
    ann.send(ann.page.form("/tables"), ("start", "1", ""), name="Ann", deal_interval="0")
    path = ann.page.form("/move").action.removesuffix("/move")
    code = path.rsplit("/", 1)[1]
    host = service.get(code).table.host
    for n in range(200):
        ann.open(path)
        assert "data-left" not in ann.html
        assert "More time" not in ann.html
        mine = ann.page.title.startswith("Your turn")
        if mine and service.get(code).state.stage == "trick":
            break
        if mine:
            press_something(service, code, host, n)
        elif not service.run_due(code):
            fake_clock.sleep(5)
    assert service.get(code).state.stage == "trick"
    before = service.get(code).table.seq
    fake_clock.sleep(1000)
    assert not service.run_due(code)
    assert service.get(code).table.seq == before
    form = ann.page.form("/move")
    answer = ann.client.post(f"{path}/more", data=form.hidden, headers=BY_HTMX)
    assert answer.status_code == 422
    assert "You cannot get more time for this." in answer.text
