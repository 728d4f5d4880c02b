"""A newcomer is told what fits the moment, until they have read it or have finished a match."""

import pytest

from kaboom.engine.rng import Chance
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.toolkit.tips import TipLine
from kaboom.games import GAMES
from tests.play.test_many_matches import begin, play
from tests.support.browsing import BY_HTMX, table_path
from tests.support.forms import Browser

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")


@pytest.fixture
def ann(app):
    """Ann, who has just begun her first match of GOPS, against a bot."""
    person = Browser(app.test_client())
    begin(person, "gops")
    return person


def told(person):
    """Return the sentence a page tells a newcomer, or nothing."""
    _, begun, rest = person.html.partition('<div class="tip">')
    return rest.partition("<summary>")[2].partition("</summary>")[0] if begun else ""


def test_the_aim_stands_there_on_the_first_turn_with_the_rule_it_comes_from(ann):
    assert told(ann).startswith("The most points win.")
    assert any(href.endswith("/rules#a-round") for href, _ in ann.page.links)


def test_what_was_read_is_not_told_again_and_then_comes_what_is_new(ann):
    first = told(ann)
    ann.press("Got it")
    second = told(ann)
    assert second and second != first
    ann.press("Got it")
    assert told(ann) not in ("", first, second)
    ann.open(table_path(ann))
    assert told(ann) not in ("", first, second)


def test_where_nothing_is_new_what_wins_stays_there_without_being_asked_again(ann):
    aim, seen = told(ann), set()
    while "Got it" in ann.html:
        seen.add(told(ann))
        ann.press("Got it")
    assert len(seen) > 2
    assert told(ann) == aim


def test_no_more_tips_holds_for_this_game_alone_until_they_are_asked_for_again(ann, app):
    ann.press("Got it")
    ann.press("No more tips")
    assert told(ann) == ""
    path = table_path(ann)
    begin(ann, "taken")
    assert told(ann)
    ann.open(path)
    ann.press("Show the tips for a first match again")
    assert told(ann).startswith("The most points win.")


def test_who_has_finished_a_match_of_this_game_is_told_nothing_in_the_next(ann):
    play(ann, 1)
    begin(ann, "gops")
    assert told(ann) == ""
    begin(ann, "taken")
    assert told(ann)


def test_nobody_but_players_is_told_anything(ann, app):
    watching = Browser(app.test_client())
    watching.open(table_path(ann))
    assert told(watching) == ""


def test_nonsense_in_the_cookie_is_nothing(ann):
    ann.client.set_cookie("kb-tips", "nonsense&gops.nothing&taken")
    ann.open(table_path(ann))
    assert told(ann).startswith("The most points win.")


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.tips])
def test_the_rules_open_at_the_heading_of_the_moment(game, app):
    person = Browser(app.test_client())
    begin(person, game)
    path = table_path(person)
    headings = set()
    for n in range(30):
        answer = person.client.get(f"{path}/rules?now")
        assert answer.status_code == 302
        headings.add(answer.location.partition("#")[2])
        if not person.play_on(Chance(bytes(32), n, "reader")):
            break
    page = person.client.get(f"{path}/rules").text
    assert len(headings) > 1
    assert all(f'id="{heading}"' in page for heading in headings if heading)


def test_a_game_without_tips_tells_nothing_and_its_rules_open_at_their_beginning(app):
    person = Browser(app.test_client())
    begin(person, "hearts")
    assert told(person) == ""
    answer = person.client.get(f"{table_path(person)}/rules?now")
    assert answer.location.endswith("/rules")


def test_a_script_that_reads_a_tip_is_sent_the_changed_part_and_other_pages_the_whole(ann):
    form = ann.page.form("/tip")
    fields = dict(form.filled(next(b for b in form.buttons if b[2] == "Got it"), ()))
    by_script = ann.client.post(form.action, data=fields, headers=BY_HTMX)
    assert by_script.status_code == 200
    assert "<html" not in by_script.text and 'class="tip"' in by_script.text
    assert ann.client.post(form.action, data=fields).status_code == 303


def test_no_two_cards_that_may_lie_on_kaboom_s_pile_are_told_of_under_one_id():
    """A page would leave the sentence of the one where the other lies."""
    game, names = GAMES["kaboom"], Names(("Ann", "Ben"), 0)
    cards = [*(rank + suit for rank in "A23456789TJQK" for suit in "SHDC"), "BJ", "RJ"]
    told = {
        game.words.fill(game.tips[key].text, {"card": card, "rank": rank_of(card)}, names)
        for key in ("flip", "take")
        for card in cards
    }
    assert len(told) == 2 * len(cards)
    assert len({TipLine("flip", text, "flipping").id for text in told}) == len(told)
