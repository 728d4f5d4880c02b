"""Channels and preferences, and their limits."""

import json

import pytest

from kaboom.db.times import DAY
from kaboom.errors import InvalidState
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels
from kaboom.notifications.channels import (
    DIGESTS,
    FAILURES,
    MAIL,
    MOST,
    PUSH,
    Channel,
    Hook,
    Kept,
    minutes_of,
)
from tests.tables.test_service import opened, people

BASE = "https://cards.example.org"
HOOK = "https://hook.example.org"


def wants(tables, player, address, kind="json", language="en", base=BASE):
    return channels.add(tables, player, kind, address, language, base)


def kept(tables, player):
    return channels.kept(tables, player).channels


def failed(tables, way, times):
    tables.database.write(lambda connection: store.change(connection, way, failures=times))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("0:00", 0), ("00:00", 0), ("7.05", 425), (" 22:30 ", 1350), ("23:59:00", 1439)],
)
def test_time_of_day_is_parsed_into_minutes(text, minutes):
    assert minutes_of(text) == minutes


@pytest.mark.parametrize("text", ["", "24:00", "12:60", "7", "7:5", "07:05:01", "x7:05", "123:00"])
def test_invalid_time_of_day_is_refused(text):
    with pytest.raises(InvalidState, match="22:30"):
        minutes_of(text)


@pytest.mark.parametrize(
    "wrong",
    [("22:00", "", "UTC", 0), ("", "7:00", "UTC", 0), ("", "", "Mars/Base", 0), ("", "", "UTC", 5),
     ("22:00", "25:00", "UTC", 0)],
)  # fmt: skip
def test_invalid_setting_changes_nothing(wrong, tables):
    (ann,) = people(tables, "Ann")
    channels.wish(tables, ann, "22:00", "7:00", "Africa/Nairobi", DIGESTS[1])
    before = channels.kept(tables, ann).wishes
    assert (before.quiet_from, before.quiet_to, before.zone) == (1320, 420, "Africa/Nairobi")
    assert before.digest == 60
    with pytest.raises(InvalidState):
        channels.wish(tables, ann, *wrong)
    assert channels.kept(tables, ann).wishes == before
    channels.wish(tables, ann, "", "", "UTC", 24 * 60)
    after = channels.kept(tables, ann).wishes
    assert (after.quiet_from, after.quiet_to, after.digest) == (None, None, 1440)


def test_player_channels_are_limited_and_table_ones_excluded(tables):
    code, (ann,) = opened(tables, "Ann")
    channels.keep_hook(tables, code, ann, f"{HOOK}/table", "en", BASE)
    for number in range(MOST):
        assert wants(tables, ann, f"{HOOK}/{number}") is None
    with pytest.raises(InvalidState, match="Remove one first"):
        wants(tables, ann, f"{HOOK}/more")
    assert [way.to for way in kept(tables, ann)] == [f"{HOOK}/{n}" for n in range(MOST)]


def test_re_added_channel_starts_over_in_the_current_language(tables):
    ann, ben = people(tables, "Ann", "Ben")
    for player in (ann, ben):
        wants(tables, player, HOOK)
        failed(tables, kept(tables, player)[0].id, FAILURES)
    (way,) = kept(tables, ann)
    assert way.rests
    wants(tables, ann, HOOK, language="sw", base="https://other.example.org")
    assert kept(tables, ann) == (Channel(way.id, "json", HOOK, True, 0),)
    wishes = channels.kept(tables, ann).wishes
    assert (wishes.language, wishes.base) == ("sw", "https://other.example.org")
    assert kept(tables, ben)[0].rests, "another player's channel is theirs"


@pytest.mark.parametrize(("failures", "rests"), [(FAILURES - 1, False), (FAILURES, True)])
def test_channel_pauses_after_repeated_failures(failures, rests):
    assert Channel(1, "json", HOOK, True, failures).rests is rests


def test_browser_is_identified_by_its_push_service(tables):
    (ann,) = people(tables, "Ann")
    for keys in ("old", "new"):
        address = json.dumps(
            {"endpoint": "https://push.example.org/1", "p256dh": keys, "auth": keys}
        )
        wants(tables, ann, address, PUSH)
    (way,) = kept(tables, ann)
    assert way.to == "push.example.org", "the rest is secret and never shown"


def test_pending_email_prevents_a_second_one(tables):
    ann, ben, cid = people(tables, "Ann", "Ben", "Cid")
    first = wants(tables, ann, "a@example.org", MAIL)
    secret, to = channels.mailbox(first.address)
    assert (to, wants(tables, ben, "A@Example.org", MAIL)) == ("a@example.org", None)
    assert kept(tables, ben) == ()
    assert not kept(tables, ann)[0].confirmed
    assert channels.confirm(tables, secret) and not channels.confirm(tables, "no secret")
    assert kept(tables, ann)[0].confirmed
    second = wants(tables, ben, "a@example.org", MAIL)
    assert second is not None
    assert wants(tables, cid, "a@example.org", MAIL) is None, "one of the two is still on its way"
    channels.stop_letters(tables, "no secret")
    channels.stop_letters(tables, channels.mailbox(second.address)[0])
    assert (len(kept(tables, ann)), kept(tables, ben)) == (1, ())
    assert channels.of_letter(tables, secret) == kept(tables, ann)[0]
    assert channels.of_letter(tables, "no secret") is None


@pytest.mark.parametrize(
    ("kind", "address"), [("pigeon", HOOK), (MAIL, "a@b"), (MAIL, "a b@example.org"), (MAIL, "")]
)
def test_invalid_service_or_email_address_is_refused(kind, address, tables):
    (ann,) = people(tables, "Ann")
    with pytest.raises(InvalidState):
        wants(tables, ann, address, kind)
    assert kept(tables, ann) == ()


def test_only_the_selected_channel_is_woken_or_removed(tables):
    ann, ben = people(tables, "Ann", "Ben")
    for address in (f"{HOOK}/1", f"{HOOK}/2"):
        wants(tables, ann, address)
    one, two = (way.id for way in kept(tables, ann))
    failed(tables, one, FAILURES)
    failed(tables, two, FAILURES)
    channels.wake(tables, ben, one)
    channels.remove(tables, ben, one)
    assert [way.failures for way in kept(tables, ann)] == [FAILURES, FAILURES]
    channels.wake(tables, ann, two)
    assert [way.failures for way in kept(tables, ann)] == [FAILURES, 0]
    assert channels.own(tables, ann, two).address == f"{HOOK}/2"
    channels.remove(tables, ann, one)
    assert [way.id for way in kept(tables, ann)] == [two]
    for player, way in ((ann, one), (ben, two)):
        with pytest.raises(InvalidState):
            channels.own(tables, player, way)


def test_table_webhook_format_depends_on_its_url_unless_chosen(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    discord = "https://discord.com/api/1"
    channels.keep_hook(tables, code, ann, discord, "en", BASE)
    assert channels.hook(tables, code, ann) == Hook(discord)
    assert channels.hook(tables, code, ann).spoken == "discord"
    channels.keep_hook(tables, code, ann, discord, "en", BASE, "json")
    assert channels.hook(tables, code, ann) == Hook(discord, "json")
    assert channels.hook(tables, code, ann).spoken == "json"
    with pytest.raises(InvalidState):
        channels.keep_hook(tables, code, ann, discord, "en", BASE, "pigeon")
    assert channels.hook(tables, code, ben) == channels.hook(tables, "NOSUCH", ann) == Hook()
    channels.keep_hook(tables, "NOSUCH", ann, HOOK, "en", BASE)
    assert channels.kept(tables, ann).channels == (), (
        "one table's address does not cover all tables"
    )


@pytest.mark.parametrize("days", [1, 7, 28])
def test_table_can_be_muted_for_the_offered_days_only(days, tables, fake_clock):
    code, (ann,) = opened(tables, "Ann")
    channels.snooze(tables, ann, code, days * DAY)
    assert channels.kept(tables, ann).snoozed == {code: fake_clock() + days * DAY}
    for odd in (1, 2 * DAY, -DAY):
        with pytest.raises(InvalidState):
            channels.snooze(tables, ann, code, odd)
    channels.snooze(tables, ann, code, 0)
    assert channels.kept(tables, ann).snoozed == {}


def test_unconfirmed_channels_expire_in_a_day_others_in_a_year(tables, fake_clock):
    (ann,) = people(tables, "Ann")
    wants(tables, ann, "a@example.org", MAIL)
    wants(tables, ann, HOOK)

    def left_after(seconds):
        now = fake_clock() + seconds
        tables.database.write(lambda connection: channels.forget_old(connection, now))
        return [way.to for way in kept(tables, ann)]

    assert left_after(DAY - 1) == ["a@example.org", HOOK]
    assert left_after(DAY + 1) == [HOOK]
    assert left_after(366 * DAY - 1) == [HOOK]
    assert left_after(366 * DAY + 1) == []


def test_guest_gets_a_feed_only_on_request(tables):
    (ann,) = people(tables, "Ann")
    assert channels.kept(tables, ann) == Kept()
    channels.new_feed(tables, ann, True)
    first = channels.kept(tables, ann).feed
    channels.new_feed(tables, ann, True)
    assert first and first != channels.kept(tables, ann).feed
    channels.new_feed(tables, ann, False)
    assert channels.kept(tables, ann).feed == ""
