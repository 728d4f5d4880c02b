"""Mutation testing: make small changes to the program, and check that a nearby test fails.

python -m tests.mutation --seed 1 --count 300

draws this many of all possible changes to kaboom/ (`changes.py`), makes each in a copy of the tree,
and runs the tests that enter the changed function, nearest first (`worker.py`). A change that no
test notices has survived and is printed. Changes in `equivalents.txt` have no effect that a player
could see, for the stated reason; the score excludes them.

A seed draws the same changes even when other code moves. With `--answers FILE`, each result is
written at once, and changes that the file records as noticed are skipped. So an interrupted run can
continue, and after adding a test only the survivors are tried.

mutmut 3 and cosmic-ray 8 do not fit: neither draws a sample, and both either import the whole
program again for each change or cannot change code outside functions.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from pathlib import Path
from queue import Queue

from tests.mutation.changes import Mutant, all_mutants, ruined, unchanged
from tests.mutation.worker import UNNOTICED, seeing, started
from tests.support.rooms import ROOMS

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalents.txt")

# Tests on the other store notice the same changes, more slowly. Matches between bots tell few moves
# apart.
NEAR = "not postgresql and not test_bots_ and not test_the_bot_ and not duel"
TESTS = (
    *(f"tests/{room}" for room in ROOMS),
    "tests/hosting",
    "tests/pages",
    "tests/scenarios",
    *(f"tests/chaos/test_{name}.py" for name in ("damage", "outage", "deal")),
    "tests/secrecy/test_storage.py",
    "tests/bots/test_arena.py",
    "tests/stateful/test_takeback.py",
    "kaboom/testing",
)
WORKERS = 2
# Control samples: some are unchanged, and no test may fail. As many fail at once, and most must be
# noticed, otherwise no test covers the code.
CONTROLS = 5
FEW = 5
ENOUGH = 150.0  # seconds of processor time for the tests of one change
# Functions that run when the application is created, once for all tests. Tests near their file are
# run with a new application.
ONCE = ("init_app", "create_app")
# Rooms whose tests start their own servers, so that the functions they enter are not traced.
SERVERS = ("realtime",)
AT_LEAST = 0.95  # of the changes must be noticed
JUDGED_FROM = 100  # changes; with fewer, a low score may be bad luck


@dataclass(frozen=True)
class Test:
    """A test: its processor time in seconds, and the functions it enters."""

    name: str
    seconds: float
    enters: frozenset[tuple[str, str]]

    @cached_property
    def files(self) -> frozenset[str]:
        """Return the files the test enters, and their folders."""
        files = {file for file, _ in self.enters}
        return frozenset(files | {str(Path(file).parent) for file in files})


def paths_of_tests(tree: Path) -> list[str]:
    """Return the paths of tests that need neither browsers nor servers."""
    others = sorted(str(path.relative_to(tree)) for path in tree.glob("tests/test_*.py"))
    return [*TESTS, *others]


def tests_that_enter(tree: Path, folder: Path, paths: list[str], workers: int) -> list[Test]:
    """Return the tests of some files and folders that pass in a copy of the tree.

    They are run once, unless the folder already has a record of what each enters.
    """
    if not folder.exists():
        folder.mkdir()
        flags = ["-n", str(workers), "-q", "-p", "tests.mutation.entered", "-k", NEAR]
        subprocess.run(
            [sys.executable, "-m", "pytest", *flags, *paths],
            cwd=tree,
            env=seeing(tree) | {"KABOOM_ENTERED": str(folder)},
            stdout=subprocess.DEVNULL,
            check=False,
        )
    found = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime):
        for line in file.read_text().splitlines():
            name, seconds, functions = json.loads(line)
            if name.startswith(tuple(paths)):
                found[name] = Test(name, seconds, frozenset(map(tuple, functions)))
    return list(found.values())


def near(mutant: Mutant, tests: list[Test], enough: float = ENOUGH) -> list[Test]:
    """Return the tests of a change: those that enter its function.

    If there are fewer than FEW, for example for code that runs at import, the tests that enter its
    file and folder follow, then those that enter nothing, since a module's constants are read
    without a call. Tests of the same part come first, such as tests/tables for kaboom/tables; then
    those that enter fewer other functions. The first case of a parametrized test comes before the
    second case of any. The list takes about `enough` seconds to run.
    """
    here, part = (mutant.file, mutant.function), mutant.file.split("/")[1]
    of_part = f"tests/{part}/"

    def distance(test: Test) -> tuple[bool, bool, bool, int, float]:
        elsewhere = not test.name.startswith(of_part)
        outside = mutant.file not in test.files
        return here not in test.enters, outside, elsewhere, len(test.enters), test.seconds

    around = [
        test
        for test in tests
        if here in test.enters or (part in SERVERS and test.name.startswith(of_part))
    ]
    if len(around) < FEW or mutant.function in ONCE:
        folder = str(Path(mutant.file).parent)
        reading = {test for test in tests if not test.enters and test.name.startswith(of_part)}
        around = [test for test in tests if folder in test.files or test in reading]
    runs: Counter[str] = Counter()
    turns = []
    for test in sorted(around, key=distance):
        name = test.name.partition("[")[0]
        runs[name] += 1
        turns.append((runs[name], test))
    chosen, seconds = [], 0.0
    for _, test in sorted(turns, key=lambda turn: turn[0]):
        if not chosen or seconds + test.seconds <= enough:
            chosen.append(test)
            seconds += test.seconds
    return chosen


def asked(mutant: Mutant, tests: list[Test], enough: float, worker: subprocess.Popen[str]) -> str:
    """Return the result of running tests on a change: one of the answers that `worker.py` gives."""
    chosen = near(mutant, tests, enough)
    if not chosen:
        return UNNOTICED
    seconds = 20 + 5 * sum(test.seconds for test in chosen)
    names = [test.name for test in chosen]
    here = (mutant.file, mutant.function)
    # The change may take effect at import only.
    anew = mutant.function in ONCE or not any(here in test.enters for test in tests)
    change = [mutant.file, mutant.start, mutant.end, mutant.after, names, seconds, anew]
    assert worker.stdin is not None and worker.stdout is not None
    print(json.dumps(change), file=worker.stdin, flush=True)
    answer: str = json.loads(worker.stdout.readline())
    return answer


def drawn(mutants: list[Mutant], seed: int, count: int, only: Sequence[str] = ()) -> list[Mutant]:
    """Return this many of the changes whose description contains one of `only`, or of all.

    They are drawn by their description, not by their position in the list.
    """
    within = [it for it in mutants if not only or any(part in str(it) for part in only)]

    def lot(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.known_as} {mutant.nth}".encode()).digest()

    return sorted(within, key=lot)[:count]


class Answers:
    """The known results of changes; each is written down at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        told = [line.split("\t", 1) for line in lines]
        self.noticed = {mutant: how for how, mutant in told if how != UNNOTICED}

    def add(self, mutant: Mutant, how: str) -> None:
        """Write down the result of a change."""
        print(f"{how}: {mutant}", flush=True)
        with self.path.open("a") as file:
            file.write(f"{how}\t{mutant}\n")
        if how != UNNOTICED:
            self.noticed[str(mutant)] = how


def copied_to(folder: Path) -> Path:
    """Copy the tracked files of the working tree; return the folder."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def equivalents() -> dict[tuple[str, str, str], str]:
    """Return the reasons why known changes have no effect.

    Each entry has three lines: file and function, the change, the reason.
    """
    lines = [line for line in EQUIVALENT.read_text().splitlines() if line[:1] not in ("", "#")]
    known = {}
    for place, change, reason in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        file, _, function = place.partition(" ")
        known[file, function, change.strip()] = reason.strip()
    return known


def main(
    seed: int,
    count: int,
    minutes: float,
    only: list[str],
    by: list[str],
    entered: Path | None,
    answers: Path | None,
    workers: int,
    enough: float,
) -> int:
    """Draw, make and judge the changes; print the survivors and the score. Return 1 if it is too
    low.
    """
    began, known = time.monotonic(), equivalents()
    with tempfile.TemporaryDirectory() as name, ExitStack() as at_the_end:
        folder = Path(name)
        tree = copied_to(folder / "0")
        paths = by or paths_of_tests(tree)
        tests = tests_that_enter(tree, entered or folder / "entered", paths, workers)
        print(f"{len(tests)} tests, looked at in {time.monotonic() - began:.0f} s", flush=True)
        possible = all_mutants(tree)
        gone = known.keys() - {mutant.known_as for mutant in possible}
        for file, function, change in gone:
            print(f"known to change nothing, but can be made no more: {file} {function}: {change}")
        chosen = drawn(possible, seed, count, only)
        judged = [mutant for mutant in chosen if mutant.known_as not in known]
        within = [mutant for mutant in judged if mutant.function]
        controls = [same for it in within if (same := unchanged(it)) is not None][:CONTROLS]
        in_ruins = [ruined(mutant) for mutant in within[:CONTROLS]]
        kept = Answers(answers or folder / "answers")
        waiting: Queue[subprocess.Popen[str]] = Queue()
        for number in range(workers):
            own = copied_to(folder / str(number))
            waiting.put(at_the_end.enter_context(started(own, paths)))

        def judge(mutant: Mutant, limit: float = inf) -> str | None:
            if str(mutant) not in kept.noticed:
                if time.monotonic() - began > limit:
                    return None
                worker = waiting.get()
                kept.add(mutant, asked(mutant, tests, enough, worker))
                waiting.put(worker)
            return kept.noticed.get(str(mutant), UNNOTICED)

        with ThreadPoolExecutor(workers) as threads:
            asked_for = threads.map(partial(judge, limit=60 * minutes), judged)
            told = {it: answer for it, answer in zip(judged, asked_for, strict=True) if answer}
            wrong = [answer for answer in threads.map(judge, controls) if answer != UNNOTICED]
            seen = [answer for answer in threads.map(judge, in_ruins) if answer != UNNOTICED]
    parts: dict[str, Counter[bool]] = defaultdict(Counter)
    for mutant, answer in told.items():
        parts[mutant.file.split("/")[1]][answer != UNNOTICED] += 1
    for part, counted in sorted(parts.items()):
        print(f"  {part}: {counted[True]} of {counted.total()}")
    print("  " + ", ".join(f"{many} {how}" for how, many in Counter(told.values()).most_common()))
    noticed = sum(answer != UNNOTICED for answer in told.values())
    score = noticed / max(1, len(told))
    print(
        f"KABOOM_SEED={seed}: {noticed} of {len(told)} changes noticed, {score:.1%};"
        f" {len(chosen) - len(judged)} more change nothing;"
        f" {len(wrong)} of {len(controls)} times something was noticed though nothing was changed;"
        f" {len(seen)} of {len(in_ruins)} ruins were noticed;"
        f" {time.monotonic() - began:.0f} s"
    )
    too_low = len(told) >= JUDGED_FROM and score < AT_LEAST
    blind = 2 * len(seen) < len(in_ruins)
    return int(too_low or blind or bool(wrong) or bool(gone))


if __name__ == "__main__":
    asks = argparse.ArgumentParser(prog="python -m tests.mutation")
    asks.add_argument("--seed", type=int, default=int(os.environ.get("KABOOM_SEED", "1")))
    asks.add_argument("--count", type=int, default=300)
    asks.add_argument("--minutes", type=float, default=inf, help="no change is begun after them")
    asks.add_argument("--only", nargs="*", default=[], help="files, or parts of what changes say")
    asks.add_argument("--by", nargs="*", default=[], help="tests: no others are run")
    asks.add_argument("--entered", type=Path, help="a folder that keeps which tests enter what")
    asks.add_argument("--answers", type=Path, help="a file that keeps what was noticed")
    asks.add_argument("--workers", type=int, default=WORKERS)
    asks.add_argument(
        "--enough", type=float, default=ENOUGH, help="seconds of tests that one change is worth"
    )
    sys.exit(main(**vars(asks.parse_args())))
