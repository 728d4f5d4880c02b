"""Kaboom as it is, but whoever does not beat for a second was away: outages short enough to test.

`gunicorn tests.chaos.short_outages:app` serves it.
"""

from kaboom.tables.clock import table_time

table_time.EVERY, table_time.LONGEST = 0.2, 1.0

from wsgi import app  # noqa: E402  (its heart beats at once)

__all__ = ["app"]
