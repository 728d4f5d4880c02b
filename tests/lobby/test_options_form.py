"""The options of a game: presets that take one press, the rest under "More options"."""

import re

import pytest

from kaboom.games import GAMES
from kaboom.games.match_length import quick_way
from tests.support.browsing import table_path


def chosen(person):
    """Return the names of the presets that the page shows as chosen."""
    return re.findall(r'aria-current="true"[^>]*>\s*<b>([^<]*)', person.html)


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(GAMES))
def test_preset_opens_a_table_with_one_press(browser, key):
    game = GAMES[key]
    for preset in game.presets:
        ann = browser()
        ann.open(f"/start/{key}")
        assert chosen(ann) == [quick_way(game).name]
        address = next(to for to, words in ann.page.links if words.startswith(preset.name))
        ann.open(address)
        assert chosen(ann) == [preset.name]
        ann.send(ann.page.form("/tables"), name="Ann")
        path = table_path(ann)
        ann.open(f"{path}/options")
        assert chosen(ann) == [preset.name]


@pytest.mark.parametrize("minutes", ["7", "x", ""])
def test_impossible_spectator_delay_falls_back_to_the_default(browser, service, minutes):
    answer = browser().client.post(
        "/tables", data={"game": "gops", "name": "Ann", "watch": minutes}
    )
    assert answer.status_code == 303
    assert service.get(answer.location.rsplit("/t/", 1)[1][:8]).table.watch == 0


@pytest.mark.parametrize("key", sorted(GAMES))
def test_other_options_are_folded_away_in_groups(browser, key):
    ann = browser()
    ann.open(f"/start/{key}")
    before, more = ann.html.split("<main", 1)[1].split('<details class="more">', 1)
    for name in (field for names in GAMES[key].groups.values() for field in names):
        assert f'name="{name}"' not in before
        assert f'name="{name}"' in more
    for heading in GAMES[key].groups:
        assert re.search(f'<(p|span) class="legend">{heading}</', more)
    assert 'name="name"' in before


def test_invalid_option_is_unfolded_with_its_value(browser):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", rounds="99")
    assert ann.status == 422
    assert '<details class="more" open>' in ann.html
    assert chosen(ann) == []
    assert 'value="99"' in ann.html


def test_options_fold_under_headings_that_name_changes(browser):
    ann = browser()
    ann.open("/start/karata?preset=matatu")
    folded = re.findall(r'<details class="group"( open)?><summary>(.*?)</summary>', ann.html)
    said = [re.sub("<[^>]+>", "", heading) for _, heading in folded]
    assert len(said) == len(GAMES["karata"].groups) + 2  # bots, access
    assert "Cards and start What the cards do, Jokers, Who starts" in said
    assert "Fines" in said
    assert not any(opened for opened, _ in folded)
    ann.send(ann.page.form("/tables"), name="Ann", forgot="2")
    assert ann.status == 422
    (opened,) = re.findall(r'<details class="group" open><summary><span[^>]*>([^<]*)', ann.html)
    assert opened == "Going out"
    assert "If last card is never called, it cannot be forgotten." in ann.page.text


def test_an_empty_number_says_what_it_means_and_is_the_default(browser):
    ann = browser()
    ann.open("/start/kaboom")
    field = re.search(r'<input type="number" id="g-target"[^>]*>', ann.html)[0]
    assert 'value=""' in field and 'placeholder="no limit"' in field
    ann.send(ann.page.form("/tables"), name="Ann")
    assert ann.status == 200
    ann.open("/start/kaboom?preset=short")
    assert 'value="1"' in re.search(r'<input type="number" id="g-rounds"[^>]*>', ann.html)[0]


def test_preset_choice_links_to_the_rules_of_that_preset(browser):
    ann = browser()
    ann.open("/start/karata?preset=matatu")
    ann.open(next(to for to, _words in ann.page.links if to.startswith("/rules/karata")))
    assert "This page describes Matatu (Uganda)" in ann.page.text
    assert "The pack has 52 cards" in ann.page.text
    ann.open("/start/karata")
    assert ("/rules/karata", "Rules") in ann.page.links


def test_unknown_preset_is_the_default(browser):
    ann = browser()
    for nonsense in ("?preset=nothing", "?preset=", "?preset=%00"):
        ann.open(f"/start/kaboom{nonsense}")
        assert ann.status == 200
        assert chosen(ann) == ["Standard"]


def test_host_changes_the_options_with_the_same_form(browser, service):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ann.open(f"{path}/options")
    address = next(to for to, words in ann.page.links if words.startswith("Short"))
    ann.open(address)
    assert chosen(ann) == ["Short"]
    assert "Not applied yet" in ann.page.text
    assert b'"rounds":0' in bytes(service.get(path[3:]).table.options)
    ann.send(ann.page.form("/options"))
    assert "Not applied yet" not in ann.page.text
    assert chosen(ann) == ["Short"]
    assert b'"rounds":1' in bytes(service.get(path[3:]).table.options)


def test_custom_options_match_no_preset_and_stay_unfolded(browser):
    ann = browser()
    ann.open("/start/karata")
    ann.send(ann.page.form("/tables"), name="Ann", deal="6")
    ann.open(table_path(ann) + "/options")
    assert chosen(ann) == []
    assert '<details class="more" open>' in ann.html


def test_guest_sees_what_zero_means_in_the_options(table):
    path, (_, ben) = table("Ann", "Ben", game="karata")
    ben.open(f"{path}/options")
    assert re.search(r"Time for a turn</dt><dd>no limit", ben.html)
    assert "preset=" not in ben.html


def test_rule_sets_from_elsewhere_are_folded_and_open_around_the_chosen_one(browser):
    def folded(path):
        page = browser()
        page.open(path)
        found = re.search(r"<details( open)?><summary>Other rule sets</summary>", page.html)
        names = re.findall(r'<a href="/start/karata\?preset=(\w+)', page.html)
        return found and bool(found[1]), names

    shut, names = folded("/start/karata")
    assert shut is False
    assert names[:4] == ["usual", "long", "brisk", "fines"] and "matatu" in names[4:]
    assert folded("/start/karata?preset=matatu")[0] is True
    assert folded("/start/kaboom")[0] is None
