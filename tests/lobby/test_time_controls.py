"""A clock is a table's choice: it is told before one sits down, and shown only where it runs."""

import re

import pytest

from kaboom.engine.options import declared, in_words, limits, notable
from kaboom.games import GAMES
from tests.support.browsing import BY_HTMX
from tests.tables.test_deadlines import press_something

NOTE = "The clock runs only while another person is kept waiting."
NONE = "No clock: nobody is hurried."


def read(person):
    return re.sub(r"\s+", " ", person.page.text)


def seconds(game, number):
    """Return a value for each option of a game that is a number of seconds."""
    return {o.name: str(number) for o in declared(game.options) if o.unit == "seconds"}


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_stranger_reads_every_limit_of_time_before_sitting_down(table, browser, key):
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
def test_a_stranger_reads_that_there_is_no_clock(table, browser, key):
    path, _ = table("Ann", game=key, ready=False, listed="1", **seconds(GAMES[key], 0))
    stranger = browser()
    stranger.open(path)
    assert NONE in read(stranger)
    stranger.open("/lobby")
    assert "No clock." in read(stranger)


def test_one_limit_among_several_is_a_clock(table, browser):
    table("Ann", game="taken", ready=False, listed="1", choose_seconds="30", take_seconds="0")
    stranger = browser()
    stranger.open("/lobby")
    assert "No clock." not in read(stranger)


def test_the_times_of_the_hill_are_those_of_its_pace(table, browser):
    for pace, said in (("seed", "10 seconds"), ("relaxed", "30 seconds"), ("untimed", NONE)):
        path, _ = table("Ann", game="koth", ready=False, pace=pace)
        stranger = browser()
        stranger.open(path)
        assert said in read(stranger)
        assert ("Playing to a trick" in read(stranger)) == (pace != "untimed")


def test_a_time_that_is_not_in_force_is_not_told_as_if_it_were(table, browser):
    path, _ = table("Ann", game="koth", ready=False, pace="untimed", play_seconds="25")
    stranger = browser()
    stranger.open(path)
    assert "Playing to a trick: no limit" in read(stranger)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_no_limit_is_said_in_words_of_every_time(key):
    options = {option.name: option for option in declared(GAMES[key].options)}
    for name in limits(GAMES[key].options()):
        words = in_words(options[name], 0)
        assert words == options[name].zero
        assert not re.search(r"\d", words)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_rules_say_when_a_clock_runs(browser, key):
    person = browser()
    person.open(f"/rules/{key}")
    assert "With bots alone nobody is hurried." in read(person)


def test_with_bots_alone_no_clock_is_shown_and_no_time_offered(browser, service, watch):
    """King of the Hill as it comes: half a minute a card, but nobody is kept waiting."""
    ann = browser()
    ann.open("/start/koth")
    ann.send(ann.page.form("/tables"), ("start", "1", ""), name="Ann", deal_interval="0")
    path = ann.page.form("/move").action.removesuffix("/move")
    code = path.rsplit("/", 1)[1]
    host = service.look(code).table.host
    for n in range(200):
        ann.open(path)
        assert "data-left" not in ann.html
        assert "More time" not in ann.html
        mine = ann.page.title.startswith("Your turn")
        if mine and service.look(code).state.stage == "trick":
            break
        if mine:
            press_something(service, code, host, n)
        elif not service.lapse(code):
            watch.sleep(5)
    assert service.look(code).state.stage == "trick"
    before = service.look(code).table.seq
    watch.sleep(1000)
    assert not service.lapse(code)
    assert service.look(code).table.seq == before
    form = ann.page.form("/move")
    answer = ann.client.post(f"{path}/more", data=form.hidden, headers=BY_HTMX)
    assert answer.status_code == 422
    assert "You cannot get more time for this." in answer.text
