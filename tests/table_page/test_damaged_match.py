"""A table whose match cannot continue says so, and offers a new match."""

import pytest

from tests.chaos import damage
from tests.support.app import served

BROKEN = {
    "move": lambda tables, code: damage.flip_move(tables, code, 1),
    "seed": lambda tables, code: damage.flip_seed(tables, code),
    "rules": lambda tables, code: damage.other_rules(tables, code),
}


@pytest.mark.parametrize("what", BROKEN)
def test_frozen_match_has_its_own_page_with_an_end_button(table, browser, service, what):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    form, button = ann.page.moves()[0]
    ann.client.post(path + "/move", data=dict(form.filled(button, form.boxes[:1])))
    BROKEN[what](service, path[3:])
    ann.open(path)
    assert ann.status == 200
    assert "This match cannot continue" in ann.page.text
    assert "Ann, Ben" in ann.page.text
    assert ("no longer has" if what == "rules" else "damaged") in ann.page.text
    assert ann.page.moves() == []
    ben.send(form, button, form.boxes[:1])  # from the previous page
    assert ben.status == 422
    assert "cannot continue" in ben.page.text
    assert ann.client.get(path + "/house").status_code == 200
    stranger = browser()
    stranger.open(path)
    assert stranger.status == 200
    with pytest.raises(LookupError):
        stranger.page.form("/end")
    assert stranger.client.post(path + "/end").status_code == 403
    ann.send(ann.page.form("/end"))
    assert ann.status == 200
    assert "This match cannot continue" not in ann.page.text
    ann.open(path)
    ann.send(ann.page.form("/start"))
    assert ann.page.moves() or "Waiting" in ann.page.text


def test_playable_match_cannot_be_ended_as_frozen(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    answer = ann.client.post(path + "/end")
    assert answer.status_code == 422


def test_unreadable_table_is_reported_and_isolated(browser, table, service):
    well, (ben, _) = table("Ben", "Cid", game="gops")
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = ann.page.form("/leave").action.removesuffix("/leave")
    damage.flip_body(service, path[3:])
    for address in ("", "/view?v=1", "/events", "/now", "/options", "/talk", "/room", "/wait?v=0"):
        answer = ann.client.get(path + address)
        assert answer.status_code == 503, address
        assert "damaged" in answer.get_data(as_text=True)
    for address in ("/sit", "/bot", "/start", "/ready", "/leave", "/say", "/end"):
        assert ann.client.post(path + address, data={"name": "Ann"}).status_code in (404, 503)
    ann.open("/")
    assert ann.status == 200
    ben.open(well)
    assert ben.status == 200
    form, button = ben.page.moves()[0]
    ben.send(form, button, form.boxes[:1])
    assert ben.status == 200


def test_server_with_another_secret_shows_errors_and_keeps_data(table, app, service, sqlite_url):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    before = damage.stored(service, path[3:])
    with served(app, sqlite_url, secret_key="another-secret-" * 3):
        assert ann.client.get(path).status_code == 503
    assert damage.stored(service, path[3:]) == before
    ann.open(path)
    assert ann.page.moves()
