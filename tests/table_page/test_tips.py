"""A new player gets tips until they have read all of them or finished a match."""

import pytest

from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.toolkit.tips import TipLine
from kaboom.games import GAMES
from tests.support.browsing import BY_HTMX, table_path
from tests.support.forms import Browser
from tests.table_page.test_many_matches import begin, play

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")


@pytest.fixture
def ann(app):
    """Return Ann in her first match of GOPS, against a bot."""
    person = Browser(app.test_client())
    begin(person, "gops")
    return person


def told(person):
    """Return the tip on a page, or an empty text."""
    _, begun, rest = person.html.partition('<div class="tip">')
    return rest.partition("<summary>")[2].partition("</summary>")[0] if begun else ""


def test_aim_is_shown_on_first_turn_with_its_rule(ann):
    assert told(ann).startswith("Most points win.")
    assert any(href.endswith("/rules#a-round") for href, _ in ann.page.links)


def test_read_tip_is_not_repeated_and_the_next_new_one_shows(ann):
    first = told(ann)
    ann.press("Got it")
    second = told(ann)
    assert second and second != first
    ann.press("Got it")
    assert told(ann) not in ("", first, second)
    ann.open(table_path(ann))
    assert told(ann) not in ("", first, second)


def test_winning_condition_stays_if_there_is_no_new_tip(ann):
    aim, seen = told(ann), set()
    while "Got it" in ann.html:
        seen.add(told(ann))
        ann.press("Got it")
    assert len(seen) > 2
    assert told(ann) == aim


def test_dismissed_tips_stay_off_for_this_game_until_requested(ann, app):
    ann.press("Got it")
    ann.press("No more tips")
    assert told(ann) == ""
    path = table_path(ann)
    begin(ann, "taken")
    assert told(ann)
    ann.open(path)
    ann.press("Show the first-match tips again")
    assert told(ann).startswith("Most points win.")


@pytest.mark.slow
def test_player_with_a_finished_match_gets_no_tips(ann):
    play(ann, 1)
    begin(ann, "gops")
    assert told(ann) == ""
    begin(ann, "taken")
    assert told(ann)


def test_tips_are_shown_to_players_only(ann, app):
    watching = Browser(app.test_client())
    watching.open(table_path(ann))
    assert told(watching) == ""


def test_malformed_tips_cookie_is_ignored(ann):
    ann.client.set_cookie("kb-tips", "nonsense&gops.nothing&taken")
    ann.open(table_path(ann))
    assert told(ann).startswith("Most points win.")


@pytest.mark.slow
@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.tips])
def test_rules_open_at_the_heading_for_the_situation(game, app):
    person = Browser(app.test_client())
    begin(person, game)
    path = table_path(person)
    headings = set()
    for n in range(30):
        answer = person.client.get(f"{path}/rules?now")
        assert answer.status_code == 302
        headings.add(answer.location.partition("#")[2])
        if not person.play_on(Rng(bytes(32), n, "reader")):
            break
    page = person.client.get(f"{path}/rules").text
    assert len(headings) > 1
    assert all(f'id="{heading}"' in page for heading in headings if heading)


def test_game_without_tips_opens_its_rules_at_the_top(app):
    person = Browser(app.test_client())
    begin(person, "hearts")
    assert told(person) == ""
    answer = person.client.get(f"{table_path(person)}/rules?now")
    assert answer.location.endswith("/rules")


def test_reading_a_tip_sends_scripts_a_part_and_others_a_page(ann):
    form = ann.page.form("/tip")
    fields = dict(form.filled(next(b for b in form.buttons if b[2] == "Got it"), ()))
    by_script = ann.client.post(form.action, data=fields, headers=BY_HTMX)
    assert by_script.status_code == 200
    assert "<html" not in by_script.text and 'class="tip"' in by_script.text
    assert ann.client.post(form.action, data=fields).status_code == 303


def test_kaboom_pile_cards_have_distinct_tip_ids():
    """Otherwise a cached page would show the tip of another card."""
    game, names = GAMES["kaboom"], Names(("Ann", "Ben"), 0)
    cards = [*(rank + suit for rank in "A23456789TJQK" for suit in "SHDC"), "BJ", "RJ"]
    told = {
        game.words.fill(game.tips[key].text, {"card": card, "rank": rank_of(card)}, names)
        for key in ("flip", "take")
        for card in cards
    }
    assert len(told) > len(cards)
    assert len({TipLine("flip", text, "flipping").id for text in told}) == len(told)
