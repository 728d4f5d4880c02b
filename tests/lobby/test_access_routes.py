"""Access rules in browsers: permissions first, limits by IP address and by player, repeated
forms, invalid keys and malformed records.
"""

import json
import re
import socket
from itertools import product

import pytest
from sqlalchemy import text as sql

from kaboom.errors import RateLimited
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.match_record import text_of
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS
from tests.support.browsing import table_path
from tests.support.effort import LONG, some
from tests.support.finished_matches import made
from tests.support.forms import Browser


def rows(service, name):
    """Return the number of rows of a table in the store."""
    return service.database.read(
        lambda c: c.execute(sql(f"SELECT count(*) FROM {name}")).scalar_one()
    )


def home_table(app):
    """Return the address of a new table of Ann's, and her browser."""
    ann = Browser(app.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    return table_path(ann), ann


# Permission is checked first


@pytest.mark.slow
@pytest.mark.parametrize("minutes", DELAYS)
def test_unseated_player_is_refused_under_any_watching_rule(minutes, table, browser, service):
    """This covers every address of a running table that is only for its players or its host."""
    path, (ann, ben) = table("Ann", "Ben")
    let_watch(service, path[3:], service.get(path[3:]).table.host, minutes)
    eve = browser()
    for person in (eve, ben):
        for method, address in (("GET", "/house"), ("POST", "/house"), ("POST", "/options")):
            answer = person.client.open(path + address, method=method, data={"rounds": "x"})
            assert (answer.status_code, "Only the host" in answer.text) == (403, True), address
        for address, form in (
            ("/seats", {"do": "dance"}),
            ("/door", {"password": "x" * 101}),
            ("/talk/delete", {"line": "99"}),
            ("/remove", {"seat": "99"}),
        ):
            assert person.client.post(path + address, data=form).status_code == 403, address
    assert eve.client.post(f"{path}/move", data={"move": "x" * 3000}).status_code == 403
    assert eve.client.post(f"{path}/house", data={"move": "?"}).status_code == 403
    assert ann.client.get(f"{path}/house").status_code == 200


def test_guest_may_not_start_the_match(table):
    path, (_, ben) = table("Ann", "Ben")
    assert ben.client.post(f"{path}/start").status_code == 403


def test_record_is_not_replayed_for_unauthorized_players(table, browser, service, app):
    path, _ = table("Ann", "Ben")
    stop(service, path[3:])
    record = service.get(path[3:]).table.record
    played = app.config["LIBRARY"]._replays
    assert browser().client.post(f"/m/{record}/hide").status_code == 403
    assert played.get(record) is None


def test_no_password_is_hashed_for_a_stranger(table, browser, monkeypatch):
    path, (_, ben) = table("Ann", "Ben", ready=False)
    hashed = []
    monkeypatch.setattr("kaboom.lobby.table_settings.slow_hash_of", hashed.append)
    for person in (ben, browser()):
        assert person.client.post(f"{path}/door", data={"password": "mine"}).status_code == 403
    assert not hashed


# A newcomer without an action is not stored


def test_refused_request_creates_no_player(table, browser, service):
    path, _ = table("Ann", "Ben")
    closed, _ = table("Ann", "Ben", ready=False)
    let_watch(service, closed[3:], service.get(closed[3:]).table.host, 0, audience=False)
    before = rows(service, "players"), rows(service, "commands")
    for address, form in (
        (f"{path}/enter", {"password": "anything"}),
        (f"{path}/sit", {"name": "Eve"}),
        (f"{closed}/sit", {"name": "Eve", "seat": "0"}),
        (f"{closed}/sit", {"name": "\u200b"}),
        (f"{path}/talk", {"name": "Eve", "text": ""}),
        (f"{path}/talk", {"name": "Eve", "text": "x" * 301}),
        (f"{closed}/talk", {"name": "Eve", "text": "Hi"}),
        (f"{path}/carry/made-up", {}),
        ("/tables", {"game": "gops", "name": "\u200b"}),
    ):
        unused = {"cmd": "x" * 22} if "carry" not in address else {}
        answer = browser().client.post(address, data=form | unused)
        assert answer.status_code in (303, 403, 410, 422), address
        assert "kb=" not in answer.headers.get("Set-Cookie", ""), address
        assert (rows(service, "players"), rows(service, "commands")) == before, address
    assert rows(service, "sittings") == 4


def test_delayed_spectator_may_sit_down_between_matches(table, browser, service):
    path, _ = table("Ann", "Ben")
    let_watch(service, path[3:], service.get(path[3:]).table.host, 5)
    service.now.sleep(600)
    stop(service, path[3:])
    answer = browser().client.post(f"{path}/sit", data={"name": "Eve"})
    assert answer.status_code == 303


# Repeated forms


def again(person, form, *button, **typed):
    """Send a form twice, like a proxy; the browser receives the second answer only."""
    fields = dict(form.filled(*(button or [("", "", "")]), **typed))
    cookies = dict(person.client._cookies)
    first = person.client.post(form.action, data=fields)
    person.client._cookies.clear()
    person.client._cookies.update(cookies)
    second = person.client.post(form.action, data=fields)
    assert (second.status_code, second.location) == (first.status_code, first.location)
    return second


def test_new_browsers_first_press_sent_twice_counts_once(browser, service):
    one = browser()
    one.open("/")
    form = next(f for f in one.page.forms if f.hidden.get("start") == "1")
    answer = again(one, form, form.buttons[0])
    assert answer.status_code == 303
    assert (rows(service, "tables"), rows(service, "players"), rows(service, "matches")) == (1,) * 3
    one.open(answer.location)
    assert one.page.moves(), "the browser has the key of the seat"


def test_choosing_another_game_after_back_opens_another_table(browser, service):
    one = browser()
    one.open("/")
    form = next(f for f in one.page.forms if f.hidden.get("start") == "1")
    for button in form.buttons[:2]:
        one.send(form, button)
    assert rows(service, "tables") == 2


def test_each_kind_of_form_sent_twice_counts_once(table, browser, service):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    tom = browser()
    tom.open(f"{path}/talk")
    again(tom, tom.page.form("/talk"), name="Tom", text="Hello")
    assert rows(service, "lines") == 1
    tom.open(f"{path}/talk")
    again(tom, tom.page.form("/talk"), text="Hello")
    assert rows(service, "lines") == 2, "both pages say it"
    eve = browser()
    eve.open(path)
    again(eve, eve.page.form("/sit"), name="Eve")
    ann.open(path)
    again(ann, ann.page.form("/bot"))
    people = service.get(path[3:]).table.sitting()
    assert [occupant.name for _, occupant in people[:3]] == ["Ann", "Ben", "Eve"]
    assert len(people) == 4
    assert rows(service, "players") == 4
    ann.open(f"{path}/carry")
    links = {re.search(r"/carry/[\w-]+", again(ann, ann.page.form("/carry")).text)[0]}
    assert len(links) == rows(service, "passes") == 1
    phone = browser()
    phone.open(path + links.pop())
    again(phone, next(f for f in phone.page.forms if "/carry/" in f.action))
    phone.open(path)
    phone.send(phone.page.form("/start"))
    phone.open(f"{path}/leave")
    form = next(f for f in phone.page.forms if f.action.endswith("/propose"))
    again(phone, form, form.buttons[0])
    assert service.get(path[3:]).table.votes == 1
    one = browser()
    one.open("/replay")
    form = one.page.form("/replay")
    form.hidden["text"] = text_of(made("gops", 1))
    again(one, form)
    assert rows(service, "imports") == 1


def test_two_newcomers_at_one_ip_address_are_two_players(table, browser, service):
    path, _ = table("Ann", "Ben", ready=False)
    for _ in range(2):
        one = browser()
        one.open(path)
        one.send(one.page.form("/sit"), name="Max")
        assert one.status == 200
    for made_up in ("", "1", "x" * 21, "x" * 23):
        for _ in range(2):
            form = {"name": "Max", "phrase": "hello", "cmd": made_up}
            assert browser().client.post(f"{path}/talk", data=form).status_code == 303
    assert rows(service, "players") == 2 + 2 + 8


# Keys


@pytest.mark.parametrize("key", ["x", "A" * 43, "", "é", "x" * 3000])
def test_browser_with_an_invalid_key_is_anonymous(key, table, app, service):
    path, _ = table("Ann", "Ben", ready=False)
    client = app.test_client()
    client.set_cookie("kb", key)
    assert client.get(path).status_code == 200
    answer = client.post(f"{path}/sit", data={"name": "Eve"})
    cookie = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith("kb="))
    given = cookie[3:].split(";")[0]
    assert given != key
    assert re.fullmatch(r"[\w-]{43}", given)
    planted = app.test_client(use_cookies=False).get(path, headers={"Cookie": f"kb={key}"})
    assert 'name="name"' in planted.text, "the person who planted it has no seat"


def test_valid_key_is_kept(table):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    key = ann.client.get_cookie("kb").value
    ann.client.post(f"{path}/talk", data={"text": "Hi"})
    ann.client.post(f"{path}/sit", data={"name": "Ann"})
    assert ann.client.get_cookie("kb").value == key


def test_browser_with_an_erased_key_stays_anonymous(table, app, service):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    key = ann.client.get_cookie("kb").value
    ann.client.post("/account/delete", data={"what": "all", "sure": "1"})
    copied = app.test_client()
    copied.set_cookie("kb", key)
    copied.post(f"{path}/sit", data={"name": "Eve"})
    assert copied.get_cookie("kb").value != key


# Invalid requests


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n", 200),
        ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost:\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("POST /settings HTTP/1.1\r\nContent-Length: 0\r\n", 400),
        ("GET / HTTP/1.0\r\n", 200),
        ("GET /healthz HTTP/1.0\r\n", 200),
    ],
)
def test_raw_request_gets_the_right_status(lines, status, real):
    with socket.create_connection(("127.0.0.1", real.port), timeout=10) as connection:
        connection.sendall(f"{lines}Connection: close\r\n\r\n".encode())
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert answer.split(b" ", 2)[1] == str(status).encode(), answer[:200]
    assert b"Traceback" not in answer


# Limits


@pytest.mark.slow
def test_strangers_without_a_key_cannot_flood_the_chat(limited):
    path, _ = home_table(limited)
    client = limited.test_client(use_cookies=False)
    statuses = [
        client.post(f"{path}/talk", data={"name": f"N{n}", "text": f"line {n}"}).status_code
        for n in range(100)
    ]
    # Forty in ten seconds; a new ten seconds may just begin.
    assert 40 <= statuses.count(303) <= 80
    assert statuses.count(429) == 100 - statuses.count(303)
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    form = {"name": "Tom", "text": "Hi"}
    answer = client.post(f"{path}/talk", data=form, environ_overrides=elsewhere)
    assert answer.status_code == 303


def test_player_counts_as_one_at_every_ip_address(limited):
    path, ann = home_table(limited)
    statuses = [
        ann.client.post(
            f"{path}/talk",
            data={"text": f"line {n}"},
            environ_overrides={"REMOTE_ADDR": f"198.51.100.{n}"},
        ).status_code
        for n in range(20)
    ]
    assert 8 <= statuses.count(303) <= 16
    assert statuses[-1] == 429


# Route → a form that may be refused, but not for the rate.
LIMITED = {
    "/tables": {"game": "none"},
    "/settings": {},
    "/replay": {"text": "x"},
    "/login/recovery-words": {},
    "/friends/link": {},
    "{path}/talk": {"text": ""},
    "{path}/enter": {},
    "{path}/door": {"listed": "0"},
    "{path}/sit": {"name": "Ann"},
    "{path}/propose": {},
    "{path}/carry": {},
    "{path}/carry/x": {},
    "{path}/call": {},
}
if LONG:
    LIMITED |= {
        "/settings/devices/name": {},
        "/settings/devices/sign-out": {},
        "/settings/devices/link": {},
        "/settings/account": {"name": "Ann"},
        "/settings/account/recovery-words": {},
        "/settings/account/recovery-words/check": {},
        "/settings/account/password": {},
        "/settings/account/passkey": {},
        "/settings/account/passkey/save": {},
        "/settings/account/passkey/remove": {},
        "/friends": {},
        "/host/change": {},
        "/host/link": {},
        "/friends/add/x": {},
        "/friends/invitations": {},
        "/login/password": {"handle": "x"},
        "/login/passkey": {},
        "/login/passkey/answer": {},
        "/login/confirm": {},
        "/login/x": {},
        "{path}/people": {},
        "{path}/friends": {},
        "{path}/report": {},
    }


@pytest.mark.slow
@pytest.mark.parametrize(("route", "who"), some(product(LIMITED, ("player", "address")), every=3))
def test_costly_routes_are_limited_by_player_and_ip_address(route, who, limited):
    path, ann = home_table(limited)
    address = route.format(path=path)
    for n in range(125):
        # A player uses many addresses; an address has many visitors without a key.
        client = ann.client if who == "player" else limited.test_client(use_cookies=False)
        last = n % 250 if who == "player" else 7
        answer = client.post(
            address,
            data=LIMITED[route],
            environ_overrides={"REMOTE_ADDR": f"203.0.113.{last}"},
        )
        if answer.status_code == 429:
            break
    assert answer.status_code == 429


def test_full_password_queue_is_reported_and_loses_nothing(table, browser, service, monkeypatch):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    ann.client.post(f"{path}/door", data={"password": "sesame"})

    def full(*_):
        raise RateLimited("Many passwords are being checked right now.")

    monkeypatch.setattr(service, "hash_in_thread", full)
    eve = browser()
    eve.open(path)
    eve.send(eve.page.form("/enter"), password="sesame")
    assert eve.status == 429
    assert "being checked right now" in eve.page.text
    assert eve.page.form("/enter")
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/door"), password="other")
    assert ann.status == 429
    assert "being checked right now" in ann.page.text
    eve.open("/start/gops")
    eve.send(eve.page.form("/tables"), name="Eve", password="word")
    assert eve.status == 429
    assert "being checked right now" in eve.page.text
    assert rows(service, "tables") == 1


# Records with arbitrary contents

TURNED = "\u202egnp\u2066\x1b[31m"


def test_record_text_cannot_reverse_the_page(browser):
    record = json.loads(text_of(made("gops", 1, cuts=("three", ""))))
    record |= {"code": f"A{TURNED}B", "digest": f"d{TURNED}e", "cuts": [f"c{TURNED}t", ""]}
    record |= {"chain": f"f{TURNED}g", "commitment": f"h{TURNED}i"}
    one = browser()
    at = one.client.post("/replay", data={"text": json.dumps(record)}).location
    assert at, "in GOPS a player may bid any card, however the prizes lie"
    for address in (at, f"{at}/0", f"{at}/print", f"{at}/verify", f"{at}/rules"):
        one.open(address)
        assert one.status == 200, address
        for sign in "\u202e\u2066\x1b":
            assert sign not in one.html, address
    one.open(f"{at}/verify")
    for plain in ("A gnp [31mB", "c gnp [31mt", "d gnp [31me", "f gnp [31mg", "h gnp [31mi"):
        assert plain in one.page.text
