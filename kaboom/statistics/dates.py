"""Dates and months in the format of the reader's language."""

from datetime import UTC, date, datetime

from babel.dates import format_skeleton
from flask_babel import format_date, get_locale


def month_of_date(day: date) -> str:
    """Return the abbreviated name of a date's month."""
    written: str = format_skeleton("MMM", day, locale=get_locale())
    return written


def weekday_of_date(day: date) -> str:
    """Return the shortest name of a date's day of the week, often one letter."""
    written: str = format_date(day, "ccccc")
    return written


def month_of(seconds: float, skeleton: str = "yMMM") -> str:
    """Return the month of a time in seconds since 1970, and its year; with "MMM" only the month."""
    at = datetime.fromtimestamp(seconds, UTC)
    written: str = format_skeleton(skeleton, at, locale=get_locale())
    return written
