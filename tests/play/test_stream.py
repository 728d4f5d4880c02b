"""Open pages are sent what they would fetch: the same bytes, for spectators drawn once for all."""

from collections import Counter
from itertools import cycle

import pytest
from backports import zstd
from flask import g, has_request_context, request
from prometheus_client import REGISTRY
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from kaboom.accounts.api_keys import service as program_keys
from kaboom.db.encryption import hash_of
from kaboom.engine.i18n import ENGLISH, spoken_now
from kaboom.engine.rng import Chance
from kaboom.games import GAMES
from kaboom.play import stream as sent_views
from kaboom.realtime.stream import EventStream, look_for
from kaboom.tables.maintenance.cleanup import stop
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.api.scopes import Scope
from kaboom.web.session import PASSED
from tests.support.browsing import BY_HTMX
from tests.support.effort import often
from tests.support.random_players import key_at, positions, press_at_random

PACKED = {"Accept-Encoding": "gzip, deflate, br, zstd"}

# Whoever watches, by what their browsers send.
WATCHING = [
    {},
    {"Accept-Language": "sw"},
    {"Accept-Language": "fr, ar;q=0.5", "Cookie": "kb-read=7"},
    {"Cookie": "kb-settings=language=ar&sound=2&confirm=0&keys=1&grids=turned; kb-tips=gops"},
    {"Cookie": "kb-settings=language=auto&sound=0&look=dark"},
]


# And players.
PLAYING = [
    {},
    {"Accept-Language": "sw", "Cookie": "kb-settings=confirm=0&sound=1"},
    {"Cookie": "kb-settings=language=fr; kb-tips=gops&taken.sixth&kaboom&karata&koth"},
]


def with_key(sent, key):
    return {**sent, "Cookie": f"kb={key}; {sent.get('Cookie', '')}".rstrip("; ")}


@pytest.fixture
def listen(app):
    """A function: the stream of whoever sends these headers, after its first message."""
    opened = []

    def begun(path, sent=(), query="views=1"):
        headers = Headers({**PACKED, **dict(sent)})
        asked = EnvironBuilder(f"{path}/events", query_string=query, headers=headers)
        said = []
        stream = app(asked.get_environ(), lambda *given: said.append(given))
        assert isinstance(stream, EventStream), said
        opened.append(stream)
        first = stream.begun()
        assert dict(said[0][1]).get("Content-Encoding", "") == ("zstd" if packed(first) else "")
        assert b"event:table" in unpacked(first), "a page is told the number first"
        return stream

    yield begun
    for each in opened:
        each.close()


def packed(message):
    return message.startswith(b"\x28\xb5\x2f\xfd")


def unpacked(messages):
    """Return messages without their packing, each of which must be whole by itself."""
    text = b""
    while packed(messages):
        frame = zstd.ZstdDecompressor()
        text += frame.decompress(messages)
        assert frame.eof
        messages = frame.unused_data
    return text + messages


def came(*streams):
    """Let streams look together; return what came over each."""
    looks = look_for(streams)
    return [unpacked(s.heard(look)).decode() for s, look in zip(streams, looks, strict=True)]


def shown(messages):
    """Return the number and the HTML of the one view among messages, or None."""
    for message in messages.split("\n\n"):
        fields = [line.partition(":")[::2] for line in message.split("\n") if line]
        if fields and "event" not in dict(fields):
            return dict(fields)["id"], "\n".join(text for name, text in fields if name == "data")
    return None


def cookies_of(person):
    cookie = person.client.get_cookie("kb")
    return f"kb={cookie.value}" if cookie else ""


@pytest.fixture
def fetched(app):
    """A function: what a spectator's page fetches."""

    def fetched(path, sent=()):
        headers = Headers({"HX-Request": "true", **dict(sent)})
        return app.test_client(use_cookies=False).get(f"{path}/view?v=0", headers=headers).text

    return fetched


@pytest.fixture
def named(browser, table):
    """Somebody with a name, from another table."""
    _, (eve, _) = table("Eve", "Fay", ready=False)
    return {"Cookie": cookies_of(eve)}


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_sent_is_what_would_be_fetched(service, listen, fetched, named, game):
    """To spectators, and to players, each of whom asks with other settings."""
    played, streams, sent = GAMES[game], [], Counter()
    seats = max(2, played.seats(played.options())[0])
    playing = [with_key(each, key_at(n)) for n, each in zip(range(seats), cycle(PLAYING))]
    watchers = [*WATCHING, named, *playing]
    for snapshot, _ in positions(service, played, seats, 1, often(60, 2000), every=1):
        path = f"/t/{snapshot.code}"
        if not streams:
            service.change(path[3:], hosted_by(service, path, named))
            streams = [listen(path, each) for each in watchers]
        for number, messages in enumerate(came(*streams)):
            if (found := shown(messages)) is not None:
                page = fetched(path, watchers[number])
                # What is empty at the end of a message does not come, and HTML does not mind.
                assert found[1].rstrip() == page.rstrip(), watchers[number]
                assert f'id="ver" name="v" value="{found[0]}"' in page
                sent[number] += 1
        if min(sent[number] for number in range(len(watchers))) >= often(5, 1000):
            return
    assert min(sent[number] for number in range(len(watchers))) > 2, "hardly anything was sent"


def hosted_by(service, path, named):
    """Return a change: a spectator is the table's host, and was shown out; neither is shown."""
    player = service.look(path[3:], hash_of(named["Cookie"][3:])).player

    def work(transaction):
        transaction.table.host, transaction.table.shown_out = player, [player]

    return work


@pytest.fixture
def goes_on(service):
    """A function: people play until their spectators see something new."""

    def goes_on(path):
        before = service.look(path[3:]).table.revision(None)
        for _ in range(40):
            snapshot = service.look(path[3:])
            if snapshot.table.revision(None) != before:
                return
            chance = Chance(bytes(32), snapshot.version, "presses")
            press_at_random(service, snapshot, snapshot.table.seats, chance)
        raise AssertionError("nothing happens")

    return goes_on


def test_a_view_is_drawn_once_for_all_who_see_the_same(table, listen, goes_on, named, monkeypatch):
    path, _ = table("Ann", "Ben")
    streams = [listen(path, sent) for sent in (*[{}] * 5, named, *WATCHING[1:3])]
    drawn = []
    draw = sent_views._drawn
    monkeypatch.setattr(sent_views, "_drawn", lambda *given: drawn.append(given) or draw(*given))
    goes_on(path)
    views = [shown(messages)[1] for messages in came(*streams)]
    assert len(drawn) == len(set(views)) == 3  # languages
    assert not any(map(shown, came(*streams))), "and sent once"


def test_nothing_that_was_drawn_before_reaches_the_next_view(table, listen, goes_on, monkeypatch):
    """Those who see alike are drawn in one request, each as if nothing had been asked of it."""
    path, people = table("Ann", "Ben", "Cid")
    players = [{"Cookie": cookies_of(person)} for person in people]
    streams = [listen(path, sent) for sent in (*players, WATCHING[1])]
    requests, known = [], set()
    draw = sent_views._drawn

    def drawn(snapshot):
        requests.append(request._get_current_object())
        known.update(g)
        g.left_behind = snapshot.player
        return draw(snapshot)

    monkeypatch.setattr(sent_views, "_drawn", drawn)
    goes_on(path)
    came(*streams)
    ann, ben, cid, spectator = requests
    assert ann is ben is cid is not spectator
    assert known == {"settings", "tips"}
    assert not has_request_context() and spoken_now() is ENGLISH


def test_who_is_told_a_number_instead(app, table, listen, goes_on, browser, service):
    """Who takes no such packing, shares a browser, plays by a program, or did not ask for views."""
    path, people = table("Ann", "Ben")
    key = cookies_of(people[0])
    player = service.look(path[3:], hash_of(key[3:])).player
    program = program_keys.make(service, player, "bot", {Scope.LOOK})
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


def test_a_browser_that_several_share_is_sent_nobodys_view(table, listen, goes_on, browser):
    path, _ = table("Ann", "Ben")
    watching = f"kb={'k' * 43}; {PASSED}{path[3:]}=0.{'x' * 43}"  # neither sits here
    stream = listen(path, {"Cookie": watching})
    goes_on(path)
    assert came(stream)[0].count("event:table") == 1


def test_who_is_shut_out_is_sent_no_view_any_more(table, listen, goes_on, service):
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
    assert came(stream) == [""], "not even that something happened"


def test_who_sits_down_is_sent_their_own_view(going, listen, goes_on, service, named, fetched):
    path, _ = going
    stream = listen(path, named)
    eve = service.look(path[3:], hash_of(named["Cookie"][3:])).player

    def sits(transaction):
        transaction.table.chairs[1].player = eve

    service.change(path[3:], sits)
    goes_on(path)
    number, page = shown(*came(stream))
    assert page.rstrip() == fetched(path, named).rstrip() and int(number) % 16 == 2


@pytest.fixture
def going(table, goes_on):
    """A table of two some moves after the deal, and its people."""
    path, people = table("Ann", "Ben")
    for _ in range(6):
        goes_on(path)
    return path, people


def press(path, people):
    """Have whoever can press the last button of their page, by script; return who it was."""
    for person in people:
        if moves := person.open(path).moves():
            form, button = moves[-1]
            fields = {**dict(form.filled(button, form.boxes[:1])), "sure": "1"}
            answer = person.client.post(form.action, data=fields, headers=BY_HTMX)
            assert answer.status_code == 200, answer.text
            return person
    raise AssertionError("nobody can press anything")


def test_what_a_press_is_answered_with_is_not_sent_to_that_browser(going, listen):
    path, people = going
    streams = {it: listen(path, {"Cookie": cookies_of(it)}) for it in people}
    numbers = views = 0
    for _ in range(8):
        mover = press(path, people)
        for person, messages in zip(streams, came(*streams.values()), strict=True):
            numbers += "event:table" in messages
            views += bool(shown(messages))
            assert shown(messages) is None if person is mover else "event:table" not in messages
    assert numbers > 3 and views > 3


def test_a_view_that_comes_while_a_press_is_answered_is_not_sent(going, listen, goes_on, app):
    """What answers it may be older, and come later."""
    path, people = going
    key = cookies_of(people[0])
    stream, presses = listen(path, {"Cookie": key}), app.extensions["kaboom.presses"]
    presses.began(path[3:], hash_of(key[3:]))
    goes_on(path)
    assert shown(*came(stream)) is None
    presses.answered(path[3:], hash_of(key[3:]), None)
    goes_on(path)
    assert shown(*came(stream))


def test_after_a_refused_press_the_next_view_is_sent(going, listen, goes_on):
    path, people = going
    stream = listen(path, {"Cookie": cookies_of(people[0])})
    refused = {"move": "0123456789 nothing", "match": "1", "v": "7", "cmd": "x"}
    sent = BY_HTMX
    assert people[0].client.post(f"{path}/move", data=refused, headers=sent).status_code >= 400
    goes_on(path)
    assert shown(*came(stream))


@pytest.mark.parametrize(
    ("ending", "fields"),
    [
        ("/tip", {"read": "kaboom"}),
        ("/settings", {"confirm": "0"}),
    ],
)
def test_whoever_chose_something_fetches_until_the_next_stream_knows_it(
    going, listen, goes_on, ending, fields
):
    path, (ann, ben) = going
    streams = [listen(path, {"Cookie": cookies_of(it)}) for it in (ann, ben)]
    at = f"{path}{ending}" if ending == "/tip" else ending
    ann.client.post(at, data=fields)
    goes_on(path)
    hers, his = came(*streams)
    assert "event:table" in hers and shown(hers) is None and shown(his)
    again = listen(path, {"Cookie": cookies_of(ann)})
    goes_on(path)
    assert shown(*came(again))


def test_a_deal_is_fetched_by_players_whose_browser_is_to_remember_it(
    table, listen, goes_on, service
):
    path, people = table("Ann", "Ben")
    streams = [listen(path), listen(path, {"Cookie": cookies_of(people[0])})]
    goes_on(path)
    watching, playing = came(*streams)
    assert shown(watching) and "event:table" in playing and shown(playing) is None


def test_views_that_were_sent_are_counted(table, listen, goes_on):
    path, _ = table("Ann", "Ben")
    streams = [listen(path), listen(path), listen(path, query="")]
    before = REGISTRY.get_sample_value("kaboom_views_sent_total")
    goes_on(path)
    came(*streams)
    assert REGISTRY.get_sample_value("kaboom_views_sent_total") == before + 2


def test_late_spectators_are_sent_what_they_may_see_then(
    table, listen, goes_on, fetched, service, watch
):
    path, _ = table("Ann", "Ben")
    service.change(path[3:], lambda transaction: setattr(transaction.table, "watch", 1))
    streams = [listen(path), listen(path)]
    watch.sleep(30)
    goes_on(path)
    assert not any(map(shown, came(*streams)))
    watch.sleep(40)
    views = [shown(messages) for messages in came(*streams)]
    assert views[0] and views[0] == views[1]
    assert views[0][1].rstrip() == fetched(path).rstrip()


def test_after_the_match_everybody_fetches(table, listen, service):
    """Then a page has forms with a name in them."""
    path, _ = table("Ann", "Ben")
    stream = listen(path)
    stop(service, path[3:])
    (messages,) = came(stream)
    assert "event:table" in messages and shown(messages) is None


def test_a_view_that_cannot_be_drawn_is_fetched_and_no_stream_ends(
    table, listen, goes_on, monkeypatch, caplog
):
    path, _ = table("Ann", "Ben")
    streams = [listen(path), listen(path)]

    def fails(*_):
        raise RuntimeError("planted")

    monkeypatch.setattr(sent_views, "drawn_fragment", fails)
    goes_on(path)
    for messages in came(*streams):
        assert "event:table" in messages and "event:bye" not in messages
    assert caplog.text.count("cannot be drawn") == 1


def test_nothing_of_whoever_opened_the_stream_is_in_a_view(app, table, listen):
    """Not their key, their name, their address: it is drawn with nothing but its key."""
    path, _ = table("Ann", "Ben")
    sent = {"Cookie": f"kb={'k' * 43}; kb-settings=sound=1; kb-tips=gops", "X-Other": "1"}
    sight = listen(path, sent).viewer.sight
    assert dict(sight.environ).keys() <= set(sent_views.KEPT)
    again = listen(path, {"Cookie": "kb-tips=gops; kb-settings=sound=1"}).viewer.sight
    assert again is sight


def test_every_message_of_such_a_stream_is_packed(table, listen, app):
    path, _ = table("Ann", "Ben")
    shape = listen(path).shape
    for message in (
        shape.table(7, bytes, 500),
        shape.beat(7),
        shape.room(8),
        shape.bye(7, 900),
    ):
        assert packed(message) and unpacked(message).endswith(b"\n\n")
