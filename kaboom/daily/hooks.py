"""Hooks of the daily deal, once an hour."""

from kaboom.daily import service
from kaboom.tables import jobs

jobs.hourly.append(service.promise_ahead)
