"""The coach's background thread, and the deletion of its results with an account."""

from kaboom.coach import queries
from kaboom.coach.runner import Coach
from kaboom.records import forget_hooks
from kaboom.tables import jobs

jobs.runners.append(Coach)
forget_hooks.on_forget.append(queries.forget)
