"""Hooks for remote bots: each worker's background thread, and their deletion with tables and
accounts.
"""

from kaboom.accounts import hooks as account_hooks
from kaboom.remote_bots import queries
from kaboom.remote_bots.runner import RemoteBots
from kaboom.tables import hooks, jobs

jobs.runners.append(RemoteBots)
hooks.on_delete.append(queries.part_from_table)
account_hooks.on_erase.append(queries.drop_of_owner)
