"""The application with an outage limit of one second, short enough for tests.

`gunicorn tests.chaos.short_outages:app` serves it.
"""

from kaboom.tables.clock import table_time

table_time.EVERY, table_time.LONGEST = 0.2, 1.0

from wsgi import app  # noqa: E402  (its heart beats at once)

__all__ = ["app"]
