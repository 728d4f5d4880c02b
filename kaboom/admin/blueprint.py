"""Registers the host's pages with the application."""

from datetime import UTC, datetime

from flask import Flask
from markupsafe import Markup

from kaboom.admin import (
    bans,
    cache,
    disk,
    evidence,
    notices,
    pages,
    records,
    report_routes,
    routes,
    upkeep_routes,
    waits,
)
from kaboom.admin.sanctions import end_of
from kaboom.admin.texts import active, age, ago, count, sentence_of_act
from kaboom.db.times import DAY

__all__ = ["disk", "init_app", "report_routes", "routes", "upkeep_routes"]


DAY_ONLY, EXACT, CLOCK = "%d %b %Y", "%Y-%m-%d %H:%M UTC", "%H:%M UTC"
WEEKDAY = "%A, %d %B %Y"
STAMP = "%Y-%m-%dT%H:%MZ"  # for the attribute that scripts read


def utc(seconds: float, form: str = EXACT) -> Markup:
    """Return a time (seconds since 1970) in UTC, in a `time` element."""
    stamp = "%Y-%m-%d" if form == DAY_ONLY else STAMP
    return Markup('<time datetime="{}">{}</time>').format(_at(seconds, stamp), _at(seconds, form))


def past(seconds: float, now: float) -> Markup:
    """Return how long ago a time was, with the exact UTC time in a tooltip and, after a day, beside
    it. Scripts show both in local time.
    """
    short = Markup('<time datetime="{}" title="{}">{}</time>').format(
        _at(seconds, STAMP), _at(seconds, EXACT), ago(now - seconds)
    )
    return short if now - seconds < DAY else short + ", " + utc(seconds)


def dated(seconds: float, now: float) -> Markup:
    """Return a time for a list of events: the time of day and how long ago it was or, after a day,
    the exact date and time.
    """
    if now - seconds >= DAY:
        return utc(seconds)
    clock = Markup('<time datetime="{}" data-clock>{}</time>')
    return clock.format(_at(seconds, STAMP), _at(seconds, CLOCK)) + ", " + past(seconds, now)


def hour_of(seconds: float) -> Markup:
    """Return the hour of a time, for a list below the heading of its day."""
    hour = Markup('<time datetime="{}" title="{}" data-clock>{}</time>')
    return hour.format(_at(seconds, STAMP), _at(seconds, EXACT), _at(seconds, CLOCK))


def second_of(seconds: float) -> Markup:
    """Return the time of day to the second, for things that are made in quick succession."""
    form = '<time datetime="{}" title="{}" data-clock="seconds">{}</time>'
    stamp = _at(seconds, "%Y-%m-%dT%H:%M:%SZ")
    return Markup(form).format(stamp, _at(seconds, EXACT), _at(seconds, "%H:%M:%S UTC"))


def day_of(seconds: float, now: float) -> Markup:
    """Return the day of a time as a heading."""
    days = int(now // DAY) - int(seconds // DAY)
    words = {0: "Today", 1: "Yesterday"}.get(days) or _at(seconds, WEEKDAY)
    return Markup('<time datetime="{}">{}</time>').format(_at(seconds, "%Y-%m-%d"), words)


def _at(seconds: float, form: str) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime(form)


def size(count: int) -> str:
    """Return a number of bytes as a string with a unit."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def init_app(app: Flask) -> None:
    """Register the pages, and the check that refuses banned players."""
    cache.init_app(app)
    app.before_request(bans.refuse_banned)
    app.register_error_handler(bans.Banned, bans.answer_banned)
    for function in (
        *(notices.told_by_host, notices.halted, notices.is_news),
        *(pages.by_host, pages.reports_to_read),
        *(evidence.reports_beside, evidence.reported_remarks),
        *(records.state_of_record, records.ended_by_host),
        *(utc, past, dated, hour_of, second_of, day_of, ago, active, age, count, size),
        *(sentence_of_act, end_of, waits.wait_at),
    ):
        app.jinja_env.globals[function.__name__] = function
    app.register_blueprint(pages.bp)
    app.register_blueprint(notices.bp)
