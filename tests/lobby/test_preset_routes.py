"""A player's presets: saved, chosen again, sent as a link, renamed, deleted."""

import re
from urllib.parse import urlsplit

import pytest
from sqlalchemy import func, select

from kaboom.accounts.models import players
from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from kaboom.lobby.models import rule_sets
from kaboom.lobby.presets import MOST
from tests.lobby.test_options_form import chosen
from tests.support.browsing import table_path


@pytest.mark.parametrize(
    ("at", "known"), [("ABCD2345", True), ("A" * 16, True), ("A" * 17, False), ("été", False)]
)
def test_form_origin_is_taken_only_from_valid_codes(app, at, known):
    page = app.test_client().get(f"/settings/presets?game=gops&at={at}").text
    assert (f'name="at" value="{at}"' in page) == known


def keep(person, game="karata", name="Mombasa", **options):
    """Save options under a name, from the page where a table is opened."""
    person.open(f"/start/{game}")
    form = person.page.form("/tables")
    person.send(form, next(b for b in form.buttons if b[0] == "keep"), **options)
    assert person.page.form("/settings/presets"), person.page.text
    return person.send(person.page.form("/settings/presets"), called=name)


def kept(service):
    """Return how many presets, and how many players, are stored."""
    return service.database.read(
        lambda c: tuple(
            c.execute(select(func.count()).select_from(it)).scalar_one()
            for it in (rule_sets, players)
        )
    )


def link_of(person):
    """Return the link that shares the first preset with another player."""
    person.open("/settings/presets")
    parts = urlsplit(re.search(r'value="(http[^"]*)"', person.html)[1].replace("&amp;", "&"))
    return f"{parts.path}?{parts.query}"


@pytest.mark.parametrize("key", sorted(GAMES))
def test_saved_preset_is_chosen_again_and_opens_a_table(browser, key):
    ann = browser()
    short = written(sample(key).short)
    keep(ann, key, "The short one", **short)
    assert chosen(ann)[-1] == "The short one"
    ann.open(f"/start/{key}")
    ann.open(next(to for to, words in ann.page.links if words.startswith("The short one")))
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ann.open(f"{path}/options")
    assert chosen(ann)[-1] == "The short one"


def test_host_saves_table_options_and_applies_a_preset(browser, service):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ann.open(f"{path}/options")
    form = ann.page.form("/options")
    ann.send(form, next(b for b in form.buttons if b[0] == "keep"), rounds="2")
    ann.send(ann.page.form("/settings/presets"), called="Two")
    assert chosen(ann) == ["Two"]
    assert "Not applied yet" in ann.page.text
    assert b'"rounds":0' in bytes(service.get(path[3:]).table.options)
    ann.send(ann.page.form("/options"))
    assert b'"rounds":2' in bytes(service.get(path[3:]).table.options)


def test_a_guest_saves_the_options_of_a_table(table):
    path, (_, ben) = table("Ann", "Ben", ready=False, rounds="3")
    ben.open(f"{path}/options")
    ben.follow("Save these options")
    ben.send(ben.page.form("/settings/presets"), called="As at Ann’s")
    assert "As at Ann’s" in ben.page.text
    assert "Rounds: 3" in ben.page.text


def test_preset_link_brings_options_and_saves_nothing(browser, service):
    ann, ben = browser(), browser()
    keep(ann, deal="6")
    before = kept(service)
    ben.open(link_of(ann))
    assert "These options came with the link, where they are called “Mombasa”." in ben.page.text
    assert ben.page.form("/tables").hidden["deal"] == "6"
    ben.follow("Rules")
    assert ben.status == 200
    assert kept(service) == before
    ben.open(link_of(ann))
    form = ben.page.form("/tables")
    ben.send(form, next(b for b in form.buttons if b[0] == "keep"))
    assert ben.page.form("/settings/presets").hidden["called"] == "Mombasa"
    ben.send(ben.page.form("/settings/presets"))
    assert chosen(ben) == ["Mombasa"]
    assert kept(service) == (before[0] + 1, before[1] + 1)


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", ["deal:999", "nothing", "deal", "x" * 5000, "%00", "deal:6,"])
@pytest.mark.parametrize("page", ["/start/karata", "/rules/karata", "/settings/presets", "options"])
def test_invalid_preset_link_is_explained_and_changes_nothing(browser, service, page, nonsense):
    ann = browser()
    if page == "options":
        ann.open("/start/karata")
        ann.send(ann.page.form("/tables"), name="Ann")
        page = table_path(ann) + "/options"
    before = kept(service)
    ann.open(f"{page}?game=karata&set={nonsense}")
    assert ann.status == 422
    assert "Some options in this link are not possible" in ann.page.text
    assert kept(service) == before
    if "start" in page:
        assert chosen(ann) == [GAMES["karata"].usual.name]


@pytest.mark.parametrize(
    "form, said",
    [
        ({"game": "karata", "set": "", "called": " \u200b "}, "at least one visible character"),
        ({"game": "karata", "set": "deal:999", "called": "Mine"}, "must be a whole number"),
        ({"game": "karata", "set": "?", "called": "Mine"}, "Unknown options: “?”"),
        ({"game": "chess", "set": "", "called": "Mine"}, "no game with that name"),
        ({}, "no game with that name"),
    ],
)
def test_unsavable_preset_is_explained_and_stores_no_player(browser, service, form, said):
    ann = browser()
    before = kept(service)
    answer = ann.client.post("/settings/presets", data=form)
    assert answer.status_code == 422
    assert said in answer.text
    assert "Set-Cookie" not in answer.headers
    assert kept(service) == before


def test_only_its_owner_renames_or_deletes_a_preset(browser, service):
    ann, ben = browser(), browser()
    keep(ann)
    keep(ann, name="Nairobi")
    keep(ben, name="Kisumu")
    ben.open("/settings/presets")
    bens = next(form for form in ben.page.forms if form.action.startswith("/settings/presets/"))
    for button in bens.buttons:
        ann.send(bens, button, called="Stolen")
        assert ann.status == 422
        assert "no such preset" in ann.page.text
    ann.open("/settings/presets")
    first, second = (
        form for form in ann.page.forms if form.action.startswith("/settings/presets/")
    )
    ann.send(first, first.buttons[0], called="Nairobi")
    assert "with that name" in ann.page.text
    ann.send(first, first.buttons[0], called="  Lamu <b>\u202e ")
    assert "Lamu &lt;b&gt;" in ann.html
    ann.send(second, second.buttons[1])
    assert "Nairobi" not in ann.page.text
    assert kept(service)[0] == 2


def test_saving_under_a_used_name_replaces_the_preset(browser, service):
    ann = browser()
    keep(ann, deal="6")
    keep(ann, deal="7")
    assert kept(service)[0] == 1
    ann.open("/settings/presets")
    assert "7 cards" in ann.page.text
    assert "6 cards" not in ann.page.text


def test_number_of_presets_per_player_is_limited(browser, service):
    ann = browser()
    for number in range(MOST):
        ann.client.post(
            "/settings/presets", data={"game": "gops", "set": "", "called": f"No {number}"}
        )
    keep(ann, name="One more")
    assert ann.status == 422
    assert "Delete one first" in ann.page.text
    assert kept(service)[0] == MOST


def test_erasing_a_player_erases_their_presets(browser, service):
    ann = browser()
    keep(ann)
    ann.open("/account")
    assert "Your presets" in ann.page.text
    form = ann.page.form("/account/delete")
    ann.send(form, form.buttons[-1], ticked=form.boxes)
    assert kept(service)[0] == 0
    ann.open("/settings/presets")
    assert "You have not saved any yet" in ann.page.text


def test_preset_of_a_changed_game_can_be_renamed_and_deleted(browser, service):
    ann = browser()
    keep(ann)
    service.database.write(lambda c: c.execute(rule_sets.update().values(options="gone:1")))
    ann.open("/start/karata")
    assert "Mombasa" not in ann.page.text
    ann.open("/settings/presets")
    assert "no longer has these options" in ann.page.text
    form = next(form for form in ann.page.forms if form.action.startswith("/settings/presets/"))
    ann.send(form, form.buttons[1])
    assert kept(service)[0] == 0
