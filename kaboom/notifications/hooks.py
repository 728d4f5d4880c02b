"""Notification hooks for tables, and for erased or merged accounts."""

from kaboom.accounts import hooks as account_hooks
from kaboom.notifications import channel_queries, channels
from kaboom.tables import hooks, jobs

hooks.on_delete.append(channel_queries.of_table_gone)
hooks.on_hand_over.append(channel_queries.hand_on)
account_hooks.on_erase.append(channel_queries.forget)
account_hooks.on_merge.append(channel_queries.carry)
jobs.cleanup.append(channels.forget_old)
