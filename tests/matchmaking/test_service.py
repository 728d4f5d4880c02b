"""Waiting and being seated, on both stores."""

import random
import threading

import pytest

from kaboom.accounts.erase import erase_player
from kaboom.errors import InvalidFields, InvalidState
from kaboom.matchmaking import queries as store
from kaboom.matchmaking import service
from kaboom.matchmaking.hooks import told
from kaboom.matchmaking.service import GONE, HEARD, Wanted
from kaboom.notifications import channel_queries, reminder_queries
from kaboom.ratings.service import counts
from kaboom.social.friends import service as friends
from tests.tables.test_service import people

KABOOM = Wanted("kaboom")


def chairs(tables, code):
    return [it.player for _seat, it in tables.get(code).table.sitting()]


def test_two_players_who_wait_are_seated_and_the_match_begins(tables):
    ann, ben = people(tables, "Ann", "Ben")
    waits = service.join(tables, ann, "Ann", KABOOM)
    assert (waits.code, waits.others, waits.needed) == ("", 0, 2)
    tables.now.sleep(4)
    found = service.join(tables, ben, "Ben", KABOOM)
    table = tables.get(found.code).table
    assert table.playing
    assert {*chairs(tables, found.code)} == {ann, ben}
    assert service.beat(tables, ann).code == found.code
    assert {*tables.database.read(lambda c: store.waits(c, "kaboom", 0, 9))} == {0.0, 4.0}


def test_player_whose_page_was_closed_is_not_seated(tables):
    ann, ben, cleo = people(tables, "Ann", "Ben", "Cleo")
    service.join(tables, ann, "Ann", KABOOM)
    tables.now.sleep(HEARD + 0.1)
    assert service.join(tables, ben, "Ben", KABOOM).code == ""
    assert service.sought(tables, "")[0].name == "Ben"
    found = service.join(tables, cleo, "Cleo", KABOOM)
    assert {*chairs(tables, found.code)} == {ben, cleo}
    assert service.beat(tables, ann).code == "", "the page is open again"


def test_player_whose_page_keeps_polling_stays_in_the_queue(tables):
    ann, ben = people(tables, "Ann", "Ben")
    service.join(tables, ann, "Ann", KABOOM)
    for _ in range(20):
        tables.now.sleep(HEARD - 1)
        assert service.beat(tables, ann).code == ""
    assert service.join(tables, ben, "Ben", KABOOM).code


def test_stale_request_expires(tables):
    (ann,) = people(tables, "Ann")
    service.join(tables, ann, "Ann", KABOOM)
    tables.now.sleep(GONE + 1)
    assert service.beat(tables, ann) is None
    tables.database.write(lambda c: service.forget_old(c, tables.now()))
    assert tables.database.read(lambda c: store.request(c, ann)) is None


def test_player_who_left_is_not_seated(tables):
    ann, ben = people(tables, "Ann", "Ben")
    service.join(tables, ann, "Ann", KABOOM)
    service.leave(tables, ann)
    assert service.beat(tables, ann) is None
    assert service.join(tables, ben, "Ben", KABOOM).code == ""


def test_second_press_after_being_seated_leads_to_the_same_table(tables):
    ann, ben, cleo = people(tables, "Ann", "Ben", "Cleo")
    service.join(tables, ann, "Ann", KABOOM)
    code = service.join(tables, ben, "Ben", KABOOM).code
    assert service.join(tables, ann, "Ann", KABOOM).code == code
    service.join(tables, cleo, "Cleo", KABOOM)
    tables.now.sleep(service.ARRIVES + 1)
    assert service.join(tables, ann, "Ann", KABOOM).code == "", "Cleo’s page is closed by now"


@pytest.mark.parametrize("blocker", [0, 1])
def test_block_either_way_keeps_two_apart(tables, blocker):
    both = people(tables, "Ann", "Ben")
    friends.block(tables, both[blocker], both[1 - blocker])
    service.join(tables, both[0], "Ann", KABOOM)
    assert service.join(tables, both[1], "Ben", KABOOM).code == ""
    assert service.sought(tables, "key of Ben") == [], "neither the other nor oneself"
    assert {it.name for it in service.sought(tables, "")} == {"Ann", "Ben"}


def test_rated_request_lets_the_match_count(tables):
    ann, ben = people(tables, "Ann", "Ben")
    service.join(tables, ann, "Ann", Wanted("gops", 0, True))
    found = service.join(tables, ben, "Ben", Wanted("gops"))
    assert tables.get(found.code).table.rated
    tables.now.sleep(service.ARRIVES + 1)
    service.join(tables, ann, "Ann", Wanted("gops", 2, False))
    over = service.join(tables, ben, "Ben", Wanted("gops", 2))
    table = tables.get(over.code).table
    assert (table.days, counts(table)) == (2, False)


def test_five_player_game_opens_only_with_five_players(tables):
    players = people(tables, "Ann", "Ben", "Cleo", "Dan", "Eve")
    codes = [service.join(tables, it, f"P{it}", Wanted("koth")).code for it in players]
    assert codes[:4] == [""] * 4
    assert {*chairs(tables, codes[4])} == {*players}


def test_bots_are_offered_after_thirty_seconds(tables):
    (ann,) = people(tables, "Ann")
    service.join(tables, ann, "Ann", KABOOM)
    with pytest.raises(InvalidState):
        service.accept_bots(tables, ann)
    for _ in range(4):
        tables.now.sleep(8)
        found = service.beat(tables, ann)
    assert found.bots_offered
    code = service.accept_bots(tables, ann).code
    table = tables.get(code).table
    assert table.playing
    assert [it.bot for _seat, it in table.sitting()].count(True) == 3


def test_impossible_request_is_refused():
    for game, days in (("chess", 0), ("kaboom", 5), ("kaboom", -1)):
        with pytest.raises(InvalidFields):
            service.wanted(game, days, None)


def test_table_of_a_killed_worker_begins_at_the_next_check(tables, monkeypatch):
    ann, ben = people(tables, "Ann", "Ben")
    service.join(tables, ann, "Ann", KABOOM)
    monkeypatch.setattr(service, "_begin", lambda *_: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        service.join(tables, ben, "Ben", KABOOM)
    monkeypatch.undo()
    found = service.beat(tables, ann)
    assert tables.get(found.code).table.playing
    assert service.beat(tables, ben).code == found.code


def test_kill_before_the_commit_leaves_both_waiting(tables, monkeypatch):
    ann, ben = people(tables, "Ann", "Ben")
    service.join(tables, ann, "Ann", KABOOM)
    monkeypatch.setattr(store, "add_wait", lambda *_: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        service.join(tables, ben, "Ben", KABOOM)
    monkeypatch.undo()
    found = [tables.database.read(lambda c, it=it: store.request(c, it)) for it in (ann, ben)]
    assert [it.code for it in found] == [None, None]
    code = service.beat(tables, ann).code
    assert code and service.beat(tables, ben).code == code


# Alerts


def reachable(tables, player):
    def work(connection):
        address = "https://example.com/hook"
        values = {"kind": "json", "address": address, "at": 1.0, "checked_at": 1.0}
        channel_queries.add(connection, player=player, **values)

    tables.database.write(work)


def told_to(tables, player):
    """Return a player's due reminders, and mark them as sent."""

    def work(connection):
        rows = reminder_queries.lease(connection, tables.now(), 60, 9)
        for row in rows:
            reminder_queries.done(connection, row)
        return rows

    rows = tables.database.write(work)
    return [told(tables, row.about.partition(" ")[2], player) for row in rows]


def test_alert_needs_a_channel(tables):
    (ann,) = people(tables, "Ann")
    with pytest.raises(InvalidState):
        service.notify(tables, ann, KABOOM, 2)
    with pytest.raises(InvalidFields):
        service.notify(tables, ann, KABOOM, 3)


def test_alert_is_sent_once_when_a_player_begins_to_wait(tables):
    ann, ben, cleo = people(tables, "Ann", "Ben", "Cleo")
    reachable(tables, ann)
    service.notify(tables, ann, KABOOM, 2)
    service.join(tables, cleo, "Cleo", Wanted("gops"))
    assert told_to(tables, ann) == [], "another game"
    service.join(tables, ben, "Ben", KABOOM)
    (said,) = told_to(tables, ann)
    assert (said.names, said.path, said.game) == (("Ann",), "/play?game=kaboom", "Kaboom")
    service.leave(tables, ben)
    service.join(tables, ben, "Ben", KABOOM)
    assert told_to(tables, ann) == [], "once in ten minutes"


def test_alert_is_dropped_once_the_player_has_left_the_queue(tables):
    ann, ben = people(tables, "Ann", "Ben")
    reachable(tables, ann)
    service.notify(tables, ann, Wanted(), 1)
    service.join(tables, ben, "Ben", KABOOM)
    tables.now.sleep(HEARD + 1)
    assert told_to(tables, ann) == [None]


@pytest.mark.parametrize("what", ["block", "time", "stop"])
def test_alert_is_not_sent_to_or_about_a_blocked_player_or_once_expired(tables, what):
    ann, ben = people(tables, "Ann", "Ben")
    reachable(tables, ann)
    service.notify(tables, ann, Wanted(), 1)
    if what == "block":
        friends.block(tables, ann, ben)
    elif what == "time":
        tables.now.sleep(3601)
    else:
        service.notify(tables, ann, Wanted(), 0)
    service.join(tables, ben, "Ben", KABOOM)
    assert told_to(tables, ann) == []


def test_erased_player_waits_no_longer(tables):
    ann, ben = people(tables, "Ann", "Ben")
    service.join(tables, ann, "Ann", KABOOM)
    tables.database.write(lambda c: erase_player(c, ann))
    assert service.join(tables, ben, "Ben", KABOOM).code == ""


# Many requests together


def test_concurrent_presses_seat_each_player_once(tables):
    players = people(tables, *(f"P{n}" for n in range(24)))

    def press(player):
        game = random.Random(player).choice(["", "gops", "kaboom"])
        found = service.join(tables, player, f"P{player}", Wanted(game))
        for _ in range(20):
            if not found.code:
                found = service.beat(tables, player)

    threads = [threading.Thread(target=press, args=(it,)) for it in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {player: service.beat(tables, player).code for player in players}
    assert sum(bool(code) for code in found.values()) >= 22, "at most one a game is left over"
    for code in {*found.values()} - {""}:
        assert {*chairs(tables, code)} == {it for it in players if found[it] == code}
