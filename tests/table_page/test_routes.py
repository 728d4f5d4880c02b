"""The table's routes: fragments, refusals, permissions, and secrets."""

import json
import re

import pytest
from flask import request

from kaboom.games import GAMES
from tests.support.browsing import BY_HTMX
from tests.support.finished_matches import finish
from tests.support.forms import Page


@pytest.fixture
def seated(table):
    path, (ann, ben) = table("Ann", "Ben")
    for person in (ann, ben):
        person.send(*pressed(person, "peek"))
        person.send(*pressed(person, "ready"))
    ann.open(path)
    ben.open(path)
    return path, ann, ben


def pressed(person, verb):
    """Return the form and the button of the first offer of that verb on the page."""
    for form, button in person.page.moves():
        if button[1].split(" ")[1] == verb:
            return form, button
    raise LookupError(f"no {verb} on {[b[1] for _, b in person.page.moves()]}")


def fields(person, verb):
    form, button = pressed(person, verb)
    return dict(form.filled(button))


def test_view_of_the_current_revision_returns_204(seated):
    path, ann, _ = seated
    revision = fields(ann, "draw")["v"]
    answer = ann.client.get(f"{path}/view?v={revision}", headers=BY_HTMX)
    assert (answer.status_code, answer.data) == (204, b"")
    assert ann.client.get(f"{path}/view?v=1", headers=BY_HTMX).status_code == 200


def test_view_fragment_is_part_of_the_page(seated):
    path, ann, _ = seated
    fragment = ann.client.get(f"{path}/view", headers=BY_HTMX).text
    assert fragment == fragment.strip()
    assert fragment.split("</title>", 1)[-1].strip() in ann.client.get(path).text


def test_move_returns_a_fragment_to_htmx_and_303_to_a_form(seated):
    path, ann, _ben = seated
    answer = ann.client.post(f"{path}/move", data=fields(ann, "draw"), headers=BY_HTMX)
    assert answer.status_code == 200
    assert answer.text.startswith('<div id="table"') or 'id="table"' in answer.text[:200]
    ann.open(path)
    answer = ann.client.post(f"{path}/move", data=fields(ann, "discard"))
    assert answer.status_code == 303
    assert re.fullmatch(rf"(http://localhost)?{path}\?v=\d+#status", answer.headers["Location"])


def test_a_form_sent_twice_makes_one_move(seated, service):
    path, ann, _ = seated
    before = service.get(path[3:]).table.seq
    sent = fields(ann, "draw")
    for _ in range(2):
        assert ann.client.post(f"{path}/move", data=sent, headers=BY_HTMX).status_code == 200
    assert service.get(path[3:]).table.seq == before + 1


def test_move_from_a_stale_page_is_refused_with_an_alert(seated, service):
    path, ann, _ben = seated
    sent = fields(ann, "draw")
    ann.client.post(f"{path}/move", data=sent)
    ann.open(path)
    ann.client.post(f"{path}/move", data=fields(ann, "discard"))
    before = service.get(path[3:]).version
    late = sent | {"v": str(int(sent["v"]) - 16), "move": sent["move"]}
    answer = ann.client.post(f"{path}/move", data=late, headers=BY_HTMX)
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text
    assert service.get(path[3:]).version == before


FORGED = [
    ({"move": ""}, 422),
    ({"move": "x"}, 422),
    ({"move": "0000000000 draw"}, 409),
    ({"move": "{token} draw KS"}, 422),
    ({"move": "{token} discard"}, 422),
    ({"move": "{token} flip 0.0 0.1"}, 409),
    ({"move": "{token} draw " + "x" * 3000}, 400),
    ({"match": "0"}, 409),
    ({"match": "nonsense"}, 409),
    ({"match": "99999999999999999999"}, 409),
    ({"v": "-1", "move": "{token} bury 3"}, 409),
    ({"cmd": "\x00"}, 400),
    ({"cmd": "x" * 100}, 400),
    ({"move": "{token} draw", "sure": "1", "seat": "1"}, 200),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("forged", "status"), FORGED, ids=[str(f)[:40] for f, _ in FORGED])
def test_a_forged_form_is_refused_and_changes_nothing(seated, service, forged, status):
    path, ann, _ = seated
    sent = fields(ann, "draw")
    token = sent["move"].split()[0]
    sent |= {name: value.replace("{token}", token) for name, value in forged.items()}
    before = service.get(path[3:]).version
    answer = ann.client.post(f"{path}/move", data=sent)
    if status == 200:  # naming another seat has no effect: the browser determines the seat
        assert answer.status_code == 303
        return
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    assert service.get(path[3:]).version == before


def test_a_spectator_and_a_stranger_cannot_move(seated, service, browser):
    path, ann, _ = seated
    sent = fields(ann, "draw")
    stranger = browser()
    before = service.get(path[3:]).version
    for route in ("move", "ready", "start", "leave", "bot", "remove", "rematch"):
        answer = stranger.client.post(f"{path}/{route}", data=sent)
        assert answer.status_code == 403, route
    assert service.get(path[3:]).version == before


def test_move_form_of_another_seat_is_refused(seated, service):
    path, ann, ben = seated
    before = service.get(path[3:]).version
    answer = ben.client.post(f"{path}/move", data=fields(ann, "draw"))
    assert answer.status_code in (409, 422)
    assert service.get(path[3:]).version == before


def test_flip_is_confirmed_once_and_asking_can_be_turned_off(seated, service):
    path, _ann, ben = seated
    seq = service.get(path[3:]).table.seq
    form, button = pressed(ben, "flip")
    ben.send(form, button)
    assert service.get(path[3:]).table.seq == seq
    assert "Never mind" in ben.html
    ben.press("Yes, do it")
    assert service.get(path[3:]).table.seq == seq + 1
    ben.client.post("/settings", data={"confirm": "0"})
    ben.open(path)
    form, button = pressed(ben, "flip")
    ben.send(form, button)
    assert service.get(path[3:]).table.seq == seq + 2


def test_the_question_stays_open_through_a_refresh(seated):
    path, _, ben = seated
    _, button = pressed(ben, "flip")
    answer = ben.client.get(f"{path}/view", query_string={"ask": button[1]}, headers=BY_HTMX)
    assert "Never mind" in answer.text
    assert 'name="ask"' in answer.text


def test_peeked_card_is_hidden_after_being_ready(table, service):
    path, (ann, _) = table("Ann", "Ben")
    state = service.get(path[3:]).state
    ann.send(*pressed(ann, "peek"))
    shown = [card for card in state.grids[0][3:] if card]
    from kaboom.engine.toolkit.cards import spoken

    assert all(spoken(card) in ann.html for card in shown)
    ann.send(*pressed(ann, "ready"))
    assert not any(spoken(card) in ann.html for card in shown)


def test_10_mb_form_is_refused(seated):
    path, ann, _ = seated
    answer = ann.client.post(f"{path}/move", data={"move": "x" * 10_000_000})
    assert answer.status_code == 413
    assert "too much" in answer.text


def test_bytes_that_are_not_utf_8_are_refused(seated, client_posts):
    path, ann, _ = seated
    answer = client_posts(ann, f"{path}/move", b"move=%ff%fe&v=\xff")
    assert answer.status_code == 400
    assert "valid text" in answer.text


def test_url_that_is_not_utf_8_is_refused_on_a_full_page(browser, app):
    """Apart from its own address and the language, which may occur in both."""
    answer = browser().client.get("/", environ_overrides={"QUERY_STRING": "lang=sw&next=\xff"})
    assert answer.status_code == 400
    assert "valid text" in answer.text
    with app.test_request_context("/", environ_overrides={"QUERY_STRING": "next=\xff"}):
        assert not request.args


@pytest.fixture
def client_posts():
    def post(person, path, body):
        kind = "application/x-www-form-urlencoded"
        return person.client.post(path, data=body, content_type=kind)

    return post


@pytest.mark.parametrize(
    "path", ["/t/AAAABBBB", "/t/short", "/t/%00%00%00%00%00%00%00%00", "/t/ÄÄÄÄÄÄÄÄ"]
)
def test_unknown_table_is_not_found(browser, path):
    someone = browser()
    for route in ("", "/view", "/events", "/wait", "/qr.svg"):
        assert someone.client.get(path + route).status_code == 404
    assert someone.client.post(path + "/sit", data={"name": "Ann"}).status_code == 404


NO_CODES = [
    *("/t/short", "/t/AAAABBBB99", "/t/AAAA-BBB", "/t/ÄÄÄÄÄÄÄÄ"),
    *("/m/AAAABBBB99", "/tournaments/AAAABBBB99", "/clubs/AAAA-BBB", "/replay/BB" + "A" * 20),
]


@pytest.mark.parametrize("path", NO_CODES)
def test_malformed_code_causes_no_query(browser, service, monkeypatch, path):
    someone = browser()
    monkeypatch.setattr(service.database, "read", None)
    assert someone.client.get(path).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "http://localhost:9999"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
    ],
)
def test_only_our_own_pages_may_post(seated, service, headers, status):
    path, ann, _ = seated
    before = service.get(path[3:]).version
    answer = ann.client.post(f"{path}/move", data=fields(ann, "draw"), headers=headers)
    assert answer.status_code == status
    assert (service.get(path[3:]).version != before) == (status == 303)


@pytest.mark.parametrize(
    "path", ["/", "/start/kaboom", "/rules/kaboom", "/nowhere", "{table}", "{table}/qr.svg"]
)
def test_every_response_has_the_security_headers(seated, browser, path):
    answer = browser().client.get(path.replace("{table}", seated[0]))
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    kept = "no-store" if path.startswith("{table}") else "no-cache"
    assert answer.headers["Cache-Control"] == f"private, {kept}"


def test_get_requests_set_no_cookie_for_a_stranger(seated, browser):
    someone = browser()
    for path in ("/", "/start/kaboom", "/rules/kaboom", seated[0], f"{seated[0]}/view"):
        assert "Set-Cookie" not in someone.client.get(path).headers


def test_markup_in_names_is_escaped(table, service):
    path, (ann, ben) = table("<b>Ann</b>", '"><script>x')
    for person in (ann, ben):
        person.open(path)
        assert "<b>Ann" not in person.html
        assert "<script>x" not in person.html
        assert "<b>Ann</b>" in Page(person.html).text


@pytest.mark.parametrize(
    ("name", "status", "text"),
    [
        ("", 200, "Guest"),
        ("   ", 200, "Guest"),
        ("\u202e\u200b", 422, "at least one visible character"),
        ("\x00\x01", 422, "at least one visible character"),
    ],
)
def test_empty_name_is_a_guests_and_an_invisible_one_is_refused(table, browser, name, status, text):
    path, _ = table("Ann", ready=False)
    ben = browser()
    ben.open(path)
    ben.send(ben.page.form("/sit"), name=name)
    assert ben.status == status
    assert text in ben.page.text


def test_invalid_options_are_explained_in_sentences(browser):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", rounds="99", flip_penalty="many")
    assert ann.status == 422
    assert "Rounds must be a whole number from 0 to 20." in ann.page.text
    assert "Penalty cards must be a whole number from 0 to 2." in ann.page.text


def test_typed_code_or_whole_link_opens_the_table(table, browser):
    path, _ = table("Ann", ready=False)
    code = path[3:]
    someone = browser()
    for typed in (
        code,
        code.lower(),
        f" {code[:4]}-{code[4:]} ",
        f"https://example.org/t/{code}?v=3",
    ):
        answer = someone.client.get("/join", query_string={"code": typed})
        assert answer.headers["Location"].lower().endswith(f"/t/{code}".lower())


def test_wait_link_redirects_after_a_change(seated):
    """With the page's own revision the request would wait; with an older one it answers at once."""
    path, ann, ben = seated
    old = fields(ben, "flip")["v"]
    ann.send(*pressed(ann, "draw"))
    answer = ben.client.get(f"{path}/wait?v={old}")
    assert answer.status_code == 303
    assert f"v={old}#" not in answer.headers["Location"]


def test_settings_return_only_to_our_own_pages(browser):
    someone = browser()
    for back in ("//evil.example/", "https://evil.example/", "/\\evil.example", "x"):
        answer = someone.client.post("/settings", data={"look": "dark", "next": back})
        assert answer.headers["Location"] in ("/", "http://localhost/")


def test_leaving_player_sees_the_effect_and_may_resign(seated, service):
    path, _ann, ben = seated
    ben.open(f"{path}/leave")
    assert "played without you" in ben.page.text
    ben.press("Resign and leave")
    assert service.get(path[3:]).table.outcome is not None  # only one of two players is left
    assert json.dumps(service.get(path[3:]).table.seats) == '["Ann", "Ben"]'


def test_idle_table_announces_when_it_will_be_deleted(table, fake_clock):
    path, (ann, _) = table("Ann", "Ben")
    fake_clock.sleep(26 * 24 * 3600)
    ann.open(path)
    assert "will be removed on" not in ann.page.text
    fake_clock.sleep(2 * 24 * 3600)
    ann.open(path)
    assert "will be removed on Feb 11, 1970 unless" in ann.page.text
    ann.open("/")
    assert "(kept until Feb 11, 1970)" in ann.page.text


def test_returning_visitor_keeps_their_name(table, browser):
    _, (ann, _) = table("Ann", "Ben")
    ann.open("/")
    assert re.search(r'<input id="name"[^>]* value="Ann"', ann.html)
    assert '<input type="hidden" name="name" value="Ann">' in ann.html  # to play at once
    ann.open("/start/gops")
    assert re.search(r'<input id="o-name"[^>]* value="Ann"', ann.html)
    eve = browser()
    eve.open("/")
    assert re.search(r'<input id="name" name="name" placeholder="Guest"', eve.html)


def test_player_seated_after_a_match_sees_its_end(seated, browser, service):
    """The chair gets the first number that had no seat in that match."""
    path, _, _ = seated
    finish(service, path[3:])
    eve = browser()
    eve.open(path)
    result = re.search(r"The match is over: [^.]*\.", eve.page.text)[0]
    eve.send(eve.page.form("/sit"), name="Eve")
    assert eve.status == 200
    assert service.get(path[3:]).table.chairs[2].name == "Eve"
    assert "Play again" in eve.page.text
    assert result in eve.page.text


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("gops", "You are watching."),
        ("taken", "You are watching. Sit down after the match."),
        ("hearts", "You are watching."),
    ],
)
def test_spectators_are_told_so_and_if_a_seat_is_free(table, browser, game, told):
    names = ["Ann", "Ben", "Cid", "Dot"][: GAMES[game].seats(GAMES[game].options())[0]]
    path, people = table(*names, game=game)
    zoe = browser()
    zoe.open(path)
    assert told in zoe.page.text
    assert ("Sit down" in zoe.page.text) == ("Sit down" in told)
    zoe.open(f"{path}/screen")
    assert "You are watching" not in zoe.page.text, "a TV is for all"
    people[0].open(path)
    assert "You are watching" not in people[0].page.text


def test_spectator_of_gops_reads_once_who_is_awaited(table, browser):
    path, _ = table("Ann", "Ben", game="gops")
    zoe = browser()
    zoe.open(path)
    assert zoe.page.text.count("Waiting for") == 1
