"""The long runs: `make soak`, or `make soak MINUTES=180`.

Each part runs repeatedly with new seeds until its share of the time is used, and at least once.
Complete runs go file by file, in random order. A file that exceeds the time left is interrupted,
and unfinished ones are named. A failure prints the command that repeats it, and the rest continues.
"""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
NIGHT = 240  # minutes from which parts run in their long form

PASSED, FAILED = "passed", "failed"
BROKEN_OFF, UNTRIED = "broken off when the time was over", "not tried"
TELLING = ("KABOOM_SEED=", " deaths in ", " passed", " failed", "survived: ")


@dataclass
class Part:
    """Tests to run; `settings` make them longer, `seed` is the variable for the seed.

    With `each`, the files run once each, one by one, until the time is over.
    """

    name: str
    share: float  # of the time
    tests: list[str]
    settings: dict[str, str] = field(default_factory=dict)
    seed: str = "KABOOM_SEED"
    long: bool = False  # has a long form
    each: bool = False
    by: tuple[str, ...] = ("pytest", "-q", "-s")  # the command


PARTS = [
    Part(
        "workers die",
        0.12,
        ["tests/chaos/test_points.py"],
        {"KABOOM_DEATHS": "500", "KABOOM_LONG": "1"},
    ),
    Part(
        "stores fail",
        0.08,
        ["tests/chaos/test_stores.py"],
        {"KABOOM_EPISODES": "5", "KABOOM_LONG": "1"},
    ),
    Part(
        "the power is cut",
        0.06,
        ["tests/chaos/test_power_cut.py"],
        {"KABOOM_CUTS": "1000", "KABOOM_LONG": "1"},
    ),
    Part(
        "servers die, rows are damaged",
        0.08,
        ["tests/chaos/test_kill.py", "tests/chaos/test_damage.py"],
        {"KABOOM_KILLS": "20", "KABOOM_FLIPS": "5000", "KABOOM_LONG": "1"},
    ),
    Part(
        "histories",
        0.04,
        ["tests/chaos/test_histories.py"],
        {"KABOOM_HISTORIES": "20", "KABOOM_LONG": "1"},
    ),
    Part(
        "deadlines",
        0.04,
        ["tests/chaos/test_deadlines.py"],
        {"KABOOM_TIMED_TABLES": "100", "KABOOM_CLOCK_KILLS": "50", "KABOOM_LONG": "1"},
    ),
    Part(
        "pages stay open",
        0.08,
        [
            "tests/chaos/test_freshness.py",
            "tests/chaos/test_reload.py",
            "tests/chaos/test_vanish.py",
            "tests/chaos/test_pubsub.py",
        ],
        {
            "KABOOM_EPISODES": "6",
            "KABOOM_RELOADS": "10",
            "KABOOM_VANISHED": "5000",
            "KABOOM_BURSTS": "50",
            "KABOOM_LONG": "1",
        },
    ),
    Part("any request", 0.08, ["tests/fuzz"], seed="KABOOM_FUZZ", long=True),
    Part("machines", 0.08, ["tests/stateful"], long=True),
    Part("secrecy", 0.09, ["tests/secrecy"], {"KABOOM_SHARES": "1"}, long=True),
    Part(
        "the coach judges fairly",
        0.03,
        ["tests/coach/test_judging.py"],
        {"KABOOM_COACHED": "200"},
    ),
    Part(
        "in full what `make test` tries a little of",
        0.12,
        [
            "tests/bots",
            "tests/chaos/test_old_worker.py",
            "tests/chaos/test_deal.py",
            "tests/chaos/test_outage.py",
            "tests/chaos/test_outbox.py",
            "tests/chaos/test_review.py",
            "tests/chaos/test_tournament.py",
            "tests/chaos/test_two_servers.py",
            "tests/secrecy/test_planted_api_leaks.py",
            "tests/secrecy/test_planted_leaks.py",
            "tests/formats",
            "tests/accounts",
            "tests/correspondence",
            "tests/daily",
            "tests/games",
            "tests/admin/test_proofs.py",
            "tests/lobby",
            "tests/notifications",
            "tests/pages",
            "tests/table_page",
            "tests/ratings",
            "tests/realtime/test_long.py",
            "tests/learn/test_routes.py",
            "tests/learn/test_weight.py",
            "tests/cli/test_demo.py",
            "tests/coach/test_runner.py",
            "tests/puzzles",
            "tests/records",
            "tests/remote_bots",
            "tests/social",
            "tests/tables",
            "tests/tournaments",
            "tests/matchmaking",
            "tests/web",
            "tests/browser",
            "tests/text_browsers",
            "tests/browser_engines",
            "tests/screen_reader",
            "tests/test_contract.py",
        ],
        {"KABOOM_LONG": "1"},
        each=True,
    ),
    Part("changes that tests notice", 0.1, [], by=("tests.mutation", "--minutes")),
]


def main(minutes: float) -> int:
    """Run all parts; return the number of failed ones."""
    failed = 0
    if minutes >= NIGHT:
        os.environ["KABOOM_NIGHT"] = "1"
    for part in PARTS:
        began = time.monotonic()
        seconds = 60 * minutes * part.share
        if part.each:
            rounds, wrong = each_file(part, None if minutes >= NIGHT else seconds)
        elif part.by[0] != "pytest":
            rounds, wrong = 1, once(part, [str(minutes * part.share)]) == FAILED
        else:
            rounds, wrong = again_and_again(part, seconds, part.long and minutes >= NIGHT)
        took = time.monotonic() - began
        print(f"{part.name}: {rounds} rounds, {wrong} failed, {took:.0f} s", flush=True)
        failed += wrong > 0
    return failed


def again_and_again(part: Part, seconds: float, long: bool) -> tuple[int, int]:
    """Run a part until its seconds are over, or once in its long form; return the numbers of runs
    and failures.
    """
    began, rounds, wrong = time.monotonic(), 0, 0
    while not rounds or (time.monotonic() < began + seconds and not long):
        rounds += 1
        wrong += once(part, part.tests, long) == FAILED
    return rounds, wrong


def each_file(part: Part, seconds: float | None) -> tuple[int, int]:
    """Run the files of a part once until its seconds are over; return the numbers of files and
    failures. Name the unfinished files.
    """
    until = None if seconds is None else time.monotonic() + seconds
    files = [file for path in part.tests for file in files_of(path)]
    random.shuffle(files)
    answers = {}
    for file in files:
        left = None if until is None else until - time.monotonic()
        answers[file] = UNTRIED if left is not None and left <= 0 else once(part, [file], left=left)
    for answer in (BROKEN_OFF, UNTRIED):
        those = sorted(file for file in files if answers[file] == answer)
        if those:
            print(f"  {answer}: {' '.join(those)}", flush=True)
    found = list(answers.values())
    return len(found) - found.count(UNTRIED), found.count(FAILED)


def files_of(path: str) -> list[str]:
    """Return the test files in a folder, or the file itself."""
    if path.endswith(".py"):
        return [path]
    return [str(file.relative_to(ROOT)) for file in sorted((ROOT / path).rglob("test_*.py"))]


def once(part: Part, what: list[str], long: bool = False, left: float | None = None) -> str:
    """Run some tests of a part once, for at most this many seconds; return the result."""
    settings = dict(part.settings)
    if long:
        settings["KABOOM_LONG"] = "1"
    else:
        settings[part.seed] = str(random.randrange(1, 10**6))
    command = [sys.executable, "-m", *part.by, *what]
    asked = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        # A process started in the background ignores SIGINT, and its children would inherit that.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        told, _ = asked.communicate(timeout=left)
    except subprocess.TimeoutExpired:
        told = ended(asked)
        if " failed" not in told:
            return BROKEN_OFF
    for line in told.splitlines():
        if any(word in line for word in TELLING):
            print(f"  {line}", flush=True)
    if asked.returncode == 0:
        return PASSED
    again = " ".join([*(f"{k}={v}" for k, v in settings.items()), "python", *command[1:]])
    print(told[-5000:], f"  FAILED. Again: {again}", sep="\n", flush=True)
    return FAILED


def ended(asked: "subprocess.Popen[str]") -> str:
    """Interrupt tests, so that their servers and browsers end, too; return their output."""
    os.killpg(asked.pid, signal.SIGINT)
    try:
        return asked.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        os.killpg(asked.pid, signal.SIGKILL)
        return asked.communicate()[0]


if __name__ == "__main__":
    sys.exit(min(main(float(sys.argv[1])), 1))
