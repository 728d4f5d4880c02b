"""The length of a match is shown on the tile, with the options and in the lobby."""

import re

import pytest

from kaboom.games import GAMES
from kaboom.games.match_length import minutes, quick_length, usual_length
from kaboom.games.match_minutes import MINUTES
from tests.support.builtin_games import OURS


@pytest.mark.parametrize("key", OURS)
def test_every_preset_has_a_duration(key):
    game = GAMES[key]
    for way in (game.usual, *game.presets):
        assert minutes(game, game.options(**way.values)) is not None, "python -m bench.lengths"


def test_durations_name_only_existing_presets():
    for key in OURS:
        assert {*MINUTES[key]} == {it.key for it in (GAMES[key].usual, *GAMES[key].presets)}


def test_short_preset_of_koth_takes_fewer_minutes():
    koth = GAMES["koth"]
    short = next(it for it in koth.presets if it.key == "short")
    assert minutes(koth, koth.options(**short.values)) < minutes(koth, koth.options())


def test_pages_say_how_long_a_match_takes(browser):
    ann, said = browser(), usual_length(GAMES["gops"])
    assert said
    assert quick_length(GAMES["gops"]) in ann.open("/").text
    assert said in ann.open("/start/gops").text
    ann.send(ann.page.form("/tables"), name="Ann", listed="1")
    assert said in browser().open("/lobby").text


def test_a_match_that_takes_hours_names_the_shortest_preset():
    assert usual_length(GAMES["koth"]) == "About 2 hours. About 17 minutes if played as “Short”."
    assert "“" not in usual_length(GAMES["hearts" if "hearts" in GAMES else "kaboom"])


def test_a_long_game_offers_the_match_named_on_the_home_page(browser):
    """A game whose usual match takes hours has its short preset chosen."""
    page = browser().open("/start/koth").text
    assert "Standard ~2 h" in page and "Short ~17 min" in page
    assert "About 17 minutes." in page
    ann = browser()
    ann.open("/start/koth")
    assert 'aria-current="true"><b>Short' in ann.html
    ann.open("/start/koth?preset=usual")
    assert 'aria-current="true"><b>Standard' in ann.html


def test_play_now_starts_a_short_match_of_a_long_game(browser, service):
    ann = browser()
    page = ann.client.get("/").text
    assert quick_length(GAMES["koth"]) in page
    fields = {"cmd": "one", "game": "koth", "name": "Ann", "bots": "4", "start": "1", "quick": "1"}
    assert 'name="quick" value="1"' in page
    answer = ann.client.post("/tables", data=fields)
    code = re.search(r"/t/(\w+)", answer.location)[1]
    assert service.get(code).position.state.options.rounds == 3


@pytest.mark.parametrize("key", [key for key in OURS if key != "koth"])
def test_play_now_starts_the_usual_match_of_other_games(key):
    said = re.findall(r"\d+", quick_length(GAMES[key]))
    assert said and said == re.findall(r"\d+", usual_length(GAMES[key]))
