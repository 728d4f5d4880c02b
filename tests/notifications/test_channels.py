"""Ways of being called and what is wished of them: each bound by examples."""

import json

import pytest

from kaboom.db.times import DAY
from kaboom.errors import InvalidState
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels as ways
from kaboom.notifications.channels import (
    DIGESTS,
    FAILURES,
    MAIL,
    MOST,
    PUSH,
    Hook,
    Kept,
    Way,
    minutes_of,
)
from tests.tables.test_service import opened, people

BASE = "https://cards.example.org"
HOOK = "https://hook.example.org"


def wants(tables, player, address, kind="json", language="en", base=BASE):
    return ways.add(tables, player, kind, address, language, base)


def kept(tables, player):
    return ways.kept(tables, player).ways


def failed(tables, way, times):
    tables.database.write(lambda connection: store.change(connection, way, failures=times))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("0:00", 0), ("00:00", 0), ("7.05", 425), (" 22:30 ", 1350), ("23:59:00", 1439)],
)
def test_a_time_of_the_day_is_read_in_minutes(text, minutes):
    assert minutes_of(text) == minutes


@pytest.mark.parametrize("text", ["", "24:00", "12:60", "7", "7:5", "07:05:01", "x7:05", "123:00"])
def test_what_is_no_time_of_the_day_is_refused(text):
    with pytest.raises(InvalidState, match="22:30"):
        minutes_of(text)


@pytest.mark.parametrize(
    "wrong",
    [("22:00", "", "UTC", 0), ("", "7:00", "UTC", 0), ("", "", "Mars/Base", 0), ("", "", "UTC", 5),
     ("22:00", "25:00", "UTC", 0)],
)  # fmt: skip
def test_a_wish_that_cannot_be_kept_changes_nothing(wrong, tables):
    (ann,) = people(tables, "Ann")
    ways.wish(tables, ann, "22:00", "7:00", "Africa/Nairobi", DIGESTS[1])
    before = ways.kept(tables, ann).wishes
    assert (before.quiet_from, before.quiet_to, before.zone) == (1320, 420, "Africa/Nairobi")
    assert before.digest == 60
    with pytest.raises(InvalidState):
        ways.wish(tables, ann, *wrong)
    assert ways.kept(tables, ann).wishes == before
    ways.wish(tables, ann, "", "", "UTC", 24 * 60)
    after = ways.kept(tables, ann).wishes
    assert (after.quiet_from, after.quiet_to, after.digest) == (None, None, 1440)


def test_one_has_so_many_ways_and_those_of_single_tables_are_not_counted(tables):
    code, (ann,) = opened(tables, "Ann")
    ways.keep_hook(tables, code, ann, f"{HOOK}/table", "en", BASE)
    for number in range(MOST):
        assert wants(tables, ann, f"{HOOK}/{number}") is None
    with pytest.raises(InvalidState, match="Remove one first"):
        wants(tables, ann, f"{HOOK}/more")
    assert [way.to for way in kept(tables, ann)] == [f"{HOOK}/{n}" for n in range(MOST)]


def test_the_same_address_again_begins_afresh_and_in_the_language_of_now(tables):
    ann, ben = people(tables, "Ann", "Ben")
    for player in (ann, ben):
        wants(tables, player, HOOK)
        failed(tables, kept(tables, player)[0].id, FAILURES)
    (way,) = kept(tables, ann)
    assert way.rests
    wants(tables, ann, HOOK, language="sw", base="https://other.example.org")
    assert kept(tables, ann) == (Way(way.id, "json", HOOK, True, 0),)
    wishes = ways.kept(tables, ann).wishes
    assert (wishes.language, wishes.base) == ("sw", "https://other.example.org")
    assert kept(tables, ben)[0].rests, "that of somebody else is theirs"


@pytest.mark.parametrize(("failures", "rests"), [(FAILURES - 1, False), (FAILURES, True)])
def test_a_way_rests_after_so_many_failures(failures, rests):
    assert Way(1, "json", HOOK, True, failures).rests is rests


def test_a_browser_is_known_by_its_service_whatever_its_keys(tables):
    (ann,) = people(tables, "Ann")
    for keys in ("old", "new"):
        address = json.dumps({"endpoint": "https://push.example.org/1", "auth": keys})
        wants(tables, ann, address, PUSH)
    (way,) = kept(tables, ann)
    assert way.to == "push.example.org", "nobody is shown the rest: it is a secret"


def test_nobody_gets_a_second_letter_while_one_is_on_its_way(tables):
    ann, ben, cid = people(tables, "Ann", "Ben", "Cid")
    first = wants(tables, ann, "a@example.org", MAIL)
    secret, to = ways.mailbox(first)
    assert (to, wants(tables, ben, "A@Example.org", MAIL)) == ("a@example.org", None)
    assert kept(tables, ben) == ()
    assert not kept(tables, ann)[0].confirmed
    assert ways.confirm(tables, secret) and not ways.confirm(tables, "no secret")
    assert kept(tables, ann)[0].confirmed
    second = wants(tables, ben, "a@example.org", MAIL)
    assert second is not None
    assert wants(tables, cid, "a@example.org", MAIL) is None, "one of the two is still on its way"
    ways.stop_letters(tables, "no secret")
    ways.stop_letters(tables, ways.mailbox(second)[0])
    assert (len(kept(tables, ann)), kept(tables, ben)) == (1, ())
    assert ways.of_letter(tables, secret) == kept(tables, ann)[0]
    assert ways.of_letter(tables, "no secret") is None


@pytest.mark.parametrize(
    ("kind", "address"), [("pigeon", HOOK), (MAIL, "a@b"), (MAIL, "a b@example.org"), (MAIL, "")]
)
def test_what_is_no_service_or_no_address_of_mail_is_refused(kind, address, tables):
    (ann,) = people(tables, "Ann")
    with pytest.raises(InvalidState):
        wants(tables, ann, address, kind)
    assert kept(tables, ann) == ()


def test_of_several_ways_only_the_one_that_is_meant_is_woken_or_removed(tables):
    ann, ben = people(tables, "Ann", "Ben")
    for address in (f"{HOOK}/1", f"{HOOK}/2"):
        wants(tables, ann, address)
    one, two = (way.id for way in kept(tables, ann))
    failed(tables, one, FAILURES)
    failed(tables, two, FAILURES)
    ways.wake(tables, ben, one)
    ways.remove(tables, ben, one)
    assert [way.failures for way in kept(tables, ann)] == [FAILURES, FAILURES]
    ways.wake(tables, ann, two)
    assert [way.failures for way in kept(tables, ann)] == [FAILURES, 0]
    assert ways.own(tables, ann, two).address == f"{HOOK}/2"
    ways.remove(tables, ann, one)
    assert [way.id for way in kept(tables, ann)] == [two]
    for player, way in ((ann, one), (ben, two)):
        with pytest.raises(InvalidState):
            ways.own(tables, player, way)


def test_at_a_table_the_shape_is_that_of_the_address_unless_another_was_chosen(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    discord = "https://discord.com/api/1"
    ways.keep_hook(tables, code, ann, discord, "en", BASE)
    assert ways.hook(tables, code, ann) == Hook(discord)
    assert ways.hook(tables, code, ann).spoken == "discord"
    ways.keep_hook(tables, code, ann, discord, "en", BASE, "json")
    assert ways.hook(tables, code, ann) == Hook(discord, "json")
    assert ways.hook(tables, code, ann).spoken == "json"
    with pytest.raises(InvalidState):
        ways.keep_hook(tables, code, ann, discord, "en", BASE, "pigeon")
    assert ways.hook(tables, code, ben) == ways.hook(tables, "NOSUCH", ann) == Hook()
    ways.keep_hook(tables, "NOSUCH", ann, HOOK, "en", BASE)
    assert ways.kept(tables, ann).ways == (), "one table's address is none for all of them"


@pytest.mark.parametrize("days", [1, 7, 28])
def test_a_table_is_held_back_for_a_day_a_week_or_four(days, tables, watch):
    code, (ann,) = opened(tables, "Ann")
    ways.snooze(tables, ann, code, days * DAY)
    assert ways.kept(tables, ann).snoozed == {code: watch() + days * DAY}
    for odd in (1, 2 * DAY, -DAY):
        with pytest.raises(InvalidState):
            ways.snooze(tables, ann, code, odd)
    ways.snooze(tables, ann, code, 0)
    assert ways.kept(tables, ann).snoozed == {}


def test_ways_nobody_confirmed_go_after_a_day_and_others_after_a_year(tables, watch):
    (ann,) = people(tables, "Ann")
    wants(tables, ann, "a@example.org", MAIL)
    wants(tables, ann, HOOK)

    def left_after(seconds):
        now = watch() + seconds
        tables.database.write(lambda connection: ways.forget_old(connection, now))
        return [way.to for way in kept(tables, ann)]

    assert left_after(DAY - 1) == ["a@example.org", HOOK]
    assert left_after(DAY + 1) == [HOOK]
    assert left_after(366 * DAY - 1) == [HOOK]
    assert left_after(366 * DAY + 1) == []


def test_who_has_nothing_kept_has_a_feed_only_if_wanted(tables):
    (ann,) = people(tables, "Ann")
    assert ways.kept(tables, ann) == Kept()
    ways.new_feed(tables, ann, True)
    first = ways.kept(tables, ann).feed
    ways.new_feed(tables, ann, True)
    assert first and first != ways.kept(tables, ann).feed
    ways.new_feed(tables, ann, False)
    assert ways.kept(tables, ann).feed == ""
