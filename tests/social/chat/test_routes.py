"""Chat, presence and watching in the browser without scripts, and the fragment's limits."""

import html
import re

import pytest
from html5lib import HTMLParser

from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import ENGLISH
from kaboom.engine.i18n import speak as speak_in
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.notifications.delivery import Said, said
from kaboom.social.chat.room import just_said, room_number, room_of, roughly
from kaboom.social.chat.service import PHRASES, SHOWN, ChatMessage, speak
from kaboom.table_page.view_routes import Watcher, seen_by
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.i18n import language
from tests.support.browsing import BY_HTMX, settle
from tests.support.forms import Browser
from tests.support.notifications import due
from tests.support.random_players import positions, press_at_random


def say(person, path, text="", **more):
    person.open(f"{path}/talk")
    return person.send(person.page.form("/talk"), text=text, **more)


def lines(person, path):
    """Return the chat of a table as this browser's page shows it."""
    person.open(f"{path}/talk")
    found = re.findall(r'<li id="l-\d+"><span>(.*?)</span>', person.html, re.DOTALL)
    return [html.unescape(re.sub(r"<.*?>", "", line)) for line in found]


def test_two_players_chat_without_scripts(table, browser):
    path, (ann, ben) = table("Ann", "Ben")
    ann.open(path)
    link = ann.page.link("Chat at this table")
    ann.open(link)
    assert "No messages yet." in ann.page.text
    ann.send(ann.page.form("/talk"), text="Hello Ben")
    assert ann.status == 200
    assert lines(ben, path) == ["Ann: Hello Ben"]
    ben.press("Well played!")
    assert lines(ann, path) == ["Ann: Hello Ben", "Ben: Well played!"]
    back = ann.page.link("Back to the table")
    assert back == path


def test_every_quick_phrase_has_a_button(table):
    path, (ann, ben) = table("Ann", "Ben")
    for words in PHRASES.values():
        ann.open(f"{path}/talk")
        ann.press(words)
    assert lines(ben, path) == [f"Ann: {words}" for words in PHRASES.values()]


def test_phrase_is_shown_in_the_readers_language(table, app):
    path, (ann, ben) = table("Ann", "Ben")
    ann.open(f"{path}/talk")
    ann.press("Hello!")
    from kaboom.web.i18n import language

    swahili = language("sw").text("Hello!")
    answer = ben.client.get(f"{path}/room", headers={"Accept-Language": "sw"}).text
    assert swahili in answer


def test_table_shows_unread_chat_until_it_is_read(table):
    path, (ann, ben) = table("Ann", "Ben")
    ben.open(path)
    assert "Chat at this table new" not in " ".join(ben.page.text.split())
    say(ann, path, "hello")
    ben.open(path)
    assert "Chat at this table new" in " ".join(ben.page.text.split())
    ben.open(f"{path}/talk")
    ben.open(path)
    assert "Chat at this table new" not in " ".join(ben.page.text.split())


def is_new(person, path):
    return "Chat at this table new" in " ".join(person.open(path).text.split())


def test_players_own_chat_line_is_not_unread(table):
    path, (ann, ben) = table("Ann", "Ben")
    say(ann, path, "hello?")
    assert not is_new(ann, path)
    say(ben, path, "hello")
    assert is_new(ann, path)
    assert not is_new(ben, path), "a player who answers has read it"
    for number in range(4):
        say(ann, path, f"line {number}")  # the answer is the chat page
    assert not is_new(ann, path)


def test_unread_mark_survives_many_lines_of_the_reader(table, service):
    """The read mark covers the same lines as the unread mark."""
    path, (ann, ben) = table("Ann", "Ben")
    say(ben, path, "hello")
    player = service.get(path[3:], _key_hash(ann)).player
    for number in range(SHOWN + 1):
        speak(service, path[3:], player, "Ann", f"line {number}")
    assert is_new(ann, path)
    ann.open(f"{path}/talk")
    assert "Ben: hello" not in lines(ann, path)
    assert not is_new(ann, path)


def test_muted_players_line_is_not_unread(table):
    path, (ann, ben) = table("Ann", "Ben")
    say(ben, path, "hello")
    ann.open(f"{path}/talk")
    ann.send(ann.page.form("/talk/mute"))
    assert not is_new(ann, path)
    say(ben, path, "can you hear me?")
    assert not is_new(ann, path)
    assert is_new(ben, path) is False


def test_refused_line_stays_in_the_field_with_its_reason(table):
    path, (ann, _) = table("Ann", "Ben")
    typed = "x" * 301
    say(ann, path, typed)
    assert ann.status == 422
    assert "At most 300 characters" in ann.page.text
    assert f'value="{typed}"' in ann.html
    say(ann, path, "   ")
    assert ann.status == 422


def test_fast_chat_is_asked_to_wait_and_loses_nothing(limited):
    ann = Browser(limited.test_client())
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = "/t/" + tables_of(limited.config["TABLES"], _key_hash(ann))[0].code
    statuses = []
    while 429 not in statuses:
        say(ann, path, f"line {len(statuses)}")
        statuses.append(ann.status)
        assert len(statuses) <= 17, "eight in ten seconds, and a new ten seconds may just begin"
    assert len(statuses) > 8
    assert "wait a moment" in ann.page.text
    assert f'value="line {len(statuses) - 1}"' in ann.html
    answer = ann.client.post(f"{path}/talk", data={"text": "more"}, headers=BY_HTMX)
    assert answer.status_code == 429
    assert answer.text.startswith('<div id="room-in">'), "a fragment, not a whole page"
    assert 'value="more"' in answer.text
    assert len(lines(ann, path)) == len(statuses) - 1


def _key_hash(person):
    import hashlib

    return hashlib.sha256(person.client.get_cookie("kb").value.encode()).hexdigest()


NASTY = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>',
    "' onmouseover='x", "</ol></div><h1>mine", "<!--", "]]>", "{{ 7*7 }}", "{% raw %}", "%(name)s",
    "javascript:alert(1)", "https://evil.example.org/", "&lt;b&gt;", "<a href=//x>y</a>",
    "\u202egnp.exe", "&#x3c;b&#x3e;", "<li id=l-1>", "<template><p>", "<bdi>", "</bdi></span>",
]  # fmt: skip


def skeleton(text):
    """Return the elements and attribute names of a page, in order, without any words."""
    parser = HTMLParser(namespaceHTMLElements=False)
    tree = parser.parseFragment(text)
    return [(el.tag, sorted(el.attrib)) for el in tree.iter() if isinstance(el.tag, str)]


@pytest.mark.parametrize("nasty", NASTY)
def test_chat_is_always_escaped(nasty, table):
    path, (ann, ben) = table("Ann", "Ben")
    say(ann, path, "plain")
    room = ben.client.get(f"{path}/room").text
    page = ben.client.get(f"{path}/talk").text
    ben.client.delete_cookie("kb-read", path=path)
    other, (cid, dot) = table("Ann", "Ben")
    say(cid, other, nasty)
    assert skeleton(dot.client.get(f"{other}/room").text) == skeleton(room)
    assert skeleton(dot.client.get(f"{other}/talk").text) == skeleton(page)
    shown = lines(dot, other)[0]
    assert shown == "Ann: " + " ".join(nasty.replace("\u202e", " ").split())
    if "//" in nasty:
        assert f'href="{nasty}' not in dot.html


@pytest.mark.parametrize("nasty", NASTY)
def test_a_spectators_name_stays_text(nasty, table, browser):
    path, _ = table("Ann", "Ben")
    cid = browser()
    cid.open(f"{path}/talk")
    cid.send(cid.page.form("/talk"), name=nasty, text="hello")
    expected = " ".join(nasty.replace("\u202e", " ").split())[:24].strip()
    assert lines(cid, path) == [f"{expected} (watching): hello"]


def test_a_spectator_gives_a_name_once_and_then_chats(table, browser):
    path, (ann, _) = table("Ann", "Ben")
    cid = browser()
    cid.open(f"{path}/talk")
    cid.send(cid.page.form("/talk"), name="", text="hello")
    assert cid.status == 422
    cid.send(cid.page.form("/talk"), name="Cid", text="hello")
    assert cid.status == 200
    assert "name" not in cid.page.form("/talk").hidden
    say(cid, path, "again")
    assert lines(ann, path) == ["Cid (watching): hello", "Cid (watching): again"]


def test_stranger_with_a_refused_line_is_not_stored(table, browser, service):
    path, _ = table("Ann", "Ben")

    def players():
        return service.database.read(
            lambda c: c.exec_driver_sql("SELECT count(*) FROM players").scalar()
        )

    before, sent = players(), browser().client
    for fields in ({"text": "x" * 301}, {"phrase": "nonsense"}, {"text": "hello", "name": "\n"}):
        answer = sent.post(f"{path}/talk", data={"name": "Cid", **fields})
        assert (answer.status_code, players()) == (422, before), fields
    sent.post(f"{path}/talk", data={"name": "Cid", "text": "hello"})
    assert players() == before + 1


def test_the_host_deletes_a_line_and_others_cannot(table, browser):
    path, (ann, ben) = table("Ann", "Ben")
    say(ben, path, "rude")
    assert not any(form.action.endswith("/delete") for form in ben.page.forms)
    ann.open(f"{path}/talk")
    form = ann.page.form("/talk/delete")
    ben.send(form)
    assert ben.status == 403
    assert browser().client.post(form.action, data=form.hidden).status_code == 403
    ann.send(form)
    assert lines(ben, path) == ["Ben: deleted"]
    assert "rude" not in ann.html


def test_muted_lines_return_after_unmuting(table):
    path, (ann, ben) = table("Ann", "Ben")
    say(ben, path, "one")
    ann.open(f"{path}/talk")
    ann.send(ann.page.form("/talk/mute"))
    assert "You have muted" in ann.page.text
    say(ben, path, "two")
    assert lines(ann, path) == []
    assert "two" not in ann.client.get(f"{path}/room").text
    ann.send(ann.page.form("/talk/unmute"))
    assert lines(ann, path) == ["Ben: one", "Ben: two"]


def test_chat_fragment_is_small_and_empty_without_news(table):
    path, (ann, ben) = table("Ann", "Ben")
    first = ann.client.get(f"{path}/room", headers=BY_HTMX)
    number = re.search(r'id="room-n" name="n" value="(\d+)"', first.text).group(1)
    again = ann.client.get(f"{path}/room?n={number}", headers=BY_HTMX)
    assert (again.status_code, again.data) == (204, b"")
    say(ben, path, "hello")
    assert ann.client.get(f"{path}/room?n={number}", headers=BY_HTMX).status_code == 200
    for n in range(40):
        say(ben, path, f"{n} some words of about the usual length of a line")
    full = ann.client.get(f"{path}/room", headers=BY_HTMX | {"Accept-Encoding": "gzip"})
    assert full.headers["Content-Encoding"] == "gzip"
    assert len(full.data) <= 2500


@pytest.fixture
def short_streams(monkeypatch):
    """Streams end after their first numbers."""
    monkeypatch.setattr("kaboom.realtime.stream.LIFE", 0.0)
    monkeypatch.setattr("kaboom.realtime.stream.time.sleep", lambda seconds: None)


def test_chat_and_cards_are_in_separate_responses(table, short_streams):
    path, (ann, ben) = table("Ann", "Ben")
    say(ben, path, "a word nobody else says")
    for address in (path, f"{path}/view", f"{path}/events", f"{path}/rules"):
        assert "a word nobody" not in ann.client.get(address).text
    for address in ("room", "talk"):
        found = ann.client.get(f"{path}/{address}").text
        assert "a word nobody" in found
        assert 'id="table"' not in found


# Presence


def who(person, path):
    """Return the presence list of the page: "Ann here"."""
    found = person.client.get(f"{path}/room", headers=BY_HTMX).text
    listed = re.search(r'<ul class="who".*?</ul>', found, re.DOTALL).group(0)
    items = re.findall(r"<li[^>]*>(.*?)</li>", listed, re.DOTALL)
    return [html.unescape(re.sub(r"<.*?>", "", item)) for item in items]


@pytest.fixture
def presence(app, monkeypatch):
    """The application's presence, with the test's clock."""
    found = app.extensions["kaboom.presence"]
    found.forget()
    monkeypatch.setattr(found, "_began", -1e9)
    time = [1e6]
    monkeypatch.setattr(found, "_now", lambda: time[0])
    found.later = lambda seconds: time.__setitem__(0, time[0] + seconds)
    yield found
    found.forget()


def test_presence_lists_here_away_and_left(table, presence, browser):
    path, (ann, ben, _) = table("Ann", "Ben", "Cid")
    assert who(ann, path) == ["Ann here", "Ben here", "Cid here"]
    presence.later(91)
    assert who(ann, path) == ["Ann here", "Ben away", "Cid away"]
    ben.open(path)
    assert who(ann, path) == ["Ann here", "Ben here", "Cid away"]
    ben.open(path)
    ben.client.post(f"{path}/leave", data={"sure": "1"})
    ben.client.post(f"{path}/leave", data={"sure": "leave"})
    assert who(ann, path)[1] == "Ben has left"
    assert "Ben has left" in who(browser(), path), "spectators are told the same"


def test_script_refresh_does_not_count_as_presence(table, presence):
    path, (ann, ben) = table("Ann", "Ben")
    presence.later(91)
    for address in ("view", "room"):
        ben.client.get(f"{path}/{address}", headers=BY_HTMX)
    assert who(ann, path) == ["Ann here", "Ben away"]
    ben.client.post(f"{path}/talk", data={"text": "I am here"}, headers=BY_HTMX)
    assert who(ann, path) == ["Ann here", "Ben here"]


def test_new_players_form_makes_anonymous_streams_identify(table, presence):
    path, (ann, ben) = table("Ann", "Ben")
    code = path.removeprefix("/t/")
    presence.later(91)
    before = presence.namings(code)
    for person in (ann, ben):
        person.open(path)
    say(ann, path, "I am here")
    assert presence.namings(code) == before
    presence.later(91)
    ann.client.post(f"{path}/talk", data={"text": "again"}, headers=BY_HTMX)
    assert presence.namings(code) == before + 1


def test_nameless_stream_ends_when_a_player_gets_a_name(app, table, presence):
    path, _ = table("Ann", "Ben")
    code = path.removeprefix("/t/")
    stranger = Watcher("", "-somebody", presence.namings(code))
    with app.test_request_context(path):
        (seen,) = seen_by(app, app.config["TABLES"], presence, code, [stranger])
        assert seen is not None
        presence.named(code)
        assert seen_by(app, app.config["TABLES"], presence, code, [stranger]) == [None]


def test_presence_marks_bots_and_counts_spectators(table, presence, browser):
    path, (ann,) = table("Ann", ready=False)
    ann.open(path)
    ann.press("Add a bot")
    assert [line.split()[-1] for line in who(ann, path)] == ["here", "bot"]
    cid = browser()
    cid.open(path)
    assert len(who(ann, path)) == 2, "a visitor without a name leaves no trace by watching"
    say(cid, path, "hello", name="Cid")
    assert who(ann, path)[-1] == "1 is watching"
    presence.stream(path.removeprefix("/t/"), "-somebody")
    assert who(ann, path)[-1] == "2 are watching"
    assert who(cid, path)[-1] == "2 are watching"


def test_only_seated_players_count_as_dealt_in(app, table, browser, service):
    path, (ann, ben) = table("Ann", "Ben", ready=False)
    cid = browser()
    say(cid, path, "hello", name="Cid")

    def dealt():
        found = []
        for person in (ann, cid):
            key = hash_of(person.client.get_cookie("kb").value)
            with app.test_request_context(path):
                found.append(room_of(service, service.get(path[3:], key)).dealt)
        return found

    assert dealt() == [False, False]
    ben.open(path)
    ben.client.post(f"{path}/ready")
    ann.client.post(f"{path}/start")
    assert dealt() == [True, False]


@pytest.mark.parametrize(("count", "told"), [(0, 0), (20, 20), (21, 20), (23, 21), (200, 43)])
def test_few_spectators_are_counted_exactly_and_many_roughly(count, told):
    assert roughly(count) == told


def test_crowd_change_by_a_tenth_refreshes_pages(app, table, presence):
    path, _ = table("Ann", "Ben")
    code, service = path.removeprefix("/t/"), app.config["TABLES"]
    numbers = []
    with app.app_context():
        for count in range(500):
            presence.stream(code, f"-{count}")
            numbers.append(room_number(service, service.get(code, ""), presence.at(code)))
    assert len(set(numbers[:20])) == 20
    assert 20 < len(set(numbers[20:])) < 40
    assert numbers[-1] not in numbers[:450]


def test_json_request_marks_player_present(app, table, presence):
    path, (ann, _) = table("Ann", "Ben")
    code = path.removeprefix("/t/")
    player = app.config["TABLES"].get(code, hash_of(ann.client.get_cookie("kb").value)).player
    presence.gone(code, player)
    ann.client.get(f"{path}.json")
    assert player in presence.here(code)


def test_stream_marks_a_viewer_present_until_it_ends(table, presence, browser, short_streams):
    path, (ann, _) = table("Ann", "Ben")
    code = path.removeprefix("/t/")
    presence.later(91)
    stream = ann.client.get(f"{path}/events").text
    assert re.findall(r"event:(\w+)", stream) == ["table", "room", "bye"]
    assert presence.here(code)
    answer = browser().client.get(f"{path}/events", buffered=False)
    assert presence.at(code).nameless == 1
    answer.close()
    assert presence.at(code).nameless == 0


def test_password_table_hides_its_chat_from_strangers(app, browser):
    ann, eve = browser(), browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="a good password")
    path = "/t/" + tables_of(app.config["TABLES"], _key_hash(ann))[0].code
    say(ann, path, "among us")
    for address in ("room", "talk", "events"):
        assert eve.client.get(f"{path}/{address}").status_code == 403
    for address in ("talk", "talk/delete", "talk/mute", "talk/unmute", "watching", "call"):
        assert eve.client.post(f"{path}/{address}").status_code == 403
    assert who(ann, path) == ["Ann here"]


def test_admitted_stranger_gives_a_name_to_chat(app, browser):
    ann, eve = browser(), browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="a good password")
    path = "/t/" + tables_of(app.config["TABLES"], _key_hash(ann))[0].code
    eve.open(path)
    eve.send(eve.page.form("/enter"), password="a good password")
    eve.open(f"{path}/talk")
    eve.send(eve.page.form("/talk"), name="", text="hello")
    assert eve.status == 422
    eve.send(eve.page.form("/talk"), name="Eve", text="hello")
    say(eve, path, "again")
    assert lines(ann, path) == ["Eve (watching): hello", "Eve (watching): again"]


# Watching


def test_delay_notice_is_for_delayed_spectators_only(browser, app, fake_clock):
    ann, eve = browser(), browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", watch="5", bots="1")
    path = "/t/" + tables_of(app.config["TABLES"], _key_hash(ann))[0].code
    ann.open(path)
    ann.send(ann.page.form("/start"))
    fake_clock.sleep(301)
    late = "You see this match as it was 5 minutes ago."
    for person, told in ((eve, True), (ann, False)):
        person.open(path)
        assert (late in person.page.text) == told


def test_watching_is_set_at_the_start_and_by_the_host_later(browser, app):
    ann, ben = browser(), browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", watch="5", bots="1")
    service = app.config["TABLES"]
    path = "/t/" + tables_of(service, _key_hash(ann))[0].code
    code = path.removeprefix("/t/")
    assert service.get(code).table.watch == 5
    ann.open(f"{path}/talk")
    form = ann.page.form("/watching")
    assert form.hidden["watch"] == "5"
    ann.send(form, watch=str(WATCHED_BY_NOBODY))
    assert service.get(code).table.watch == WATCHED_BY_NOBODY
    ann.send(form, watch="7")
    assert ann.status == 422
    assert ben.client.post(f"{path}/watching", data={"watch": "0"}).status_code == 403
    assert service.get(code).table.watch == WATCHED_BY_NOBODY


def test_stranger_at_a_closed_match_is_told_that_it_is_running(table, browser, app):
    path, _ = table("Ann", "Ben")
    service = app.config["TABLES"]
    let_watch(
        service, path.removeprefix("/t/"), service.get(path[3:]).table.host, WATCHED_BY_NOBODY
    )
    eve = browser()
    eve.open(path)
    assert eve.status == 200
    assert "A match is being played at this table" in eve.page.text
    assert "Ann" not in eve.page.text
    assert not eve.page.moves()
    assert who(eve, path) == []


def pages(app, path, every):
    """Return a table's pages and its stream as sent to a player without a seat.

    With `every`, all pages, otherwise those that change during a match.
    """
    answers = {}
    client = app.test_client(use_cookies=False)
    for rule in app.url_map.iter_rules():
        if rule.arguments == {"code"} and "GET" in rule.methods and rule.rule.startswith("/t/"):
            address = rule.rule.replace("<code>", path[3:])
            if address.endswith("/wait"):
                continue  # it holds the request until there is news, and then is the page
            if not every and address not in (path, f"{path}/events", f"{path}/room"):
                continue
            answer = client.get(address)
            body = re.sub(rb'retry"?:\d+', b"", answer.data)
            headers = [(name, value) for name, value in answer.headers if name != "Date"]
            answers[address] = (answer.status_code, headers, body)
            answer.close()
    return answers


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_delayed_view_is_unchanged_by_later_events(
    key, app, service, presence, fake_clock, short_streams, monkeypatch
):
    """A moment is viewed twice: while it is the latest, and after more moves."""
    # Random values in forms are new on each page.
    monkeypatch.setattr("kaboom.web.session.secrets.token_urlsafe", lambda size: "k" * 22)
    game, minutes = GAMES[key], 30
    seats = min(game.seats(game.options()))
    played = positions(service, game, seats, 3, most=24, every=1)
    kept, compared, different = [], 0, set()
    for snapshot, ids in played:
        path = f"/t/{snapshot.code}"
        if not kept:
            let_watch(service, snapshot.code, ids[0], minutes)
        now, every = fake_clock.time, len(kept) % 8 == 0
        for at, shown in kept[-1:]:
            if at < now < at + 60 * minutes:
                fake_clock.time = at + 60 * minutes
                assert pages(app, path, len(shown) > 3) == shown
                compared += 1
        fake_clock.time = now + 60 * minutes
        shown = pages(app, path, every)
        different.add(shown[path][2])
        kept.append((now, shown))
        fake_clock.time = now + 1
    assert compared >= 10
    assert len(different) > 5, "the moments all look the same, so this proves little"


def test_private_move_does_not_change_the_public_revision(table, app, service):
    path, people = table("Ann", "Ben", game="gops")
    snapshot = service.get(path[3:])
    numbers = [_room_n(person, path) for person in people]
    press_at_random(service, snapshot, snapshot.table.seats, Rng(bytes(32), 1, "presses"))
    assert [_room_n(person, path) for person in people] == numbers


def _room_n(person, path):
    return re.search(r'name="n" value="(\d+)"', person.client.get(f"{path}/room").text).group(1)


# Notifications and settings


def test_player_enters_and_removes_a_webhook_url(table, browser):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(f"{path}/talk")
    ann.send(ann.page.form("/call"), address="https://hook.example.org/x")
    assert ann.page.form("/call").hidden["address"] == "https://hook.example.org/x"
    for bad in ("http://example.org/", "https://127.0.0.1/", "https://[::1]/", "nonsense"):
        ann.send(ann.page.form("/call"), address=bad)
        assert ann.status == 422
        assert "cannot be used" in ann.page.text
    ann.open(f"{path}/talk")
    assert ann.page.form("/call").hidden["address"] == "https://hook.example.org/x"
    ann.send(ann.page.form("/call"), address="")
    assert ann.page.form("/call").hidden["address"] == ""
    cid = browser()
    say(cid, path, "hello", name="Cid")
    with pytest.raises(LookupError):
        cid.page.form("/call")
    assert cid.client.post(f"{path}/call", data={"address": ""}).status_code == 403


def test_alert_links_to_the_site_url_the_player_used(table, service):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(f"{path}/talk")
    ann.send(ann.page.form("/call"), address="https://hook.example.org/x")
    snapshot = service.get(path[3:])
    (called,) = due(service, snapshot.code, snapshot.table.host)
    assert said(called, called.base) == Said(
        "Kaboom", "Ann, it is your turn", f"http://localhost{path}"
    )


@pytest.mark.parametrize(
    ("address", "shape", "named"),
    [
        ("https://discord.com/api/webhooks/1/x", "", "Discord"),
        ("https://hooks.slack.com/services/T/B/x", "", "Slack"),
        ("https://ntfy.sh/ann", "", "ntfy"),
        ("https://hookshot.example.org/webhook/x", "", "Matrix"),
        ("https://hook.example.org/x", "", "plain JSON"),
        ("https://chat.example.org/hooks/x", "slack", "Slack"),
    ],
)
def test_page_names_the_detected_service_of_a_webhook_url(address, shape, named, table):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(f"{path}/talk")
    ann.send(ann.page.form("/call"), address=address, shape=shape)
    assert f"Sent in the format of {named}" in ann.page.text
    assert ann.page.form("/call").hidden["shape"] == shape


def test_unknown_webhook_service_is_refused_in_a_sentence(table):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(f"{path}/talk")
    form = {"address": "https://hook.example.org/x", "shape": "pigeon"}
    answer = ann.client.post(f"{path}/call", data=form)
    assert answer.status_code == 422
    assert "That service is not available." in answer.text


def test_alert_is_in_the_recipients_language(table, service):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(f"{path}/talk")
    settle(ann, language="sw")
    ann.open(f"{path}/talk")
    ann.send(ann.page.form("/call"), address="https://discord.com/api/webhooks/1/x")
    snapshot = service.get(path[3:])
    (called,) = due(service, snapshot.code, snapshot.table.host)
    speak_in(language(called.language))
    assert (called.kind, said(called, called.base).text) == (
        "discord",
        "Ann, ni zamu yako",
    )
    speak_in(ENGLISH)


@pytest.mark.parametrize(("choice", "script"), [("", False), ("notice", True)])
def test_notification_script_is_loaded_only_if_chosen(choice, script, table):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(path)
    settle(ann, turn=choice)
    ann.open(path)
    assert ("turn.js" in ann.html) == script
    assert ('id="allow"' in ann.html) == script
    assert ("turn", choice) in ann.open("/settings").form("/settings").ticked


def test_icon_and_title_show_whose_turn_it_is(table):
    path, people = table("Ann", "Ben", game="karata")
    turns = []
    for person in people:
        person.open(path)
        icon = re.search(r'id="icon" href="([^"]*)"', person.html).group(1)
        own = "circle" in icon
        assert own == person.page.title.startswith("Your turn") == ("data-turn" in person.html)
        turns.append(own)
    assert sorted(turns) == [False, True]


def test_latest_phrase_is_shown_at_its_avatar():
    def said(number, seat, at, phrase=True, match=2):
        return ChatMessage(number, "Ann", "Hello!", at, phrase=phrase, seat=seat, match=match)

    lines = [
        said(1, 0, 91.9),  # too old
        said(2, 1, 95.0),
        said(3, 1, 96.0),
        said(4, 2, 99.0, phrase=False),  # typed
        said(5, None, 99.0),  # a spectator's
        said(6, 3, 99.0, match=1),  # about the match before
    ]
    assert [it.number for it in just_said(lines, match=2, now=100.0)] == [3]
