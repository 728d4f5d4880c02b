"""The process that judges a match: `python -m kaboom.coach.process`, started by
kaboom.coach.runner.

It runs at the lowest priority, so that the web worker stays responsive. It reads a task from stdin,
writes one line per step to stdout and exits with its parent. It does not use the database.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator

from msgspec import Struct

from kaboom.coach.decisions import decisions_of
from kaboom.coach.judged_decision import CLOSELY, Judged, closely
from kaboom.coach.judging import Clock, looked_at, played_out
from kaboom.engine.codec import from_json, to_json
from kaboom.records.replay import rebuilt
from kaboom.tables.match_record import Record

LOWEST = 19  # the nice value
SECONDS = 45.0  # CPU seconds for the decisions of a match that are played out
BEAT = 5.0  # seconds between two heartbeats


class Task(Struct):
    """A match to judge for a seat; `judged` holds the results from an earlier process."""

    record: Record
    seat: int
    judged: list[Judged] | None = None
    made: int = 0


class Progress(Struct):
    """The results so far: `made` is the number of `steps` done."""

    judged: list[Judged]
    made: int
    steps: int


def work(task: Task, now: Clock = time.process_time) -> Iterator[Progress]:
    """Yield the progress after each step: each decision is judged at first glance, then the most
    costly ones are played out.

    The work continues from the task's earlier results. `now()` returns CPU seconds. Decisions that
    are settled early leave their time to the others.
    """
    replay = rebuilt(task.record)
    game, decisions = replay.game, decisions_of(replay, task.seat)
    judged, count = list(task.judged or ()), len(decisions)
    guess = count + min(count, CLOSELY)
    for place in range(len(judged), count):
        judged.append(looked_at(game, decisions[place]))
        yield Progress(judged, place + 1, guess)
    studied = closely(judged)
    steps = count + len(studied)
    left = studied[max(0, task.made - count) :]
    end = now() + SECONDS * len(left) / max(1, len(studied))
    for number, place in enumerate(left):
        seconds = (end - now()) / (len(left) - number)
        judged[place] = played_out(game, decisions[place], judged[place], seconds, now)
        yield Progress(judged, steps - len(left) + number + 1, steps)
    if not left:
        yield Progress(judged, steps, steps)


def main() -> None:
    """Run the task from stdin; write a JSON line per step, and an empty line as a heartbeat."""
    os.nice(LOWEST)
    parent = os.getppid()

    def live() -> None:
        while True:
            time.sleep(BEAT)
            if os.getppid() != parent:
                os._exit(1)
            _write(b"")

    threading.Thread(target=live, daemon=True).start()
    for progress in work(from_json(sys.stdin.buffer.read(), Task)):
        _write(to_json(progress))


def _write(line: bytes) -> None:
    try:
        os.write(1, line + b"\n")
    except OSError:  # the parent closed the pipe
        os._exit(1)


if __name__ == "__main__":
    main()
