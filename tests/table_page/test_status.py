""" "What is going on?" is answered in plain sentences that reveal no more than the page."""

import re

import pytest

from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from tests.support.browsing import BY_HTMX

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")


def lead(browser):
    """Return the sentences of the page."""
    return re.sub(r"\s+", " ", re.search(r'<p class="lead">(.*?)</p>', browser.html, re.S)[1])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_status_names_the_active_player_and_the_cards(table, game):
    about = sample(game)
    seats = max(2, GAMES[game].seats(GAMES[game].options())[0])
    path, people = table(*NAMES[:seats], game=game, **written(about.short))
    for person in people:
        person.open(path)
        asked = person.page.title.startswith("Your turn")
        person.open(f"{path}/now")
        said = lead(person)
        assert re.search(about.going_on, said), said
        assert bool(re.search(r"You have \d+ moves?[:.]", said)) == asked, said
        if not asked:
            assert "Waiting for" in said, said


def test_htmx_status_request_also_gets_help(table):
    path, (ann, _) = table("Ann", "Ben", rounds="1")
    answer = ann.client.get(f"{path}/now", headers=BY_HTMX)
    assert answer.status_code == 200
    heard, seen = answer.text.strip().split("</span>", 1)
    assert "<html" not in seen and "Learn Kaboom</a>" in seen and ">All rules</a>" in seen
    ann.open(f"{path}/now")
    assert heard.removeprefix('<span class="visually-hidden">') == lead(ann)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gops", "kaboom", "karata", "koth", "taken"])
@pytest.mark.parametrize("headers", [{}, BY_HTMX])
def test_help_shows_what_the_cards_do(table, game, headers):
    seats = max(2, GAMES[game].seats(GAMES[game].options())[0])
    path, (ann, *_) = table(*NAMES[:seats], game=game)
    help_ = ann.client.get(f"{path}/now", headers=headers).text.partition('how">')[2]
    assert '<span class="few"><span class="card ' in help_


@pytest.mark.parametrize("game", ["gops", "taken"])
def test_help_page_draws_cards_without_suits_as_at_the_table(table, game):
    path, (ann, _) = table("Ann", "Ben", game=game)
    ann.open(f"{path}/now")
    assert (f"games/{game}.css" in ann.html) == (game == "taken")


def test_status_before_the_match_lists_the_players(table):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    ann.open(f"{path}/now")
    assert lead(ann) == "Ben sits down. The match has not begun. At the table: Ann and Ben."


def test_status_link_is_a_plain_link_on_the_table(table):
    path, (ann, _) = table("Ann", "Ben", rounds="1")
    ann.open(path)
    assert (f"{path}/now", "What is going on?") in ann.page.links


def test_a_name_stays_text_for_pages_with_and_without_htmx(table):
    path, (ann, _) = table("A<b>n", "B<i>n", game="gops")
    for headers in ({}, BY_HTMX):
        told = ann.client.get(f"{path}/now", headers=headers).text
        assert "B&lt;i&gt;n" in told and "B<i>n" not in told
