"""Measures rows on several sides alternately, and judges the results."""

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from statistics import median
from typing import NamedTuple

Measure = Callable[[], float]
ALLOWED = 1.15
LEAST = 5  # minimum number of rounds
RESAMPLES = 2000


class Task(NamedTuple):
    """A measurement in each `every`-th round: once on each side, in turn."""

    name: str
    sides: Sequence[Measure]
    every: int = 1


class Interval(NamedTuple):
    """A figure with its 95% confidence interval."""

    middle: float
    low: float
    high: float


def ratio(pairs: Sequence[tuple[float, float]], seed: int = 1) -> Interval:
    """Return the median over rounds of first ÷ second, with its percentile bootstrap interval."""
    ratios = [one / other for one, other in pairs]
    rng = random.Random(seed)
    drawn = sorted(median(rng.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return Interval(median(ratios), drawn[RESAMPLES // 40], drawn[-RESAMPLES // 40])


def verdict(found: Interval, rounds: int) -> str:
    """Return the verdict on the limit of 15% extra cost."""
    if rounds < LEAST:
        return "too few rounds"
    if found.low > ALLOWED:
        return "NO"
    return "ok" if found.high <= ALLOWED else "unclear"


def rounds(
    tasks: Sequence[Task], seconds: float, clock: Callable[[], float] = time.monotonic
) -> Mapping[str, list[tuple[float, ...]]]:
    """Return the measurements of each task until the time is up: one tuple, with all sides, for
    each round.

    Every other round begins with the last side, so that slow periods affect all sides. A task is
    left out if it last took longer than the time left.
    """
    found: dict[str, list[tuple[float, ...]]] = {task.name: [] for task in tasks}
    took = dict.fromkeys(found, 0.0)
    until = clock() + seconds
    for number in count():
        left = until - clock()
        if number >= LEAST and all(seconds > left for seconds in took.values()):
            print(file=sys.stderr)
            return found
        for task in tasks:
            began = clock()
            late = began + took[task.name] > until and (number >= LEAST or task.every > 1)
            if number % task.every or (late and found[task.name]):
                continue
            order = range(len(task.sides))
            values = {side: task.sides[side]() for side in (order, reversed(order))[number % 2]}
            found[task.name].append(tuple(values[side] for side in order))
            took[task.name] = clock() - began
        print(f"\rround {number + 1} ", end="", file=sys.stderr, flush=True)
    raise AssertionError  # `count` never ends


def short(value: float) -> str:
    """Return a number with sensible precision."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"


def written(found: Interval) -> str:
    """Return an interval as text."""
    return f"{found.middle:.2f} ({found.low:.2f} to {found.high:.2f})"


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a table that is readable both as text and as Markdown."""
    cells = [heads, *lines]
    widths = [max(len(line[column]) for line in cells) for column in range(len(heads))]
    cells.insert(1, ["-" * width for width in widths])
    return "\n".join(
        f"| {' | '.join(text.ljust(w) for text, w in zip(line, widths, strict=True))} |"
        for line in cells
    )
