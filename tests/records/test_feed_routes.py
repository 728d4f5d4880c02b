"""The results feed as a page and as Atom; players who do not share change no byte of either."""

import gzip
import hashlib
import re
from dataclasses import replace

import feedparser
import pytest
from sqlalchemy import insert

from kaboom.accounts import players
from kaboom.accounts.erase import erase
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records import feed
from kaboom.records import feed_routes as page
from kaboom.social.friends import service as friends_service
from kaboom.tables import models, start_match
from kaboom.tables.maintenance.interventions import stop
from tests.support.finished_matches import finish

DAN = "key of Dan"


def key_of(name):
    return hashlib.sha256(f"key of {name}".encode()).hexdigest()


def friends(tables, ids, one, other):
    friends_service.take_link(tables, friends_service.new_link(tables, key_of(one)), ids[other])


def played(tables, ids, *names, bots=0, end=finish):
    options = GAMES["gops"].options(players=len(names) + bots)
    code = lobby.open(tables, "gops", options, ids[names[0]], names[0], bots)
    for name in names[1:]:
        lobby.sit(tables, code, ids[name], name)
    start_match.start(tables, code, ids[names[0]])
    end(tables, code)
    return tables.get(code).table.record


@pytest.fixture
def ids(service):
    """Ann, who shares, is a friend of Dan's; Ben also shares, and is only Ann's friend."""
    found = {name: players.player(service, key_of(name), name)[0] for name in ("Ann", "Ben", "Dan")}
    friends(service, found, "Ann", "Dan")
    friends(service, found, "Ann", "Ben")
    for name in ("Ann", "Ben"):
        feed.share(service, key_of(name), True)
    return found


@pytest.fixture
def dan(browser):
    person = browser()
    person.client.set_cookie("kb", DAN)
    return person


def secret_of(dan):
    dan.open("/feed")
    dan.press("Create a secret address")
    return re.search(r'value="[^"]*(/feed/[\w-]+\.atom)"', dan.html)[1]


def test_feed_page_lists_places_day_by_day(service, ids, dan, fake_clock):
    first = played(service, ids, "Ann", "Dan", bots=1)
    fake_clock.sleep(86_400)
    played(service, ids, "Ann", "Ben", end=stop)
    dan.open("/account")
    assert ("/feed", "Results") in dan.page.links
    dan.open("/feed")
    text = " ".join(dan.page.text.split())
    assert "GOPS Ann, no winner; with 1 other" in text
    assert re.search(r"GOPS (won|place [23]|no winner) .*You \d+", text) and "Ann" in text
    records = [link for link, _ in dan.page.links if link.startswith("/m/")]
    assert records == [f"/m/{first}"]  # all its players are named
    assert len(re.findall(r"<h2>\w+ \d", dan.html)) == 2


def test_player_chooses_who_sees_their_results(ids, dan, browser):
    dan.open("/feed")
    assert "Only you. If you like" in dan.page.text
    dan.press("Show friends and clubs my results")
    assert "Your friends, and members of a club" in dan.page.text
    dan.press("Hide my results")
    assert "Only you. If you like" in dan.page.text
    stranger = browser()
    stranger.open("/feed")
    assert "This browser has not played yet" in stranger.page.text
    assert stranger.client.post("/feed", data={"do": "share"}).status_code == 403


def test_feed_has_a_secret_url_that_is_shown_once(service, ids, dan, browser):
    record = played(service, ids, "Ann", "Dan")
    played(service, ids, "Ann", "Ben", end=stop)
    address, reader = secret_of(dan), browser().client
    dan.open("/feed")
    assert address not in dan.html
    answer = reader.get(address)
    assert answer.mimetype == "application/atom+xml"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert address.encode() not in answer.data
    found = feedparser.parse(answer.data)
    assert not found.bozo
    assert [it.title.partition(":")[0] for it in found.entries] == ["GOPS", "GOPS"]
    assert [it.link for it in found.entries] == [
        "http://localhost/feed",  # not all players are named
        f"http://localhost/m/{record}",
    ]
    assert {it.updated[10:] for it in found.entries} == {"T00:00:00Z"}  # dates, not times
    again = feedparser.parse(reader.get(address).data)
    assert [it.id for it in again.entries] == [it.id for it in found.entries]
    assert len({it.id for it in found.entries}) == 2
    assert reader.get(address.replace(".atom", "x.atom")).status_code == 404
    dan.open("/feed")
    dan.press("Remove the address")
    assert reader.get(address).status_code == 404


def test_a_match_its_players_hide_leaves_page_and_feed_at_once(service, ids, dan, app, browser):
    record = played(service, ids, "Ann", "Ben", end=stop)
    address, reader = secret_of(dan), browser().client
    for hidden, count in ((True, 0), (False, 1)):
        app.config["LIBRARY"].hide(record, key_of("Ben"), hidden)
        dan.open("/feed")
        assert dan.page.text.count("no winner") == count
        assert len(feedparser.parse(reader.get(address).data).entries) == count


def test_markup_in_a_name_is_text(service, ids, dan, browser):
    ids["<b>&"] = ids["Ann"]
    played(service, ids, "<b>&", "Ben", end=stop)
    dan.open("/feed")
    assert "&lt;b&gt;&amp;" in dan.html
    (entry,) = feedparser.parse(browser().client.get(secret_of(dan)).data).entries
    assert "&lt;b&gt;&amp;" in entry.title or "<b>&" in entry.title


def as_told(dan, address):
    return dan.client.get("/feed").data, dan.client.get(address).data


OTHERS = {
    "a stranger": lambda service, ids: None,
    "a friend": lambda service, ids: friends(service, ids, "Zoe", "Dan"),
    "blocked": lambda service, ids: friends_service.block(service, ids["Dan"], ids["Zoe"]),
    "who blocks": lambda service, ids: friends_service.block(service, ids["Zoe"], ids["Dan"]),
    "forgotten": lambda service, ids: None,
    "Yolanda": lambda service, ids: None,
}


def test_feed_is_unchanged_by_a_player_who_does_not_share(app, service, ids, dan):
    """The same matches with a player who does not share, whatever their relation to the reader."""
    address = secret_of(dan)
    called = "Zoe"
    ids["Zoe"] = players.player(service, key_of("Zoe"), called)[0]
    played(service, ids, "Ann", "Zoe", end=stop)
    seen = {"as it was": as_told(dan, address)}
    for other, done in OTHERS.items():
        done(service, ids)
        if other == "Yolanda":
            service.database.write(
                lambda c: c.exec_driver_sql(
                    "UPDATE matches SET names = replace(names, 'Zoe', 'Yolanda')"
                )
            )
        if other == "forgotten":
            erase(app.config["TABLES"], key_of("Zoe"))
        seen[other] = as_told(dan, address)
    assert len(set(seen.values())) == 1, [name for name in seen if seen[name] != seen["as it was"]]
    assert b"1 other" in seen["a friend"][0]
    before = seen["as it was"]
    ids["Zoe"] = players.player(service, key_of("Zoe 2"), "Zoe")[0]
    feed.share(service, key_of("Zoe 2"), True)
    friends_service.take_link(
        service, friends_service.new_link(service, key_of("Zoe 2")), ids["Dan"]
    )
    played(service, ids, "Zoe", bots=1, end=stop)  # control: one who shares changes it
    assert as_told(dan, address) != before


def test_page_and_feed_of_200_results_are_small(app, service, ids, dan, fake_clock):
    """On the page and in the feed, as sent."""

    def many(connection):
        (row,) = connection.exec_driver_sql("SELECT * FROM matches").mappings()
        (seat,) = connection.exec_driver_sql(
            f"SELECT * FROM parts WHERE player_id = {ids['Dan']}"
        ).mappings()
        for number in range(2, 201):
            match = {**row, "id": 1000 + number, "number": number, "code": f"M{number:07}"}
            part = {**seat, "match_id": 1000 + number, "place": number % 3}
            connection.execute(insert(models.matches), match)
            connection.execute(insert(models.match_players), part)

    played(service, ids, "Dan", "Ann", bots=1, end=stop)
    service.database.write(many)
    packed = dan.client.get("/feed", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data).count(b"GOPS") >= feed.MOST
    assert len(packed.data) <= 20_000
    address, path, seen = secret_of(dan), "", []
    while path is not None:  # a reader without compression
        answer = dan.client.get(f"{address}{path}")
        assert len(answer.data) <= 20_000
        found = feedparser.parse(answer.data)
        seen += [it.id for it in found.entries]
        path = next((it.href for it in found.feed.links if it.rel == "next"), None)
    assert len(set(seen)) == len(seen) == feed.MOST
    assert dan.client.get(f"{address}?page=4").status_code == 200
    for wrong in ("0", "-1", "x", "²", "9" * 40):
        assert dan.client.get(f"{address}?page={wrong}").status_code in (200, 404)


@pytest.mark.parametrize(
    ("place", "of_ann", "of_me"),
    [
        (1, "Ann won", "you won"),
        (2, "Ann finished in place 2", "you finished in place 2"),
        (None, "Ann", "you"),
    ],
)
def test_result_describes_how_each_player_did(place, of_ann, of_me):
    assert page._placed(feed.Place("Ann", place, me=False)) == of_ann
    assert page._placed(feed.Place("Ann", place, me=True)) == of_me


ANN, ME = feed.Place("Ann", None, me=False), feed.Place("Zoe", None, me=True)


@pytest.mark.parametrize(
    ("named", "others", "bots", "sentence"),
    [
        ((ANN, ME), 0, 0, "Ann and you, no winner"),
        ((ME,), 1, 0, "you, no winner; with 1 other"),
        (
            (replace(ANN, place=1), replace(ME, place=2)),
            0,
            0,
            ("Ann won and you finished in place 2"),
        ),
        ((replace(ME, place=1), ANN), 2, 1, "you won and Ann; with 2 others and 1 bot"),
        ((replace(ANN, place=3),), 0, 3, "Ann finished in place 3; with 3 bots"),
    ],
)
def test_result_names_consenting_players_and_counts_others(named, others, bots, sentence):
    assert page.told(feed.Result(1, "gops", 0.0, named, others, bots, "")) == sentence
