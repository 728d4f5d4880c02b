"""The cost of 100,000 simultaneous tables: `python -m bench.scale [--tables 100000]`.

It combines measured costs (docs/performance.md), stated assumptions, and a small simulation of one
worker. In the simulation, moves arrive at random, each with a form and three views in one queue,
and the worker also receives a message for every move in its installation.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import ceil

# Measured on two shared cores: docs/performance.md.
TABLES_A_WORKER = 175  # two workers with PostgreSQL and Redis carried 350
MOVES_A_TABLE = 63.6 / 350  # a second
STREAMS_A_TABLE = 4
CPU_A_MOVE = 1.16 / 63.6  # seconds of a worker's core per move, including views and streams
WORKER_MB = 449 / 2
STREAM_KB = 3.38
VIEW_BYTES = 2128
CONNECTIONS_A_WORKER = 12  # to PostgreSQL, at most
# Measured once, with release 2.
HEARING = 22e-6  # seconds of a worker's core for the message of a move at another table
SQLITE_MOVE = 176  # bytes in the database, including indexes
# Assumptions.
MOVE_BYTES = 2 * SQLITE_MOVE  # in PostgreSQL, whose rows have longer headers
CONNECTIONS = 100  # PostgreSQL's default limit
HEADER_BYTES = 700  # per response, with TLS, TCP and IP
VIEWS_A_MOVE = 4  # the response to the mover is one
BEAT_BYTES, BEAT_EVERY = 90, 10.0  # an idle stream's message, with TCP and IP; seconds between two
BUSY_HOURS = 4  # busy hours a day; the others have a tenth of the load
POSTGRES_A_MOVE = 0.003  # seconds of its cores: a transaction, and four views
REDIS_DELIVERIES = 300_000  # a second, of one Redis
CORES_A_MACHINE, MACHINE, STORE_MACHINE = 8, 60, 150  # the last two in euros a month
TERABYTE = 1  # euros
ROUND_TRIP = 0.005  # seconds from the wake-up to the request for the view
TARGET = 0.3  # seconds, of views at the 99th percentile


@dataclass(frozen=True, slots=True)
class Need:
    """The resources for these tables in a number of installations, each with its own database,
    Redis and host name; all except `each_…`, `hearing` and `late` are totals.
    """

    tables: int
    installations: int

    @property
    def moves(self) -> float:
        """Return the number of moves a second."""
        return self.tables * MOVES_A_TABLE

    @property
    def workers(self) -> int:
        """Return the number of worker processes."""
        return self.installations * ceil(self.tables / self.installations / TABLES_A_WORKER)

    @property
    def machines(self) -> int:
        """Return the number of machines for the workers, one worker per core."""
        return self.installations * ceil(self.workers / self.installations / CORES_A_MACHINE)

    @property
    def each_connections(self) -> int:
        """Return the maximum number of connections to one installation's PostgreSQL."""
        return self.workers // self.installations * CONNECTIONS_A_WORKER

    @property
    def each_postgres(self) -> float:
        """Return the busy cores of one installation's PostgreSQL."""
        return self.moves / self.installations * POSTGRES_A_MOVE

    @property
    def each_deliveries(self) -> float:
        """Return the number of messages a second from one installation's Redis: each move to each
        worker.
        """
        return self.moves / self.installations * self.workers / self.installations

    @property
    def hearing(self) -> float:
        """Return the share of a worker's core spent on messages about other tables' moves."""
        return self.moves / self.installations * HEARING

    @property
    def late(self) -> float:
        """Return the simulated 99th percentile of the delay of a move's last view, in seconds."""
        rate = self.moves / self.workers
        return simulated(rate, CPU_A_MOVE, self.hearing) if self.hearing < 1 else float("inf")

    @property
    def gigabytes(self) -> float:
        """Return the memory of workers and streams in gigabytes."""
        return self.workers * WORKER_MB / 1e3 + self.streams * STREAM_KB / 1e6

    @property
    def streams(self) -> int:
        """Return the number of open event streams."""
        return self.tables * STREAMS_A_TABLE

    @property
    def megabits(self) -> float:
        """Return the bandwidth to the players in megabits a second."""
        moves = self.moves * VIEWS_A_MOVE * (VIEW_BYTES + HEADER_BYTES)
        return 8e-6 * (moves + self.streams * BEAT_BYTES / BEAT_EVERY)

    @property
    def busy_seconds(self) -> float:
        """Return the seconds of full load that a day amounts to."""
        return 3600 * (BUSY_HOURS + (24 - BUSY_HOURS) / 10)

    @property
    def disk(self) -> float:
        """Return the daily growth of the databases in gigabytes."""
        return self.moves * self.busy_seconds * MOVE_BYTES / 1e9

    @property
    def euros(self) -> float:
        """Return the monthly cost in euros: the workers' machines, two for each database, and
        traffic.
        """
        traffic = self.megabits / 8e6 * self.busy_seconds * 30 * TERABYTE
        return self.machines * MACHINE + self.installations * 2 * STORE_MACHINE + traffic


def simulated(rate: float, cpu: float, lost: float, moves: int = 20_000) -> float:
    """Return the 99th percentile of the seconds until the last view of a move is rendered.

    `rate` moves a second arrive at random at a worker with one core, of which the share `lost` is
    unavailable. The form takes half of a move's `cpu` seconds, each view a sixth.
    """
    rng = random.Random(1)
    at, arrivals = 0.0, []
    for number in range(moves):
        at += rng.expovariate(rate)
        arrivals.append((at, number, 3))
    heapify(arrivals)
    free, began, ended = 0.0, {}, {}
    while arrivals:
        at, number, left = heappop(arrivals)
        form = number not in began
        if form:
            began[number] = at
        free = max(free, at) + cpu * (1 / 2 if form else 1 / 6) / (1 - lost)
        if form:
            for _ in range(left):
                heappush(arrivals, (free + ROUND_TRIP, number, 0))
        else:
            ended[number] = free
    waits = sorted(ended[number] - began[number] for number in ended)
    return waits[len(waits) * 99 // 100]


def most(holds: Callable[[Need], bool], step: int = 200) -> int:
    """Return the largest number of tables per installation, a multiple of `step`, that meets a
    condition.
    """
    tables = step
    while holds(Need(tables + step, 1)):
        tables += step
    return tables


ROWS = (
    ("moves a second", lambda it: f"{it.moves:,.0f}"),
    ("workers", lambda it: f"{it.workers:,}"),
    (f"machines of {CORES_A_MACHINE} cores for them", lambda it: f"{it.machines:,}"),
    ("event streams", lambda it: f"{it.streams:,}"),
    ("memory of workers and streams", lambda it: f"{it.gigabytes:,.0f} GB"),
    ("to players, a second", lambda it: f"{it.megabits:,.0f} Mbit"),
    ("the stores grow per day by", lambda it: f"{it.disk:,.1f} GB"),
    ("each: connections to PostgreSQL", lambda it: f"{it.each_connections:,}"),
    ("each: cores of PostgreSQL busy", lambda it: f"{it.each_postgres:,.1f}"),
    (
        f"each: messages that Redis delivers a second (it can: {REDIS_DELIVERIES:,})",
        lambda it: f"{it.each_deliveries:,.0f}",
    ),
    ("a worker is notified of others’ moves", lambda it: f"{100 * it.hearing:.1f}% of its core"),
    (
        "last view of a move p99, simulated",
        lambda it: f"{1000 * it.late:,.0f} ms",
    ),
    ("a month", lambda it: f"{it.euros:,.0f} €"),
)


def table(needs: list[Need]) -> str:
    """Return the figures as a Markdown table."""
    heads = [f"{it.tables:,} in {it.installations}" for it in needs]
    lines = [
        f"| tables in installations | {' | '.join(heads)} |",
        "| --- |" + " --- |" * len(needs),
    ]
    lines += [f"| {name} | {' | '.join(map(figure, needs))} |" for name, figure in ROWS]
    return "\n".join(lines)


def main() -> None:
    """Print the resources needed for this many tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100_000)
    asked = parser.parse_args()
    one = simulated(46.0, 0.73 / 46, 0)
    print(f"One worker, 46.0 moves/s: p99 {1000 * one:.0f} ms simulated, 238 ms measured.")
    print("One installation reaches")
    connected = most(lambda it: it.each_connections <= CONNECTIONS)
    delivered = most(lambda it: it.each_deliveries <= REDIS_DELIVERIES)
    in_time = most(lambda it: it.late <= TARGET, 2000)
    print(
        f"- {connected:,} tables with the {CONNECTIONS} connections PostgreSQL allows by default,"
    )
    print(f"- {delivered:,} until one Redis delivers {REDIS_DELIVERIES:,} messages a second,")
    print(f"- {in_time:,} until its workers, which are notified of every move, fall behind.\n")
    several = ceil(asked.tables / 10_000)
    print(
        table([Need(1000, 1), Need(10_000, 1), Need(asked.tables, 1), Need(asked.tables, several)])
    )


if __name__ == "__main__":
    main()
