"""The timers of a table's bots."""

from kaboom.tables.clock.timer_kinds import Thinking


def thinking(table):
    """Return the pending decisions of the bots, with their timers."""
    return [(what, timer) for what, timer in table.timed() if isinstance(what, Thinking)]
