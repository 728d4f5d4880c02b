"""The coach's background thread, and the deletion of its results with an account."""

from kaboom.coach import queries
from kaboom.coach.runner import Coach
from kaboom.records import forgetting
from kaboom.tables import jobs

jobs.runners.append(Coach)
forgetting.on_forget.append(queries.forget)
