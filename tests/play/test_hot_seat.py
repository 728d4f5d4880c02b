"""Pass and play: several people at one browser, each on a chair of their own, a curtain between."""

import re
from urllib.parse import urlsplit

import pytest

from kaboom.engine.views import DOWN, EMPTY
from kaboom.lobby import hot_seat_routes
from tests.support.browsing import BY_HTMX, table_path


def together(browser, game="karata", names=("Ben",), start=True, **options):
    """Return a browser at which Ann and others sit, and the path of the table."""
    phone = browser()
    phone.open(f"/start/{game}")
    phone.send(phone.page.form("/tables"), name="Ann", **options)
    path = table_path(phone)
    for name in names:
        phone.open(f"{path}/pass")
        phone.send(phone.page.form("/pass/sit"), name=name)
        assert phone.status == 200, phone.page.text
    if start:
        phone.open(path)
        phone.send(phone.page.form("/start"))
    return phone, path


def lift(phone, path, name):
    """Take the phone as somebody."""
    phone.open(f"{path}/pass")
    return phone.press(f"I am {name}")


def curtain(phone):
    """Say whether the curtain is what the browser shows."""
    return "No cards are shown now" in phone.page.text


def pass_on(phone):
    form = next(f for f in phone.page.forms if any(b[1] == "hide" for b in f.buttons))
    return phone.send(form, next(b for b in form.buttons if b[1] == "hide"))


def hand(service, path, name):
    """Return the cards that somebody holds, as pages name them in attributes."""
    snapshot = service.look(path[3:])
    seat = snapshot.table.seats.index(name)
    zone = snapshot.position.view(seat).zone("hand", seat)
    return [card for card in zone.cards if card not in (DOWN, EMPTY)]


def test_each_gets_a_chair_and_a_key_of_their_own(browser, service):
    _, path = together(browser, names=("Ben", "Cid"))
    table = service.look(path[3:]).table
    assert table.seats == ["Ann", "Ben", "Cid"]
    assert len({chair.player for _, chair in table.sitting()}) == 3


def test_each_sees_what_they_would_see_in_a_browser_of_their_own(browser, service, app):
    phone, path = together(browser)
    ben = browser()
    cookie = phone.client.get_cookie(f"kb-pass-{path[3:]}").value
    ben.client.set_cookie("kb", cookie.split(".")[1])
    lift(phone, path, "Ben")
    for person in (phone, ben, ben):  # the deal is seen to be dealt once in each browser
        person.open(path)
    button = (
        r'<form class="passing".*?</form>|<link rel="stylesheet" href="/static/play/hot_seat[^>]*>'
    )
    once = r'value="[\w-]{22}"'
    shared, alone = (re.sub(once, "", re.sub(button, "", it.html)) for it in (phone, ben))
    assert "".join(shared.split()) == "".join(alone.split())


def test_while_the_curtain_is_down_every_page_of_the_table_leads_to_it(browser, app, service):
    phone, path = together(browser)
    pass_on(phone)
    assert curtain(phone)
    pages = [
        rule.rule.replace("<code>", path[3:])
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/t/<code>") and rule.rule.count("<") == 1
    ]
    assert len(pages) > 20
    for page in pages:
        for method in ("get", "post"):
            answer = getattr(phone.client, method)(page)
            if answer.status_code == 405 or "/pass" in page or "/screen" in page:
                continue
            assert urlsplit(answer.location).path == f"{path}/pass", page
            assert "Set-Cookie" not in answer.headers
            by_script = getattr(phone.client, method)(page, headers=BY_HTMX)
            assert (by_script.data, by_script.headers["HX-Refresh"]) == (b"", "true")


def test_the_curtain_is_the_same_whatever_anybody_holds(browser, service, lots):
    pages, hands = set(), set()
    for number in (1, 2, 3):
        lots.seed = lambda number=number: bytes([number]) * 32
        phone, path = together(browser)
        hands.add(tuple(hand(service, path, "Ann")))
        pass_on(phone)
        code = path[3:]
        pages.add(re.sub(r"again=\d+", "", phone.html.replace(code, "CODE")))
    assert len(hands) == 3
    assert len(pages) == 1


def test_after_a_turn_the_curtain_falls_and_says_who_takes_the_phone(browser, service):
    phone, path = together(browser)
    for _ in range(4):
        snapshot = service.look(path[3:])
        (seat,) = snapshot.waiting_for()
        name = snapshot.table.seats[seat]
        lift(phone, path, name)
        assert not curtain(phone)
        draws = [it for it in phone.page.moves() if " draw" in it[1][1]]
        phone.send(*draws[0])
        now = service.look(path[3:]).waiting_for()
        if now != [seat]:
            assert curtain(phone)
            other = service.look(path[3:]).table.seats[now[0]]
            assert f"{other}, take the phone" in phone.page.text


def test_by_script_the_open_page_asks_again_and_is_led_to_the_curtain(browser, service):
    phone, path = together(browser)
    snapshot = service.look(path[3:])
    lift(phone, path, snapshot.table.seats[snapshot.waiting_for()[0]])
    form, button = next(it for it in phone.page.moves() if " draw" in it[1][1])
    answer = phone.client.post(form.action, data=dict(form.filled(button)), headers=BY_HTMX)
    assert (answer.data, answer.headers["HX-Refresh"]) == (b"", "true")


def test_where_all_choose_in_secret_the_curtain_does_not_say_who_has(browser, service):
    phone, path = together(browser, game="taken")
    lift(phone, path, "Ann")
    phone.send(*phone.page.moves()[0])
    assert not curtain(phone), "nobody is openly waited for"
    pass_on(phone)
    assert "Whoever has not chosen yet takes the phone now." in phone.page.text
    assert "Who takes the phone?" in phone.page.text


def test_a_vote_calls_for_who_has_not_answered_it_whosever_turn_it_is(browser, service):
    phone, path = together(browser)
    (seat,) = service.look(path[3:]).waiting_for()
    name = service.look(path[3:]).table.seats[seat]
    other = "Ben" if name == "Ann" else "Ann"
    lift(phone, path, name)
    phone.open(f"{path}/leave")
    phone.press("Propose to end it")
    pass_on(phone)
    assert (
        f"{name} proposes to end the match without a result. Not yet: {other}." in phone.page.text
    )
    assert "Who takes the phone?" in phone.page.text
    phone.press(f"I am {other}")
    phone.press("Disagree")
    assert f"{name}, take the phone" in phone.page.text


def test_each_pass_changes_the_cookie_and_no_page_may_be_kept(browser):
    phone, path = together(browser)
    seen = set()
    for name in ("Ann", "Ben"):
        lift(phone, path, name)
        answer = phone.client.get(path)
        assert "no-store" in answer.headers["Cache-Control"]
        seen.add(phone.client.get_cookie(f"kb-pass-{path[3:]}").value)
        pass_on(phone)
        seen.add(phone.client.get_cookie(f"kb-pass-{path[3:]}").value)
    assert len(seen) == 3


@pytest.mark.parametrize(
    "cookie",
    ["", "0", "0.short", "9." + "k" * 43, "x." + "k" * 43, ".".join(["0", *["k" * 43] * 11])],
)
def test_a_cookie_that_is_not_ours_opens_nothing(table, browser, cookie):
    path, _ = table("Ann", "Ben", game="karata")
    odd = browser()
    odd.client.set_cookie(f"kb-pass-{path[3:]}", cookie)
    odd.open(path)
    assert odd.status == 200
    assert not odd.page.moves()
    answer = odd.client.post(f"{path}/pass/sit", data={"name": "Zoe"})
    assert answer.status_code in (403, 422)
    assert not any("kb=" in it for it in answer.headers.getlist("Set-Cookie"))


@pytest.mark.parametrize("form", [{"who": "7"}, {"who": "-1"}, {"who": "x"}, {}])
def test_nobody_who_does_not_play_there_takes_the_phone(browser, form):
    phone, path = together(browser)
    answer = phone.client.post(f"{path}/pass", data=form)
    assert answer.status_code == 422
    assert "Nobody with that chair" in answer.text


def test_only_who_sits_there_seats_others_and_only_before_the_match(browser, table):
    phone, path = together(browser)
    answer = phone.client.post(f"{path}/pass/sit", data={"name": "Dee"})
    assert answer.status_code == 422
    assert "The match has begun" in answer.text
    stranger = browser()
    stranger.open(f"{path}/pass")
    assert "Take a chair yourself first." in stranger.page.text
    assert stranger.client.post(f"{path}/pass/sit", data={"name": "Dee"}).status_code == 403


def test_a_form_that_comes_twice_seats_one(browser, service):
    phone, path = together(browser, names=(), start=False)
    phone.open(f"{path}/pass")
    fields = dict(phone.page.form("/pass/sit").filled(("", "", ""))) | {"name": "Ben"}
    for _ in range(2):
        phone.client.post(f"{path}/pass/sit", data=fields)
    assert [c.name for _, c in service.look(path[3:]).table.sitting()] == ["Ann", "Ben"]


@pytest.mark.parametrize("here", [True, False])
def test_who_sits_down_beside_the_host_is_ready_for_the_host_sees_them_and_no_one_else_is(
    browser, table, service, here
):
    path, (ann, ben) = table("Ann", "Ben", ready=False)
    beside = ann if here else ben
    beside.client.post(f"{path}/pass/sit", data={"name": "Cid"})
    sat = service.look(path[3:]).table
    assert [chair.name for _, chair in sat.sitting()] == ["Ann", "Ben", "Cid"]
    assert sat.chair(2).ready == here


def test_forgetting_oneself_forgets_all_who_shared_the_browser(browser, service):
    phone, path = together(browser, start=False)
    phone.open("/me")
    form = phone.page.form("/forget")
    phone.send(form, form.buttons[-1], ticked=form.boxes)
    assert service.look(path[3:]).table.sitting() == []
    assert phone.client.get_cookie(f"kb-pass-{path[3:]}") is None


def test_only_so_many_share_a_browser_with_its_own_player(browser, monkeypatch):
    monkeypatch.setattr(hot_seat_routes, "MOST_PASSED", 2)
    phone, path = together(browser, names=("Ben", "Cid"), start=False)
    phone.open(f"{path}/pass")
    phone.send(phone.page.form("/pass/sit"), name="Dan")
    assert phone.status == 422
    assert "No more people can share one device." in phone.page.text
