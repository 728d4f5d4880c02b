"""The outbox: one alert per channel, table and turn, never about cards, despite kills."""

import time

import pytest
from sqlalchemy import text

from kaboom.correspondence import nudges, vacations
from kaboom.db.database import Unavailable
from kaboom.db.signals import Signals
from kaboom.db.times import DAY
from kaboom.lobby import service as lobby
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels, outbox_queries, reminder_queries
from kaboom.notifications.channels import FAILURES, Hook
from kaboom.notifications.hold_back import WATCHING
from kaboom.notifications.notification import CHECK_IN, NUDGE, OPENS, TURN, VOTE, Waiting
from kaboom.notifications.outbox import (
    LEASE,
    PATIENCE,
    PATIENCE_BY_DAYS,
    UNKNOWN,
    Outbox,
)
from kaboom.notifications.retries import RETRIES, NotArrived
from kaboom.social.chat.service import speak
from kaboom.table_page import vote_service
from kaboom.tables import start_match
from kaboom.tables.clock.whose_turn import READY
from kaboom.tables.maintenance.cleanup import expire
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments_service
from kaboom.tournaments.changes import GRACE
from kaboom.tournaments.scheduler import direct_all
from tests.correspondence.test_service import begun, plays
from tests.support import tournaments
from tests.support.notifications import due
from tests.tables.test_service import KABOOM, all_ready, opened, playing, press

BASE = "https://cards.example.org"
ADDRESS = "https://hook.example.org/ann"
BENS = "https://hook.example.org/ben"


def wants(tables, player, address=ADDRESS, kind="json"):
    channels.add(tables, player, kind, address, "en", BASE)


class Box:
    """An outbox that sends on request; `sent` lists the alerts, `answers` the next results."""

    def __init__(self, tables, listener):
        self.sent, self.answers, self.open, self.heard = [], [], set(), []
        self.tables = tables
        self.calls = Outbox(tables, self.send, lambda code: self.open, lambda work: work())
        self.calls.start = lambda: None
        listener.append(self)

    def send(self, call):
        self.sent.append(call)
        if self.answers and (error := self.answers.pop(0)) is not None:
            raise error

    def turns(self, code, players):
        self.heard.append(sorted(players))
        self.calls.begun(code, players)

    def after(self, seconds, fake_clock):
        """Return the addresses notified after this many seconds."""
        before = len(self.sent)
        self.calls.tick()
        fake_clock.sleep(seconds)
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


def test_a_turn_begins_once_however_many_moves_it_takes(tables, box, fake_clock):
    code, ids = playing(tables, "Ann", "Ben")
    assert box.heard.pop(0) == sorted(ids)  # Kaboom: all look at their cards and are ready
    all_ready(tables, code, ids)
    box.heard.clear()
    turn = tables.get(code).state.turn
    first, second = (ids[turn], ids[1 - turn])
    wants(tables, first)
    tables.signals.turns(code, [first])
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    press(tables, code, first, "draw")
    assert box.after(PATIENCE, fake_clock) == []  # the same turn continues
    box.heard.clear()
    press(tables, code, first, "discard")
    assert box.heard == [[second]]


def test_chat_and_sitting_down_begin_no_turn(tables, box):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    box.heard.clear()
    speak(tables, code, ben, "Ben", "hello")
    lobby.sit(tables, code, ann, "Ann")
    assert box.heard == []


def test_player_is_notified_although_the_database_was_busy(tables, box, fake_clock, monkeypatch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])

    def busy(work):
        raise Unavailable("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(tables.database, "write", busy)
        with pytest.raises(Unavailable):
            box.calls.tick()
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]


def test_message_has_only_the_table_game_and_a_name(tables, box, fake_clock):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann, ben])
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    (call,) = box.sent
    assert call.tables == (Waiting(code, "Kaboom", ("Ann",)),)
    assert (call.kind, call.language, call.base) == ("json", "en", BASE)
    assert [call] == due(tables, code, ann)
    assert due(tables, code, ben) == due(tables, "NOTABLE1", ann) == []


def test_player_who_moved_meanwhile_gets_no_alert(tables, box, fake_clock):
    code, ids = opened(tables, "Ann", "Ben")
    wants(tables, ids[0])
    wants(tables, ids[1], BENS)
    for player in ids:
        start_match.ready(tables, code, player)
    box.calls.tick()
    press(tables, code, ids[0], "ready")
    assert box.after(PATIENCE, fake_clock) == [BENS]
    assert due(tables, code, ids[0]) == []


def test_player_who_closes_the_table_without_moving_is_notified(tables, box, fake_clock):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    box.open = {ann}
    for player in (ann, _):
        start_match.ready(tables, code, player)
    assert box.after(PATIENCE, fake_clock) == []
    box.open = set()
    assert box.after(WATCHING, fake_clock) == [ADDRESS]
    assert box.after(WATCHING, fake_clock) == []


@pytest.mark.parametrize("written_down", [True, False])
def test_restart_neither_loses_nor_duplicates_an_alert(
    tables, box, fake_clock, listener, written_down
):
    """A worker is killed before or after it has recorded the start of the turn."""
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    if written_down:
        box.calls.tick()
    listener.clear()
    second = Box(tables, listener)
    second.calls.sweep()
    assert second.after(PATIENCE, fake_clock) == [ADDRESS]
    third = Box(tables, listener)
    third.calls.sweep()
    assert third.after(3600, fake_clock) == []
    assert box.after(3600, fake_clock) == []


def test_one_worker_notifies_and_the_other_takes_over(tables, box, fake_clock):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    box.calls.tick()
    fake_clock.sleep(PATIENCE)
    taken = tables.database.write(lambda c: outbox_queries.lease(c, tables.now(), LEASE, 10))
    assert [row.code for row in taken] == [code]  # by a worker that is killed now
    assert box.after(LEASE - 1, fake_clock) == []
    assert box.after(1, fake_clock) == [ADDRESS]


def test_failed_alert_is_retried_after_1_5_and_25_minutes(tables, box, fake_clock):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.answers = [NotArrived("no")] * 9
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    for wait in RETRIES:
        assert box.after(wait - 1, fake_clock) == []
        assert box.after(1, fake_clock) == [ADDRESS]
    assert box.after(24 * 3600, fake_clock) == []  # dropped until the next turn
    (way,) = channels.kept(tables, ann).channels
    assert (way.failures, way.rests) == (1, False)


def test_receiver_may_request_a_longer_pause_once(tables, box, fake_clock):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.answers = [NotArrived("429", after=200.0), NotArrived("429", after=9000.0)]
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    assert box.after(199, fake_clock) == []
    assert box.after(1, fake_clock) == [ADDRESS]
    assert box.after(RETRIES[1], fake_clock) == [ADDRESS]


def test_gone_channel_is_deleted_and_hopeless_alert_dropped(tables, box, fake_clock):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.answers = [NotArrived("410", gone=True)]
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    assert channels.kept(tables, ann).channels == ()
    wants(tables, ben, BENS)
    tables.signals.turns(code, [ben])
    box.answers = [NotArrived("301", hopeless=True)]
    assert box.after(PATIENCE, fake_clock) == [BENS]
    assert box.after(7200, fake_clock) == []


def test_five_failed_alerts_pause_a_channel_until_reactivated(tables, box, fake_clock):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    (way,) = channels.kept(tables, ann).channels
    for number in range(1, FAILURES + 1):
        tables.database.write(lambda c: c.execute(text("DELETE FROM calls")))
        tables.signals.turns(code, [ann])
        box.answers = [NotArrived("404", hopeless=True)]
        assert box.after(PATIENCE, fake_clock) == [ADDRESS]
        (way,) = channels.kept(tables, ann).channels
        assert (way.failures, way.rests) == (number, number == FAILURES)
    tables.database.write(lambda c: c.execute(text("DELETE FROM calls")))
    tables.signals.turns(code, [ann])
    assert box.after(PATIENCE, fake_clock) == due(tables, code, ann) == []
    channels.wake(tables, ann, way.id)
    tables.database.write(lambda c: c.execute(text("DELETE FROM calls")))
    tables.signals.turns(code, [ann])
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    assert not channels.kept(tables, ann).channels[0].failures


def test_shared_channel_url_is_alerted_once_with_both_names(tables, box, fake_clock):
    code, ids = opened(tables, "Ann", "Ben")
    for player in ids:
        wants(tables, player, "https://discord.com/api/webhooks/1/x", "discord")
        start_match.ready(tables, code, player)
    assert len(box.after(PATIENCE, fake_clock)) == 1
    assert sorted(box.sent[0].tables[0].names) == ["Ann", "Ben"]
    assert box.after(3600, fake_clock) == []


def test_quiet_hours_and_digests_merge_alerts(tables, box, fake_clock):
    fake_clock.time = 1_700_000_000.0 // 86400 * 86400 + 23 * 3600  # 23:00 UTC
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    channels.wish(tables, ann, "22:00", "07:00", "UTC", 60)
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    assert box.after(PATIENCE, fake_clock) == []
    other = tables_of(tables, ann, ben)
    assert box.after(3600, fake_clock) == []
    fake_clock.sleep(7 * 3600)
    assert box.after(0, fake_clock) == [ADDRESS]
    assert {waiting.code for waiting in box.sent[-1].tables} == {code, other}
    tables_of(tables, ann, ben)
    assert box.after(600, fake_clock) == []  # not within the hour
    assert box.after(3000, fake_clock) == [ADDRESS]


def tables_of(tables, *players):
    """Start another match of these players; return its table's code."""
    code = lobby.open(tables, "kaboom", KABOOM.options(), players[0], "Ann", 0)
    lobby.sit(tables, code, players[1], "Ben")
    for player in players:
        start_match.ready(tables, code, player)
    return code


def test_muted_table_sends_no_alert_until_the_mute_ends(tables, box, fake_clock):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    channels.snooze(tables, ann, code, 86400.0)
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    assert box.after(3600, fake_clock) == []
    assert code in channels.kept(tables, ann).snoozed
    assert box.after(86400, fake_clock) == [ADDRESS]


def test_pause_defers_all_alerts_until_its_end(tables, box, fake_clock):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    tables.change(code, lambda transaction: setattr(transaction.table, "paused", True))
    assert box.after(3600, fake_clock) == []
    tables.change(code, lambda transaction: setattr(transaction.table, "paused", False))
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]


def test_channels_are_encrypted_and_erased_with_their_owner(tables, box, fake_clock):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    wants(tables, ann)
    channels.keep_hook(tables, code, ann, BENS, "en", BASE)

    def stored(connection):
        return str(connection.exec_driver_sql("SELECT * FROM ways").fetchall())

    assert "example" not in tables.database.read(stored)
    assert channels.hook(tables, code, ann) == Hook(BENS)
    channels.keep_hook(tables, code, ann, "", "en", BASE)
    assert channels.hook(tables, code, ann) == Hook()
    assert len(channels.kept(tables, ann).channels) == 1
    tables.database.write(lambda connection: store.forget(connection, ann))
    assert channels.kept(tables, ann) == channels.Kept()


def test_removed_table_notifies_no_player(tables, box, fake_clock):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann, BENS)
    channels.keep_hook(tables, code, ann, ADDRESS, "en", BASE)
    tables.signals.turns(code, [ann])
    box.calls.tick()
    fake_clock.sleep(40 * DAY)
    assert expire(tables, 30) == 1
    for counted, left in (("calls", 0), ("ways", 1)):
        found = text(f"SELECT count(*) FROM {counted}")
        assert tables.database.read(lambda c, found=found: c.execute(found).scalar()) == left


# Correspondence matches


def states(tables):
    return tables.database.read(
        lambda c: list(c.execute(text("SELECT state FROM calls")).scalars())
    )


def test_correspondence_alert_waits_a_minute_and_nudges_once(tables, box, fake_clock):
    code, (ann, ben) = begun(tables)
    wants(tables, ben, BENS)
    plays(tables, code, ann)
    box.calls.sweep()
    assert box.after(PATIENCE_BY_DAYS - 1, fake_clock) == []
    assert box.after(1, fake_clock) == [BENS]
    assert box.after(DAY, fake_clock) == []
    nudges.nudge(tables, code, ann, tables.get(code).table.seat_of(ben))
    assert states(tables) == ["waiting"]
    assert box.after(0, fake_clock) == [BENS]
    assert states(tables) == ["sent"]
    assert [it.what for call in box.sent for it in call.tables] == [TURN, NUDGE]
    box.calls.sweep()
    assert box.after(DAY / 2, fake_clock) == []


def test_nudge_reaches_a_player_with_a_new_channel(tables, box, fake_clock):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    fake_clock.sleep(DAY)
    wants(tables, ben, BENS)
    nudges.nudge(tables, code, ann, tables.get(code).table.seat_of(ben))
    assert box.after(0, fake_clock) == [BENS]


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_sealed_prompt_alerts_all_including_those_who_answered(tables, box, fake_clock, answered):
    """Others may read a player's channel, so the absence of an alert must reveal nothing."""
    code, ids = begun(tables, "kaboom", names=("Ann", "Ben", "Cleo"))
    addresses = [f"{ADDRESS}/{number}" for number in range(3)]
    for player, address in zip(ids, addresses, strict=True):
        wants(tables, player, address)
    for player in ids:
        press(tables, code, player, "ready")
    assert all(turn.sealed for turn in tables.get(code).table.turns.values())
    for player in ids[:answered]:
        press(tables, code, player, "pass")
    assert box.after(DAY / 2, fake_clock) == addresses
    assert box.after(DAY, fake_clock) == []


def test_vacation_defers_alerts_to_its_end(tables, box, fake_clock):
    code, (ann, ben) = begun(tables)
    wants(tables, ben, BENS)
    vacations.go_on_vacation(tables, ben, 3)
    plays(tables, code, ann)
    box.calls.sweep()
    assert box.after(2.9 * DAY, fake_clock) == []
    assert box.after(0.1 * DAY, fake_clock) == [BENS]


def test_player_back_early_is_notified_at_the_next_turn(tables, box, fake_clock):
    _, (_, ben) = begun(tables)
    wants(tables, ben, BENS)
    vacations.go_on_vacation(tables, ben, 10)
    box.calls.sweep()
    assert box.after(DAY, fake_clock) == []
    vacations.end_vacation(tables, ben)
    assert box.after(0, fake_clock) == [BENS]


def test_tournament_table_notifies_players_who_are_not_ready(tables, box, fake_clock):
    code, (ann, ben) = tournaments.opened(tables, "Ann", "Ben")
    wants(tables, ann)
    wants(tables, ben, BENS)
    organizer.begin(tables, code, ann)
    tournaments.settled(tables, code)
    ((_, table, _),) = tournaments.pods(tables, code)
    assert box.heard == [sorted((ann, ben))]
    start_match.ready(tables, table, ben)
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]
    assert box.sent[0].tables[0].what == OPENS
    start_match.ready(tables, table, ann)
    assert not any(turn.asked == READY for turn in tables.get(table).table.turns.values())


def test_tournament_table_stops_waiting_if_too_few_came(tables, box, fake_clock):
    code, (ann, ben) = tournaments.opened(tables, "Ann", "Ben")
    organizer.begin(tables, code, ann)
    tournaments.settled(tables, code)
    ((_, table, _),) = tournaments.pods(tables, code)
    start_match.ready(tables, table, ben)
    fake_clock.sleep(GRACE)
    tournaments.settled(tables, code)
    assert not tables.get(table).table.turns


# Alerts that are not about a turn


def checking_in(tables, **more):
    code, ids = tournaments.opened(tables, "Ann", "Ben", "Cat", check_in=20, **more)
    wants(tables, ids[0])
    wants(tables, ids[1], BENS)
    return code, ids


def test_check_in_notifies_absent_entrants_once(tables, box, fake_clock):
    code, _ = checking_in(tables, begins_at=fake_clock.time + 60)
    box.calls.tick()
    assert box.after(59, fake_clock) == []
    fake_clock.sleep(1)
    direct_all(tables)
    assert box.after(0, fake_clock) == sorted((ADDRESS, BENS))
    assert {it.what for call in box.sent for it in call.tables} == {CHECK_IN}
    assert {it.path for call in box.sent for it in call.tables} == {f"/tournaments/{code}"}
    assert box.after(60, fake_clock) == []
    box.calls.sweep()
    assert box.after(0, fake_clock) == []


def test_checked_in_or_departed_entrant_gets_no_alert(tables, box, fake_clock):
    code, (ann, ben, _) = checking_in(tables)
    organizer.begin(tables, code, ann)
    tournaments_service.check_in(tables, code, ann)
    tournaments_service.leave(tables, code, ben)
    assert box.after(0, fake_clock) == []


def test_failed_alert_is_retried_until_check_in_closes(tables, box, fake_clock):
    code, (ann, ben, _) = checking_in(tables)
    tournaments_service.leave(tables, code, ben)
    organizer.begin(tables, code, ann)
    box.answers = [NotArrived("asleep"), NotArrived("asleep")]
    assert box.after(0, fake_clock) == [ADDRESS]
    assert box.after(RETRIES[0], fake_clock) == [ADDRESS]
    assert box.after(20 * 60, fake_clock) == []
    assert tables.database.read(reminder_queries.next_due) is None


def test_failed_check_in_alert_backs_off(tables, box, fake_clock):
    code, (ann, ben, _) = checking_in(tables)
    tournaments_service.leave(tables, code, ben)
    organizer.begin(tables, code, ann)
    box.answers = [NotArrived("asleep"), NotArrived("asleep")]
    box.after(0, fake_clock)
    assert box.after(RETRIES[0], fake_clock) == [ADDRESS]
    assert box.after(RETRIES[1] - 1, fake_clock) == []
    assert box.after(1, fake_clock) == [ADDRESS]


def test_check_in_alert_is_taken_over_from_a_killed_worker(tables, box, fake_clock):
    code, (ann, _, _) = checking_in(tables)
    organizer.begin(tables, code, ann)
    now = tables.now()
    assert tables.database.write(lambda c: reminder_queries.lease(c, now, LEASE, 9))
    assert box.after(0, fake_clock) == []
    assert box.after(LEASE, fake_clock) == sorted((ADDRESS, BENS))


def called_lately(tables, player, digest):
    """Mark a player with digests as just notified."""
    channels.wish(tables, player, "", "", "UTC", digest)
    (way,) = tables.database.read(lambda c: store.of_player(c, player))
    tables.database.write(lambda c: store.change(c, way.id, sent_at=tables.now()))


def test_check_in_skips_a_digest_that_would_be_too_late(tables, box, fake_clock):
    code, (ann, _, _) = checking_in(tables)
    called_lately(tables, ann, 60)
    organizer.begin(tables, code, ann)
    assert box.after(0, fake_clock) == sorted((ADDRESS, BENS))


def test_tournament_table_alert_does_not_wait_for_a_digest(tables, box, fake_clock):
    code, (ann, _) = tournaments.opened(tables, "Ann", "Ben")
    wants(tables, ann)
    called_lately(tables, ann, 60)
    organizer.begin(tables, code, ann)
    tournaments.settled(tables, code)
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]


def test_vote_alert_waits_for_a_digest_that_is_in_time(tables, box, fake_clock):
    code, (ann, ben) = begun(tables, days=2)
    wants(tables, ben, BENS)
    called_lately(tables, ben, 1440)
    vote_service.propose_vote(tables, code, ann, "pause")
    assert box.after(PATIENCE_BY_DAYS, fake_clock) == []
    fake_clock.sleep(DAY)
    box.calls.tick()
    assert VOTE in {it.what for call in box.sent for it in call.tables}


def test_vote_target_is_notified_before_the_vote_passes(tables, box, fake_clock):
    """The vote is held open for a day. So is the target's digest, which began a minute later."""
    code, (ann, ben) = begun(tables, days=2)
    wants(tables, ben, BENS)
    vote_service.propose_vote(tables, code, ann, "bot", 1)
    fake_clock.sleep(30)
    called_lately(tables, ben, 1440)
    box.after(PATIENCE_BY_DAYS, fake_clock)
    assert [it.what for call in box.sent for it in call.tables] == [VOTE]


@pytest.mark.parametrize(
    ("quiet_to", "called_after"),
    [("23:10", [600.0]), ("07:00", [])],
    ids=["over in time", "all through it"],
)
def test_alerts_expired_during_quiet_hours_are_dropped(
    tables, box, fake_clock, quiet_to, called_after
):
    fake_clock.time = 1_700_000_000.0 // 86400 * 86400 + 23 * 3600  # 23:00 UTC
    code, (ann, _, _) = checking_in(tables)
    channels.wish(tables, ann, "22:00", quiet_to, "UTC", 0)
    organizer.begin(tables, code, ann)
    began, found = fake_clock.time, []
    box.calls.tick()
    while fake_clock.time < began + 9 * 3600:
        if ADDRESS in box.after(60, fake_clock):
            found.append(fake_clock.time - began)
    assert found == called_after
    assert tables.database.read(reminder_queries.next_due) is None


def test_correspondence_vote_alerts_unanswered_players(tables, box, fake_clock):
    code, (ann, ben) = begun(tables)
    wants(tables, ann)
    wants(tables, ben, BENS)
    vote_service.propose_vote(tables, code, ann, "pause")
    found = box.after(PATIENCE_BY_DAYS, fake_clock)
    asked = [it for call in box.sent for it in call.tables if it.what == VOTE]
    assert found.count(BENS) == 2  # it is his turn, too
    assert [(it.code, it.names) for it in asked] == [(code, ("Ben",))]
    assert box.after(DAY / 2, fake_clock) == []


def test_answered_vote_or_muted_table_notifies_no_player(tables, box, fake_clock):
    code, (ann, ben) = begun(tables)
    wants(tables, ben, BENS)
    box.open = {ben}  # turns are separate
    vote_service.propose_vote(tables, code, ann, "pause")
    channels.snooze(tables, ben, code, channels.SNOOZES[0])
    box.open = set()
    box.after(PATIENCE_BY_DAYS, fake_clock)
    assert [it.what for call in box.sent for it in call.tables if it.what == VOTE] == []


def test_live_vote_sends_no_alert(tables, box, fake_clock):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    wants(tables, ben, BENS)
    vote_service.propose_vote(tables, code, ann, "pause")
    assert tables.database.read(reminder_queries.next_due) is None


def test_worker_unsure_of_open_tables_notifies_no_player(tables, box, fake_clock, monkeypatch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    tables.signals.turns(code, [ann])
    box.open = None
    assert box.after(PATIENCE, fake_clock) == []
    later = time.monotonic() + UNKNOWN
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert box.after(PATIENCE, fake_clock) == [ADDRESS]


def test_due_alert_uses_channels_confirmed_for_this_table(tables, box, fake_clock):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    other, _ = playing(tables, "Ann", "Ben")
    wants(tables, ann)
    channels.add(tables, ann, channels.MAIL, "ann@letters.example", "en", BASE)  # not yet confirmed
    here, there = "https://here.example.org/", "https://there.example.org/"
    channels.keep_hook(tables, code, ann, here, "en", BASE)
    channels.keep_hook(tables, other, ann, there, "en", BASE)
    assert {call.address for call in due(tables, code, ann)} == {ADDRESS, here}
    (name,) = {name for call in due(tables, code, ann) for name in call.tables[0].names}
    assert (name, due(tables, code, ann)[0].tables[0].what) == ("Ann", TURN)
