"""The outbox of calls: one a way, table and turn, never of cards, through kills and failures."""

import time

import pytest
from sqlalchemy import text

from kaboom.db.database import Unavailable
from kaboom.db.signals import Signals
from kaboom.db.times import DAY
from kaboom.lobby import service as seating
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels as ways
from kaboom.notifications import outbox_queries, reminder_queries
from kaboom.notifications.channels import FAILURES, Hook
from kaboom.notifications.outbox import (
    LEASE,
    PATIENCE,
    PATIENCE_BY_DAYS,
    RETRIES,
    UNKNOWN,
    WATCHING,
    NotArrived,
    TurnCalls,
)
from kaboom.notifications.waiting import CHECK_IN, NUDGE, OPENS, TURN, VOTE, Waiting
from kaboom.play import votes
from kaboom.play.correspondence import service as correspondence
from kaboom.social.chat.service import speak
from kaboom.tables.clock.turns import READY
from kaboom.tables.maintenance.cleanup import expire
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import GRACE
from kaboom.tournaments.scheduler import direct_all
from tests.support import tournaments
from tests.tables.test_correspondence import begun, plays
from tests.tables.test_service import KABOOM, all_ready, opened, playing, press

BASE = "https://cards.example.org"
ADDRESS = "https://hook.example.org/ann"
BENS = "https://hook.example.org/ben"


def wants(tables, player, address=ADDRESS, kind="json"):
    ways.add(tables, player, kind, address, "en", BASE)


class Box:
    """An outbox whose calls are made when asked for; `sent` is what was, `answers` what then."""

    def __init__(self, tables, listener):
        self.sent, self.answers, self.open, self.heard = [], [], set(), []
        self.tables = tables
        self.calls = TurnCalls(tables, self.send, lambda code: self.open, lambda work: work())
        self.calls.start = lambda: None
        listener.append(self)

    def send(self, call):
        self.sent.append(call)
        if self.answers and (error := self.answers.pop(0)) is not None:
            raise error

    def turns(self, code, players):
        self.heard.append(sorted(players))
        self.calls.begun(code, players)

    def after(self, seconds, watch):
        """Return the addresses called when so much time has gone by."""
        before = len(self.sent)
        self.calls.tick()
        watch.sleep(seconds)
        self.calls.tick()
        return sorted(call.address for call in self.sent[before:])


@pytest.fixture
def listener():
    return []


@pytest.fixture
def tables(open_tables, store_url, listener):
    def turns(code, players):
        for box in listener:
            box.turns(code, players)

    return open_tables(store_url, signals=Signals(turns=turns))


@pytest.fixture
def box(tables, listener):
    return Box(tables, listener)


def test_a_turn_begins_once_however_many_moves_it_takes(tables, box, watch):
    code, ids = playing(tables, "Ann", "Ben")
    assert box.heard.pop(0) == sorted(ids)  # Kaboom: all look at their cards and are ready
    all_ready(tables, code, ids)
    box.heard.clear()
    turn = tables.look(code).state.turn
    first, second = (ids[turn], ids[1 - turn])
    wants(tables, first)
    tables.signals.turns(code, [first])
    assert box.after(PATIENCE, watch) == [ADDRESS]
    press(tables, code, first, "draw")
    assert box.after(PATIENCE, watch) == []  # the same turn goes on
    box.heard.clear()
    press(tables, code, first, "discard")
    assert box.heard == [[second]]


def test_talk_and_other_things_begin_no_turn(tables, box):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    box.heard.clear()
    speak(tables, code, ben, "Ben", "hello")
    seating.sit(tables, code, ann, "Ann")
    assert box.heard == []


def test_whoever_has_a_turn_is_called_although_the_store_was_busy_when_it_began(
    tables, box, watch, monkeypatch
):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])

    def busy(work):
        raise Unavailable("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(tables.database, "write", busy)
        with pytest.raises(Unavailable):
            box.calls.tick()
    assert box.after(PATIENCE, watch) == [ADDRESS]


def test_what_is_sent_is_the_table_the_game_and_a_name(tables, box, watch):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann, ben])
    assert box.after(PATIENCE, watch) == [ADDRESS]
    (call,) = box.sent
    assert call.tables == (Waiting(code, "Kaboom", ("Ann",)),)
    assert (call.kind, call.language, call.base) == ("json", "en", BASE)
    assert [call] == box.calls.due(code, ann)
    assert box.calls.due(code, ben) == box.calls.due("NOTABLE1", ann) == []


def test_who_has_moved_in_the_meantime_is_not_called(tables, box, watch):
    code, ids = opened(tables, "Ann", "Ben")
    wants(tables, ids[0])
    wants(tables, ids[1], BENS)
    for player in ids:
        seating.ready(tables, code, player)
    box.calls.tick()
    press(tables, code, ids[0], "ready")
    assert box.after(PATIENCE, watch) == [BENS]
    assert box.calls.due(code, ids[0]) == []


def test_who_has_the_table_open_is_called_when_they_have_gone_without_moving(tables, box, watch):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    box.open = {ann}
    for player in (ann, _):
        seating.ready(tables, code, player)
    assert box.after(PATIENCE, watch) == []
    box.open = set()
    assert box.after(WATCHING, watch) == [ADDRESS]
    assert box.after(WATCHING, watch) == []


@pytest.mark.parametrize("written_down", [True, False])
def test_a_restart_forgets_no_call_and_makes_none_twice(tables, box, watch, listener, written_down):
    """A worker is killed before, or after it has written down that the turn has begun."""
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    for player in (ann, ben):
        seating.ready(tables, code, player)
    if written_down:
        box.calls.tick()
    listener.clear()
    second = Box(tables, listener)
    second.calls.sweep()
    assert second.after(PATIENCE, watch) == [ADDRESS]
    third = Box(tables, listener)
    third.calls.sweep()
    assert third.after(3600, watch) == []
    assert box.after(3600, watch) == []


def test_of_two_workers_one_calls_and_the_other_takes_over_when_it_dies(tables, box, watch):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    for player in (ann, ben):
        seating.ready(tables, code, player)
    box.calls.tick()
    watch.sleep(PATIENCE)
    taken = tables.database.write(lambda c: outbox_queries.lease(c, tables.now(), LEASE, 10))
    assert [row.code for row in taken] == [code]  # by a worker that is killed now
    assert box.after(LEASE - 1, watch) == []
    assert box.after(1, watch) == [ADDRESS]


def test_a_call_that_fails_is_tried_again_after_1_5_and_25_minutes(tables, box, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.answers = [NotArrived("no")] * 9
    assert box.after(PATIENCE, watch) == [ADDRESS]
    for wait in RETRIES:
        assert box.after(wait - 1, watch) == []
        assert box.after(1, watch) == [ADDRESS]
    assert box.after(24 * 3600, watch) == []  # given up, until the next turn
    (way,) = ways.kept(tables, ann).ways
    assert (way.failures, way.rests) == (1, False)


def test_a_receiver_may_ask_once_to_be_left_alone_for_longer(tables, box, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.answers = [NotArrived("429", after=200.0), NotArrived("429", after=9000.0)]
    assert box.after(PATIENCE, watch) == [ADDRESS]
    assert box.after(199, watch) == []
    assert box.after(1, watch) == [ADDRESS]
    assert box.after(RETRIES[1], watch) == [ADDRESS]


def test_an_address_that_is_no_more_is_forgotten_and_a_hopeless_call_is_not_repeated(
    tables, box, watch
):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.answers = [NotArrived("410", gone=True)]
    assert box.after(PATIENCE, watch) == [ADDRESS]
    assert ways.kept(tables, ann).ways == ()
    wants(tables, ben, BENS)
    tables.signals.turns(code, [ben])
    box.answers = [NotArrived("301", hopeless=True)]
    assert box.after(PATIENCE, watch) == [BENS]
    assert box.after(7200, watch) == []


def test_after_five_calls_given_up_a_way_rests_until_its_player_wakes_it(tables, box, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    (way,) = ways.kept(tables, ann).ways
    for number in range(1, FAILURES + 1):
        tables.database.write(lambda c: c.execute(text("DELETE FROM calls")))
        tables.signals.turns(code, [ann])
        box.answers = [NotArrived("404", hopeless=True)]
        assert box.after(PATIENCE, watch) == [ADDRESS]
        (way,) = ways.kept(tables, ann).ways
        assert (way.failures, way.rests) == (number, number == FAILURES)
    tables.database.write(lambda c: c.execute(text("DELETE FROM calls")))
    tables.signals.turns(code, [ann])
    assert box.after(PATIENCE, watch) == box.calls.due(code, ann) == []
    ways.wake(tables, ann, way.id)
    tables.database.write(lambda c: c.execute(text("DELETE FROM calls")))
    tables.signals.turns(code, [ann])
    assert box.after(PATIENCE, watch) == [ADDRESS]
    assert not ways.kept(tables, ann).ways[0].failures


def test_an_address_two_players_share_is_called_once_with_both_names(tables, box, watch):
    code, ids = opened(tables, "Ann", "Ben")
    for player in ids:
        wants(tables, player, "https://discord.com/api/webhooks/1/x", "discord")
        seating.ready(tables, code, player)
    assert len(box.after(PATIENCE, watch)) == 1
    assert sorted(box.sent[0].tables[0].names) == ["Ann", "Ben"]
    assert box.after(3600, watch) == []


def test_quiet_hours_and_digests_hold_calls_back_and_then_one_comes_for_all(tables, box, watch):
    watch.time = 1_700_000_000.0 // 86400 * 86400 + 23 * 3600  # 23:00 UTC
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    ways.wish(tables, ann, "22:00", "07:00", "UTC", 60)
    for player in (ann, ben):
        seating.ready(tables, code, player)
    assert box.after(PATIENCE, watch) == []
    other = tables_of(tables, ann, ben)
    assert box.after(3600, watch) == []
    watch.sleep(7 * 3600)
    assert box.after(0, watch) == [ADDRESS]
    assert {waiting.code for waiting in box.sent[-1].tables} == {code, other}
    tables_of(tables, ann, ben)
    assert box.after(600, watch) == []  # not within the hour
    assert box.after(3000, watch) == [ADDRESS]


def tables_of(tables, *players):
    """Begin another match of these players; return its table's code."""
    code = seating.open(tables, "kaboom", KABOOM.options(), players[0], "Ann", 0)
    seating.sit(tables, code, players[1], "Ben")
    for player in players:
        seating.ready(tables, code, player)
    return code


def test_a_table_that_is_snoozed_calls_nobody_until_then(tables, box, watch):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    ways.snooze(tables, ann, code, 86400.0)
    for player in (ann, ben):
        seating.ready(tables, code, player)
    assert box.after(3600, watch) == []
    assert code in ways.kept(tables, ann).snoozed
    assert box.after(86400, watch) == [ADDRESS]


def test_a_pause_holds_all_calls_back_and_its_end_makes_them(tables, box, watch):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    for player in (ann, ben):
        seating.ready(tables, code, player)
    tables.change(code, lambda transaction: setattr(transaction.table, "paused", True))
    assert box.after(3600, watch) == []
    tables.change(code, lambda transaction: setattr(transaction.table, "paused", False))
    assert box.after(PATIENCE, watch) == [ADDRESS]


def test_addresses_are_sealed_at_rest_and_gone_with_their_player_or_table(tables, box, watch):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    ways.keep_hook(tables, code, ann, BENS, "en", BASE)

    def stored(connection):
        return str(connection.exec_driver_sql("SELECT * FROM ways").fetchall())

    assert "example" not in tables.database.read(stored)
    assert ways.hook(tables, code, ann) == Hook(BENS)
    ways.keep_hook(tables, code, ann, "", "en", BASE)
    assert ways.hook(tables, code, ann) == Hook()
    assert len(ways.kept(tables, ann).ways) == 1
    tables.database.write(lambda connection: store.forget(connection, ann))
    assert ways.kept(tables, ann) == ways.Kept()


def test_a_table_that_is_removed_leaves_nobody_who_would_be_called_there(tables, box, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann, BENS)
    ways.keep_hook(tables, code, ann, ADDRESS, "en", BASE)
    tables.signals.turns(code, [ann])
    box.calls.tick()
    watch.sleep(40 * DAY)
    assert expire(tables, 30) == 1
    for counted, left in (("calls", 0), ("ways", 1)):
        found = text(f"SELECT count(*) FROM {counted}")
        assert tables.database.read(lambda c, found=found: c.execute(found).scalar()) == left


# Matches over days


def states(tables):
    return tables.database.read(
        lambda c: list(c.execute(text("SELECT state FROM calls")).scalars())
    )


def test_over_days_a_call_waits_a_minute_and_a_nudge_calls_once_more(tables, box, watch):
    code, (ann, ben) = begun(tables)
    wants(tables, ben, BENS)
    plays(tables, code, ann)
    box.calls.sweep()
    assert box.after(PATIENCE_BY_DAYS - 1, watch) == []
    assert box.after(1, watch) == [BENS]
    assert box.after(DAY, watch) == []
    correspondence.nudge(tables, code, ann, tables.look(code).table.seat_of(ben))
    assert states(tables) == ["waiting"]
    assert box.after(0, watch) == [BENS]
    assert states(tables) == ["sent"]
    assert [it.what for call in box.sent for it in call.tables] == [TURN, NUDGE]
    box.calls.sweep()
    assert box.after(DAY / 2, watch) == []


def test_who_has_a_way_only_since_then_is_reached_by_a_nudge(tables, box, watch):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    watch.sleep(DAY)
    wants(tables, ben, BENS)
    correspondence.nudge(tables, code, ann, tables.look(code).table.seat_of(ben))
    assert box.after(0, watch) == [BENS]


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_to_what_is_asked_in_secret_all_are_called_whoever_has_answered(
    tables, box, watch, answered
):
    """Others may read where somebody is called: a call that stays away would tell."""
    code, ids = begun(tables, "kaboom", names=("Ann", "Ben", "Cleo"))
    addresses = [f"{ADDRESS}/{number}" for number in range(3)]
    for player, address in zip(ids, addresses, strict=True):
        wants(tables, player, address)
    for player in ids:
        press(tables, code, player, "ready")
    assert all(turn.sealed for turn in tables.look(code).table.turns.values())
    for player in ids[:answered]:
        press(tables, code, player, "pass")
    assert box.after(DAY / 2, watch) == addresses
    assert box.after(DAY, watch) == []


def test_nobody_is_called_on_vacation_but_once_when_it_is_over(tables, box, watch):
    code, (ann, ben) = begun(tables)
    wants(tables, ben, BENS)
    correspondence.go_on_vacation(tables, ben, 3)
    plays(tables, code, ann)
    box.calls.sweep()
    assert box.after(2.9 * DAY, watch) == []
    assert box.after(0.1 * DAY, watch) == [BENS]


def test_who_comes_back_early_is_called_at_their_next_turn_as_ever(tables, box, watch):
    _, (_, ben) = begun(tables)
    wants(tables, ben, BENS)
    correspondence.go_on_vacation(tables, ben, 10)
    box.calls.sweep()
    assert box.after(DAY, watch) == []
    correspondence.end_vacation(tables, ben)
    assert box.after(0, watch) == [BENS]


def test_a_tournaments_open_table_calls_who_has_not_said_that_they_are_ready(tables, box, watch):
    code, (ann, ben) = tournaments.opened(tables, "Ann", "Ben")
    wants(tables, ann)
    wants(tables, ben, BENS)
    organizer.begin(tables, code, ann)
    tournaments.settled(tables, code)
    ((_, table, _),) = tournaments.pods(tables, code)
    assert box.heard == [sorted((ann, ben))]
    seating.ready(tables, table, ben)
    assert box.after(PATIENCE, watch) == [ADDRESS]
    assert box.sent[0].tables[0].what == OPENS
    seating.ready(tables, table, ann)
    assert not any(turn.asked == READY for turn in tables.look(table).table.turns.values())


def test_a_tournaments_table_waits_for_nobody_when_too_few_have_come(tables, box, watch):
    code, (ann, ben) = tournaments.opened(tables, "Ann", "Ben")
    organizer.begin(tables, code, ann)
    tournaments.settled(tables, code)
    ((_, table, _),) = tournaments.pods(tables, code)
    seating.ready(tables, table, ben)
    watch.sleep(GRACE)
    tournaments.settled(tables, code)
    assert not tables.look(table).table.turns


# What is about no turn


def checking_in(tables, **more):
    code, ids = tournaments.opened(tables, "Ann", "Ben", "Cat", check_in=20, **more)
    wants(tables, ids[0])
    wants(tables, ids[1], BENS)
    return code, ids


def test_a_check_in_calls_once_whoever_has_entered_and_not_said_that_they_are_here(
    tables, box, watch
):
    code, _ = checking_in(tables, begins_at=watch.time + 60)
    box.calls.tick()
    assert box.after(59, watch) == []
    watch.sleep(1)
    direct_all(tables)
    assert box.after(0, watch) == sorted((ADDRESS, BENS))
    assert {it.what for call in box.sent for it in call.tables} == {CHECK_IN}
    assert {it.path for call in box.sent for it in call.tables} == {f"/e/{code}"}
    assert box.after(60, watch) == []
    box.calls.sweep()
    assert box.after(0, watch) == []


def test_who_has_checked_in_or_left_is_not_called(tables, box, watch):
    code, (ann, ben, _) = checking_in(tables)
    organizer.begin(tables, code, ann)
    commands.check_in(tables, code, ann)
    commands.leave(tables, code, ben)
    assert box.after(0, watch) == []


def test_a_check_in_that_nobody_took_is_tried_again_until_it_is_over(tables, box, watch):
    code, (ann, ben, _) = checking_in(tables)
    commands.leave(tables, code, ben)
    organizer.begin(tables, code, ann)
    box.answers = [NotArrived("asleep"), NotArrived("asleep")]
    assert box.after(0, watch) == [ADDRESS]
    assert box.after(RETRIES[0], watch) == [ADDRESS]
    assert box.after(20 * 60, watch) == []
    assert tables.database.read(reminder_queries.next_due) is None


def test_a_call_to_a_check_in_that_was_not_taken_waits_longer_each_time(tables, box, watch):
    code, (ann, ben, _) = checking_in(tables)
    commands.leave(tables, code, ben)
    organizer.begin(tables, code, ann)
    box.answers = [NotArrived("asleep"), NotArrived("asleep")]
    box.after(0, watch)
    assert box.after(RETRIES[0], watch) == [ADDRESS]
    assert box.after(RETRIES[1] - 1, watch) == []
    assert box.after(1, watch) == [ADDRESS]


def test_a_check_in_is_called_by_another_worker_where_one_was_killed(tables, box, watch):
    code, (ann, _, _) = checking_in(tables)
    organizer.begin(tables, code, ann)
    now = tables.now()
    assert tables.database.write(lambda c: reminder_queries.lease(c, now, LEASE, 9))
    assert box.after(0, watch) == []
    assert box.after(LEASE, watch) == sorted((ADDRESS, BENS))


def called_lately(tables, player, digest):
    """Let somebody have been called just now, who wants to be called once in so many minutes."""
    ways.wish(tables, player, "", "", "UTC", digest)
    (way,) = tables.database.read(lambda c: store.of_player(c, player))
    tables.database.write(lambda c: store.change(c, way.id, sent_at=tables.now()))


def test_a_check_in_does_not_wait_for_a_digest_that_would_be_too_late(tables, box, watch):
    code, (ann, _, _) = checking_in(tables)
    called_lately(tables, ann, 60)
    organizer.begin(tables, code, ann)
    assert box.after(0, watch) == sorted((ADDRESS, BENS))


def test_a_tournaments_open_table_does_not_wait_for_a_digest_either(tables, box, watch):
    code, (ann, _) = tournaments.opened(tables, "Ann", "Ben")
    wants(tables, ann)
    called_lately(tables, ann, 60)
    organizer.begin(tables, code, ann)
    tournaments.settled(tables, code)
    assert box.after(PATIENCE, watch) == [ADDRESS]


def test_a_vote_waits_for_a_digest_where_that_is_in_time(tables, box, watch):
    code, (ann, ben) = begun(tables, days=2)
    wants(tables, ben, BENS)
    called_lately(tables, ben, 1440)
    votes.propose(tables, code, ann, "pause")
    assert box.after(PATIENCE_BY_DAYS, watch) == []
    watch.sleep(DAY)
    box.calls.tick()
    assert VOTE in {it.what for call in box.sent for it in call.tables}


def test_who_is_voted_about_is_called_before_that_passes_without_them(tables, box, watch):
    """It is held for a day, and so is their digest, which began a minute later."""
    code, (ann, ben) = begun(tables, days=2)
    wants(tables, ben, BENS)
    votes.propose(tables, code, ann, "bot", 1)
    watch.sleep(30)
    called_lately(tables, ben, 1440)
    box.after(PATIENCE_BY_DAYS, watch)
    assert [it.what for call in box.sent for it in call.tables] == [VOTE]


@pytest.mark.parametrize(
    ("quiet_to", "called_after"),
    [("23:10", [600.0]), ("07:00", [])],
    ids=["over in time", "all through it"],
)
def test_quiet_hours_are_quiet_and_what_is_over_by_then_is_not_told_afterwards(
    tables, box, watch, quiet_to, called_after
):
    watch.time = 1_700_000_000.0 // 86400 * 86400 + 23 * 3600  # 23:00 UTC
    code, (ann, _, _) = checking_in(tables)
    ways.wish(tables, ann, "22:00", quiet_to, "UTC", 0)
    organizer.begin(tables, code, ann)
    began, found = watch.time, []
    box.calls.tick()
    while watch.time < began + 9 * 3600:
        if ADDRESS in box.after(60, watch):
            found.append(watch.time - began)
    assert found == called_after
    assert tables.database.read(reminder_queries.next_due) is None


def test_a_vote_over_days_calls_whoever_has_not_answered(tables, box, watch):
    code, (ann, ben) = begun(tables)
    wants(tables, ann)
    wants(tables, ben, BENS)
    votes.propose(tables, code, ann, "pause")
    found = box.after(PATIENCE_BY_DAYS, watch)
    asked = [it for call in box.sent for it in call.tables if it.what == VOTE]
    assert found.count(BENS) == 2  # it is his turn, too
    assert [(it.code, it.names) for it in asked] == [(code, ("Ben",))]
    assert box.after(DAY / 2, watch) == []


def test_a_vote_calls_nobody_where_it_was_answered_or_the_table_is_left_in_peace(
    tables, box, watch
):
    code, (ann, ben) = begun(tables)
    wants(tables, ben, BENS)
    box.open = {ben}  # turns are another matter
    votes.propose(tables, code, ann, "pause")
    ways.snooze(tables, ben, code, ways.SNOOZES[0])
    box.open = set()
    box.after(PATIENCE_BY_DAYS, watch)
    assert [it.what for call in box.sent for it in call.tables if it.what == VOTE] == []


def test_a_vote_among_those_who_are_there_calls_nobody(tables, box, watch):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ben, BENS)
    votes.propose(tables, code, ann, "pause")
    assert tables.database.read(reminder_queries.next_due) is None


def test_a_worker_that_does_not_know_yet_who_has_a_table_open_calls_nobody(
    tables, box, watch, monkeypatch
):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.open = None
    assert box.after(PATIENCE, watch) == []
    later = time.monotonic() + UNKNOWN
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert box.after(PATIENCE, watch) == [ADDRESS]


def test_what_is_due_goes_by_the_ways_that_are_confirmed_and_for_this_table(tables, box, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    other, _ = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    ways.add(tables, ann, ways.MAIL, "ann@letters.example", "en", BASE)  # not yet confirmed
    here, there = "https://here.example.org/", "https://there.example.org/"
    ways.keep_hook(tables, code, ann, here, "en", BASE)
    ways.keep_hook(tables, other, ann, there, "en", BASE)
    assert {call.address for call in box.calls.due(code, ann)} == {ADDRESS, here}
    (name,) = {name for call in box.calls.due(code, ann) for name in call.tables[0].names}
    assert (name, box.calls.due(code, ann)[0].tables[0].what) == ("Ann", TURN)
