"""Quiet hours, in the player's own time zone. Pure."""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

AROUND = 3 * 3600  # seconds within which the clocks change at most once


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones a player may live in, in order."""
    inhabited = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/")
    found = {name for name in available_timezones() if name.startswith((*inhabited, "Pacific/"))}
    return tuple(sorted(found | {"UTC"}))


def end_of_quiet(now: float, begin: int | None, end: int | None, zone: str) -> float | None:
    """Return when the quiet hours that contain `now` end; None if `now` is outside quiet hours.

    `begin` and `end` are in minutes since midnight by the zone's clocks, even if these change in
    between. A time that the clocks skip counts as the moment at which they go forward.
    """
    if begin is None or end is None or begin == end or zone not in zones():
        return None
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    if not (begin <= minute < end if begin < end else minute >= begin or minute < end):
        return None
    days = 1 if minute >= end else 0
    day = local.date() + timedelta(days=days)
    for fold in (0, 1):  # if an hour occurs twice, the next occurrence
        wall = datetime(day.year, day.month, day.day, end // 60, end % 60, fold=fold)
        ends = wall.replace(tzinfo=ZoneInfo(zone)).timestamp()
        shown = datetime.fromtimestamp(ends, UTC).astimezone(ZoneInfo(zone))
        if shown.replace(tzinfo=None) != wall.replace(fold=0):
            ends = _clock_change(ends, zone)
        if ends > now:
            return ends
    return None


def _clock_change(after: float, zone: str) -> float:
    """Return the moment at which a zone's clocks go forward, within three hours of `after`."""
    low, high = int(after) - AROUND, int(after) + AROUND
    place = ZoneInfo(zone)
    offset = datetime.fromtimestamp(low, place).utcoffset()
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, place).utcoffset() == offset:
            low = middle
        else:
            high = middle
    return float(high)
