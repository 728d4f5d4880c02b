"""What each test costs: `make test ARGS="-p tests.support.cost"` writes it to instance/cost-*.tsv.

A line a test: seconds of processor time of the test's process, of its servers and browsers, seconds
by the clock, and the second of the run at which it began. Where the first two are far less than the
third the test waits, or the machine is busy with something else. `python -m tests.support.cost`
adds them up by file, and says when each process was done.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "instance"
TICKS = os.sysconf("SC_CLK_TCK")
BEGAN = time.time()


def children(pid: int | str) -> list[str]:
    """Return the processes that one has started and that still run; none where it has ended."""
    found = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += (thread / "children").read_text().split()
    except OSError:
        pass
    return found


class Clock:
    """Processor time of this process, and of all below it: servers, browsers."""

    def __init__(self) -> None:
        self.below: dict[tuple[str, str], float] = {}  # also of those that have ended since

    def read(self) -> tuple[float, float, float]:
        """Return seconds of this process, of those below it, and by the clock."""
        left = children(os.getpid())
        while left:
            pid = left.pop()
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            self.below[pid, fields[19]] = (int(fields[11]) + int(fields[12])) / TICKS
            left += children(pid)
        times = os.times()
        ended = times.children_user + times.children_system
        return times.user + times.system, max(sum(self.below.values()), ended), time.time()


CLOCK = Clock()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test costs, with what it sets up and takes down."""
    before = CLOCK.read()
    found = yield
    spent = [after - then for after, then in zip(CLOCK.read(), before, strict=True)]
    figures = [*spent, before[2] - BEGAN]
    FOLDER.mkdir(exist_ok=True)
    name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    with (FOLDER / f"cost-{name}.tsv").open("a", encoding="utf-8") as file:
        print(*(f"{figure:.2f}" for figure in figures), item.nodeid, sep="\t", file=file)
    return found


def main() -> None:
    """Print what is written down: by file, then by process."""
    by_file: dict[str, Counter[str]] = {}
    for log in sorted(FOLDER.glob("cost-*.tsv")):
        process: Counter[str] = Counter()
        for line in log.read_text(encoding="utf-8").splitlines():
            own, below, wall, began, test = line.split("\t")
            spent = {"cpu": float(own) + float(below), "wall": float(wall)}
            process.update(spent)
            process["done"] = max(process["done"], float(began) + float(wall))
            by_file.setdefault(test.partition("::")[0], Counter()).update(spent)
        print(f"{log.stem}: {process['cpu']:.0f} s, done after {process['done']:.0f} s")
    for file, spent in sorted(by_file.items(), key=lambda it: -it[1]["cpu"]):
        print(f"{spent['cpu']:8.1f} {spent['wall']:8.1f} {file}")


if __name__ == "__main__":
    sys.exit(main())
