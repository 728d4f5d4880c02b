"""Times in seconds since 1970, as in the database, and days in UTC."""

from datetime import UTC, date, datetime

DAY = 24 * 3600.0  # seconds


def day_of(seconds: float) -> date:
    """Return the day of a time."""
    return datetime.fromtimestamp(seconds, UTC).date()


def begins(day: date) -> float:
    """Return the time at which a day begins."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
