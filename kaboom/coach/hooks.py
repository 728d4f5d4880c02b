"""The coach's background thread, and the deletion of its results with a player's matches."""

from kaboom.accounts import hooks as account_hooks
from kaboom.coach import queries
from kaboom.coach.runner import Coach
from kaboom.tables import jobs

jobs.runners.append(Coach)
account_hooks.on_forget_matches.append(queries.forget)
