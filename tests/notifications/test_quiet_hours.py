"""Quiet hours in a time zone, also on the days when clocks change."""

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from kaboom.notifications.quiet_hours import end_of_quiet, zones


def at(text, zone, fold=0):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()


@pytest.mark.parametrize(
    ("zone", "now", "begin", "end", "ends"),
    [
        ("UTC", "2026-03-01T12:00", "22:00", "07:00", None),
        ("UTC", "2026-03-01T22:00", "22:00", "07:00", "2026-03-02T07:00"),
        ("UTC", "2026-03-02T06:59", "22:00", "07:00", "2026-03-02T07:00"),
        ("UTC", "2026-03-02T07:00", "22:00", "07:00", None),
        ("UTC", "2026-12-31T23:00", "22:00", "07:00", "2027-01-01T07:00"),
        ("UTC", "2026-03-01T13:00", "12:00", "14:00", "2026-03-01T14:00"),
        ("UTC", "2026-03-01T14:00", "12:00", "14:00", None),
        ("UTC", "2026-03-01T14:00", "12:00", "12:00", None),
        ("Africa/Nairobi", "2026-03-01T23:00", "22:00", "07:00", "2026-03-02T07:00"),
        # Clocks go forward at 02:00 on 29 March: the night is an hour shorter, 02:30 does not
        # exist.
        ("Europe/Berlin", "2026-03-28T23:00", "22:00", "07:00", "2026-03-29T07:00"),
        ("Europe/Berlin", "2026-03-29T01:59", "22:00", "02:30", "2026-03-29T03:00"),
        # Clocks go back at 03:00 on 25 October: 02:30 occurs twice, and the first one counts.
        ("Europe/Berlin", "2026-10-24T23:00", "22:00", "07:00", "2026-10-25T07:00"),
        ("Europe/Berlin", "2026-10-25T01:00", "22:00", "02:30", "2026-10-25T02:30"),
        ("America/St_Johns", "2026-11-01T00:30", "22:00", "07:00", "2026-11-01T07:00"),
        ("Nowhere/Land", "2026-03-01T23:00", "22:00", "07:00", None),
    ],
)
def test_quiet_hours_end_at_the_local_time(zone, now, begin, end, ends):
    def minutes(text):
        return int(text[:2]) * 60 + int(text[3:])

    place = zone if zone in zones() else "UTC"
    found = end_of_quiet(at(now, place), minutes(begin), minutes(end), zone)
    assert found == (None if ends is None else at(ends, place))


def test_repeated_dst_half_hour_is_quiet_until_its_second_end():
    again = at("2026-10-25T02:15", "Europe/Berlin", fold=1)
    assert end_of_quiet(again, 22 * 60, 150, "Europe/Berlin") == again + 15 * 60


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_quiet_hours_end_in_the_future_within_14_hours(zone):
    now = at("2026-01-01T00:00", zone)
    for step in range(0, 365 * 24 * 3600, 5 * 3600 + 700):
        ends = end_of_quiet(now + step, 21 * 60, 9 * 60 + 30, zone)
        assert ends is None or 0 < ends - now - step <= 14 * 3600


def clock_changes(zone):
    """Yield when a zone's clocks go forward in 2026, and by how many minutes."""
    place = ZoneInfo(zone)
    start = int(datetime(2026, 1, 1, tzinfo=ZoneInfo("UTC")).timestamp())
    shown = [datetime.fromtimestamp(start + 900 * n, place).utcoffset() for n in range(365 * 96)]
    for n, (before, after) in enumerate(pairwise(shown), 1):
        if after > before:
            yield start + 900 * n, (after - before).seconds // 60


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "America/Santiago", "America/Havana", "Australia/Lord_Howe"]
)
def test_skipped_dst_time_is_the_moment_clocks_go_forward(zone):
    found = list(clock_changes(zone))
    assert len(found) == 1
    for moment, minutes in found:
        last = datetime.fromtimestamp(moment - 60, ZoneInfo(zone))  # the last minute before
        begin = last.hour * 60 + last.minute
        for more in (1, minutes // 2, minutes):
            end = (begin + more) % (24 * 60)
            assert end_of_quiet(moment - 30, begin, end, zone) == moment, (begin, end)


def test_without_quiet_hours_it_is_never_quiet():
    assert end_of_quiet(0.0, None, None, "UTC") is None
