"""A deal that others are still playing: what each URL of its record reveals, and to whom."""

import pytest

from kaboom.daily import service as daily
from tests.challenges.test_routes import made, table_of
from tests.daily.test_service import NOON
from tests.support.browsing import befriend
from tests.support.finished_matches import finish

# Addresses that show more than the player's seat has seen, or continue from there.
WHOLE = ("record.verify", "record_files.record_file", "record_files.match_file")
VALUES = {"number": 3, "review": "AAAAAAAA"}


@pytest.fixture
def plays(service, fake_clock):
    """Return a function that presses a button at an address, finishes the match, and returns its
    record's code.
    """
    fake_clock.time = NOON
    daily.promise_ahead(service)

    def plays(person, at, button):
        person.open(at)
        person.press(button)
        code = table_of(person)
        finish(service, code)
        return service.get(code).table.record

    return plays


@pytest.fixture
def day(plays):
    """Return a function that plays the deal of the day, and returns the record's code."""
    return lambda person: plays(person, "/daily", "Play today’s deal")


@pytest.fixture
def addresses(app):
    """Return a function that yields every address of a record, with its endpoint."""

    def found(code):
        bound = app.url_map.bind("localhost")
        return [
            (rule.endpoint, bound.build(rule.endpoint, {"code": code, **_values(rule)}))
            for rule in app.url_map.iter_rules()
            if rule.rule.startswith("/m/<") and "GET" in rule.methods
        ]

    return found


def _values(rule):
    return {name: VALUES[name] for name in rule.arguments if name != "code"}


def answered(person, addresses):
    """Return the endpoints that do not refuse a player."""
    return {name for name, at in addresses if person.client.get(at).status_code != 404}


def test_open_deal_reveals_nothing_to_strangers(day, service, browser, addresses):
    ann, ben, zoe, cat = (browser() for _ in range(4))
    record = day(ann)
    at = addresses(record)
    assert len(at) >= 13
    ben.open("/daily")
    ben.press("Play today’s deal")  # not finished
    day(cat)  # finished, but not a friend of Ann's
    for someone in (zoe, ben, cat):
        assert answered(someone, at) == set()
        for form in ("play", "challenge", "hide", "review", "again"):
            answer = someone.client.post(f"/m/{record}/{form}", data={"name": "Zoe"})
            assert answer.status_code in (403, 404), form


def test_finishers_see_an_open_deal_from_its_one_seat_only(day, service, browser, addresses):
    ann, ben = browser(), browser()
    record = day(ann)
    day(ben)
    befriend(service, ann, ben)
    for reader in (ann, ben):
        seen = answered(reader, addresses(record))
        assert not seen & {*WHOLE} and "record.step" in seen and "record_files.step_json" in seen
        # Whatever viewpoint is requested, the answer shows what the seat saw.
        for at in (f"/m/{record}/3", f"/m/{record}/3.json", f"/m/{record}.txt"):
            answers = {
                reader.client.get(at, query_string=asked).get_data()
                for asked in ({}, {"seat": "1"}, {"seat": "watch"})
            }
            assert len({_without_eyes(it) for it in answers}) == 1, at
        assert reader.client.get(f"/m/{record}/3.json").json["open"] is False
        for form in ("play", "challenge"):
            answer = reader.client.post(f"/m/{record}/{form}", data={"name": "Zoe"})
            assert answer.status_code == 422, form


def _without_eyes(html):
    return html.replace(b"seat=1", b"").replace(b"seat=watch", b"").replace(b"seat=0", b"")


def test_casual_match_is_not_compared(day, plays, service, browser):
    ann, ben = browser(), browser()
    counted = day(ann)
    for_fun = plays(ann, "/daily", "Play it again, for fun")
    day(ben)
    befriend(service, ann, ben)
    assert ben.client.get(f"/m/{counted}/3").status_code == 200
    assert ben.client.get(f"/m/{for_fun}/3").status_code == 404
    assert ann.client.get(f"/m/{for_fun}/3").status_code == 200


def test_finishers_of_a_challenge_see_each_others_records(plays, service, browser, table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    finish(service, code)
    challenge = made(ann, f"/m/{service.get(code).table.record}")
    record = plays(ann, challenge, "Accept the challenge")
    for_fun = plays(ann, challenge, "Play it again, for fun")
    assert ben.client.get(f"/m/{record}/3").status_code == 404
    plays(ben, challenge, "Accept the challenge")
    assert ben.client.get(f"/m/{record}/3").status_code == 200
    assert ben.client.get(f"/m/{for_fun}/3").status_code == 404


def test_records_of_a_closed_deal_are_public(day, service, browser, addresses, fake_clock):
    ann, zoe = browser(), browser()
    record = day(ann)
    fake_clock.time += 86400.0 + daily.GRACE
    assert zoe.client.get(f"/m/{record}/3?seat=1").status_code == 200
    assert zoe.client.get(f"/m/{record}.json").status_code == 200
