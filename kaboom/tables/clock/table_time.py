"""Table time, in which deadlines are given; it stops while no server runs.

Every worker with a clock regularly writes a heartbeat into one row of the database. Table time is
the present time minus the duration of all outages. If the last heartbeat is too old, no worker was
serving: table time stopped at that heartbeat and continues with the next one, for all tables at
once. No deadline has to be moved. These are pure functions of the last heartbeat and the time.
"""

from kaboom.tables.queries import Pulse
from kaboom.tables.table import Table

EVERY = 10.0  # seconds between two heartbeats of a worker
LONGEST = 30.0  # if the last heartbeat is older than this many seconds, an outage followed it
GRACE = 20.0  # extra seconds after an outage, so that players can return


def table_time(pulse: Pulse | None, now: float) -> float:
    """Return the table time at `now`. Both are in seconds since 1970.

    If the last heartbeat is in the future, the machine's clock was set back, and table time stands
    still.
    """
    if pulse is None:
        return now
    since = now - pulse.beat_at
    passed = -GRACE if since > LONGEST else max(0.0, since)
    return pulse.beat_at + passed - pulse.given_back


def beaten(pulse: Pulse | None, now: float) -> Pulse:
    """Return the pulse after a heartbeat; table time continues from where it was or had stopped."""
    if pulse is None:
        return Pulse(now, 0.0, 0)
    if 0 <= now - pulse.beat_at <= LONGEST:
        return pulse._replace(beat_at=now)
    return Pulse(now, now - table_time(pulse, now), pulse.outages + 1)


def notice(table: Table, pulse: Pulse | None) -> None:
    """Raise all revisions of a match that was running during an outage.

    Every page that shows it then renders its clocks again. All workers compute the same numbers.
    """
    outages = pulse.outages if pulse else 0
    if table.playing:
        missed = outages - table.outages
        table.revisions = {viewer: n + missed for viewer, n in table.revisions.items()}
    table.outages = outages
