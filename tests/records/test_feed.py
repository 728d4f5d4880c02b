"""The results feed: its contents, and the immediate effect of hiding, blocking and erasing."""

import hashlib

import pytest
from sqlalchemy import insert, update

from kaboom.accounts import players
from kaboom.accounts.erase import erase
from kaboom.db.encryption import hash_of
from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records import feed
from kaboom.records import feed_queries as store
from kaboom.records.service import MatchArchive
from kaboom.social.clubs import invitations
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import service as friends
from kaboom.tables import models, start_match
from kaboom.tables.maintenance.interventions import stop
from tests.support.finished_matches import finish

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Zoe")
KEYS = {name: hashlib.sha256(name.encode()).hexdigest() for name in NAMES}


@pytest.fixture
def ids(tables):
    """Ann is a friend of Ben's and of Dan's; Ann and Ben share their results."""
    found = {name: players.player(tables, KEYS[name], name)[0] for name in NAMES}
    befriend(tables, found, "Ann", "Ben")
    befriend(tables, found, "Ann", "Dan")
    for name in ("Ann", "Ben"):
        feed.share(tables, KEYS[name], True)
    return found


def befriend(tables, ids, one, other):
    friends.take_link(tables, friends.new_link(tables, KEYS[one]), ids[other])


def play(tables, ids, *names, bots=0, club="", end=stop):
    """Let these people play a match to its end; return the code of its record."""
    options = GAMES["gops"].options(players=len(names) + bots)
    code = lobby.open(tables, "gops", options, ids[names[0]], names[0], bots, club=club)
    for name in names[1:]:
        lobby.sit(tables, code, ids[name], name)
    start_match.start(tables, code, ids[names[0]])
    end(tables, code)
    return tables.get(code).table.record


def seen(tables, name):
    """Return a feed as (named players, others, bots, record), the latest match first."""
    return [
        (
            [it.name for it in sorted(one.named, key=lambda it: it.name)],
            one.others,
            one.bots,
            one.code,
        )
        for one in feed.feed_of(tables, KEYS[name]).results
    ]


def test_feed_has_the_readers_and_friends_shared_results(tables, ids, fake_clock):
    first = play(tables, ids, "Ann", "Ben", bots=1)
    fake_clock.sleep(90_000)
    play(tables, ids, "Ben", "Cleo")  # Ben is not Dan's friend
    play(tables, ids, "Cleo", "Zoe")
    assert seen(tables, "Dan") == [(["Ann"], 1, 1, "")]
    assert seen(tables, "Zoe") == [(["Zoe"], 1, 0, seen(tables, "Zoe")[0][3])]
    assert seen(tables, "Ann")[1] == (["Ann", "Ben"], 0, 1, first)
    assert [it.day % feed.DAY for it in feed.feed_of(tables, KEYS["Ann"]).results] == [0, 0]
    befriend(tables, ids, "Ben", "Dan")
    assert seen(tables, "Dan")[1] == (["Ann", "Ben"], 0, 1, first)  # no unnamed player: a link
    assert feed.feed_of(tables, "nobody's key") is None


def test_activity_is_shared_only_while_enabled(tables, ids):
    play(tables, ids, "Cleo", "Zoe")
    befriend(tables, ids, "Cleo", "Dan")
    assert seen(tables, "Dan") == []
    feed.share(tables, KEYS["Cleo"], True)
    assert seen(tables, "Dan") == [(["Cleo"], 1, 0, "")]
    feed.share(tables, KEYS["Cleo"], False)
    assert seen(tables, "Dan") == []
    with pytest.raises(NotPermitted):
        feed.share(tables, "nobody's key", True)


def test_places_are_listed_first_to_last(tables, ids):
    play(tables, ids, "Ann", "Ben", "Cleo", end=finish)
    (one,) = feed.feed_of(tables, KEYS["Ann"]).results
    assert [it.place for it in one.named] == sorted(it.place for it in one.named)
    assert [it.me for it in one.named if it.name == "Ann"] == [True]


def test_a_running_match_is_in_no_feed(tables, ids):
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ids["Ann"], "Ann", 1)
    start_match.start(tables, code, ids["Ann"])
    assert (seen(tables, "Ann"), seen(tables, "Dan")) == ([], [])


def test_hidden_blocked_or_erased_activity_is_gone_everywhere(tables, ids, open_tables, store_url):
    again = open_tables(store_url)
    code, library = play(tables, ids, "Ann", "Ben"), MatchArchive(tables)
    for hidden, there in ((True, 0), (False, 1)):
        library.hide(code, KEYS["Ben"], hidden)
        assert [len(seen(again, name)) for name in ("Ann", "Ben", "Dan")] == [there] * 3
    friends.block(tables, ids["Ben"], ids["Dan"])
    befriend_again = lambda: befriend(tables, ids, "Ann", "Dan")  # noqa: E731
    assert seen(again, "Dan") == [(["Ann"], 1, 0, "")]
    friends.block(tables, ids["Dan"], ids["Ann"])
    assert seen(again, "Dan") == []
    (ann,) = friends.get_relations(tables, KEYS["Dan"]).blocked
    friends.unblock(tables, KEYS["Dan"], ann.word)
    befriend_again()
    assert len(seen(again, "Dan")) == 1
    (ann,) = friends.get_relations(tables, KEYS["Dan"]).friends
    friends.part(tables, KEYS["Dan"], ann.word)
    assert seen(again, "Dan") == []
    befriend_again()
    erase(tables, KEYS["Ann"])
    assert seen(again, "Dan") == []
    assert seen(again, "Ben") == [(["Ben"], 1, 0, code)]


def test_club_feed_shows_members_who_share(tables, ids):
    club = clubs.found(tables, ids["Ben"], "The Gulls", "Benny")
    secret = invitations.new_link(tables, club, KEYS["Ben"])
    for name in ("Cleo", "Zoe"):
        invitations.join(tables, secret, ids[name], name)
    play(tables, ids, "Ben", "Cleo", club=club)
    play(tables, ids, "Ben", "Dan")  # elsewhere
    play(tables, ids, "Cleo", "Zoe", club=club)  # neither shares
    assert seen(tables, "Zoe")[1:] == [(["Benny"], 1, 0, "")]
    friends.block(tables, ids["Zoe"], ids["Ben"])
    assert len(seen(tables, "Zoe")) == 1
    tables.database.write(lambda c: friends.store.unblock(c, ids["Zoe"], ids["Ben"]))
    assert len(seen(tables, "Zoe")) == 2
    clubs.leave(tables, club, KEYS["Zoe"])
    assert len(seen(tables, "Zoe")) == 1  # their own
    assert seen(tables, "Dan") == [(["Dan"], 1, 0, seen(tables, "Dan")[0][3])]


def test_feed_is_limited_by_days_and_entries_per_friend(tables, ids, fake_clock, monkeypatch):
    for _ in range(3):
        play(tables, ids, "Ann", bots=1)
        fake_clock.sleep(1)
    monkeypatch.setattr(feed, "MOST", 2)
    assert len(seen(tables, "Ann")) == len(seen(tables, "Dan")) == 2
    fake_clock.sleep(feed.DAYS * feed.DAY)
    assert seen(tables, "Ann") == seen(tables, "Dan") == []


def test_feed_url_is_secret_until_replaced_or_revoked(tables, ids):
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
    erase(tables, KEYS["Dan"])
    assert feed.feed_at(tables, third) is None


def test_feed_entry_ids_are_stable_and_per_feed(tables, ids):
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


def test_results_on_a_board_wait_until_it_is_closed(tables, ids):
    """Others may still play the same deal."""
    play(tables, ids, "Ann", "Ben")
    board = {
        "label": "day 2026-11-22", "game": "gops", "options": "{}", "secret": b"x",
        "commitment": "x", "cut": "x", "opens_at": 0.0, "closed_at": None,
    }  # fmt: skip
    tables.database.write(lambda c: c.execute(insert(models.boards), board))
    tables.database.write(lambda c: c.execute(update(models.matches).values(board=board["label"])))
    assert (seen(tables, "Ann"), seen(tables, "Dan")) == ([], [])
    later = tables.now() + 1  # a day's board has a known closing time
    tables.database.write(lambda c: c.execute(update(models.boards).values(closed_at=later)))
    assert (seen(tables, "Ann"), seen(tables, "Dan")) == ([], [])
    tables.database.write(lambda c: c.execute(update(models.boards).values(closed_at=1.0)))
    assert len(seen(tables, "Ann")) == len(seen(tables, "Dan")) == 1
