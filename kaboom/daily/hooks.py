"""The hourly job of the daily deal: the commitments of the coming days."""

from kaboom.daily import service
from kaboom.tables import jobs

jobs.hourly.append(service.promise_ahead)
