"""What notifications do at a table."""

from kaboom.notifications import channel_queries, channels
from kaboom.tables import hooks, jobs

hooks.on_delete.append(channel_queries.of_table_gone)
jobs.cleanup.append(channels.forget_old)
