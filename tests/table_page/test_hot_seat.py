"""Pass and play: several players share a browser, with a curtain between turns."""

import re
from urllib.parse import urlsplit

import pytest

from kaboom.engine.views import DOWN, EMPTY
from kaboom.lobby import hot_seat_routes
from tests.support.browsing import BY_HTMX, table_path


def together(browser, game="karata", names=("Ben",), start=True, **options):
    """Return a browser with Ann and others seated, and the path of the table."""
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
    """Open the curtain as a player."""
    phone.open(f"{path}/pass")
    return phone.press(f"I am {name}")


def curtain(phone):
    """Return True if the browser shows the curtain."""
    return "No cards are shown now" in phone.page.text


def pass_on(phone):
    form = next(f for f in phone.page.forms if any(b[1] == "hide" for b in f.buttons))
    return phone.send(form, next(b for b in form.buttons if b[1] == "hide"))


def hand(service, path, name):
    """Return the cards of a player's hand, as named in the page's attributes."""
    snapshot = service.get(path[3:])
    seat = snapshot.table.seats.index(name)
    zone = snapshot.position.view(seat).zone("hand", seat)
    return [card for card in zone.cards if card not in (DOWN, EMPTY)]


def test_each_player_gets_a_chair_and_a_key(browser, service):
    _, path = together(browser, names=("Ben", "Cid"))
    table = service.get(path[3:]).table
    assert table.seats == ["Ann", "Ben", "Cid"]
    assert len({occupant.player for _, occupant in table.sitting()}) == 3


def test_each_player_sees_their_usual_view(browser, service, app):
    phone, path = together(browser)
    ben = browser()
    cookie = phone.client.get_cookie(f"kb-pass-{path[3:]}").value
    ben.client.set_cookie("kb", cookie.split(".")[1])
    lift(phone, path, "Ben")
    for person in (phone, ben, ben):  # a deal is animated once in each browser
        person.open(path)
    sheet = r'<link rel="stylesheet" href="/static/table_page/hot_seat[^>]*>'
    button = r'<form class="passing".*?</form>|' + sheet
    once = r'value="[\w-]{22}"'
    shared, alone = (re.sub(once, "", re.sub(button, "", it.html)) for it in (phone, ben))
    assert "".join(shared.split()) == "".join(alone.split())


def test_curtain_redirects_every_table_page_to_it(browser, app, service):
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


def test_curtain_is_independent_of_the_cards(browser, service, fake_ids):
    pages, hands = set(), set()
    for number in (1, 2, 3):
        fake_ids.seed = lambda number=number: bytes([number]) * 32
        phone, path = together(browser)
        hands.add(tuple(hand(service, path, "Ann")))
        pass_on(phone)
        code = path[3:]
        pages.add(re.sub(r"again=\d+", "", phone.html.replace(code, "CODE")))
    assert len(hands) == 3
    assert len(pages) == 1


def test_turn_end_lowers_the_curtain_and_names_the_next(browser, service):
    phone, path = together(browser)
    for _ in range(4):
        snapshot = service.get(path[3:])
        (seat,) = snapshot.waiting_for()
        name = snapshot.table.seats[seat]
        lift(phone, path, name)
        assert not curtain(phone)
        draws = [it for it in phone.page.moves() if " draw" in it[1][1]]
        phone.send(*draws[0])
        now = service.get(path[3:]).waiting_for()
        if now != [seat]:
            assert curtain(phone)
            other = service.get(path[3:]).table.seats[now[0]]
            assert f"{other}, take the phone" in phone.page.text


def test_move_by_htmx_reloads_the_page_for_the_curtain(browser, service):
    phone, path = together(browser)
    snapshot = service.get(path[3:])
    lift(phone, path, snapshot.table.seats[snapshot.waiting_for()[0]])
    form, button = next(it for it in phone.page.moves() if " draw" in it[1][1])
    answer = phone.client.post(form.action, data=dict(form.filled(button)), headers=BY_HTMX)
    assert (answer.data, answer.headers["HX-Refresh"]) == (b"", "true")


def test_sealed_choice_curtain_hides_who_has_chosen(browser, service):
    phone, path = together(browser, game="taken")
    lift(phone, path, "Ann")
    phone.send(*phone.page.moves()[0])
    assert not curtain(phone), "no player is openly awaited"
    pass_on(phone)
    assert "A player who has not chosen yet takes the phone now." in phone.page.text
    assert "Who takes the phone?" in phone.page.text


def test_vote_asks_unanswered_players_on_any_turn(browser, service):
    phone, path = together(browser)
    (seat,) = service.get(path[3:]).waiting_for()
    name = service.get(path[3:]).table.seats[seat]
    other = "Ben" if name == "Ann" else "Ann"
    lift(phone, path, name)
    phone.open(f"{path}/leave")
    phone.press("Propose ending it")
    pass_on(phone)
    assert (
        f"{name} proposes ending the match without a result. Not yet: {other}." in phone.page.text
    )
    assert "Who takes the phone?" in phone.page.text
    phone.press(f"I am {other}")
    phone.press("Disagree")
    assert f"{name}, take the phone" in phone.page.text


def test_each_pass_changes_the_cookie_and_pages_are_not_stored(browser):
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
def test_forged_curtain_cookie_gives_no_access(table, browser, cookie):
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
def test_curtain_opens_only_for_a_player_of_the_browser(browser, form):
    phone, path = together(browser)
    answer = phone.client.post(f"{path}/pass", data=form)
    assert answer.status_code == 422
    assert "No player on this device has that seat" in answer.text


def test_only_a_seated_player_adds_seats_before_the_match(browser, table):
    phone, path = together(browser)
    answer = phone.client.post(f"{path}/pass/sit", data={"name": "Dee"})
    assert answer.status_code == 422
    assert "The match has begun" in answer.text
    stranger = browser()
    stranger.open(f"{path}/pass")
    assert "First take a seat yourself." in stranger.page.text
    assert stranger.client.post(f"{path}/pass/sit", data={"name": "Dee"}).status_code == 403


def test_form_sent_twice_seats_one_player(browser, service):
    phone, path = together(browser, names=(), start=False)
    phone.open(f"{path}/pass")
    fields = dict(phone.page.form("/pass/sit").filled(("", "", ""))) | {"name": "Ben"}
    for _ in range(2):
        phone.client.post(f"{path}/pass/sit", data=fields)
    assert [c.name for _, c in service.get(path[3:]).table.sitting()] == ["Ann", "Ben"]


@pytest.mark.parametrize("here", [True, False])
def test_only_a_player_seated_by_the_hosts_browser_is_ready(browser, table, service, here):
    path, (ann, ben) = table("Ann", "Ben", ready=False)
    beside = ann if here else ben
    beside.client.post(f"{path}/pass/sit", data={"name": "Cid"})
    sat = service.get(path[3:]).table
    assert [occupant.name for _, occupant in sat.sitting()] == ["Ann", "Ben", "Cid"]
    assert sat.occupant(2).ready == here


def test_erasing_a_player_erases_all_who_share_the_browser(browser, service):
    phone, path = together(browser, start=False)
    phone.open("/account")
    form = phone.page.form("/account/delete")
    phone.send(form, form.buttons[-1], ticked=form.boxes)
    assert service.get(path[3:]).table.sitting() == []
    assert phone.client.get_cookie(f"kb-pass-{path[3:]}") is None


def test_number_of_players_sharing_a_browser_is_limited(browser, monkeypatch):
    monkeypatch.setattr(hot_seat_routes, "MOST_PASSED", 2)
    phone, path = together(browser, names=("Ben", "Cid"), start=False)
    phone.open(f"{path}/pass")
    phone.send(phone.page.form("/pass/sit"), name="Dan")
    assert phone.status == 422
    assert "No more players can share this device." in phone.page.text
