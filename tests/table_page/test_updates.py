"""A page with updates applied equals a newly rendered page, byte for byte.

This holds for streamed, fetched and answered updates, in all games, for every viewer and language.
"""

from collections import Counter
from itertools import cycle

import pytest
from backports import zstd
from flask import g, has_request_context, request
from prometheus_client import REGISTRY
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from kaboom.accounts.api_keys import service as api_keys
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import ENGLISH, spoken_now
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.realtime.stream import EventStream, look_for
from kaboom.table_page import stream as streams_of_pages
from kaboom.table_page import updates
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.api.scopes import Scope
from kaboom.web.session import PASSED
from tests.support.browsing import BY_HTMX
from tests.support.effort import often
from tests.support.random_players import key_at, positions, press_at_random
from tests.support.updates import BY_PAGE, alike, applied, edition

PACKED = {"Accept-Encoding": "gzip, deflate, br, zstd"}

# Spectators, by the headers of their browsers.
WATCHING = [
    {},
    {"Accept-Language": "sw"},
    {"Accept-Language": "fr, ar;q=0.5", "Cookie": "kb-read=7"},
    {"Cookie": "kb-settings=language=ar&sound=2&confirm=0&keys=1&grids=turned; kb-tips=gops"},
    {"Cookie": "kb-settings=language=auto&sound=0&look=dark"},
]


# Players, likewise.
PLAYING = [
    {},
    {"Accept-Language": "sw", "Cookie": "kb-settings=confirm=0&sound=1&order=rank&high=right"},
    {"Cookie": "kb-settings=language=fr; kb-tips=gops&taken.sixth&kaboom&karata&koth"},
]


def with_key(sent, key):
    return {**sent, "Cookie": f"kb={key}; {sent.get('Cookie', '')}".rstrip("; ")}


@pytest.fixture
def listen(app, opened):
    """Return a function that opens a player's stream with these headers and reads its first
    message.
    """
    begun_streams = []

    def begun(path, sent=(), query="views=1"):
        opened(path, sent).drawn_anew()  # a deal is animated once
        headers = Headers({**PACKED, **dict(sent)})
        asked = EnvironBuilder(f"{path}/events", query_string=query, headers=headers)
        said = []
        stream = app(asked.get_environ(), lambda *given: said.append(given))
        assert isinstance(stream, EventStream), said
        begun_streams.append(stream)
        first = stream.begun()
        assert dict(said[0][1]).get("Content-Encoding", "") == ("zstd" if packed(first) else "")
        assert b"event:table" in unpacked(first), "a page receives the number first"
        return stream

    yield begun
    for each in begun_streams:
        each.close()


def packed(message):
    return message.startswith(b"\x28\xb5\x2f\xfd")


def unpacked(messages):
    """Return decompressed messages, each of which must be complete by itself."""
    text = b""
    while packed(messages):
        frame = zstd.ZstdDecompressor()
        text += frame.decompress(messages)
        assert frame.eof
        messages = frame.unused_data
    return text + messages


def came(*streams):
    """Let all streams update; return the messages of each."""
    looks = look_for(streams)
    return [unpacked(s.heard(look)).decode() for s, look in zip(streams, looks, strict=True)]


def shown(messages):
    """Return the editions before and after the one update among messages, and the update;
    or None.
    """
    for message in messages.split("\n\n"):
        fields = [line.partition(":")[::2] for line in message.split("\n") if line]
        if fields and "event" not in dict(fields):
            edition, before = dict(fields)["id"].split(" ")
            return edition, before, "\n".join(text for name, text in fields if name == "data")
    return None


def cookies_of(person):
    cookie = person.client.get_cookie("kb")
    return f"kb={cookie.value}" if cookie else ""


class Page:
    """An open page of a table, kept up to date like the page's script does."""

    def __init__(self, app, path, sent):
        self.client, self.path, self.sent = app.test_client(use_cookies=False), path, dict(sent)
        self.dealt = ""
        self.html = self.drawn_anew()

    def get(self, headers, **asked):
        cookie = "; ".join(filter(None, [self.sent.get("Cookie"), self.dealt]))
        sent = Headers({**headers, **self.sent, "Cookie": cookie, "Accept-Encoding": "identity"})
        answer = self.client.get(f"{self.path}/view", headers=sent, query_string=asked)
        for kept in answer.headers.getlist("Set-Cookie"):
            self.dealt = kept.partition(";")[0] if kept.startswith("kb-dealt") else self.dealt
        return answer

    def drawn_anew(self):
        """Return the page as rendered without caches, which this one then shows."""
        editions = self.client.application.extensions["kaboom.editions"]
        known = {**editions}
        editions.clear()
        anew = self.get(BY_HTMX).text
        for key in known:
            editions.setdefault(key, known[key])
        return anew

    def fetch(self):
        """Fetch the changes; return True if they were less than the whole page."""
        answer = self.get(BY_PAGE, v=edition(self.html))
        if answer.status_code == 204:
            return False
        self.html = applied(self.html, answer.text)
        return '<hx-partial id="table"' not in answer.text

    def hear(self, messages):
        """Apply the stream's update, or fetch one; return True if an update applied."""
        found = shown(messages)
        if found and found[1] == edition(self.html):
            self.html = applied(self.html, found[2])
            assert edition(self.html) == found[0]
            return True
        self.fetch()
        return False


@pytest.fixture
def opened(app):
    """Return a function that opens a page with these headers."""
    return lambda path, sent=(): Page(app, path, sent)


@pytest.fixture
def named(browser, table):
    """Return a player with a name, from another table."""
    _, (eve, _) = table("Eve", "Fay", ready=False)
    return {"Cookie": cookies_of(eve)}


@pytest.mark.parametrize("game", list(GAMES))
def test_applied_updates_give_the_bytes_of_a_fresh_page(service, listen, opened, named, game):
    """For spectators and players with different settings; every other one has no stream."""
    played, pages, streams, fitted = GAMES[game], [], [], Counter()
    seats = max(2, played.seats(played.options())[0])
    playing = [with_key(each, key_at(n)) for n, each in zip(range(seats), cycle(PLAYING))]
    watchers = [*WATCHING, named, *playing, *playing]
    for snapshot, _ in positions(service, played, seats, 1, often(60, 2000), every=1):
        path = f"/t/{snapshot.code}"
        if not pages:
            service.change(path[3:], hosted_by(service, path, named))
            pages = [opened(path, each) for each in watchers]
            streams = [listen(path, each) for each in watchers[:-seats]]
        heard = came(*streams)
        for number, page in enumerate(pages):
            by_stream = number < len(heard)
            fitted[number] += page.hear(heard[number]) if by_stream else page.fetch()
            if not edition(page.html).endswith("!"):  # a deal, which is animated once
                assert alike(page.html, page.drawn_anew()), (game, number)
        if min(fitted[number] for number in range(len(watchers))) >= often(5, 1000):
            return
    assert min(fitted[number] for number in range(len(watchers))) > 2, (
        "everything was sent each time"
    )


def test_cache_that_ignores_the_viewer_is_detected(service, opened, monkeypatch):
    """A planted fault: an edition identified by the view alone."""
    monkeypatch.setattr(updates, "_key", lambda snapshot, name: name.partition(".")[2])
    monkeypatch.setattr(updates, "_stamp", lambda snapshot: snapshot.version)
    different = 0
    for snapshot, _ in positions(service, GAMES["kaboom"], 2, 1, 60, every=1):
        for seat in range(2):
            page = opened(f"/t/{snapshot.code}", {"Cookie": f"kb={key_at(seat)}"})
            again = page.get(BY_HTMX).text  # after its deal was shown
            different += not alike(again, page.drawn_anew())
        if different:
            return
    raise AssertionError("another player's cards are taken for the viewer's own")


def hosted_by(service, path, named):
    """Return a change that is invisible in the view: a spectator is the table's host, and was
    removed.
    """
    player = service.get(path[3:], hash_of(named["Cookie"][3:])).player

    def work(transaction):
        transaction.table.host, transaction.table.shown_out = player, [player]

    return work


@pytest.fixture
def goes_on(service):
    """Return a function that plays until spectators see something new."""

    def goes_on(path):
        before = service.get(path[3:]).table.revision(None)
        for _ in range(40):
            snapshot = service.get(path[3:])
            if snapshot.table.revision(None) != before:
                return
            rng = Rng(bytes(32), snapshot.version, "presses")
            press_at_random(service, snapshot, snapshot.table.seats, rng)
        raise AssertionError("nothing happens")

    return goes_on


@pytest.fixture
def draws(monkeypatch):
    """Return the growing list of rendered pages."""
    pages, render = [], updates.rendered
    monkeypatch.setattr(updates, "rendered", lambda *given: pages.append(given) or render(*given))
    return pages


def test_update_is_rendered_once_per_language_for_spectators(table, listen, goes_on, named, draws):
    path, _ = table("Ann", "Ben")
    streams = [listen(path, sent) for sent in (*[{}] * 5, named, *WATCHING[1:3])]
    draws.clear()
    goes_on(path)
    sent = [shown(messages)[2] for messages in came(*streams)]
    assert len(draws) == len(set(sent)) == 3  # languages
    assert not any(map(shown, came(*streams))), "and sent once"


def test_response_to_a_press_is_not_rendered_again(going, listen, draws):
    path, people = going
    streams = [listen(path, {"Cookie": cookies_of(it)}) for it in people]
    draws.clear()
    press(path, people, BY_PAGE)
    came(*streams)
    assert len(draws) == len(people)


def test_viewers_of_the_same_view_share_one_rendering(table, listen, goes_on, monkeypatch):
    """Viewers of the same view share one rendering, as if each had made a plain request."""
    path, people = table("Ann", "Ben", "Cid")
    players = [{"Cookie": cookies_of(person)} for person in people]
    streams = [listen(path, sent) for sent in (*players, WATCHING[1])]
    requests, known = [], set()
    draw = streams_of_pages.new_deal

    def drawn(snapshot):
        requests.append(request._get_current_object())
        known.update(g)
        g.left_behind = snapshot.player
        return draw(snapshot)

    monkeypatch.setattr(streams_of_pages, "new_deal", drawn)
    goes_on(path)
    came(*streams)
    ann, ben, cid, spectator = requests
    assert ann is ben is cid is not spectator
    assert known == {"settings", "tips"}
    assert not has_request_context() and spoken_now() is ENGLISH


def test_some_viewers_get_a_revision_instead_of_a_view(
    app, table, listen, goes_on, browser, service
):
    """Clients without compression, in shared browsers, with API keys, or without views."""
    path, people = table("Ann", "Ben")
    key = cookies_of(people[0])
    player = service.get(path[3:], hash_of(key[3:])).player
    program = api_keys.make(service, player, "bot", {Scope.LOOK})
    shared = f"{key}; {PASSED}{path[3:]}=0.{cookies_of(people[1])[3:]}"
    streams = [
        listen(path, {"Cookie": shared}),
        listen(path, {"Authorization": f"Bearer {program}"}),
        listen(path, {"Accept-Encoding": "gzip, br"}),
        listen(path, {"Accept-Encoding": "gzip, zstd;q=0"}),
        listen(path, query=""),
    ]
    goes_on(path)
    for messages in came(*streams):
        assert "event:table" in messages and shown(messages) is None
        assert "<" not in messages


def test_shared_browser_is_sent_no_view(table, listen, goes_on, browser):
    path, _ = table("Ann", "Ben")
    watching = f"kb={'k' * 43}; {PASSED}{path[3:]}=0.{'x' * 43}"  # neither sits here
    stream = listen(path, {"Cookie": watching})
    goes_on(path)
    assert came(stream)[0].count("event:table") == 1


def test_excluded_viewer_is_sent_no_more_views(table, listen, goes_on, service):
    path, _ = table("Ann", "Ben")
    stream = listen(path)
    goes_on(path)
    assert shown(came(stream)[0])

    def shut(transaction):
        transaction.table.watch = WATCHED_BY_NOBODY

    service.change(path[3:], shut)
    (messages,) = came(stream)
    assert "event:table" in messages and shown(messages) is None
    goes_on(path)
    assert came(stream) == [""], "not even the fact that something happened"


def test_newly_seated_player_is_sent_their_own_view(going, listen, goes_on, service, named, opened):
    path, _ = going
    stream = listen(path, named)
    eve = service.get(path[3:], hash_of(named["Cookie"][3:])).player

    def sits(transaction):
        transaction.table.chairs[1].player = eve

    service.change(path[3:], sits)
    goes_on(path)
    page = opened(path, named)
    page.hear(*came(stream))
    assert alike(page.html, page.drawn_anew())
    assert int(edition(page.html).partition(".")[0]) % 16 == 2


@pytest.fixture
def going(table, goes_on):
    """Return a table of two some moves after the deal, and its people."""
    path, people = table("Ann", "Ben")
    for _ in range(6):
        goes_on(path)
    return path, people


def press(path, people, headers=BY_HTMX):
    """Let the player to move press the last button of their page, by script; return that player."""
    for person in people:
        if moves := person.open(path).moves():
            form, button = moves[-1]
            fields = {**dict(form.filled(button, form.boxes[:1])), "sure": "1"}
            shows = {"Kaboom-Shows": edition(person.html)}
            answer = person.client.post(form.action, data=fields, headers=shows | headers)
            assert answer.status_code == 200, answer.text
            person.answer = answer.text
            return person
    raise AssertionError("no player can press anything")


def test_response_to_a_press_is_a_page_update(going, opened):
    path, people = going
    parts = 0
    for _ in range(often(12, 200)):
        before = {person: opened(path, {"Cookie": cookies_of(person)}) for person in people}
        mover = press(path, people, BY_PAGE)
        page = before[mover]
        page.html = applied(page.html, mover.answer)
        assert alike(page.html, page.drawn_anew())
        parts += '<hx-partial id="table"' not in mover.answer
    assert parts > 8


def test_page_showing_something_extra_is_replaced_whole(going, opened, goes_on):
    """For example a refusal, which must not stay when the table changes."""
    path, people = going
    page = opened(path, {"Cookie": cookies_of(people[0])})
    wrong = {"move": "0123456789 nothing", "match": "1", "v": "7", "cmd": "x"}
    shows = {"Kaboom-Shows": edition(page.html)}
    refused = people[0].client.post(f"{path}/move", data=wrong, headers=BY_PAGE | shows)
    assert refused.status_code >= 400
    page.html = applied(page.html, refused.text)
    assert edition(page.html).endswith("!") and 'id="notice"' in page.html
    assert page.get(BY_PAGE, v=edition(page.html)).status_code == 204, "it may be read"
    goes_on(path)
    page.fetch()
    assert 'id="notice"' not in page.html and alike(page.html, page.drawn_anew())


@pytest.mark.parametrize("how", ["kb-settings=confirm=0&language=sw", "kb-tips=kaboom"])
def test_viewer_with_other_preferences_fetches_their_update(going, listen, goes_on, opened, how):
    path, (ann, _) = going
    stream = listen(path, {"Cookie": cookies_of(ann)})
    page = opened(path, {"Cookie": f"{cookies_of(ann)}; {how}"})
    goes_on(path)
    (messages,) = came(stream)
    assert shown(messages) and not page.hear(messages)
    assert alike(page.html, page.drawn_anew())


def test_forgotten_revision_is_replaced_as_a_whole(app, going, goes_on, opened):
    path, (ann, _) = going
    page = opened(path, {"Cookie": cookies_of(ann)})
    app.extensions["kaboom.editions"].clear()
    goes_on(path)
    assert not page.fetch() and alike(page.html, page.drawn_anew())


def test_number_of_remembered_editions_is_limited(going, goes_on, opened, monkeypatch, app):
    path, (ann, _) = going
    monkeypatch.setattr(updates, "MOST", 2)
    app.extensions["kaboom.editions"].clear()
    page = opened(path, {"Cookie": cookies_of(ann)})
    for _ in range(4):
        goes_on(path)
        page.fetch()
    assert len(app.extensions["kaboom.editions"]) == 2


def test_page_with_anothers_edition_gets_the_whole_table(going, opened, goes_on):
    path, (ann, ben) = going
    hers, his = (opened(path, {"Cookie": cookies_of(it)}) for it in (ann, ben))
    goes_on(path)
    answer = his.get(BY_PAGE, v=edition(hers.html)).text
    assert '<hx-partial id="table"' in answer


def test_page_from_before_an_upgrade_gets_the_whole_table(going, opened):
    path, (ann, _) = going
    page = opened(path, {"Cookie": cookies_of(ann)})
    answer = page.get({"HX-Request": "true", "HX-Target": "div#table"}, v="0").text
    assert answer == page.html and "hx-partial" not in answer


def test_deal_is_sent_to_spectators_and_fetched_by_players(table, listen, goes_on, service):
    path, people = table("Ann", "Ben")
    streams = [listen(path), listen(path, {"Cookie": cookies_of(people[0])})]
    goes_on(path)
    watching, playing = came(*streams)
    assert shown(watching) and "event:table" in playing and shown(playing) is None


def test_sent_views_are_counted(table, listen, goes_on):
    path, _ = table("Ann", "Ben")
    streams = [listen(path), listen(path), listen(path, query="")]
    before = REGISTRY.get_sample_value("kaboom_views_sent_total")
    goes_on(path)
    came(*streams)
    assert REGISTRY.get_sample_value("kaboom_views_sent_total") == before + 2


def test_delayed_spectators_are_sent_delayed_views(
    table, listen, goes_on, opened, service, fake_clock
):
    path, _ = table("Ann", "Ben")
    service.change(path[3:], lambda transaction: setattr(transaction.table, "watch", 1))
    streams = [listen(path), listen(path)]
    fake_clock.sleep(30)
    goes_on(path)
    assert not any(map(shown, came(*streams)))
    fake_clock.sleep(40)
    assert not any(map(shown, came(*streams))), "no player was shown the previous state"
    page = opened(path)
    goes_on(path)
    fake_clock.sleep(70)
    views = came(*streams)
    assert views[0] == views[1] and page.hear(views[0])
    assert alike(page.html, page.drawn_anew())


def test_all_viewers_fetch_after_the_match(table, listen, service):
    """Such a page has forms with a name field."""
    path, _ = table("Ann", "Ben")
    stream = listen(path)
    stop(service, path[3:])
    (messages,) = came(stream)
    assert "event:table" in messages and shown(messages) is None


def test_failed_rendering_is_fetched_and_ends_no_stream(
    table, listen, goes_on, monkeypatch, caplog
):
    path, _ = table("Ann", "Ben")
    streams = [listen(path), listen(path)]

    def fails(*_):
        raise RuntimeError("planted")

    monkeypatch.setattr(updates, "rendered", fails)
    goes_on(path)
    for messages in came(*streams):
        assert "event:table" in messages and "event:bye" not in messages
    assert caplog.text.count("could not render") == 1


def test_view_contains_nothing_of_the_stream_opener(app, table, listen):
    """The rendering has the viewer's key, but not their name or address."""
    path, _ = table("Ann", "Ben")
    sent = {"Cookie": f"kb={'k' * 43}; kb-settings=sound=1; kb-tips=gops", "X-Other": "1"}
    sight = listen(path, sent).viewer.sight
    assert dict(sight.environ).keys() <= set(updates.ADDRESS)
    again = listen(path, {"Cookie": "kb-tips=gops; kb-settings=sound=1"}).viewer.sight
    assert again is sight


def test_every_message_of_a_view_stream_is_compressed(table, listen, app):
    path, _ = table("Ann", "Ben")
    shape = listen(path).shape
    for kind in ("table", "beat", "room", "bye"):
        message = shape.says(kind, 7, bytes, 500)
        assert packed(message) and unpacked(message).endswith(b"\n\n")
