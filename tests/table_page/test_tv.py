"""The TV page: the public table on a television, with a QR code for each free chair."""

import re

import pytest
from markupsafe import escape

from kaboom.engine.views import DOWN, EMPTY
from kaboom.games import GAMES
from kaboom.sharing.qr_codes import qr_code
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.seats import leaving
from kaboom.tables.spectators.service import let_watch
from tests.support.browsing import table_path


def codes(person):
    """Return the number of QR codes on a page."""
    return len(re.findall(r'<img src="data:image/png[^"]*" alt="QR code for seat', person.html))


def body(person):
    """Return a page without its stream number, which differs by browser."""
    return re.sub(r"/events\?v=\d+", "", person.html)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_free_chair_has_its_qr_code(browser, app, game):
    ann, tv = browser(), browser()
    ann.open(f"/start/{game}")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ann.open(path)
    assert (f"{path}/screen", "Show the table on a TV") in ann.page.links
    tv.open(f"{path}/screen")
    chairs = GAMES[game].seats(GAMES[game].options())[-1]
    assert codes(tv) == chairs - 1
    assert "Ann" in tv.page.text
    assert not tv.page.forms
    with app.test_request_context():
        assert escape(qr_code(f"http://localhost{path}/chair/2")) in tv.html


def test_opening_the_code_and_giving_a_name_takes_the_chair(browser, service):
    ann, ben = browser(), browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ben.open(f"{path}/chair/3")
    ben.send(ben.page.form("/sit"), name="Ben")
    assert [c and c.name for c in service.get(path[3:]).table.chairs] == ["Ann", None, "Ben", None]
    cid = browser()
    cid.open(f"{path}/chair/3")
    assert cid.page.form("/sit").hidden.get("seat") is None, (
        "the chair is taken, and the table is shown"
    )
    for nowhere in ("0", "5", "99", "100", "x"):
        assert cid.client.get(f"{path}/chair/{nowhere}").status_code == 404
    ben.open(f"{path}/chair/2")
    assert ben.status == 200
    assert "Say when you are ready" in ben.page.text


@pytest.mark.parametrize("game", ["kaboom", "karata", "taken", "gops"])
def test_tv_is_the_same_for_all_and_shows_no_hidden_card(table, browser, service, game):
    path, (ann, ben) = table("Ann", "Ben", game=game)
    tv = browser()
    for person in (ann, ben, tv):
        person.open(f"{path}/screen")
        assert not person.page.moves()
    assert body(ann) == body(ben) == body(tv)
    view = service.get(path[3:]).position.view(None)
    hands = [z for z in view.zones if z.owner is not None and z.name in ("hand", "grid")]
    assert all({*z.cards} <= {DOWN, EMPTY} for z in hands if game != "gops")


def test_tv_follows_the_match_and_gets_204_if_unchanged(table, browser):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    tv = browser()
    tv.open(f"{path}/screen")
    number = re.search(r'id="ver" name="v" value="(\d+)"', tv.html)[1]
    assert tv.client.get(f"{path}/screen/view?v={number}").status_code == 204
    ann.open(path)
    ann.send(ann.page.form("/start"))
    answer = tv.client.get(f"{path}/screen/view?v={number}")
    assert answer.status_code == 200
    assert 'id="table" class="playing' in answer.text


def test_free_chairs_have_codes_again_after_a_match(table, browser, service):
    path, _ = table("Ann", "Ben")
    tv = browser()
    tv.open(f"{path}/screen")
    assert codes(tv) == 0
    stop(service, path[3:])
    tv.open(f"{path}/screen")
    assert codes(tv) == 2


def test_delayed_tv_is_live_only_for_a_seated_player(table, browser, service):
    path, (ann, ben) = table("Ann", "Ben")
    tv, code = browser(), path[3:]
    let_watch(service, code, service.get(code).table.host, 5)
    tv.open(f"{path}/screen")
    assert "please wait a little" in tv.page.text
    ann.open(f"{path}/screen")
    ben.open(f"{path}/screen")
    assert "please wait a little" not in ann.page.text
    assert body(ann) == body(ben)
    leaving.leave(service, code, service.get(code).table.host)


def test_tv_does_not_bypass_a_password(browser):
    ann, tv = browser(), browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="open sesame")
    for page in ("screen", "screen/view", "chair/2"):
        tv.open(f"{table_path(ann)}/{page}")
        assert tv.status == 403
        assert tv.page.form("/enter")
        assert codes(tv) == 0
