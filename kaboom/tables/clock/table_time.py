"""Table time, in which deadlines are counted: it stands still while nobody serves.

Every worker with a clock beats: it writes into one row, for the whole store, that it is serving.
Table time is the time of day minus what was given back. A beat that is too old means that nobody
served: table time stopped there, and goes on with the next beat, which gives the time back to all
tables at once. No deadline has to be moved. Pure functions of the last beat and the time.
"""

from kaboom.tables.queries import Pulse
from kaboom.tables.table import Table

EVERY = 10.0  # seconds between two beats of a worker
LONGEST = 30.0  # a beat older than this many seconds was the last before an outage
GRACE = 20.0  # extra seconds given, so that people can find their way back


def table_time(pulse: Pulse | None, now: float) -> float:
    """Return the table time at `now`, both in seconds since 1970.

    If the beat lies in the future, the machine's clock was set back: table time stands still too.
    """
    if pulse is None:
        return now
    since = now - pulse.beat_at
    passed = -GRACE if since > LONGEST else max(0.0, since)
    return pulse.beat_at + passed - pulse.given_back


def beaten(pulse: Pulse | None, now: float) -> Pulse:
    """Return the pulse after a beat: table time goes on from where it was or had stopped."""
    if pulse is None:
        return Pulse(now, 0.0, 0)
    if 0 <= now - pulse.beat_at <= LONGEST:
        return pulse._replace(beat_at=now)
    return Pulse(now, now - table_time(pulse, now), pulse.outages + 1)


def notice(table: Table, pulse: Pulse | None) -> None:
    """Move all revisions of a match that was on when time was given back.

    Every page of it then redraws its clocks. All workers come to the same numbers.
    """
    outages = pulse.outages if pulse else 0
    if table.playing:
        missed = outages - table.outages
        table.revisions = {viewer: n + missed for viewer, n in table.revisions.items()}
    table.outages = outages
