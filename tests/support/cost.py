"""The cost of each test: `make test ARGS="-p tests.support.cost"` writes instance/cost-*.tsv.

Each line has a test's processor seconds, those of its servers and browsers, the elapsed seconds,
and the second of the run at which it began. If the elapsed time is much longer, the test waits or
the machine is busy. `python -m tests.support.cost` sums the costs by file and shows when each
process finished.
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
    """Return the running child processes of a process; none if it has ended."""
    found = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += (thread / "children").read_text().split()
    except OSError:
        pass
    return found


class Clock:
    """Processor time of this process and of its descendants, such as servers and browsers."""

    def __init__(self) -> None:
        self.below: dict[tuple[str, str], float] = {}  # including processes that have ended

    def read(self) -> tuple[float, float, float]:
        """Return processor seconds of this process and of its descendants, and elapsed seconds."""
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
    """Record the cost of a test, including its set-up and teardown."""
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
    """Print the recorded costs: by file, then by process."""
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
