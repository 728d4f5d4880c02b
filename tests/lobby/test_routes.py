"""Access in browsers without scripts: passwords, the lobby, the host's page, other devices."""

import re

import pytest

from kaboom.accounts import players
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby.table_settings import give_host
from kaboom.realtime.hub import Hub
from kaboom.realtime.presence import Presence
from kaboom.social.chat.room import people_at
from kaboom.tables.forms.listing import lobby_table
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.table import WATCHED_BY_NOBODY
from tests.support.browsing import BY_HTMX, table_path
from tests.support.forms import Browser


@pytest.fixture
def locked(browser):
    """Return a table of Ann's with a password: its address, and her browser."""
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="sesame", listed="1")
    assert ann.status == 200
    return table_path(ann), ann


# Passwords


def test_a_locked_table_shows_its_game_and_host_and_nothing_else(locked, browser):
    path, _ann = locked
    eve = browser()
    eve.open(path)
    assert eve.status == 200  # a messenger previews no link that answers with an error
    assert "Kaboom" in eve.page.text
    assert "Your host is Ann." in eve.page.text
    assert [form.action for form in eve.page.forms if form.action.startswith("/t/")] == [
        f"{path}/enter"
    ]
    for word in ("chair", "round", "qr.svg", "Invite"):
        assert word not in eve.html


def addresses(app, method):
    """Return every address of a running table that takes this method."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/t/<code>") and method in rule.methods:
            yield rule


def test_every_page_of_a_locked_table_asks_for_the_password(locked, browser, app):
    """Only a player's one-use link or the password gives access."""
    path, _ann = locked
    ways_in = {"table.give_password", "seat_transfer.show", "seat_transfer.take"}
    asked = 0
    for method in ("GET", "POST"):
        for rule in addresses(app, method):
            if rule.endpoint in ways_in:
                continue
            with app.test_request_context():
                more = dict.fromkeys(rule.arguments - {"code"}, "1")
                address = app.url_map.bind("localhost").build(
                    rule.endpoint, {"code": path[3:], **more}, method=method
                )
            answer = browser().client.open(address, method=method, data={"name": "Eve"})
            status = 200 if rule.endpoint == "table.show" else 403
            assert answer.status_code == status, (method, rule.rule, answer.status_code)
            assert "This table has a password" in answer.text, (method, rule.rule)
            asked += 1
    assert asked > 20


def test_the_password_opens_the_table_and_a_wrong_one_does_not(locked, browser):
    path, _ann = locked
    eve = browser()
    eve.open(path)
    eve.send(eve.page.form("/enter"), password="guess")
    assert eve.status == 403
    assert "Wrong password" in eve.page.text
    eve.send(eve.page.form("/enter"), password="sesame")
    assert eve.status == 200
    assert eve.page.form("/sit")
    eve.send(eve.page.form("/sit"), name="Eve")
    eve.open(path)
    assert "Eve" in eve.page.text


def test_open_page_is_replaced_by_the_password_page(locked, browser):
    path, _ann = locked
    answer = browser().client.get(f"{path}/view?v=1", headers=BY_HTMX)
    assert answer.status_code == 403
    assert answer.headers["HX-Refresh"] == "true"


def test_looking_at_a_locked_table_leaves_no_trace(locked, browser):
    path, _ann = locked
    assert "Set-Cookie" not in browser().client.get(path).headers


@pytest.mark.slow
def test_attempts_are_limited_and_the_password_works_later(limited):
    ann, eve = Browser(limited.test_client()), Browser(limited.test_client())
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="sesame")
    path = table_path(ann)
    tried = [eve.client.post(f"{path}/enter", data={"password": f"guess {n}"}) for n in range(8)]
    assert [answer.status_code for answer in tried] == [403] * 5 + [429] * 3
    assert "Too many wrong passwords" in tried[-1].text
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    right = {"password": "sesame"}
    late = eve.client.post(f"{path}/enter", data=right)
    assert late.status_code == 429, "even the right one is refused until the minute is over"
    dot = limited.test_client()
    for _ in range(7):  # correct passwords are not counted
        answer = dot.post(f"{path}/enter", data=right, environ_overrides=elsewhere)
        assert answer.status_code == 303


def test_overlong_password_is_reported_on_the_start_page(browser):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="x" * 101)
    assert ann.status == 422
    assert "at most 100 characters" in ann.page.text


def test_a_stream_ends_as_soon_as_its_viewer_is_locked_out(table, browser, monkeypatch, caplog):
    path, (ann, _) = table("Ann", "Ben")
    monkeypatch.setattr("kaboom.realtime.stream.HEARTBEAT", 0.05)  # the next message of the stream
    monkeypatch.setattr("kaboom.realtime.stream.LIFE", 10.0)

    def listening(person):
        answer = person.client.get(f"{path}/events", buffered=False)
        chunks = answer.iter_encoded()
        begun = next(chunks)
        assert b"event:table" in begun
        assert b"event:room" in begun
        return answer, chunks

    eve = browser()
    eve.client.post(f"{path}/sit", data={"name": "Eve"})  # known by name, without a seat
    ours, own = listening(ann)
    theirs, spectators = listening(eve)
    ann.client.post(f"{path}/door", data={"password": "sesame"})
    assert b"event:bye" in next(spectators)
    assert list(spectators) == []
    assert b"event:bye" not in next(own), "players at the table continue"
    assert not caplog.records
    for answer in (ours, theirs):
        answer.close()


# The lobby


def test_lobby_shows_what_to_expect_before_sitting_down(locked, browser):
    path, _ann = locked
    eve = browser()
    eve.open("/")
    assert any(address == "/lobby" for address, _ in eve.page.links)
    eve.open("/lobby")
    for words in ("Kaboom", "with Ann", "3 seats free", "password", "For 2 to 4 players"):
        assert words in re.sub(r"\s+", " ", eve.page.text)
    assert any(address == path for address, _ in eve.page.links)


def test_lobby_shows_seated_players_and_games_to_start(table, browser):
    table("Ann", "Ben", ready=False, days="2", listed="1")
    eve = browser()
    eve.open("/lobby")
    (seats,) = re.findall(r'class="seat-dots".*?</span>', eve.html)
    assert (seats.count("<i"), seats.count('class="on"')) == (4, 2)
    assert ".." not in eve.page.text
    assert "/start/karata" in [address for address, _ in eve.page.links]


def test_table_is_listed_in_the_lobby_only_on_request(table, browser):
    table("Ann", "Ben", ready=False)
    eve = browser()
    eve.open("/lobby")
    assert "There are no public tables" in eve.page.text


def test_unusual_options_are_shown_in_the_lobby_and_at_the_table(table, browser):
    path, _ = table("Ann", "Ben", ready=False, rounds="3", listed="1")
    eve = browser()
    for address in ("/lobby", path):
        eve.open(address)
        assert re.search(r"Rounds: ?\n? ?3", eve.page.text), address


def test_lobby_has_tables_with_free_seats_first(table, browser):
    table("Ann", "Ben", ready=False, listed="1")
    table("Cat", "Dan", ready=True, listed="1")
    eve = browser()
    eve.open("/lobby")
    assert eve.page.text.index("with Ann") < eve.page.text.index("with Cat")


def test_lobby_list_is_sent_only_if_changed(locked, browser):
    _path, ann = locked
    eve = browser()
    seen = re.search(r'name="rooms" value="(\w+)"', eve.client.get("/lobby").text)[1]
    same = eve.client.get(f"/lobby/rooms?rooms={seen}", headers=BY_HTMX)
    assert (same.status_code, same.data) == (204, b"")
    ann.open(_path)
    ann.press("Add a bot")
    fresh = eve.client.get(f"/lobby/rooms?rooms={seen}", headers=BY_HTMX)
    assert fresh.status_code == 200
    assert fresh.text.startswith('<div id="rooms">')
    assert "2 seats free" in fresh.text


def test_lobby_list_is_paginated(service, browser):
    ann = players.player(service, "key of Ann", "Ann")[0]
    options = GAMES["kaboom"].options()
    for n in range(23):
        lobby.open(service, "kaboom", options, ann, f"Ann {n}", listed=True)
    eve = browser()
    eve.open("/lobby")
    first = {address for address, _ in eve.page.links if address.startswith("/t/")}
    (more,) = [address for address, words in eve.page.links if words == "Older tables"]
    eve.open(more)
    second = {address for address, _ in eve.page.links if address.startswith("/t/")}
    assert (len(first), len(second), first & second) == (20, 3, set())
    assert any(words == "Newer tables" for _, words in eve.page.links)
    for odd in ("-1", "99999999999999999999", "x"):
        assert eve.client.get(f"/lobby?page={odd}").status_code == 200


# The host's page


def test_host_orders_the_seats_and_hands_over_the_host_role(table, service):
    path, (ann, ben) = table("Ann", "Ben", ready=False)
    ann.open(f"{path}/options")
    ann.press("Down Ann")
    names = [occupant and occupant.name for occupant in service.get(path[3:]).table.chairs]
    assert names == ["Ben", "Ann", None, None]
    ann.press("Shuffle the seats")
    for odd in ("swap 0", "swap a b", "host", "host 9", "dance", ""):
        assert ann.client.post(f"{path}/seats", data={"do": odd}).status_code == 422
    ann.open(f"{path}/options")
    ann.press("Make host Ben")
    assert "Shuffle the seats" not in ann.page.text, "she is no longer the host"
    ben.open(f"{path}/options")
    assert "Shuffle the seats" in ben.page.text


def test_the_host_changes_the_options_with_the_form_filled_in(table, service):
    path, (ann, ben) = table("Ann", "Ben", ready=False, rounds="3")
    ben.open(path)
    ben.press("I am ready")
    ann.open(f"{path}/options")
    form = ann.page.form("/options")
    assert form.hidden["rounds"] == "3"
    ann.send(form, rounds="5", jokers="")
    assert ann.status == 200
    assert ann.page.form("/options").hidden["rounds"] == "5"
    ben.open(path)
    assert ben.page.form("/ready").hidden.get("ready") != "0", "he must confirm it again"
    assert "The host changes options" in ben.page.text
    ann.send(ann.page.form("/options"), rounds="999")
    assert ann.status == 422
    assert "Rounds must be" in ann.page.text


def test_unchanged_options_form_has_no_effect(table, service):
    for game in GAMES:
        path, (ann, *_) = table("Ann", "Ben", game=game, ready=False)
        before = service.get(path[3:]).version
        ann.open(f"{path}/options")
        form = ann.page.form("/options")
        ann.send(form)
        assert ann.status == 200
        assert service.get(path[3:]).version == before, game


def test_only_the_host_changes_the_options(table, browser, service):
    path, (_ann, ben) = table("Ann", "Ben", ready=False)
    for person in (ben, browser()):
        person.open(f"{path}/options")
        assert "Rounds" in person.page.text
        with pytest.raises(LookupError):
            person.page.form("/options")
        before = service.get(path[3:]).version
        for route, fields in [
            ("options", {"rounds": "2"}),
            ("seats", {"do": "swap 0 1"}),
            ("seats", {"do": "shuffle"}),
            ("seats", {"do": "host 1"}),
            ("door", {"listed": "1", "password": "mine"}),
        ]:
            answer = person.client.post(f"{path}/{route}", data=fields)
            assert answer.status_code == 403, route
            assert "Only the host" in answer.text
        assert service.get(path[3:]).version == before


def test_the_host_locks_the_table_later_and_opens_it_again(table, browser):
    path, (ann, ben) = table("Ann", "Ben", ready=False)
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/door"), password="sesame", listed="1")
    eve = browser()
    eve.open(path)
    assert "This table has a password" in eve.page.text
    ben.open(path)
    assert ben.status == 200
    ann.send(ann.page.form("/door"), ticked=[("unlocked", "1")])
    eve.open(path)
    assert eve.status == 200


# Another device


def carry_link(person, path):
    person.open(f"{path}/carry")
    person.press("Create the link")
    assert person.status == 200
    assert 'src="data:image/png' in person.html
    return re.search(rf"{path}/carry/[\w-]+", person.html)[0]


def test_seat_is_moved_to_another_device_by_link(table, browser):
    path, (ann, ben) = table("Ann", "Ben")
    link = carry_link(ann, path)
    phone = browser()
    for _ in range(3):  # programs that fetch links before people press
        looked = phone.client.get(link)
        assert looked.status_code == 200
        assert "Set-Cookie" not in looked.headers
    ann.open(path)
    old = next(
        (form, button) for form, button in ann.page.moves() if button[1].split()[1] == "ready"
    )
    phone.open(link)
    assert "moves Ann’s seat" in re.sub(r"\s+", " ", phone.page.text)
    phone.press("Move the seat here")
    assert phone.status == 200
    assert phone.page.moves()
    answer = ann.client.post(f"{path}/move", data=dict(old[0].filled(old[1])), headers=BY_HTMX)
    assert answer.status_code == 403, "the old device only watches"
    ann.open(path)
    assert not ann.page.moves()
    phone.press("ready")
    ben.open(path)
    assert ben.status == 200


def test_used_or_forged_link_is_reported(table, browser):
    path, (ann, _) = table("Ann", "Ben")
    link = carry_link(ann, path)
    phone, thief = browser(), browser()
    phone.open(link)
    form = phone.page.form(link)
    phone.send(form)
    for answer in (
        thief.client.get(link),
        thief.client.post(link),
        thief.client.get(f"{path}/carry/made-up"),
        thief.client.post(f"{path}/carry/made-up"),
    ):
        assert answer.status_code == 410
        assert "has been used or has expired" in answer.text
        assert "Set-Cookie" not in answer.headers


def test_spectator_cannot_transfer_a_seat(table, browser):
    path, _ = table("Ann", "Ben")
    eve = browser()
    eve.open(f"{path}/carry")
    assert eve.status == 403
    assert eve.client.post(f"{path}/carry").status_code == 403


def test_the_invitation_never_opens_a_seat_that_is_taken(table, browser):
    path, _ = table("Ann", "Ben")
    eve = browser()
    eve.open(path)
    assert not eve.page.moves()
    assert eve.client.post(f"{path}/sit", data={"name": "Ann", "seat": "0"}).status_code == 422


def test_lobby_names_the_host_in_any_chair(table, service, app):
    path, _ = table("Ann", "Ben", ready=False)
    host = service.get(path[3:]).table.chairs[0].player
    give_host(service, path[3:], host, 1)
    with app.test_request_context():
        shown = lobby_table(service.get(path[3:]))
    assert (shown.host, shown.taken, shown.free) == ("Ben", 2, 2)
    assert (shown.least, shown.most, shown.playing, shown.locked) == (2, 4, False, False)


@pytest.mark.parametrize(("delay", "counted"), [(5, 1), (WATCHED_BY_NOBODY, 0), (0, 1)])
def test_spectators_are_counted_wherever_watching_is_allowed(table, service, app, delay, counted):
    path, _ = table("Ann", "Ben")
    code = path[3:]
    players.player(service, "key of Cid", "Cid")
    let_watch(service, code, service.get(code).table.host, delay)
    presence = Presence(Hub())
    presence.stream(code, service.get(code, "key of Cid").player)
    with app.test_request_context():
        people, watchers = people_at(service.get(code, "key of Cid"), presence.at(code))
    assert watchers == counted
    assert bool(people) == (delay == 0)
