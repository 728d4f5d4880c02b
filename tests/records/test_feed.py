"""The feed of results: what is in it, and that hiding, blocking and forgetting act at once."""

import hashlib

import pytest
from sqlalchemy import insert, update

from kaboom.accounts import players as keys
from kaboom.db import models
from kaboom.db.encryption import hash_of
from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.records import feed
from kaboom.records import feed_queries as store
from kaboom.records.service import Library
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import service as people
from kaboom.tables.maintenance.cleanup import stop
from tests.support.finished_matches import finish

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Zoe")
KEYS = {name: hashlib.sha256(name.encode()).hexdigest() for name in NAMES}


@pytest.fixture
def ids(tables):
    """Ann is a friend of Ben's and of Dan's; Ann and Ben share what they play."""
    found = {name: keys.player(tables, KEYS[name], name)[0] for name in NAMES}
    befriend(tables, found, "Ann", "Ben")
    befriend(tables, found, "Ann", "Dan")
    for name in ("Ann", "Ben"):
        feed.share(tables, KEYS[name], True)
    return found


def befriend(tables, ids, one, other):
    people.take_link(tables, people.new_link(tables, KEYS[one]), ids[other])


def play(tables, ids, *names, bots=0, club="", end=stop):
    """Let these people play a match, and end it; return the code of its record."""
    options = GAMES["gops"].options(players=len(names) + bots)
    code = seating.open(tables, "gops", options, ids[names[0]], names[0], bots, club=club)
    for name in names[1:]:
        seating.sit(tables, code, ids[name], name)
    seating.start(tables, code, ids[names[0]])
    end(tables, code)
    return tables.look(code).table.record


def seen(tables, name):
    """Return a feed as (who is named, others, bots, record), the latest match first."""
    return [
        (
            [it.name for it in sorted(one.named, key=lambda it: it.name)],
            one.others,
            one.bots,
            one.code,
        )
        for one in feed.feed_of(tables, KEYS[name]).results
    ]


def test_one_reads_one_s_own_and_what_friends_let_one_see(tables, ids, watch):
    first = play(tables, ids, "Ann", "Ben", bots=1)
    watch.sleep(90_000)
    play(tables, ids, "Ben", "Cleo")  # Ben is no friend of Dan's
    play(tables, ids, "Cleo", "Zoe")
    assert seen(tables, "Dan") == [(["Ann"], 1, 1, "")]
    assert seen(tables, "Zoe") == [(["Zoe"], 1, 0, seen(tables, "Zoe")[0][3])]
    assert seen(tables, "Ann")[1] == (["Ann", "Ben"], 0, 1, first)
    assert [it.day % feed.DAY for it in feed.feed_of(tables, KEYS["Ann"]).results] == [0, 0]
    befriend(tables, ids, "Ben", "Dan")
    assert seen(tables, "Dan")[1] == (["Ann", "Ben"], 0, 1, first)  # nobody unnamed: a link
    assert feed.feed_of(tables, "nobody's key") is None


def test_nothing_is_shared_until_one_says_so_and_no_more_when_one_says_no(tables, ids):
    play(tables, ids, "Cleo", "Zoe")
    befriend(tables, ids, "Cleo", "Dan")
    assert seen(tables, "Dan") == []
    feed.share(tables, KEYS["Cleo"], True)
    assert seen(tables, "Dan") == [(["Cleo"], 1, 0, "")]
    feed.share(tables, KEYS["Cleo"], False)
    assert seen(tables, "Dan") == []
    with pytest.raises(NotPermitted):
        feed.share(tables, "nobody's key", True)


def test_places_are_told_the_first_one_first(tables, ids):
    play(tables, ids, "Ann", "Ben", "Cleo", end=finish)
    (one,) = feed.feed_of(tables, KEYS["Ann"]).results
    assert [it.place for it in one.named] == sorted(it.place for it in one.named)
    assert [it.me for it in one.named if it.name == "Ann"] == [True]


def test_a_running_match_is_in_no_feed(tables, ids):
    code = seating.open(tables, "gops", GAMES["gops"].options(), ids["Ann"], "Ann", 1)
    seating.start(tables, code, ids["Ann"])
    assert (seen(tables, "Ann"), seen(tables, "Dan")) == ([], [])


def test_what_is_hidden_blocked_parted_or_forgotten_is_gone_on_every_worker_at_once(
    tables, ids, open_tables, store_url
):
    again = open_tables(store_url)
    code, library = play(tables, ids, "Ann", "Ben"), Library(tables)
    for hidden, there in ((True, 0), (False, 1)):
        library.hide(code, KEYS["Ben"], hidden)
        assert [len(seen(again, name)) for name in ("Ann", "Ben", "Dan")] == [there] * 3
    people.block(tables, ids["Ben"], ids["Dan"])
    befriend_again = lambda: befriend(tables, ids, "Ann", "Dan")  # noqa: E731
    assert seen(again, "Dan") == [(["Ann"], 1, 0, "")]
    people.block(tables, ids["Dan"], ids["Ann"])
    assert seen(again, "Dan") == []
    (ann,) = people.circle(tables, KEYS["Dan"]).blocked
    people.unblock(tables, KEYS["Dan"], ann.word)
    befriend_again()
    assert len(seen(again, "Dan")) == 1
    (ann,) = people.circle(tables, KEYS["Dan"]).friends
    people.part(tables, KEYS["Dan"], ann.word)
    assert seen(again, "Dan") == []
    befriend_again()
    library.forget(KEYS["Ann"])
    assert seen(again, "Dan") == []
    assert seen(again, "Ben") == [(["Ben"], 1, 0, code)]


def test_of_a_club_s_matches_its_members_read_who_shares(tables, ids):
    club = clubs.found(tables, ids["Ben"], "The Gulls", "Benny")
    secret = clubs.new_link(tables, club, KEYS["Ben"])
    for name in ("Cleo", "Zoe"):
        clubs.join(tables, secret, ids[name], name)
    play(tables, ids, "Ben", "Cleo", club=club)
    play(tables, ids, "Ben", "Dan")  # elsewhere
    play(tables, ids, "Cleo", "Zoe", club=club)  # neither of whom shares
    assert seen(tables, "Zoe")[1:] == [(["Benny"], 1, 0, "")]
    people.block(tables, ids["Zoe"], ids["Ben"])
    assert len(seen(tables, "Zoe")) == 1
    tables.database.write(lambda c: people.store.unblock(c, ids["Zoe"], ids["Ben"]))
    assert len(seen(tables, "Zoe")) == 2
    clubs.leave(tables, club, KEYS["Zoe"])
    assert len(seen(tables, "Zoe")) == 1  # their own
    assert seen(tables, "Dan") == [(["Dan"], 1, 0, seen(tables, "Dan")[0][3])]


def test_it_holds_so_many_of_so_many_days_and_so_many_of_each_friend(
    tables, ids, watch, monkeypatch
):
    for _ in range(3):
        play(tables, ids, "Ann", bots=1)
        watch.sleep(1)
    monkeypatch.setattr(feed, "MOST", 2)
    assert len(seen(tables, "Ann")) == len(seen(tables, "Dan")) == 2
    watch.sleep(feed.DAYS * feed.DAY)
    assert seen(tables, "Ann") == seen(tables, "Dan") == []


def test_its_address_is_secret_until_a_new_one_is_made_or_none(tables, ids):
    play(tables, ids, "Ann", "Ben")
    first = feed.new_address(tables, KEYS["Dan"], True)
    assert len(first) == 32  # 192 bits
    results, language = feed.feed_at(tables, first)
    assert (len(results), language) == (1, "en")
    assert [it for _, it in results] == feed.feed_of(tables, KEYS["Dan"]).results
    second = feed.new_address(tables, KEYS["Dan"], True)
    assert feed.feed_at(tables, first) is None
    feed.new_address(tables, KEYS["Dan"], False)
    for secret in (second, "", "made up"):
        assert feed.feed_at(tables, secret) is None
    third = feed.new_address(tables, KEYS["Dan"], True)
    Library(tables).forget(KEYS["Dan"])
    assert feed.feed_at(tables, third) is None


def test_the_marks_of_a_feed_are_its_own_and_stay(tables, ids):
    play(tables, ids, "Ann", "Ben")
    at = {name: feed.new_address(tables, KEYS[name], True) for name in ("Ann", "Ben", "Dan")}

    def marks(name):
        return [mark for mark, _ in feed.feed_at(tables, at[name])[0]]

    first = {name: marks(name) for name in at}
    assert len({mark for (mark,) in first.values()}) == 3
    play(tables, ids, "Ann", "Ben")
    assert {name: marks(name)[1:] for name in at} == first


def test_only_the_hash_of_the_secret_is_kept(tables, ids):
    secret = feed.new_address(tables, KEYS["Dan"], True)
    assert tables.database.read(lambda c: store.owner(c, hash_of(secret))) == (
        ids["Dan"],
        "en",
    )
    assert tables.database.read(lambda c: store.owner(c, secret)) is None


def test_what_was_played_by_a_board_waits_until_that_is_closed(tables, ids):
    """Others may still have the same deal before them."""
    play(tables, ids, "Ann", "Ben")
    board = {
        "label": "day 2026-11-22", "game": "gops", "options": "{}", "secret": b"x",
        "commitment": "x", "cut": "x", "opens_at": 0.0, "closed_at": None,
    }  # fmt: skip
    tables.database.write(lambda c: c.execute(insert(models.boards), board))
    tables.database.write(lambda c: c.execute(update(models.matches).values(board=board["label"])))
    assert (seen(tables, "Ann"), seen(tables, "Dan")) == ([], [])
    later = tables.now() + 1  # a day's board knows beforehand when it is closed
    tables.database.write(lambda c: c.execute(update(models.boards).values(closed_at=later)))
    assert (seen(tables, "Ann"), seen(tables, "Dan")) == ([], [])
    tables.database.write(lambda c: c.execute(update(models.boards).values(closed_at=1.0)))
    assert len(seen(tables, "Ann")) == len(seen(tables, "Dan")) == 1
