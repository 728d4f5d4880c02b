"""The hourly job of the daily deal: it publishes the commitments of the coming days."""

from kaboom.daily import service
from kaboom.tables import jobs

jobs.hourly.append(service.promise_ahead)
