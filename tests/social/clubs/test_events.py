"""When clubs mean to play: planned by members, and whoever comes is called shortly before."""

from datetime import UTC, datetime

import pytest

from kaboom.errors import InvalidState, NotPermitted
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels as ways
from kaboom.notifications import reminder_queries
from kaboom.notifications.outbox import TurnCalls
from kaboom.records.service import Library
from kaboom.social.clubs import events as dates
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.reminders import AHEAD
from kaboom.social.clubs.service import ClubNotFound
from kaboom.social.friends import service as people
from kaboom.tables.maintenance.cleanup import tidy
from tests.support.members import KEYS

HOUR = 3600.0


@pytest.fixture
def tables(open_tables, store_url):
    return open_tables(store_url)


def plan(tables, club, name="Ben", hours=5, note=""):
    at = datetime.fromtimestamp(tables.now() + hours * HOUR, UTC)
    when = (f"{at:%Y-%m-%d}", f"{at:%H:%M}", "UTC")
    dates.plan(tables, club, KEYS[name], "gops", when, note)
    return of(tables, club, name)[-1].number


def of(tables, club, name):
    return dates.of_club(tables, club, KEYS.get(name, "")).planned


def called(tables):
    """Return who is called now, about what."""
    sent = []
    calls = TurnCalls(tables, sent.append, lambda code: (), lambda work: work())
    calls.tick()
    return sorted((it.address, *it.tables[0].names, it.tables[0].title) for it in sent)


def test_members_plan_come_and_are_called_shortly_before(tables, ids, club, watch):
    for name in ("Ann", "Ben", "Cleo"):
        ways.add(tables, ids[name], "json", f"https://hook.example.org/{name}", "en", "")
    number = plan(tables, club, note="at   Ben’s")
    dates.come(tables, club, KEYS["Ann"], number, True)
    dates.come(tables, club, KEYS["Ann"], number, True)  # pressed twice
    (it,) = of(tables, club, "Cleo")
    assert (it.by, list(it.coming), it.comes, it.note) == ("Ben", ["Ann", "Ben"], False, "at Ben’s")
    watch.sleep(it.left - AHEAD - 1)
    assert called(tables) == []
    watch.sleep(1)
    hook = "https://hook.example.org/"
    found = [(f"{hook}Ann", "Ann", "The Gulls"), (f"{hook}Ben", "Ben", "The Gulls")]
    assert called(tables) == found
    assert called(tables) == []
    assert tables.database.read(reminder_queries.next_due) is None


def test_a_date_does_not_wait_for_a_digest_that_would_be_too_late(tables, ids, club, watch):
    ways.add(tables, ids["Ben"], "json", "https://hook.example.org/Ben", "en", "")
    ways.wish(tables, ids["Ben"], "", "", "UTC", 60)
    number = plan(tables, club, "Ben")
    (way,) = tables.database.read(lambda c: store.of_player(c, ids["Ben"]))
    (it,) = of(tables, club, "Ben")
    assert it.number == number
    watch.sleep(it.left - AHEAD)
    tables.database.write(lambda c: store.change(c, way.id, sent_at=tables.now()))
    assert [name for _, name, _ in called(tables)] == ["Ben"]


def test_who_does_not_come_after_all_or_is_no_member_any_more_is_not_called(
    tables, ids, club, watch
):
    for name in ("Ben", "Cleo"):
        ways.add(tables, ids[name], "json", f"https://hook.example.org/{name}", "en", "")
    number = plan(tables, club, "Ben")
    dates.come(tables, club, KEYS["Cleo"], number, True)
    dates.come(tables, club, KEYS["Ben"], number, False)
    clubs.leave(tables, club, KEYS["Cleo"])
    assert list(of(tables, club, "Ann")[0].coming) == []
    watch.sleep(5 * HOUR)
    assert called(tables) == []


def test_a_date_is_cancelled_by_who_planned_it_or_an_officer(tables, ids, club, watch):
    ways.add(tables, ids["Ben"], "json", "https://hook.example.org/Ben", "en", "")
    number = plan(tables, club, "Ben")
    assert [it.may_cancel for name in ("Ann", "Ben", "Cleo") for it in of(tables, club, name)] == [
        True,
        True,
        False,
    ]
    with pytest.raises(NotPermitted):
        dates.cancel(tables, club, KEYS["Cleo"], number)
    dates.cancel(tables, club, KEYS["Ann"], number)
    assert of(tables, club, "Ben") == []
    with pytest.raises(InvalidState):
        dates.come(tables, club, KEYS["Ben"], number, True)
    watch.sleep(5 * HOUR)
    assert called(tables) == []


def test_only_members_know_of_dates(tables, ids, club):
    number = plan(tables, club)
    other = clubs.found(tables, ids["Dan"], "The Terns", "Dan")
    assert list(of(tables, club, "Dan")) == list(of(tables, club, "")) == []
    for work in (
        lambda: dates.come(tables, club, KEYS["Dan"], number, True),
        lambda: dates.cancel(tables, club, KEYS["Dan"], number),
        lambda: plan(tables, club, "Dan"),
        lambda: dates.plan(tables, club, KEYS["Dan"], "chess", ("", "", ""), ""),
    ):
        with pytest.raises(NotPermitted):
            work()
    for work in (dates.cancel, lambda *of: dates.come(*of, True)):
        with pytest.raises(InvalidState):
            work(tables, other, KEYS["Dan"], number)  # of another club
    with pytest.raises(ClubNotFound):
        dates.come(tables, "NOTHING2", KEYS["Ann"], number, True)


def test_across_a_block_nobody_finds_the_others_dates_or_reads_who_comes(tables, ids, club):
    bens, cleos = plan(tables, club, "Ben"), plan(tables, club, "Cleo", 6)
    for number in (bens, cleos):
        dates.come(tables, club, KEYS["Ann"], number, True)
    dates.come(tables, club, KEYS["Ben"], cleos, True)
    people.block(tables, ids["Ben"], ids["Ann"])
    assert [it.number for it in of(tables, club, "Ann")] == [cleos]
    assert list(of(tables, club, "Ann")[0].coming) == ["Ann", "Cleo"]
    assert list(of(tables, club, "Ben")[0].coming) == ["Ben"]
    with pytest.raises(InvalidState):
        dates.come(tables, club, KEYS["Ann"], bens, False)


def test_times_are_of_the_zone_they_are_given_in(tables, ids, club):
    assert dates.moment("2026-12-01", "19:30", "Africa/Nairobi") == 1796142600.0
    at = dates.moment("2026-12-01", "19:30", "UTC")
    assert at - dates.moment("2026-12-01", "19:30", "Africa/Nairobi") == 3 * HOUR
    assert dates.moment("2027-03-28", "02:30", "Europe/Berlin")  # never shown on clocks there


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
def test_what_is_no_time_to_come_is_refused(tables, club, when, watch):
    watch.sleep(datetime(2026, 11, 23, tzinfo=UTC).timestamp() - watch.time)
    with pytest.raises(InvalidState):
        dates.plan(tables, club, KEYS["Ann"], "gops", when, "")
    assert of(tables, club, "Ann") == []


def test_of_a_time_that_is_none_nothing_is_said_about_quiet_hours():
    with pytest.raises(InvalidState, match=r"^Write a time as 22:30\.$"):
        dates.moment("2026-12-01", "half past seven", "UTC")


def test_there_are_not_too_many_notes_are_short_and_children_leave_none(tables, ids, club, watch):
    with pytest.raises(InvalidState):
        dates.plan(tables, club, KEYS["Ann"], "chess", ("2026-12-01", "19:30", "UTC"), "")
    plan(tables, club, note="x" * 10_000)
    assert len(of(tables, club, "Ann")[0].note) == dates.LONGEST
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", False, True)
    plan(tables, club, hours=6, note="hello")
    assert of(tables, club, "Ann")[1].note == ""
    for hours in range(7, 7 + dates.MOST - 2):
        plan(tables, club, hours=hours)
    with pytest.raises(InvalidState):
        plan(tables, club, hours=40)


def test_what_begins_this_second_is_none_of_those_to_come(tables, ids, club, watch):
    watch.time = float(int(watch.time) + 60 - int(watch.time) % 60)
    for _ in range(dates.MOST):
        plan(tables, club, hours=1)
    watch.sleep(HOUR - 1)
    with pytest.raises(InvalidState):
        plan(tables, club)
    watch.sleep(1)
    plan(tables, club)


def test_what_is_over_goes_and_who_is_forgotten_comes_nowhere(tables, ids, club, watch):
    number = plan(tables, club, "Ben")
    dates.come(tables, club, KEYS["Cleo"], number, True)
    Library(tables).forget(KEYS["Ben"])
    (it,) = of(tables, club, "Ann")
    assert (it.by, list(it.coming)) == ("", ["Cleo"])
    watch.sleep(5 * HOUR + dates.SHOWN_FOR + 60)
    assert list(of(tables, club, "Ann")) == []
    watch.sleep(24 * HOUR)
    tidy(tables)
    with pytest.raises(InvalidState):
        dates.cancel(tables, club, KEYS["Ann"], number)


def test_with_a_club_its_dates_go_and_the_calls_about_them(tables, ids, club):
    ways.add(tables, ids["Ben"], "json", "https://hook.example.org/Ben", "en", "")
    plan(tables, club, "Ben")
    assert tables.database.read(reminder_queries.next_due) is not None
    clubs.dissolve(tables, club)
    assert tables.database.read(reminder_queries.next_due) is None


def test_what_is_planned_is_to_come_and_within_a_year(tables, ids, club, watch):
    """To the second: a moment that is now is over, the same moment of the next year is not."""
    watch.sleep(60 - tables.now() % 60)  # times are given in minutes
    furthest = dates.FURTHEST / HOUR
    for hours, said in ((0, "is over"), (-1, "is over"), (furthest + 1 / 60, "within a year")):
        with pytest.raises(InvalidState, match=said):
            plan(tables, club, hours=hours)
    for hours in (1 / 60, furthest):
        plan(tables, club, hours=hours)
