"""A player's own sets of options: kept, chosen again, sent as a link, renamed, deleted."""

import re
from urllib.parse import urlsplit

import pytest
from sqlalchemy import func, select

from kaboom.db.models import players, rule_sets
from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from kaboom.lobby.presets import MOST
from tests.lobby.test_options_form import chosen
from tests.support.browsing import table_path


@pytest.mark.parametrize(
    ("at", "known"), [("ABCD2345", True), ("A" * 16, True), ("A" * 17, False), ("été", False)]
)
def test_only_what_looks_like_a_code_says_where_a_form_was(app, at, known):
    page = app.test_client().get(f"/me/rules?game=gops&at={at}").text
    assert (f'name="at" value="{at}"' in page) == known


def keep(person, game="karata", name="Mombasa", **options):
    """Give options a name, from the page where a table is opened."""
    person.open(f"/start/{game}")
    form = person.page.form("/tables")
    person.send(form, next(b for b in form.buttons if b[0] == "keep"), **options)
    assert person.page.form("/me/rules"), person.page.text
    return person.send(person.page.form("/me/rules"), called=name)


def kept(service):
    """Return how many sets, and how many players, the store has."""
    return service.database.read(
        lambda c: tuple(
            c.execute(select(func.count()).select_from(it)).scalar_one()
            for it in (rule_sets, players)
        )
    )


def link_of(person):
    """Return the link that brings the first set to somebody else."""
    person.open("/me/rules")
    parts = urlsplit(re.search(r'value="(http[^"]*)"', person.html)[1].replace("&amp;", "&"))
    return f"{parts.path}?{parts.query}"


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_set_of_any_game_is_chosen_again_and_a_table_is_opened_with_it(browser, key):
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


def test_the_host_of_a_table_keeps_its_options_and_chooses_a_set_for_it(browser, service):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ann.open(f"{path}/options")
    form = ann.page.form("/options")
    ann.send(form, next(b for b in form.buttons if b[0] == "keep"), rounds="2")
    ann.send(ann.page.form("/me/rules"), called="Two")
    assert chosen(ann) == ["Two"]
    assert "are not in force yet" in ann.page.text
    assert b'"rounds":0' in bytes(service.look(path[3:]).table.options)
    ann.send(ann.page.form("/options"))
    assert b'"rounds":2' in bytes(service.look(path[3:]).table.options)


def test_a_guest_keeps_the_options_of_a_table(table):
    path, (_, ben) = table("Ann", "Ben", ready=False, rounds="3")
    ben.open(f"{path}/options")
    ben.open(next(to for to, words in ben.page.links if words == "Keep these options"))
    ben.send(ben.page.form("/me/rules"), called="As at Ann’s")
    assert "As at Ann’s" in ben.page.text
    assert "Rounds: 3" in ben.page.text


def test_a_link_brings_the_options_to_somebody_else_and_keeps_nothing(browser, service):
    ann, ben = browser(), browser()
    keep(ann, deal="6")
    before = kept(service)
    ben.open(link_of(ann))
    assert "These options came with the link. They are called “Mombasa” there." in ben.page.text
    assert ben.page.form("/tables").hidden["deal"] == "6"
    ben.open(next(to for to, words in ben.page.links if words == "Rules"))
    assert ben.status == 200
    assert kept(service) == before
    ben.open(link_of(ann))
    form = ben.page.form("/tables")
    ben.send(form, next(b for b in form.buttons if b[0] == "keep"))
    assert ben.page.form("/me/rules").hidden["called"] == "Mombasa"
    ben.send(ben.page.form("/me/rules"))
    assert chosen(ben) == ["Mombasa"]
    assert kept(service) == (before[0] + 1, before[1] + 1)


@pytest.mark.parametrize("nonsense", ["deal:999", "nothing", "deal", "x" * 5000, "%00", "deal:6,"])
@pytest.mark.parametrize("page", ["/start/karata", "/rules/karata", "/me/rules", "options"])
def test_a_link_with_nonsense_gets_a_sentence_and_changes_nothing(browser, service, page, nonsense):
    ann = browser()
    if page == "options":
        ann.open("/start/karata")
        ann.send(ann.page.form("/tables"), name="Ann")
        page = table_path(ann) + "/options"
    before = kept(service)
    ann.open(f"{page}?game=karata&set={nonsense}")
    assert ann.status == 422
    assert "asks for options that cannot be played" in ann.page.text
    assert kept(service) == before
    if "start" in page:
        assert chosen(ann) == [GAMES["karata"].usual.name]


@pytest.mark.parametrize(
    "form, said",
    [
        ({"game": "karata", "set": "", "called": " \u200b "}, "name that can be read"),
        ({"game": "karata", "set": "deal:999", "called": "Mine"}, "must be a whole number"),
        ({"game": "karata", "set": "?", "called": "Mine"}, "no such options here: “?”"),
        ({"game": "chess", "set": "", "called": "Mine"}, "no game of that name"),
        ({}, "no game of that name"),
    ],
)
def test_what_cannot_be_kept_gets_a_sentence_and_makes_nobody_known(browser, service, form, said):
    ann = browser()
    before = kept(service)
    answer = ann.client.post("/me/rules", data=form)
    assert answer.status_code == 422
    assert said in answer.text
    assert "Set-Cookie" not in answer.headers
    assert kept(service) == before


def test_a_set_is_renamed_and_deleted_by_its_owner_alone(browser, service):
    ann, ben = browser(), browser()
    keep(ann)
    keep(ann, name="Nairobi")
    keep(ben, name="Kisumu")
    ben.open("/me/rules")
    bens = next(form for form in ben.page.forms if form.action.startswith("/me/rules/"))
    for button in bens.buttons:
        ann.send(bens, button, called="Stolen")
        assert ann.status == 422
        assert "no such set" in ann.page.text
    ann.open("/me/rules")
    first, second = (form for form in ann.page.forms if form.action.startswith("/me/rules/"))
    ann.send(first, first.buttons[0], called="Nairobi")
    assert "has that name" in ann.page.text
    ann.send(first, first.buttons[0], called="  Lamu <b>\u202e ")
    assert "Lamu &lt;b&gt;" in ann.html
    ann.send(second, second.buttons[1])
    assert "Nairobi" not in ann.page.text
    assert kept(service)[0] == 2


def test_a_name_used_again_changes_the_set(browser, service):
    ann = browser()
    keep(ann, deal="6")
    keep(ann, deal="7")
    assert kept(service)[0] == 1
    ann.open("/me/rules")
    assert "7 cards" in ann.page.text
    assert "6 cards" not in ann.page.text


def test_there_is_a_limit_to_what_one_player_keeps(browser, service):
    ann = browser()
    for number in range(MOST):
        ann.client.post("/me/rules", data={"game": "gops", "set": "", "called": f"No {number}"})
    keep(ann, name="One more")
    assert ann.status == 422
    assert "Delete one of them first" in ann.page.text
    assert kept(service)[0] == MOST


def test_forget_me_forgets_them_too(browser, service):
    ann = browser()
    keep(ann)
    ann.open("/me")
    assert "Your own rules" in ann.page.text
    form = ann.page.form("/forget")
    ann.send(form, form.buttons[-1], ticked=form.boxes)
    assert kept(service)[0] == 0
    ann.open("/me/rules")
    assert "You have kept none yet" in ann.page.text


def test_a_set_of_a_game_that_changed_can_still_be_renamed_and_deleted(browser, service):
    ann = browser()
    keep(ann)
    service.database.write(lambda c: c.execute(rule_sets.update().values(options="gone:1")))
    ann.open("/start/karata")
    assert "Mombasa" not in ann.page.text
    ann.open("/me/rules")
    assert "no such options any more" in ann.page.text
    form = next(form for form in ann.page.forms if form.action.startswith("/me/rules/"))
    ann.send(form, form.buttons[1])
    assert kept(service)[0] == 0
