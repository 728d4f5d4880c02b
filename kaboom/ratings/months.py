"""Calendar months (UTC) such as "2026-11"; each is a season."""

import re
from datetime import UTC, date, datetime

FORM = re.compile(r"[12][0-9]{3}-(0[1-9]|1[0-2])")
_EPOCH = date(1970, 1, 1)


def is_month(words: str) -> bool:
    """Return True if the text is a month."""
    return FORM.fullmatch(words) is not None


def month_at(seconds: float) -> str:
    """Return the month of a time in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m")


def first_day(month: str) -> date:
    """Return the first day of a month."""
    return date.fromisoformat(f"{month}-01")


def days_of(month: str) -> range:
    """Return the days of a month, counted since 1970."""
    first = first_day(month)
    after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return range((first - _EPOCH).days, (after - _EPOCH).days)


def months_between(first: str, last: str) -> list[str]:
    """Return the months from one to another, inclusive."""
    at, found = first, []
    while at <= last:
        found.append(at)
        at = month_at(days_of(at).stop * 86_400)
    return found
