"""Club events: planned by members, with a reminder to attendees shortly before."""

from datetime import UTC, datetime

import pytest

from kaboom.accounts.erase import erase
from kaboom.errors import InvalidState, NotPermitted
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels, reminder_queries
from kaboom.notifications.outbox import Outbox
from kaboom.social.clubs import events
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.reminders import AHEAD
from kaboom.social.clubs.service import ClubNotFound
from kaboom.social.friends import service as friends
from kaboom.tables.maintenance.cleanup import tidy
from tests.support.members import KEYS

HOUR = 3600.0


def plan(tables, club, name="Ben", hours=5, note=""):
    at = datetime.fromtimestamp(tables.now() + hours * HOUR, UTC)
    when = (f"{at:%Y-%m-%d}", f"{at:%H:%M}", "UTC")
    events.plan(tables, club, KEYS[name], "gops", when, note)
    return of(tables, club, name)[-1].number


def of(tables, club, name):
    return events.of_club(tables, club, KEYS.get(name, "")).planned


def called(tables):
    """Return the due alerts: players and subjects."""
    sent = []
    calls = Outbox(tables, sent.append, lambda code: (), lambda work: work())
    calls.tick()
    return sorted((it.address, *it.tables[0].names, it.tables[0].title) for it in sent)


def test_members_plan_attend_and_get_a_reminder(tables, ids, club, fake_clock):
    for name in ("Ann", "Ben", "Cleo"):
        channels.add(tables, ids[name], "json", f"https://hook.example.org/{name}", "en", "")
    number = plan(tables, club, note="at   Ben’s")
    events.come(tables, club, KEYS["Ann"], number, True)
    events.come(tables, club, KEYS["Ann"], number, True)  # pressed twice
    (it,) = of(tables, club, "Cleo")
    assert (it.by, list(it.coming), it.comes, it.note) == ("Ben", ["Ann", "Ben"], False, "at Ben’s")
    fake_clock.sleep(it.left - AHEAD - 1)
    assert called(tables) == []
    fake_clock.sleep(1)
    hook = "https://hook.example.org/"
    found = [(f"{hook}Ann", "Ann", "The Gulls"), (f"{hook}Ben", "Ben", "The Gulls")]
    assert called(tables) == found
    assert called(tables) == []
    assert tables.database.read(reminder_queries.next_due) is None


def test_event_skips_a_digest_that_would_be_too_late(tables, ids, club, fake_clock):
    channels.add(tables, ids["Ben"], "json", "https://hook.example.org/Ben", "en", "")
    channels.wish(tables, ids["Ben"], "", "", "UTC", 60)
    number = plan(tables, club, "Ben")
    (way,) = tables.database.read(lambda c: store.of_player(c, ids["Ben"]))
    (it,) = of(tables, club, "Ben")
    assert it.number == number
    fake_clock.sleep(it.left - AHEAD)
    tables.database.write(lambda c: store.change(c, way.id, sent_at=tables.now()))
    assert [name for _, name, _ in called(tables)] == ["Ben"]


def test_withdrawn_guest_or_former_member_is_not_notified(tables, ids, club, fake_clock):
    for name in ("Ben", "Cleo"):
        channels.add(tables, ids[name], "json", f"https://hook.example.org/{name}", "en", "")
    number = plan(tables, club, "Ben")
    events.come(tables, club, KEYS["Cleo"], number, True)
    events.come(tables, club, KEYS["Ben"], number, False)
    clubs.leave(tables, club, KEYS["Cleo"])
    assert list(of(tables, club, "Ann")[0].coming) == []
    fake_clock.sleep(5 * HOUR)
    assert called(tables) == []


def test_event_is_canceled_by_its_planner_or_an_officer(tables, ids, club, fake_clock):
    channels.add(tables, ids["Ben"], "json", "https://hook.example.org/Ben", "en", "")
    number = plan(tables, club, "Ben")
    assert [it.may_cancel for name in ("Ann", "Ben", "Cleo") for it in of(tables, club, name)] == [
        True,
        True,
        False,
    ]
    with pytest.raises(NotPermitted):
        events.cancel(tables, club, KEYS["Cleo"], number)
    events.cancel(tables, club, KEYS["Ann"], number)
    assert of(tables, club, "Ben") == []
    with pytest.raises(InvalidState):
        events.come(tables, club, KEYS["Ben"], number, True)
    fake_clock.sleep(5 * HOUR)
    assert called(tables) == []


def test_non_members_cannot_see_or_change_events(tables, ids, club):
    number = plan(tables, club)
    other = clubs.found(tables, ids["Dan"], "The Terns", "Dan")
    assert list(of(tables, club, "Dan")) == list(of(tables, club, "")) == []
    for work in (
        lambda: events.come(tables, club, KEYS["Dan"], number, True),
        lambda: events.cancel(tables, club, KEYS["Dan"], number),
        lambda: plan(tables, club, "Dan"),
        lambda: events.plan(tables, club, KEYS["Dan"], "chess", ("", "", ""), ""),
    ):
        with pytest.raises(NotPermitted):
            work()
    for work in (events.cancel, lambda *of: events.come(*of, True)):
        with pytest.raises(InvalidState):
            work(tables, other, KEYS["Dan"], number)  # of another club
    with pytest.raises(ClubNotFound):
        events.come(tables, "NOTHING2", KEYS["Ann"], number, True)


def test_events_are_visible_to_members_only(tables, ids, club):
    bens, cleos = plan(tables, club, "Ben"), plan(tables, club, "Cleo", 6)
    for number in (bens, cleos):
        events.come(tables, club, KEYS["Ann"], number, True)
    events.come(tables, club, KEYS["Ben"], cleos, True)
    friends.block(tables, ids["Ben"], ids["Ann"])
    assert [it.number for it in of(tables, club, "Ann")] == [cleos]
    assert list(of(tables, club, "Ann")[0].coming) == ["Ann", "Cleo"]
    assert list(of(tables, club, "Ben")[0].coming) == ["Ben"]
    with pytest.raises(InvalidState):
        events.come(tables, club, KEYS["Ann"], bens, False)


def test_event_times_use_the_given_time_zone(tables, ids, club):
    assert events.moment("2026-12-01", "19:30", "Africa/Nairobi") == 1796142600.0
    at = events.moment("2026-12-01", "19:30", "UTC")
    assert at - events.moment("2026-12-01", "19:30", "Africa/Nairobi") == 3 * HOUR
    assert events.moment("2027-03-28", "02:30", "Europe/Berlin")  # that time does not exist there


@pytest.mark.parametrize(
    "when",
    [
        ("", "19:30", "UTC"),
        ("2026-13-01", "19:30", "UTC"),
        ("28.11.2026", "19:30", "UTC"),
        ("9999-12-31", "23:59", "UTC"),
        ("0001-01-01", "00:00", "Pacific/Auckland"),
        ("2026-12-01", "", "UTC"),
        ("2026-12-01", "25:00", "UTC"),
        ("2026-12-01", "19:30", "Mars"),
        ("2026-12-01", "19:30", ""),
        ("2001-01-01", "19:30", "UTC"),
        ("8000-01-01", "19:30", "UTC"),
        ("٢٠٢٦-١٢-٠١", "19:30", "UTC"),
    ],
)
def test_past_or_invalid_time_is_refused(tables, club, when, fake_clock):
    fake_clock.sleep(datetime(2026, 11, 23, tzinfo=UTC).timestamp() - fake_clock.time)
    with pytest.raises(InvalidState):
        events.plan(tables, club, KEYS["Ann"], "gops", when, "")
    assert of(tables, club, "Ann") == []


def test_invalid_time_mentions_no_quiet_hours():
    with pytest.raises(InvalidState, match=r"^Enter a time such as 22:30\.$"):
        events.moment("2026-12-01", "half past seven", "UTC")


def test_events_are_limited_and_notes_short_or_off_for_children(tables, ids, club, fake_clock):
    with pytest.raises(InvalidState):
        events.plan(tables, club, KEYS["Ann"], "chess", ("2026-12-01", "19:30", "UTC"), "")
    plan(tables, club, note="x" * 10_000)
    assert len(of(tables, club, "Ann")[0].note) == events.LONGEST
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", False, True)
    plan(tables, club, hours=6, note="hello")
    assert of(tables, club, "Ann")[1].note == ""
    for hours in range(7, 7 + events.MOST - 2):
        plan(tables, club, hours=hours)
    with pytest.raises(InvalidState):
        plan(tables, club, hours=40)


def test_event_beginning_now_is_not_upcoming(tables, ids, club, fake_clock):
    fake_clock.time = float(int(fake_clock.time) + 60 - int(fake_clock.time) % 60)
    for _ in range(events.MOST):
        plan(tables, club, hours=1)
    fake_clock.sleep(HOUR - 1)
    with pytest.raises(InvalidState):
        plan(tables, club)
    fake_clock.sleep(1)
    plan(tables, club)


def test_past_events_and_erased_members_are_removed(tables, ids, club, fake_clock):
    number = plan(tables, club, "Ben")
    events.come(tables, club, KEYS["Cleo"], number, True)
    erase(tables, KEYS["Ben"])
    (it,) = of(tables, club, "Ann")
    assert (it.by, list(it.coming)) == ("", ["Cleo"])
    fake_clock.sleep(5 * HOUR + events.SHOWN_FOR + 60)
    assert list(of(tables, club, "Ann")) == []
    fake_clock.sleep(24 * HOUR)
    tidy(tables)
    with pytest.raises(InvalidState):
        events.cancel(tables, club, KEYS["Ann"], number)


def test_deleting_a_club_deletes_its_events_and_reminders(tables, ids, club):
    channels.add(tables, ids["Ben"], "json", "https://hook.example.org/Ben", "en", "")
    plan(tables, club, "Ben")
    assert tables.database.read(reminder_queries.next_due) is not None
    clubs.dissolve(tables, club)
    assert tables.database.read(reminder_queries.next_due) is None


def test_event_must_be_within_a_year(tables, ids, club, fake_clock):
    """To the second: an event that begins now is too early, and one at the same time next year is
    not too late."""
    fake_clock.sleep(60 - tables.now() % 60)  # times are given in minutes
    furthest = events.FURTHEST / HOUR
    for hours, said in (
        (0, "has passed"),
        (-1, "has passed"),
        (furthest + 1 / 60, "within the next year"),
    ):
        with pytest.raises(InvalidState, match=said):
            plan(tables, club, hours=hours)
    for hours in (1 / 60, furthest):
        plan(tables, club, hours=hours)
